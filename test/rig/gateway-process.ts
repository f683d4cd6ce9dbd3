// A real gateway as processes: the gateway itself, its sandbox provider and its PostgreSQL. Each can be killed -9.
// Knows how to start and end them; what is asked of them is the callers' business.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { DevFile } from '../../src/main/development.ts'
import { textIfThere } from '../../src/platform/private-files.ts'
import { compileGateway } from './built.ts'
import type { Ran } from './command-serving.ts'
import { type CommandThread, openCommandThread } from './command-thread.ts'
import { freePort, type GatewayChild, gatewayChild } from './gateway-child.ts'
import { mountSmallDisk, type SmallDisk } from './chaos/small-disk.ts'

export { lastLines } from './gateway-child.ts'

export type Victim = 'gateway' | 'provider' | 'postgres'

export type GatewayProcess = {
  readonly url: string
  /** The gateway's own process. */
  readonly child: GatewayChild
  readonly dataDir: string
  /** What the gateway wrote to standard error, all starts together. */
  readonly logPath: string
  /** Starts the gateway; does not wait for it. */
  readonly launch: () => void
  /** Waits until it says that it is ready; the milliseconds that took. Throws when it ended instead or takes too long. */
  readonly ready: () => Promise<number>
  /** Whether the gateway's own process is there. */
  readonly isUp: () => boolean
  /** Kills one of the processes -9. False where there was none to kill. */
  readonly kill: (victim: Victim) => Promise<boolean>
  /** Stops one of the processes for a while and lets it go on. False where there was none. */
  readonly freeze: (victim: Victim, forMs: number) => Promise<boolean>
  readonly pid: (victim: Victim) => number | undefined
  /** Another gateway on the same data directory; started and ended by whoever asks for it, removed with this one. */
  readonly addGateway: () => Promise<GatewayChild>
  /** The disk that the data directory has to itself; null where none was asked for or can be had. */
  readonly disk: SmallDisk | null
  readonly dev: () => DevFile
  /** Runs a command of the gateway's command line against this installation, in a process of its own. */
  readonly command: (...words: readonly string[]) => Ran
  /** The same beside the test, which may start others at the same time. */
  readonly commandBeside: (...words: readonly string[]) => Promise<Ran>
  /** The same for a command that is ended by a signal, or whose output is not read to its end. */
  readonly spawnCommand: (...words: readonly string[]) => ChildProcess
  /** The same in a thread, which is quicker (test/rig/command-thread.ts). */
  readonly inThread: (...words: readonly string[]) => Ran
  /** The same beside the test, which goes on to serve what the gateway calls meanwhile. */
  readonly besideInThread: (...words: readonly string[]) => Promise<Ran>
  readonly thread: () => CommandThread
  /** SIGTERM, as an operator would; the exit code. */
  readonly stop: () => Promise<number | null>
  /** Ends all that is left and removes the files. */
  readonly remove: () => Promise<void>
}

const COMMAND_WITHIN_MS = 120_000
const GONE_WITHIN_MS = 10_000
const POLL_MS = 20

/**
 * Prepares an installation under /tmp, compiled from the sources. `config` is written to a GATEWAY_CONFIG file; `diskSize` (as
 * "160m") gives the data directory a disk of its own.
 */
