// How the gateway itself stops a command that cannot go on, and says why.
import type { BulkCommand } from '../../domain/command/command.ts'
import type { Refusal } from '../../domain/contract/refusals.ts'
import { lockCommand, moveCommand } from '../../store/commands/commands.ts'
import { changeAccount, type Changer, GATEWAY, unchanged } from '../accounts/changes.ts'
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
    const object = { type: 'command', id: now.id }
    const before = { status: now.status }
    const audited = [{ action: 'command.stopped', object, before, after: { status: after.status, code } } as const]
    return { statements: [moveCommand(after)], audited, events: eventsOf(now, after, nowMs), value: after }
  })
}
