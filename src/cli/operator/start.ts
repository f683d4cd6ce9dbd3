// gateway start: all of it in this process, until a signal. Prints what a newcomer needs and nothing else.
import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, PROCESSES_MAX } from '../../main/config/config.ts'
import { endsWithinMs } from '../../main/config/doors.ts'
import { countOf, isLoopback } from '../../main/config/environment.ts'
import { liveRails } from '../../main/config/rails.ts'
import { readStartConfig } from '../../main/config/start.ts'
import type { Supervised } from '../../main/processes/supervisor.ts'
import type { Running } from '../../main/start.ts'
import { command, flag, option } from '../command.ts'
import { Misused } from '../failures.ts'
import { note, paint, print, printJson, printPairs, warn } from '../output.ts'

// Standard error says nothing as long as the start is this quick.
const QUIET_MS = 1000
// npm passes on a signal that the terminal has sent to everybody already: the same one again at once is no impatience.
const SAME_SIGNAL_MS = 1000

export const start = command(
  'start',
  'start the gateway: database, API and workers, and for a trial a sandbox provider',
  {
    examples: [
      'gateway start',
      'PORT=8080 GATEWAY_DATA_DIR=/var/lib/gateway gateway start',
      'DATABASE_URL=postgres://user@127.0.0.1/gateway gateway start',
      'gateway start --without-payouts',
      'gateway start --processes auto',
      'GATEWAY_MODE=production gateway start        (gateway init sets it up)',
    ],
    options: {
      withoutPayouts: flag('pause all payouts first (gateway payouts resume lets them go on)'),
      processes: option('<n>', 'how many processes share the port and the work; auto for one for each core'),
    },
    notes:
      'With more than one process SIGHUP replaces each by a new one, one after the other, while all requests are answered.',
    run: ({ json, withoutPayouts, processes }) =>
      runGateway(json === true, {
        ...(withoutPayouts && { payouts: 'off' }),
        ...(processes !== undefined && { processes: processesOf(processes) }),
      }),
  },
)

function processesOf(text: string): number {
  const count = countOf(text, availableParallelism, PROCESSES_MAX)
  if (count === undefined) throw new Misused(`--processes is auto, or a whole number from 1 to ${PROCESSES_MAX}`)
  return count
}

async function runGateway(isJson: boolean, said: Partial<Config>): Promise<void> {
  const began = performance.now()
  const config = { ...readStartConfig(), ...said }
  if (cluster.isWorker) return oneOfSeveral(config)
  if (config.payouts === 'off')
    note('Payouts are paused: nothing is sent until an operator says: gateway payouts resume.')
  if (!isLoopback(config.host))
    warn(
      `HOST is ${config.host}: whoever reaches this port and has a key can move money. Put TLS and a firewall before it.`,
    )
  // Before anything is started: the commonest fault of a first try shows at once.
  await portIsFree(config)
  const ended = firstSignal(config)
  const startAll = await starterOf(config)
  const slow = noteWhenSlow(config)
  // Whoever ends it before it is there need not wait for what it waits for; the next start repairs what is left of it.
  const running = await Promise.race([startAll(config, slow.say).finally(slow.end), ended])
  if (typeof running === 'string') process.exit(EXIT_CODES[running])
  process.on('uncaughtException', (fault) => {
    // Nobody knows what state is left in memory; all that counts is in the database.
    running.log.fatal({ err: fault }, 'uncaught exception')
    process.exit(1)
  })
  if (running.replaceAll) onHangUp(running.replaceAll, isJson ? () => undefined : print)
  if (isJson) printJson(readyJson(running, config))
  else printReady(running, config, performance.now() - began)
  const signal = await Promise.race([ended, running.outdated.then(() => null)])
  if (signal === null) warn(outdatedWords(await running.outdated))
  else if (!isJson) print(`\n${signal}: finishing what is under way … (the same again stops at once)`)
  await Promise.race([running.stop(), hardEnd(config)])
  if (!isJson) print('Stopped. Everything is on the disk; start again to go on.')
  process.exit(signal === null ? 1 : 0)
}

/** Begun by another one, which has this program run once more for each. */
async function oneOfSeveral(config: Config): Promise<void> {
  const [{ runChild }, { explain }] = await Promise.all([
    import('../../main/processes/child.ts'),
    import('../faults.ts'),
  ])
  await runChild(config, explain)
}

type Startable = Running & Partial<Pick<Supervised, 'replaceAll'>>

/** Loads what is needed of it alone. */
async function starterOf({ processes }: Config): Promise<(config: Config, say: Say) => Promise<Startable>> {
  if (processes > 1) return (await import('../../main/processes/supervisor.ts')).superviseGateway
  return (await import('../../main/start.ts')).startGateway
}

type Say = (line: string) => void

/** Whoever sent it sees that it was heard and when it is over: meanwhile all looks as it did. */
function onHangUp(replaceAll: Supervised['replaceAll'], say: Say): void {
  let isReplacing = false
  process.on('SIGHUP', () => {
    if (isReplacing) return say('SIGHUP: the processes are being replaced already.')
    isReplacing = true
    const began = performance.now()
    say('\nSIGHUP: replacing the processes, one after the other, while all requests are answered …')
    void replaceAll().then((how) => {
      isReplacing = false
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      if (how === 'all replaced') say(`All processes were replaced (${seconds} s).`)
      else if (how === 'one did not begin')
        warn(`A new process did not begin, for the reason in the log: those that are there go on.`)
    })
  })
}

const outdatedWords = (name: string) =>
  `A newer release has brought the database to ${name}, which this release cannot work with. Finishing what is under way; start the newer release.`

