// Brings the rows of a command in, of its filter or of a dry run, a page at a time: what fitted when the command was made, and has
// not changed since. None is begun before all are there, so that what is done is what was looked at.
import { type BulkCommand, ROWS_MAX } from '../../domain/command/command.ts'
import { eventId } from '../../domain/contract/ids.ts'
import { invariant } from '../../domain/invariant.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { momentOf } from '../../domain/text/moments.ts'
import { hash128 } from '../../platform/hashes.ts'
import type { Leased } from '../../store/commands/commands.ts'
import { addGathered, copyRows } from '../../store/commands/gathering.ts'
import { eventNameFrom, eventsToReplay } from '../../store/webhooks/replays.ts'
import { contractFilter, pageOfContracts } from '../contracts/listing.ts'
import type { Deps } from '../deps.ts'
import { replayBounds, servedEndpoint } from '../webhooks/replays.ts'
import { readReplayFilter, readTransfersFilter, STATUSES_TO_MOVE } from './filters.ts'

export type GatherDeps = Pick<Deps, 'reader'>

const PAGE = 500
const COPIED_AT_ONCE = 5000
const POSITIONS_AT_ONCE = 10_000

type Page = { readonly rows: readonly object[]; readonly cursor: unknown; readonly isLast: boolean }

/** Brings in the next rows; or why no more can be. */
export async function gatherMore(deps: GatherDeps, leased: Leased): Promise<Refusal | null> {
  const { wanted, progress } = leased
  invariant(wanted !== null, 'a command that gathers says what')
  if (wanted.dryRunId !== null) {
    await deps.reader.send([copyRows(leased, wanted.dryRunId, COPIED_AT_ONCE)])
    return null
  }
  const page = await (leased.type === 'events.replay' ? pageOfEvents : pageOfTransfers)(deps, leased)
  if (isRefusal(page)) return page
  if (progress.total + page.rows.length > ROWS_MAX) return tooMany()
  const rows = page.rows.map((row) => {
    const sent = JSON.stringify(row)
    return { sent, hash: hash128(sent) }
  })
  await deps.reader.send([addGathered(leased, rows, page.cursor, page.isLast ? 'all there' : 'more')])
  return null
}

const tooMany = () =>
  refuse(
    'command_too_large',
    'filter',
    `More than ${ROWS_MAX.toLocaleString('en')} fit the filter, and nothing was done. Narrow it.`,
  )

/** By the list's own statement. */
async function pageOfTransfers({ reader }: GatherDeps, leased: Leased): Promise<Page | Refusal> {
  const read = readTransfersFilter(leased.wanted?.filter ?? {})
  if (isRefusal(read)) return read
  const statuses = read.read.status ?? STATUSES_TO_MOVE[leased.type]
  const after = (leased.cursor as { readonly after: string } | null)?.after ?? null
  const filter = contractFilter('transfer', { ...read.read, status: statuses }, { after, limit: PAGE })
  if (isRefusal(filter)) return filter
  const { contracts, next } = await pageOfContracts({ reader }, leased, { ...filter, upTo: leased.upTo })
  return { rows: contracts.map(({ id }) => ({ id })), cursor: { after: next }, isLast: next === null }
}

/** A stretch of the history at a time. */
async function pageOfEvents({ reader }: GatherDeps, leased: Leased): Promise<Page | Refusal> {
  const read = readReplayFilter(leased.wanted?.filter ?? {})
  if (isRefusal(read)) return read
  const endpoint = await servedEndpoint({ reader }, endpointOf(leased))
  if (isRefusal(endpoint)) return endpoint
  const times = {
    fromMs: momentOf(read.read.from, '00:00:00.000'),
    toMs: momentOf(read.read.to, '23:59:59.999'),
    which: read.read.missed === true ? ('undelivered' as const) : ('all' as const),
  }
  const begun = leased.cursor as { readonly after: number; readonly end: number } | null
  const bounds = begun ?? (await firstBounds({ reader }, leased, endpoint, times))
  const upTo = Math.min(bounds.after + POSITIONS_AT_ONCE, bounds.end)
  const [result] = await reader.send([eventsToReplay(endpoint, { ...times, after: bounds.after, upTo })])
  const rows = (result?.rows ?? [])
    .map(eventNameFrom)
    .map(({ contractId, sequence, epoch }) => ({ id: eventId(contractId, sequence, epoch) }))
  return { rows, cursor: { after: upTo, end: bounds.end }, isLast: upTo >= bounds.end }
}

async function firstBounds(
  deps: GatherDeps,
  { upTo: made }: BulkCommand,
  ...[endpoint, times]: [
    Parameters<typeof replayBounds>[1],
    { fromMs: number | null; toMs: number | null; which: 'all' | 'undelivered' },
  ]
) {
  const { after, upTo } = await replayBounds(deps, endpoint, times.fromMs, times.toMs, times.which)
  return { after, end: Math.min(upTo, made ?? upTo) }
}

export function endpointOf({ lane, accountId, wanted }: BulkCommand) {
  const id = wanted?.endpointId ?? null
  invariant(id !== null, 'a replay names its endpoint')
  return { lane, accountId, id }
}