export async function openGatewayProcess(
  config: unknown,
  settings: Readonly<Record<string, string>>,
  diskSize?: string,
): Promise<GatewayProcess> {
  const folder = mkdtempSync('/tmp/gateway-rig-')
  // The server's unprivileged user must be able to come through.
  chmodSync(folder, 0o755)
  const program = compileGateway(folder)
  const dataDir = join(folder, 'data')
  const logPath = join(folder, 'gateway.log')
  const configPath = join(folder, 'config.json')
  writeFileSync(configPath, JSON.stringify(config))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const own = {
    PORT: String(port),
    GATEWAY_DATA_DIR: dataDir,
    // Nobody's logins.
    XDG_CONFIG_HOME: join(folder, 'config'),
    GATEWAY_CONFIG: configPath,
    GATEWAY_RATE_LIMIT: '0',
    GATEWAY_AUTH_FAILURES_PER_MINUTE: '0',
    LOG_LEVEL: 'error',
  }
  const env = { PATH: process.env['PATH'] ?? '', ...own, ...settings }
  const first = gatewayChild({ program, folder, logPath, port, env })
  const gateways = [first]
  const disk = diskSize === undefined ? null : mountSmallDisk(dataDir, diskSize)
  let opened: CommandThread | null = null
  let isRemoved = false
  const thread = () => (opened ??= openCommandThread(dirname(program)))
  const pidOf = (victim: Victim) => {
    if (victim === 'gateway') return first.pid()
    const keepers = gateways.map((each) => each.pid())
    return victim === 'provider' ? providerOf(keepers, dataDir) : postmasterOf(dataDir)
  }

  return {
    url,
    child: first,
    dataDir,
    logPath,
    disk,
    pid: pidOf,
    addGateway: async () => {
      const another = gatewayChild({ program, folder, logPath, port: await freePort(), env })
      gateways.push(another)
      return another
    },
    freeze: async (victim, forMs) => {
      const pid = pidOf(victim)
      // A server that stands still does nothing by its other processes either.
      return pid !== undefined && (await freezeAll(victim === 'postgres' ? [pid, ...childrenOf(pid)] : [pid], forMs))
    },
    launch: () => {
      if (isRemoved) throw new Error('the gateway is removed')
      first.launch()
    },
    ready: first.ready,
    isUp: first.isUp,
    kill: async (victim) => {
      const pid = pidOf(victim)
      if (pid === undefined || !sent(pid, 'SIGKILL')) return false
      if (victim === 'gateway') await first.end('SIGKILL')
      return true
    },
    dev: () => JSON.parse(readFileSync(join(dataDir, 'dev.json'), 'utf8')) as DevFile,
    command: (...words) =>
      spawnSync(process.execPath, [program, ...words], {
        env,
        cwd: folder,
        encoding: 'utf8',
        timeout: COMMAND_WITHIN_MS,
      }),
    commandBeside: (...words) =>
      new Promise((resolve) => {
        const options = { env, cwd: folder, timeout: COMMAND_WITHIN_MS }
        const beside = execFile(process.execPath, [program, ...words], options, (_, stdout, stderr) =>
          resolve({ status: beside.exitCode, stdout, stderr }),
        )
      }),
    spawnCommand: (...words) =>
      spawn(process.execPath, [program, ...words], { env, cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] }),
    inThread: (...words) => thread().run({ words, env }),
    besideInThread: (...words) => thread().runBeside({ words, env }),
    thread,
    stop: () => first.end('SIGTERM'),
    remove: async () => {
      isRemoved = true
      await opened?.close()
      for (const each of gateways) await each.end('SIGKILL')
      // The watchdog stops PostgreSQL once its last user is gone.
      for (const until = Date.now() + GONE_WITHIN_MS; postmasterOf(dataDir) !== undefined && Date.now() < until; )
        await sleep(POLL_MS)
      disk?.remove()
      await removeFolder(folder)
    },
  }
}

/** What was killed may leave a process for a moment, which writes there still: Node's own retries do not look for new files. */
async function removeFolder(folder: string): Promise<void> {
  for (const until = Date.now() + GONE_WITHIN_MS; ; await sleep(POLL_MS)) {
    try {
      return rmSync(folder, { recursive: true, force: true })
    } catch (fault) {
      if (Date.now() > until) throw fault
    }
  }
}

/** Sends a signal; false when there is no such process any more. */
function sent(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** Stops processes for a while and lets them go on. False where none was there. */
export async function freezeAll(pids: readonly number[], forMs: number): Promise<boolean> {
  const all = (signal: 'SIGSTOP' | 'SIGCONT') => pids.filter((each) => sent(each, signal)).length > 0
  if (!all('SIGSTOP')) return false
  await sleep(forMs)
  return all('SIGCONT')
}

function providerOf(gateways: readonly (number | undefined)[], dataDir: string): number | undefined {
  const listed = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).stdout
  for (const line of listed.split('\n')) {
    const [, pid, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    if (gateways.includes(Number(parent)) && args.includes('sandbox/server.js') && args.includes(dataDir))
      return Number(pid)
  }
  return undefined
}

function childrenOf(parent: number): number[] {
  const listed = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout
  return listed.split('\n').flatMap((line) => {
    const [pid, of] = line.trim().split(/\s+/).map(Number)
    return of === parent && pid !== undefined ? [pid] : []
  })
}

/** The server's process as its lock file names it, if it is there. */
function postmasterOf(dataDir: string): number | undefined {
  const pid = Number(textIfThere(join(dataDir, 'postgres', 'postmaster.pid'))?.split('\n')[0])
  if (!Number.isSafeInteger(pid)) return undefined
  const listed = spawnSync('ps', ['-o', 'stat=,args=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
  return listed.includes(dataDir) && !listed.startsWith('Z') ? pid : undefined
}

/** The database owner's connection to the embedded server that runs on `dataDir`. */
export function ownerConnection(dataDir: string): pg.ClientConfig {
  const lock = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim()
  return { host: lock[4] ?? '', port: Number(lock[3]), user: 'postgres', password, database: 'gateway' }
}

/** Asks in a connection of its own, which a server that is killed meanwhile may end. */
export async function rowsFrom<T extends object>(owner: pg.ClientConfig, text: string): Promise<T[]> {
  const client = new pg.Client(owner)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}
