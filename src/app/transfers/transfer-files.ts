// Attempts that leave together as one file, at a channel's cut-off: each is leased, the file is sent once, and each
// gets its own outcome. A process that dies in between leaves leases that end, and each attempt is inquired about by
// its own reference.
import { createHash } from 'node:crypto'
import type { SendsFiles, Connector } from '../../connectors/connector.ts'
import type { Outcome } from '../../domain/channel/outcome.ts'
import type { Attempt } from '../../domain/transfer/transfer.ts'
import type { CrashPoint } from '../../engine/crash-points.ts'
import { type CallResult, newCallWatch } from '../jobs/lease-call-record.ts'
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
  const tried = await Promise.allSettled(attempts.map((attempt) => leasePayout(deps, connector, attempt)))
  // One that could not be taken, because its account is held elsewhere, stays due; the file goes without it.
  const taken = tried.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []))
  if (taken.length === 0) return thrownOf(tried) ?? 'not called'
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

async function reportAll(
  deps: OutcomeDeps,
  connector: Connector,
  taken: readonly LeasedPayout[],
  outcomes: ReadonlyMap<string, Outcome>,
): Promise<PromiseSettledResult<unknown>[]> {
  const unknown: Outcome = { kind: 'unknown', reason: 'the file gave no word about it' }
  return Promise.allSettled(
    taken.map(({ attempt }) =>
      report(deps, connector, attempt, attempt.fence, outcomes.get(attempt.reference) ?? unknown),
    ),
  )
}

/** Throws the first fault, if there is one. */
function thrownOf(settled: readonly PromiseSettledResult<unknown>[]): null {
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