async function hardEnd({ doors }: Config): Promise<never> {
  const withinMs = endsWithinMs(doors)
  await sleep(withinMs)
  warn(
    `Not everything ended within ${withinMs / 1000} s, such as a database that does not answer. Ending as it stands.`,
  )
  process.exit(1)
}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
type EndSignal = keyof typeof EXIT_CODES

/** The first signal asks to stop; a second one ends the process where it stands, which the next start repairs. */
function firstSignal({ processes }: Config): Promise<EndSignal> {
  let firstAt: number | null = null
  // Where there are several processes, SIGHUP replaces them. Until they are there it does nothing.
  const asksToEnd = (signal: string) => processes === 1 || signal !== 'SIGHUP'
  if (processes > 1) process.on('SIGHUP', () => undefined)
  return new Promise((resolve) => {
    for (const signal of (Object.keys(EXIT_CODES) as EndSignal[]).filter(asksToEnd))
      process.on(signal, () => {
        const now = performance.now()
        if (firstAt !== null && now - firstAt > SAME_SIGNAL_MS) process.exit(EXIT_CODES[signal])
        firstAt ??= now
        resolve(signal)
      })
  })
}

/** Rejects with the system's fault where the address cannot be listened on. */
function portIsFree({ host, port, role }: Config): Promise<void> {
  if (role === 'worker') return Promise.resolve()
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}

/** Holds the lines of a start back until it has taken a second: most starts need no words. */
function noteWhenSlow({ dataDir }: Config): { readonly say: (line: string) => void; readonly end: () => void } {
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

function readyJson({ url, publicUrl, metricsUrl, development, inRecovery }: Running, config: Config) {
  const { mode, dataDir } = config
  const state = inRecovery ? { state: 'recovery' } : {}
  const ready = {
    status: 'ready',
    ...state,
    mode,
    url,
    public_url: publicUrl,
    docs_url: `${url}/docs`,
    data_dir: dataDir,
  }
  const figures = metricsUrl === null ? {} : { metrics_url: metricsUrl }
  if (!development)
    return { ...ready, console_url: consoleOf(publicUrl, config), ...figures, live_rails: liveRails(config) }
  return { ...ready, ...figures, dev_file: development.path, dev: development.file, notes: development.notes }
}

function printReady(running: Running, config: Config, tookMs: number): void {
  const { url, publicUrl, development } = running
  const here = url === publicUrl ? url : `${url}  (public: ${publicUrl})`
  const isProduction = development === null
  print(
    `${paint('bold', paint('green', isProduction ? 'Gateway ready, in production,' : 'Gateway ready'))} at ${paint('bold', here)}  ${paint('dim', `(${(tookMs / 1000).toFixed(1)} s)`)}`,
  )
  if (running.inRecovery)
    print(
      `${paint('red', 'In recovery')}: it moves no money. Next: gateway recovery compare, then gateway recovery resume.`,
    )
  if (config.role !== 'all') print(ROLE_WORDS[config.role])
  print()
  if (development) printTrial(running, development, config)
  else printProduction(running, config)
  print()
  print('Ctrl-C to stop.')
}

const ROLE_WORDS = {
  api: 'It answers requests; what waits is done by the processes of the role worker or all on the same database.',
  worker: 'It does the work that waits, and listens at no port.',
}

function whereDataIs({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === null
    ? `${dataDir}  (embedded PostgreSQL)`
    : `the PostgreSQL of DATABASE_URL; local files in ${dataDir}`
}

function printProduction({ url, publicUrl, metricsUrl }: Running, config: Config): void {
  const live = liveRails(config)
  printPairs([
    ['Console', consoleOf(publicUrl, config)],
    ['API docs', `${url}/docs`],
    ['Data', whereDataIs(config)],
    ['Live rails', live.length === 0 ? 'none: only money between wallets moves' : live.join(', ')],
    ['Figures', metricsUrl],
    ['Accounts, keys', 'gateway init for the first, gateway accounts and gateway keys for others'],
    ['Check it', 'gateway doctor --production'],
  ])
}

function printTrial({ url, metricsUrl }: Running, development: Trial, config: Config): void {
  const { file, path, notes, sandboxUrl } = development
  const key = file.api_key ?? null
  printPairs([
    ['API docs', `${url}/docs`],
    ['API key', key && `${key}  (TEST)`],
    ['For scripts', key === null ? path : `${path}  (base_url, api_key and those of a second account)`],
    ['Console', file.console_url && paint('bold', file.console_url)],
    ['Sign in', file.console_login && signInWords(file.console_login)],
    ['Data', whereDataIs(config)],
    ['Rails', `the sandbox provider at ${sandboxUrl}: no real money moves`],
    ['Figures', metricsUrl],
  ])
  for (const each of notes) print(`\n${each}`)
  if (key === null) return
  print()
  print('A first contract, to paste into another terminal:')
  print()
  print(firstCurl(url, key))
  print()
  printPairs([
    ['A payment page', paint('bold', 'npx gateway payments create --amount 500 --currency PHP')],
    ['Both ways of money', `${paint('bold', 'npm run demo')}  (with webhooks and ledger)`],
  ])
}

/** The code changes each half minute: the command says the one of the moment. */
const signInWords = ({ email, password }: { readonly email: string; readonly password: string }) =>
  `${email}, password ${password}; the code: npx gateway open console`

const consoleOf = (url: string, config: Config) => (config.console === 'on' ? `${url}/console/` : null)

type Trial = NonNullable<Running['development']>

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
