// The rows of a replay: each names an event that the endpoint hears again. All of a window are queued in one transaction under the
// number of the command's own replay, so that an event which is queued twice is there once.
import type { AnyEventType } from '../../domain/account/events.ts'
import type { BulkCommand, CommandRow } from '../../domain/command/command.ts'
import { contractOfEvent, eventId, type EventName } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { endpointNotFound, eventsNotSent, isServed, notEnabled } from '../../domain/webhook/endpoint.ts'
import type { Row, Statement } from '../../platform/db.ts'
import { replayOfCommand, saveReplayOfCommand } from '../../store/commands/commands.ts'
import { lockEndpoint, storedEndpointFrom } from '../../store/webhooks/endpoints.ts'
import { lockEndpointProgress } from '../../store/webhooks/progress.ts'
import { eventLeft } from '../webhooks/replays.ts'
import {
  eventNameFrom,
  eventsByName,
  newestReplay,
  queueReplay,
  replayedEventFrom,
} from '../../store/webhooks/replays.ts'
import { EventRowBody } from '../../wire/commands/commands.ts'
import { readerOf } from '../contracts/validation.ts'
import type { Deps } from '../deps.ts'
import { endpointOf } from './gather.ts'
import { failed, type RowResult } from './steps.ts'

const readRow = readerOf(EventRowBody)

const eventNotFound = () => refuse('event_not_found', 'id', 'No event of yours has this id. GET /events lists them.')

const nameOf = ({ contractId, sequence, epoch }: EventName) => eventId(contractId, sequence, epoch)

function namedIn(row: CommandRow): EventName | Refusal {
  const sent = readRow(row.sent)
  if (isRefusal(sent)) return sent
  return contractOfEvent(sent.read.id) ?? eventNotFound()
}

type Found = { readonly name: string; readonly position: number; readonly event: string; readonly hasLeft: boolean }

function foundFrom(row: Row): Found {
  const { position, hasLeft } = replayedEventFrom(row)
  return { name: nameOf(eventNameFrom(row)), position, event: row['event'] as string, hasLeft }
}

/**
 * What becomes of each row; or why none can be queued any more. In a dry run nothing is. `readable` are the types that the one for whom
 * the rows act may be told of now: of others nothing is sent again, and nothing said.
 */
export async function replayRows(
  deps: Pick<Deps, 'reader' | 'webhooks'>,
  command: BulkCommand,
  rows: readonly CommandRow[],
  readable: readonly AnyEventType[],
): Promise<readonly RowResult[] | Refusal> {
  const named = rows.map(namedIn)
  const asked = named.flatMap((each) => (isRefusal(each) ? [] : [each]))
  const [result] = await deps.reader.send([eventsByName(command, asked)])
  const sent = await queued(deps, command, (result?.rows ?? []).map(foundFrom), new Set<string>(readable))
  if (isRefusal(sent)) return sent
  const known = new Map(sent.map((each) => [each.name, each]))
  return named.map((each): RowResult => {
    if (isRefusal(each)) return failed(each, 'replay')
    const event = known.get(nameOf(each))
    if (!event) return failed(eventNotFound(), 'replay')
    if (event.hasLeft) return failed(eventLeft('id'), 'replay')
    return { status: 'done', contractId: null, step: 'replay', error: null, preview: null }
  })
}

/** Queues those of the events that may be sent and have not left: all that may be sent; or why none can be. */
async function queued(
  { webhooks }: Pick<Deps, 'webhooks'>,
  command: BulkCommand,
  found: readonly Found[],
  readable: ReadonlySet<string>,
): Promise<readonly Found[] | Refusal> {
  const key = endpointOf(command)
  // Nobody else gives out a number while the progress is held.
  const load: Statement[] = [lockEndpointProgress(key), lockEndpoint(key), newestReplay(key), replayOfCommand(command)]
  let isQueued = false
  const sent = await webhooks.serialSession.run((session) =>
    session.transaction<readonly Found[] | Refusal>(load, ([, locked, newest, own]) => {
      const row = locked?.rows[0]
      const endpoint = row && storedEndpointFrom(row)
      if (!endpoint) return { statements: [], value: endpointNotFound() }
      if (!isServed(endpoint))
        return { statements: [], value: notEnabled(endpoint, 'Nothing would be delivered to it.') }
      const value = found.filter(({ event }) => readable.has(event) || isOfStretch(command, endpoint.events, event))
      const positions = [...new Set(value.filter(({ hasLeft }) => !hasLeft).map(({ position }) => position))]
      isQueued = !command.dryRun && positions.length > 0
      if (!isQueued) return { statements: [], value }
      const known = own?.rows[0]?.['replay'] as number | null
      const number = known ?? Number(newest?.rows[0]?.['number']) + 1
      const kept = known === null ? [saveReplayOfCommand(command, number)] : []
      return { statements: [...queueReplay(key, number, positions), ...kept], value }
    }),
  )
  if (isQueued) webhooks.wake(command.accountId)
  return sent
}

/** Whether it was gathered, not named, and the endpoint gets it anyway: as in a replay by time, nobody learns more than they do. */
function isOfStretch({ wanted }: BulkCommand, events: readonly string[], event: string): boolean {
  const isGathered = wanted !== null && (wanted.filter ?? wanted.dryRunId) !== null
  return isGathered && !eventsNotSent(events).some((type) => type === event)
}
