// What of commands and schedules goes on by itself when a recovery has ended. Its report names each, for the books cannot know whether
// it, or a contract of it, was cancelled in the time that was lost and its account told so.
import { type BulkCommand, ROW_TYPES } from '../../domain/command/command.ts'
import { parseAmount } from '../../domain/money/money.ts'
import type { RecoveryLine } from '../../domain/recovery/compare.ts'
import type { Schedule } from '../../domain/schedule/schedule.ts'
import { commandFrom, commandsUnderWay } from '../../store/commands/commands.ts'
import { scheduleFrom, schedulesUnderWay } from '../../store/schedules/schedules.ts'
import type { Session } from '../../platform/db.ts'

/** What such lines have in the place of a channel. */
export const GOING_ON = ['commands', 'schedules'] as const

type Named = Pick<RecoveryLine, 'amountMinor' | 'currency' | 'words'> & {
  readonly of: (typeof GOING_ON)[number]
  readonly id: string
}

/** A line for each, whatever it has left: a hundred thousand rows are one. No more of either than `limit`. */
export async function goingOn(reader: Session, at: number, limit: number): Promise<RecoveryLine[]> {
  const [commands, schedules] = await reader.send([commandsUnderWay(ROW_TYPES, limit), schedulesUnderWay(limit)])
  const named = [
    ...(commands?.rows ?? []).map((row) => ofCommand(commandFrom(row))),
    ...(schedules?.rows ?? []).map((row) => ofSchedule(scheduleFrom(row))),
  ]
  return named.map(({ of, id, ...said }) => ({
    ...said,
    channelId: of,
    reference: id,
    contractId: null,
    kind: 'open',
    at,
  }))
}

const UNKNOWN =
  'also where it was cancelled, paused or ended in the lost time, or a contract of it was cancelled and its account told so'

function ofCommand({ id, accountId, type, schedule, gathering, progress }: BulkCommand): Named {
  const { total, done, failed, skipped } = progress
  const what = schedule === null ? `A command (${type})` : `Run ${schedule.run} of the schedule ${schedule.id}`
  const more = gathering ? ', and more to be brought in' : ''
  const left = `${what} of the account ${accountId} has ${total - done - failed - skipped} of ${total} rows left${more}.`
  const words = `${left} It goes on after the resume, ${UNKNOWN}. Its account stops it: gateway commands cancel ${id}.`
  return { of: 'commands', id, amountMinor: null, currency: null, words }
}

function ofSchedule({ id, accountId, nextAt, channelId, template: { amount, currency } }: Schedule): Named {
  const parsed = parseAmount(amount, currency)
  const amountMinor = 'fault' in parsed ? null : parsed.amountMinor
  const when = nextAt === null ? '' : ` at ${new Date(nextAt).toISOString()}`
  const by = channelId === null ? '' : ` by ${channelId}`
  const words = `A schedule of the account ${accountId} was to pay${by}${when}. It pays after the resume, ${UNKNOWN}. Its account stops it: gateway schedules pause ${id}.`
  return { of: 'schedules', id, amountMinor, currency, words }
}
