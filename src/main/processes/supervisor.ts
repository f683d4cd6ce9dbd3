// Several processes on one port. This one keeps what they share, such as the embedded database and the port; it takes no request and
// moves no money. Each of the others is a whole gateway. One that dies is replaced; all of them can be, one after the other.
import { keepDatabase, openDatabase } from '../database/database.ts'
import type { Database } from '../database/opened.ts'
import { prepareDatabase } from '../database/prepare.ts'
import { type Log, openLog } from '../../platform/log.ts'
import type { Config } from '../config/config.ts'
import { endsWithinMs } from '../config/doors.ts'
import { openProvider, type Provider } from '../sandbox/provider.ts'
import { makeDataDir, openMetrics, type Running } from '../start.ts'
import { type Children, openChildren, type Replaced } from './children.ts'
import type { Ready } from './messages.ts'
import { placeOf } from './place.ts'
import { checkRoom } from './room.ts'
import { openTogether, type Together } from './together.ts'

export type Supervised = Running & {
  /** Replaces each process by a new one, without a request that fails. */
  readonly replaceAll: () => Promise<Replaced>
}

/** Starts so many processes and resolves when all of them are ready. */
export async function superviseGateway(config: Config, say: (line: string) => void): Promise<Supervised> {
  makeDataDir(config)
  const log = openLog(config.logLevel).child({ process: 0 })
  const undo: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const kept = await openKept(config, say, undo, log)
    const together = openTogether()
    const [first, children] = await startAll(config, { ...kept, together }, undo, log)
    const metricsUrl = await openMetrics(config, together.figures, undo)
    const { url, publicUrl, development, inRecovery } = first
    if (development) await kept.provider.register(development, url)
    const { outdated, replaceAll } = children
    return { url, publicUrl, metricsUrl, development, inRecovery, outdated, log, stop, replaceAll }
  } catch (fault) {
    await stop()
    throw fault
  }
}

type Kept = { readonly database: Database; readonly provider: Provider }

/** What all of them use is there before the first one. */
async function openKept(
  config: Config,
  say: (line: string) => void,
  undo: (() => Promise<void>)[],
  log: Log,
): Promise<Kept> {
  const provider = await openProvider(config, log)
  undo.push(provider.stop)
  const database = keepDatabase(await openDatabase(config, say, 'start'), config, log)
  undo.push(database.stop)
  await prepareDatabase(database, config, say, 'is left out')
  await checkRoom(database, config, log)
  return { database, provider }
}

/** The first one makes what a trial needs and takes the port; the others come after it, one by one. */
async function startAll(
  config: Config,
  { provider: { at, played }, together }: Kept & { readonly together: Together },
  undo: (() => Promise<void>)[],
  log: Log,
): Promise<readonly [Ready, Children]> {
  let found: Ready | null = null
  const standing = (number: number) => placeOf(number, config, { at, played: [...played] }, found)
  const children = openChildren({ placeOf: standing, endsWithinMs: endsWithinMs(config.doors), together, log })
  undo.push(children.stop)
  found = await children.start(1)
  for (let number = 2; number <= config.processes; number += 1) await children.start(number)
  return [found, children]
}
