// How the gateway itself stops a command that cannot go on, and says why.
import type { BulkCommand, Stop } from '../../domain/command/command.ts'
import type { Refusal } from '../../domain/contract/refusals.ts'
import { commandFrom, lockCommand, moveCommand } from '../../store/commands/commands.ts'
import type { Result } from '../../platform/db.ts'
import { type AccountChange, changeAccount, type Changer, GATEWAY, unchanged } from '../accounts/changes.ts'
import type { Deps } from '../deps.ts'
import { commandIn, eventsOf } from './commands.ts'

/** Who ends, pauses and stops commands by itself. */
export function gatewayFor({ lane, accountId }: BulkCommand): Changer {
  return { lane, accountId, keyId: null, actor: GATEWAY }
}

/**
 * Stops a command that cannot go on. `paused`: it goes on when somebody who may resumes it, for whom it acts from then on; rows that
 * were not done stay to do. `cancelled`: it never can, and ends.
 */
export async function stopCommand(
  { changes }: Pick<Deps, 'changes'>,
  stopped: BulkCommand,
  { code, message }: Refusal,
  how: 'paused' | 'cancelled',
): Promise<void> {
  await changeAccount(changes, gatewayFor(stopped), [lockCommand(stopped)], (loaded, { nowMs }) => {
    const now = commandIn(loaded)
    if (!now || now.endedAt !== null || now.cancelling || now.status === 'paused') return unchanged(now)
    const why = { stopped: { code, message } }
    const after: BulkCommand =
      how === 'paused' ? { ...now, ...why, status: 'paused' } : { ...now, ...why, cancelling: true }
    return { ...written(now, after, nowMs), value: after }
  })
}

/** What a change writes and tells besides. */
type Stops = Omit<AccountChange<unknown>, 'value'>

function written(before: BulkCommand, after: BulkCommand, nowMs: number): Stops {
  const { id, status, stopped } = after
  const audited = {
    action: 'command.stopped',
    object: { type: 'command', id },
    before: { status: before.status },
    after: { status, code: stopped?.code ?? null },
  } as const
  return { statements: [moveCommand(after)], audited: [audited], events: eventsOf(before, after, nowMs) }
}

/** Why commands of a member are paused when what signed them in is taken back. */
const PAUSED_WITH = {
  password: ['invalid_session', 'The member for whom the rows act has a new password'],
  reset: ['invalid_session', 'The member for whom the rows act was reset'],
  session: ['invalid_session', 'The session by which it was set going was ended from another one'],
  removal: ['member_not_found', 'The member for whom the rows act was removed'],
} as const

/**
 * The change that ends what commands of a member may have been given by, with those that are at work (`lockCommandsOf`) paused in it:
 * whoever gave them may have been somebody else. Somebody looks at them, and resumes those that are right.
 */
export function pausingToo<T>(
  change: AccountChange<T>,
  what: keyof typeof PAUSED_WITH,
  loaded: Result | undefined,
  nowMs: number,
): AccountChange<T> {
  const [code, happened] = PAUSED_WITH[what]
  const message = `${happened}, so the command was paused. It goes on once somebody has looked at it and resumes it.`
  const stopped: Stop = { code, message }
  const all = (loaded?.rows ?? [])
    .map(commandFrom)
    .map((command) => written(command, { ...command, status: 'paused', stopped }, nowMs))
  return {
    ...change,
    statements: [...change.statements, ...all.flatMap(({ statements }) => statements)],
    audited: [...change.audited, ...all.flatMap(({ audited }) => audited)],
    events: [...change.events, ...all.flatMap(({ events }) => events)],
  }
}
