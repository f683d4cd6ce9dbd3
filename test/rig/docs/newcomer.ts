// A newcomer at a fresh gateway: a directory in which the blocks of one page are pasted into one shell, one after the other.
// `npx gateway` is the command line as it is built, and `gateway-contracts-sdk` the client.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { WRITTEN } from '../../../docs/.vitepress/reference/written.ts'
import { type GatewayProcess, openGatewayProcess } from '../gateway-process.ts'
import type { Block } from './blocks.ts'

/** Printed after each block, so that what each printed can be told apart. */
const MARK = '=== end of block'
const WITHIN_MS = 240_000
const CLIENT = 'gateway-contracts-sdk'

export type Pasted = {
  /** What each block printed; fewer than there are blocks where one of them failed. */
  readonly printed: readonly string[]
  /** All of it with the faults, for whoever has to find out why. */
  readonly whole: string
  readonly exitCode: number | null
}

export type Newcomer = {
  readonly gateway: GatewayProcess
  readonly directory: string
  readonly paste: (blocks: readonly Block[], env?: Readonly<Record<string, string>>) => Promise<Pasted>
  readonly leave: () => Promise<void>
}

export async function openNewcomer(): Promise<Newcomer> {
  const gateway = await openGatewayProcess({}, {})
  gateway.launch()
  await gateway.ready()
  const root = dirname(gateway.dataDir)
  const directory = join(root, 'newcomer')
  const commands = join(directory, 'node_modules/.bin')
  mkdirSync(commands, { recursive: true })
  symlinkSync(gateway.dataDir, join(directory, '.gateway'))
  writeFileSync(join(directory, 'package.json'), '{ "name": "newcomer", "type": "module" }\n')
  const program = join(root, 'dist/src/cli/index.js')
  writeFileSync(join(commands, 'gateway'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o755 })
  return {
    gateway,
    directory,
    paste: async (blocks, env = {}) => {
      if (blocks.some(({ text }) => text.includes(CLIENT))) installClient(directory)
      return pasted(directory, gateway, blocks, env)
    },
    leave: () => gateway.remove(),
  }
}

/** As npm would put it there: compiled, with the package's own exports. */
function installClient(directory: string): void {
  const place = join(directory, 'node_modules', CLIENT)
  mkdirSync(place, { recursive: true })
  copyFileSync('sdk/package.json', join(place, 'package.json'))
  const words = ['-p', 'sdk/tsconfig.json', '--outDir', join(place, 'dist')]
  const { status, stdout } = spawnSync('node_modules/.bin/tsc', words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the client could not be compiled:\n${stdout}`)
}

async function pasted(
  directory: string,
  gateway: GatewayProcess,
  blocks: readonly Block[],
  more: Readonly<Record<string, string>>,
): Promise<Pasted> {
  const lines = blocks.map((block, place) => `${pastedText(directory, block, place)}\necho; echo '${MARK}'`)
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    // npx keeps its log there, and nothing of this machine's user is to matter.
    HOME: directory,
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    BASE_URL: gateway.url,
    API_KEY: gateway.dev().api_key,
    ...more,
  }
  // As the site does where it is served.
  const script = `set -euo pipefail\n${lines.join('\n')}`.replaceAll(WRITTEN, gateway.url)
  // A group of its own: what a block leaves running ends with it.
  const shell = spawn('bash', ['-c', script], {
    cwd: directory,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let whole = ''
  shell.stdout.on('data', (bytes: Buffer) => {
    out += bytes.toString()
    whole += bytes.toString()
  })
  shell.stderr.on('data', (bytes: Buffer) => (whole += bytes.toString()))
  const timer = setTimeout(() => endGroup(shell.pid), WITHIN_MS)
  await once(shell, 'exit')
  clearTimeout(timer)
  endGroup(shell.pid)
  return { printed: out.split(`${MARK}\n`).slice(0, -1), whole, exitCode: shell.exitCode }
}

/** A program becomes a file of its own, whose types are left to the compiler, and is run. */
function pastedText(directory: string, { kind, text }: Block, place: number): string {
  if (kind === 'shell') return text
  const name = `block-${place}`
  writeFileSync(join(directory, `${name}.ts`), text)
  const words = ['--target', 'es2023', '--module', 'nodenext', '--noCheck', '--ignoreConfig', `${name}.ts`]
  const compiler = join(process.cwd(), 'node_modules/.bin/tsc')
  const { status, stdout } = spawnSync(compiler, words, { cwd: directory, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name}.ts could not be compiled:\n${stdout}`)
  return `node ${name}.js`
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (fault) {
    // Nothing of it is left.
    if ((fault as NodeJS.ErrnoException).code !== 'ESRCH') throw fault
  }
}
