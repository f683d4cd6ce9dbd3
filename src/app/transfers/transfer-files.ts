// Attempts that leave together as one file, at a channel's cut-off: each is leased, the file is sent once, and each
// gets its own outcome. A process that dies in between leaves leases that end, and each attempt is inquired about by
// its own reference.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SendsFiles, Connector } from '../../connectors/connector.ts'
import type { Outcome } from '../../domain/channel/outcome.ts'
import type { Attempt } from '../../domain/transfer/transfer.ts'
import type { CrashPoint } from '../../engine/crash-points.ts'
import { type CallResult, leaseClock, newCallWatch, UNSENT } from '../jobs/lease-call-record.ts'
import { type LeasedPayout, leasePayout, orderOf, type OutcomeDeps, report } from './payouts.ts'

/** More attempts than this go in files of their own. */
export const FILE_ITEMS_MAX = 1000

/** Sends the queued attempts that are ours to send as one file. */
export async function sendTogether(
  deps: OutcomeDeps,
  connector: Connector & SendsFiles,
  attempts: readonly Attempt[],
  watch = newCallWatch(),
): Promise<CallResult> {
  const isInTime = leaseClock(deps.leaseMs)
  const { taken, tried } = await leaseAll(deps, connector, attempts)
  if (taken.length === 0) return thrownOf(tried) ?? 'not called'
  if (!isInTime()) {
    thrownOf(await reportAll(deps, connector, taken, new Map(), UNSENT))
    return 'not called'
  }
  const passAll = (point: CrashPoint) => taken.forEach(({ attempt }) => deps.crashPoint(point, attempt.reference))
  passAll('before a file is sent')
  const orders = taken.map(({ contract, attempt }) => orderOf(contract, attempt))
  watch.calledAt = performance.now()
  const outcomes = await connector
    .sendFile(fileReference(taken), orders)
    .catch((): ReadonlyMap<string, Outcome> => new Map())
  watch.reportedAt = performance.now()
  watch.report = outcomes.size > 0 ? 'file_taken' : 'unknown'
  passAll('after a file was sent')
  const half = Math.ceil(taken.length / 2)
  const first = await reportAll(deps, connector, taken.slice(0, half), outcomes)
  passAll('after half of a file is reported')
  const second = await reportAll(deps, connector, taken.slice(half), outcomes)
  passAll('after a file is reported')
  // One whose report could not be written is inquired about when its lease is over.
  thrownOf([...first, ...second])
  return outcomes.size > 0 ? 'answered' : 'silent'
}

type Tried = readonly PromiseSettledResult<unknown>[]

/**
 * Leases what is to go together. One that could not be taken, because its account is held elsewhere, stays due, and the file goes
 * without it; for one that takes long, as of a server that does not answer, the others do not wait until their own leases are too old.
 */
async function leaseAll(
  deps: OutcomeDeps,
  connector: Connector,
  attempts: readonly Attempt[],
): Promise<{ readonly taken: readonly LeasedPayout[]; readonly tried: Tried }> {
  const places: (LeasedPayout | null)[] = attempts.map(() => null)
  let isClosed = false
  const leasing = attempts.map(async (attempt, place) => {
    const leased = await leasePayout(deps, connector, attempt)
    if (!isClosed) places[place] = leased
    else if (leased) await report(deps, connector, leased.attempt, leased.attempt.fence, UNSENT)
  })
  const tried = await Promise.race([Promise.allSettled(leasing), sleep(deps.leaseMs / 4, [], { ref: false })])
  isClosed = true
  return { taken: places.filter((leased) => leased !== null), tried }
}

async function reportAll(
  deps: OutcomeDeps,
  connector: Connector,
  taken: readonly LeasedPayout[],
  outcomes: ReadonlyMap<string, Outcome>,
  unnamed: Outcome = { kind: 'unknown', reason: 'the file gave no word about it' },
): Promise<Tried> {
  return Promise.allSettled(
    taken.map(({ attempt }) =>
      report(deps, connector, attempt, attempt.fence, outcomes.get(attempt.reference) ?? unnamed),
    ),
  )
}

/** Throws the first fault, if there is one. */
function thrownOf(settled: Tried): null {
  for (const each of settled) if (each.status === 'rejected') throw each.reason
  return null
}

const REFERENCE_DIGITS = 32

/** The same for the same items, whichever process sends them: at most 35 characters (ISO 20022 MsgId). */
function fileReference(taken: readonly LeasedPayout[]): string {
  const hash = createHash('sha256')
  for (const reference of taken.map(({ attempt }) => attempt.reference).toSorted()) hash.update(reference)
  return `gwf${hash.digest('hex').slice(0, REFERENCE_DIGITS)}`
}
