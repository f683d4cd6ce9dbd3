// gateway start: all of it in this process, until a signal. Prints what a newcomer needs and nothing else.
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type Config, readConfig } from '../main/config.ts'
import { isLoopback } from '../main/environment.ts'
import type { Running } from '../main/start.ts'
import { commandWithJson, type WithJson } from './arguments.ts'
import { note, paint, print, printJson, printPairs, warn } from './output.ts'

// Standard error says nothing as long as the start is this quick.
const QUIET_MS = 1000
// npm passes on a signal that the terminal has sent to everybody already: the same one again at once is no impatience.
const SAME_SIGNAL_MS = 1000

export function startCommand(): Command {
  return commandWithJson('start', 'start the gateway: database, sandbox provider, API and workers', [
    'gateway start',
    'PORT=8080 GATEWAY_DATA_DIR=/var/lib/gateway gateway start',
    'DATABASE_URL=postgres://user@host/gateway gateway start',
  ]).action(start)
}

async function start({ json }: WithJson): Promise<void> {
  const began = performance.now()
  const config = readConfig()
  if (!isLoopback(config.host))
    warn(
      `HOST is ${config.host}: whoever reaches this port and has a key can move money. Put TLS and a firewall before it.`,
    )
  // Asked before anything is started: the commonest fault of a first try is told at once.
  await portIsFree(config)
  const signals = takeSignals()
  const { startGateway } = await import('../main/start.ts')
  const slow = tellWhenSlow(config)
  const running = await startGateway(config, slow.say).finally(slow.end)
  process.on('uncaughtException', (fault) => {
    // Nobody knows what state is left in memory; all that counts is in the database.
    running.log.fatal({ err: fault }, 'uncaught exception')
    process.exit(1)
  })
  if (json) printJson(readyJson(running, config))
  else printReady(running, config, performance.now() - began)
  const signal = await signals.first
  if (!json) print(`\n${signal}: finishing what is under way … (the same again stops at once)`)
  await running.stop()
  if (!json) print('Stopped. Everything is on the disk; start again to go on.')
  process.exit(0)
}

type Signals = { readonly first: Promise<NodeJS.Signals> }

/** The first signal asks to stop; a second one ends the process where it stands, which the next start repairs. */
function takeSignals(): Signals {
  let firstAt: number | null = null
  const first = new Promise<NodeJS.Signals>((resolve) => {
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ] as const)
      process.on(signal, () => {
        const now = performance.now()
        if (firstAt !== null && now - firstAt > SAME_SIGNAL_MS) process.exit(code)
        firstAt ??= now
        resolve(signal)
      })
  })
  return { first }
}

/** Rejects with the system's fault where the address cannot be listened on. */
function portIsFree({ host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}

/** Holds the lines of a start back until it has taken a second: most starts need no words. */
function tellWhenSlow({ dataDir }: Config): { readonly say: (line: string) => void; readonly end: () => void } {
  const isFirst = !existsSync(join(dataDir, 'dev.json'))
  let held: string[] | null = []
  const timer = setTimeout(() => {
    note(isFirst ? 'Starting. The first start makes the database, which takes some seconds.' : 'Starting.')
    for (const line of held ?? []) note(`  ${line}`)
    held = null
  }, QUIET_MS)
  return {
    say: (line) => {
      if (held) held.push(line)
      else note(`  ${line}`)
    },
    end: () => clearTimeout(timer),
  }
}

function readyJson({ url, dev }: Running, config: Config) {
  return {
    status: 'ready',
    url,
    docs_url: `${url}/docs`,
    dev_file: join(config.dataDir, 'dev.json'),
    data_dir: config.dataDir,
    dev,
  }
}

function printReady({ url, dev }: Running, config: Config, tookMs: number): void {
  const here = url === config.publicUrl ? url : `${url}  (public: ${config.publicUrl})`
  print(
    `${paint('bold', paint('green', 'Gateway ready'))} at ${paint('bold', config.port === 0 ? url : here)}  ${paint('dim', `(${(tookMs / 1000).toFixed(1)} s)`)}`,
  )
  print()
  printPairs([
    ['API docs', `${url}/docs`],
    ['API key', dev.api_key],
    ['For scripts', `${join(config.dataDir, 'dev.json')}  (base_url, api_key and those of a second account)`],
    [
      'Data',
      config.databaseUrl === null
        ? `${config.dataDir}  (embedded PostgreSQL)`
        : `the PostgreSQL of DATABASE_URL; keys in ${config.dataDir}`,
    ],
    ['Rails', `the sandbox provider at ${dev.sandbox_url}: no real money moves`],
  ])
  print()
  print('A first contract, to paste into another terminal:')
  print()
  print(firstCurl(url, dev.api_key))
  print()
  printPairs([
    ['A payment page', paint('bold', 'npx gateway payments create --amount 500 --currency PHP')],
    ['Both ways of money', `${paint('bold', 'npm run demo')}  (with webhooks and ledger)`],
  ])
  print()
  print('Ctrl-C to stop.')
}

function firstCurl(url: string, apiKey: string): string {
  const body =
    '{"amount": 1500, "currency": "PHP", "channel": "sandbox", "recipient": {"name": "Ana Cruz", "wallet": "0012345678"}}'
  return [
    `  curl -s ${url}/contracts/transfer \\`,
    `    -H 'X-Api-Key: ${apiKey}' \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -d '${body}'`,
  ].join('\n')
}
