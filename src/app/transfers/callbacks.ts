// A provider calls back: its report is checked against our own order before it goes to the contract. Copies and
// disorder need no book of their own, for the state of the contract decides what a report still does; one that would
// send money back only has the rail asked.
import { parsesCallbacks, type CallbackReport } from '../../connectors/connector.ts'
import { livemodesIn } from '../../domain/channel/modes.ts'
import { faultOfReport } from '../../domain/channel/notice.ts'
import { attemptOfReference, isForgotten } from '../accounts/contract-owners.ts'
import type { Refusal } from '../../domain/contract/refusals.ts'
import { isRefusalOfRecovery } from '../../domain/recovery/epoch.ts'
import type { Deps } from '../deps.ts'
import { reportCallback } from './payouts.ts'

/** The secrets that a channel's callbacks are signed with; null where it takes none. */
export function callbackSecrets({ callbacks }: Pick<Deps, 'callbacks'>, channelId: string): readonly string[] | null {
  const connector = callbacks.connectors.get(channelId)
  return connector && parsesCallbacks(connector) ? (callbacks.secrets.get(channelId) ?? null) : null
}

/** What came of a callback. Only `applied` went to a contract, which may have known it before. */
export type Reception = 'applied' | 'not ours' | 'not believed'

/**
 * Acts on the object of a callback whose signature holds; settled only when what it changes is committed. Refused where nothing can be
 * written now: the provider has to call again.
 */
export async function receiveCallback(
  deps: Pick<Deps, 'callbacks' | 'channels' | 'contracts' | 'execute' | 'reader'>,
  channelId: string,
  object: Readonly<Record<string, unknown>>,
): Promise<Reception | Refusal> {
  const connector = deps.callbacks.connectors.get(channelId)
  const notice = connector && parsesCallbacks(connector) ? connector.parseCallback(object) : null
  if (!connector || !notice) return disbelieved(deps, channelId, null, 'it is not about an order of this rail')
  const attempt = await attemptOfReference(deps, notice.reference, livemodesIn(deps.channels, channelId))
  if (!attempt) return unknown(deps, channelId, notice.reference)
  const { lane, accountId, contractId, number } = attempt
  const contract = await deps.contracts.submit({ lane, accountId, id: contractId })
  if (contract?.kind !== 'transfer') return 'not ours'
  // What it is checked against never changes once there is an attempt, so it may be read before the account is locked.
  const fault = faultOfReport(contract, { ...notice, channelId, number }) ?? vagueness(notice)
  if (fault !== null) return disbelieved(deps, channelId, notice.reference, fault)
  const { execute, callbacks } = deps
  callbacks.crashPoint('before a callback is recorded', notice.reference)
  const refusal = await reportCallback({ execute }, connector, { channelId, ...attempt }, notice.outcome)
  if (isRefusalOfRecovery(refusal)) return refusal
  callbacks.crashPoint('after a callback is recorded', notice.reference)
  return 'applied'
}

/** Most are of another gateway on the same provider; of one that a restore has undone an operator must hear. */
async function unknown(
  { callbacks, reader }: Pick<Deps, 'callbacks' | 'reader'>,
  channel: string,
  reference: string,
): Promise<Reception> {
  if (await isForgotten({ reader }, reference)) callbacks.forgotten({ channel, reference })
  return 'not ours'
}

/** A report without a meaning must not stop a call that is under way, as a doubt of our own does. */
function vagueness({ outcome }: CallbackReport): string | null {
  return outcome.kind === 'unknown' ? outcome.reason : null
}

function disbelieved(
  { callbacks }: Pick<Deps, 'callbacks'>,
  channel: string,
  reference: string | null,
  reason: string,
): Reception {
  callbacks.ignored({ channel, reason, ...(reference === null ? {} : { reference }) })
  return 'not believed'
}
