// Requests that may have been taken before a restore: the books have forgotten them, and a recovery found at a provider what they
// led to. The same request again, known by the key in its contract's id, must not move the money twice.
import type { Command } from '../domain/contract/command.ts'
import { type Refusal, refuse } from '../domain/contract/refusals.ts'
import type { ContractKey } from '../store/contracts/documents.ts'
import type { CommandRequest } from './command-request.ts'
import { rowKey } from './batch-state.ts'

/** What makes a contract, or takes it further towards the movement of money. */
const AHEAD: ReadonlySet<Command['verb']> = new Set(['create_transfer', 'create_payment', 'issue', 'pay'])

/** The contract that the command is ahead with; null for any other command. */
function contractAhead(command: Command): string | null {
  if (command.verb === 'refund' || command.verb === 'return') return command.transferId
  return AHEAD.has(command.verb) && command.verb !== 'credit' ? command.id : null
}

/** What of the requests has to be compared with adopted orders: nothing, where the books were never restored. */
export const comparedWithAdopted = (requests: readonly CommandRequest[]): ContractKey[] =>
  requests.flatMap(({ lane, accountId, afterRestore, command }) => {
    const id = afterRestore ? contractAhead(command) : null
    return id === null ? [] : [{ lane, accountId, id }]
  })

/** Refuses what an adopted contract stands for. `adopted`: by `account/contract`, the older contract of the same key. */
export function refuseRestored(
  adopted: ReadonlyMap<string, string>,
  { accountId, command }: CommandRequest,
): Refusal | null {
  if (adopted.size === 0) return null
  const id = contractAhead(command)
  const older = id === null ? undefined : adopted.get(rowKey(accountId, id))
  // What was adopted itself goes on; but whoever opens it again learns that it is there.
  if (older === undefined || (older === id && command.verb !== 'create_transfer')) return null
  const what = `This request was taken before the gateway was restored from a backup: its contract is ${older}.`
  const fix = 'Read that one. To have it done once more, send it under another key.'
  return { ...refuse('restored_request', null, `${what} ${fix}`), contractId: older }
}
