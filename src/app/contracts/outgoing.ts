// A transfer's draft as it was sent -> what its contract is opened with: the profiles that it names and the wallet that it pays are
// looked up. The same for a request, a row of a command and a run of a schedule.
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import type { CreateTransfer } from '../../domain/transfer/commands.ts'
import type { DraftBody } from '../../wire/transfer-requests.ts'
import type { Caller } from '../accounts/callers.ts'
import type { Deps } from '../deps.ts'
import { profilesNamed } from '../profiles/named.ts'
import { payeeOf } from '../transfers/payees.ts'
import { draftOf, type DraftRules } from './draft.ts'

/** What of a draft stands in the command that opens its contract. */
export type OutgoingDraft = Pick<CreateTransfer, 'terms' | 'expiresInSeconds' | 'preview' | 'warnings' | 'payee'>

/** Waits for nothing where nothing has to be looked up. */
export async function outgoingDraft(
  deps: Pick<Deps, 'channels' | 'contracts' | 'reader'>,
  owner: Pick<Caller, 'lane' | 'accountId' | 'profileId'>,
  sent: DraftBody,
  rules: DraftRules,
): Promise<OutgoingDraft | Refusal> {
  const named = profilesNamed(deps, owner, sent)
  const profiles = named && (await named)
  const draft = draftOf(sent, rules, { money: 'goes out', profiles })
  if (isRefusal(draft)) return draft
  const lookedUp = payeeOf(deps, draft.terms)
  const payee = lookedUp && (await lookedUp)
  return { ...draft, ...(payee ? { payee } : {}) }
}
