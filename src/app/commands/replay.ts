// The rows of a replay: each names an event that the endpoint hears again. All of a window are queued in one transaction under the
// number of the command's own replay, so that an event which is queued twice is there once.
import type { BulkCommand, CommandRow } from '../../domain/command/command.ts'
import { contractOfEvent, eventId, type EventName } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { endpointNotFound, isServed, notEnabled } from '../../domain/webhook/endpoint.ts'
import type { Statement } from '../../platform/db.ts'
import { replayOfCommand, saveReplayOfCommand } from '../../store/commands/commands.ts'
import { lockEndpoint, storedEndpointFrom } from '../../store/webhooks/endpoints.ts'
import { lockEndpointProgress } from '../../store/webhooks/progress.ts'
import { eventLeft } from '../webhooks/replays.ts'
import { eventNameFrom, eventsByName, newestReplay, queueReplay } from '../../store/webhooks/replays.ts'
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

/** What becomes of each row; or why none can be queued any more. In a dry run nothing is. */
export async function replayRows(
  deps: Pick<Deps, 'reader' | 'webhooks'>,
  command: BulkCommand,
  rows: readonly CommandRow[],
): Promise<readonly RowResult[] | Refusal> {
  const named = rows.map(namedIn)
  const asked = named.flatMap((each) => (isRefusal(each) ? [] : [each]))
  const [result] = await deps.reader.send([eventsByName(command, asked)])
  const rowsFound = result?.rows ?? []
  const found = new Map(
    rowsFound.flatMap((row) =>
      row['has_left'] === true ? [] : [[nameOf(eventNameFrom(row)), Number(row['position'])] as const],
    ),
  )
  const left = new Set(rowsFound.filter((row) => row['has_left'] === true).map((row) => nameOf(eventNameFrom(row))))
  const refused = await queued(deps, command, [...new Set(found.values())])
  if (refused) return refused
  return named.map((each): RowResult => {
    if (isRefusal(each)) return failed(each, 'replay')
    if (left.has(nameOf(each))) return failed(eventLeft('id'), 'replay')
    if (!found.has(nameOf(each))) return failed(eventNotFound(), 'replay')
    return { status: 'done', contractId: null, step: 'replay', error: null, preview: null }
  })
}

async function queued(
  { webhooks }: Pick<Deps, 'webhooks'>,
  command: BulkCommand,
  positions: readonly number[],
): Promise<Refusal | null> {
  const key = endpointOf(command)
  // Nobody else gives out a number while the progress is held.
  const load: Statement[] = [lockEndpointProgress(key), lockEndpoint(key), newestReplay(key), replayOfCommand(command)]
  const refused = await webhooks.serialSession.run((session) =>
    session.transaction<Refusal | null>(load, ([, locked, newest, own]) => {
      const row = locked?.rows[0]
      const endpoint = row && storedEndpointFrom(row)
      if (!endpoint) return { statements: [], value: endpointNotFound() }
      if (!isServed(endpoint))
        return { statements: [], value: notEnabled(endpoint, 'Nothing would be delivered to it.') }
      if (command.dryRun || positions.length === 0) return { statements: [], value: null }
      const known = own?.rows[0]?.['replay'] as number | null
      const number = known ?? Number(newest?.rows[0]?.['number']) + 1
      const kept = known === null ? [saveReplayOfCommand(command, number)] : []
      return { statements: [...queueReplay(key, number, positions), ...kept], value: null }
    }),
  )
  if (refused === null && !command.dryRun && positions.length > 0) webhooks.wake(command.accountId)
  return refused
}
