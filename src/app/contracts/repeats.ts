// What a look-up refuses before the write path knows of it: a profile that was archived, a site that is listed no more. Such a request may
// be the repeat of one that was carried out while that still stood, so its key is asked for in a batch, in its turn behind that one.
import type { RepeatRequest } from '../../domain/contract/command.ts'
import type { Contract } from '../../domain/contract/contract.ts'
import type { CommandRequest, CommandResult } from '../../engine/command-request.ts'

type Ask<K extends Contract['kind']> = (
  request: CommandRequest<RepeatRequest<K>>,
) => Promise<CommandResult<RepeatRequest<K>>>

/** The answer that is kept under the request's key, or why it is refused; without a key nothing is kept, and nothing asked. */
export async function repeatedOr<K extends Contract['kind']>(
  ask: Ask<K>,
  requester: Omit<CommandRequest, 'command'>,
  { kind, id, otherwise }: Omit<RepeatRequest<K>, 'verb'>,
): Promise<CommandResult<RepeatRequest<K>>> {
  if (requester.idempotency === null) return otherwise
  return ask({ ...requester, command: { verb: 'repeat', kind, id, otherwise } })
}
