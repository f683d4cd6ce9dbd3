// In whose name an account is, as the rails answer it: the same form on each, over the rail's own call.
import type { AccountHolder } from './connector.ts'
import { jsonFields, type RailReader, textOf } from './rail.ts'

const NAME_MAX = 255

/** Asks below `area`. An answer about another account, or in no form of ours, proves nothing. */
export async function readAccountName(read: RailReader, area: string, account: string | null): Promise<AccountHolder> {
  if (account === null || account === '') return { kind: 'no_account' }
  const reply = await read(`${area}/${encodeURIComponent(account)}`)
  if (reply.kind !== 'response') return { kind: 'no_answer', reason: `The channel gave no answer (${reply.reason}).` }
  const fields = jsonFields(reply)
  if (reply.status === 404 && fields?.['code'] === 'no_such_account') return { kind: 'no_account' }
  if (reply.status !== 200) return { kind: 'no_answer', reason: `The channel answered ${reply.status}.` }
  const name = textOf(fields?.['name'])
  if (name === null || name === '' || name.length > NAME_MAX || fields?.['account'] !== account)
    return { kind: 'no_answer', reason: 'The channel gave an answer that makes no sense.' }
  return { kind: 'named', name }
}
