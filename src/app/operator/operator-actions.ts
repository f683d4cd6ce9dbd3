// What an operator does by hand, each with its row of evidence in the same transaction: resolves a transfer whose
// outcome no rail reports, lifts a freeze, changes an account's settings.
import type { Transfer } from '../../domain/transfer/transfer.ts'
import { maskCards } from '../../domain/text/cards.ts'
import type { ChannelBook } from '../../domain/channel/channel.ts'
import { isUuid, laneUuid } from '../../domain/contract/ids.ts'
import { patchedBrand } from '../../domain/account/brand.ts'
import type { AccountPatch, OwnAccount } from '../../domain/account/settings.ts'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { type AccountOwner, nameOwner } from '../../store/accounts/admin.ts'
import type { Session } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { freezeChannel, frozenChannels, unfreezeChannel } from '../../store/operator/channels.ts'
import { insertOperatorAction, type OperatorAction } from '../../store/operator/operator-actions.ts'
import type { IdSource } from '../accounts/accounts.ts'
import { auditedBrand } from '../accounts/brands.ts'
import { changeAccount } from '../accounts/changes.ts'
import { ownAccount, updateAccount } from '../accounts/own-account.ts'
import { ownerOfContract } from '../accounts/contract-owners.ts'
import type { ContractResult } from '../../engine/command-request.ts'
import { contractNotFound, executeAlone } from '../../engine/execute.ts'
import { alsoWriting, changedBy, operatorChanges, operatorEntry } from './operator-changes.ts'

/** Who did it, and what proves that it was right. */
export type Deed = {
  readonly operator: string
  readonly evidence: string
  /** The second person, where one was needed. */
  readonly approvedBy?: string
}

/** What a deed is bound to: the version of a contract that was looked at, and what is written with it. */
export type Bound = {
  readonly version: number
  readonly session: (session: Session) => Session
}

export type OperatorDeps = {
  /** For transactions of the operator's own. */
  readonly reader: Session
  /** The write path's. */
  readonly writer: Session
  readonly channels: ChannelBook
  readonly ids: IdSource
}

/**
 * Resolves how a transfer ended. Decided under the account's lock like everything else, so that a gateway at work on
 * the same database may get the rail's own report at the same moment; the second finds the outcome decided.
 */
export async function resolveTransfer(
  deps: OperatorDeps,
  contractId: string,
  as: 'delivered' | 'failed',
  deed: Deed,
  bound: Bound | null = null,
): Promise<ContractResult<Transfer> | Refusal> {
  const owner = isUuid(contractId) ? await ownerOfContract(deps, contractId) : null
  if (!owner) return contractNotFound()
  const { lane, accountId } = owner
  const action = actionOf(deps, lane, `resolve as ${as}`, contractId, deed)
  const { operator, evidence, approvedBy } = action
  const second = approvedBy === null ? {} : { approvedBy }
  const command = { verb: 'resolve', id: contractId, as, operator, evidence, ...second } as const
  const object = { type: 'contract', id: contractId }
  const audited = {
    action: 'contract.resolved',
    object,
    before: null,
    after: { as, evidence, ...(approvedBy && { approved_by: approvedBy }) },
  } as const
  const entry = operatorEntry(deps, owner, operator, audited)
  const session = alsoWriting(deps.writer, insertOperatorAction(action), entry)
  const request = { lane, accountId, keyId: null, idempotency: null, command } as const
  return bound === null
    ? executeAlone(session, deps.channels, request)
    : executeAlone(bound.session(session), deps.channels, { ...request, versions: [bound.version] })
}

/** Lets a frozen channel pay out again. Refused where it is not frozen. */
export async function acknowledgeFreeze(deps: OperatorDeps, channelId: string, deed: Deed): Promise<Refusal | null> {
  const action = actionOf(deps, 0, 'acknowledge', channelId, deed)
  const isDone = await deps.reader.transaction<boolean>([unfreezeChannel(channelId)], ([ended]) =>
    ended?.rows[0] ? { statements: [insertOperatorAction(action)], value: true } : { statements: [], value: false },
  )
  return isDone
    ? null
    : refuse('channel_not_found', 'channel', 'No frozen channel has this id. See: gateway channels freezes.')
}

/** Stops a channel's payouts until somebody acknowledges it. Refused where it is frozen. */
export async function freezeByHand(
  deps: OperatorDeps,
  channelId: string,
  { operator, evidence: reason }: Deed,
): Promise<Refusal | null> {
  if (!deps.channels.current(channelId)) return refuse('channel_not_found', 'channel', 'No channel has this id.')
  const action = actionOf(deps, 0, 'freeze', channelId, { operator, evidence: reason })
  const words = `${action.evidence} (${operator})`
  const isDone = await deps.reader.transaction<boolean>([frozenChannels()], ([frozen]) =>
    frozen?.rows.some((row) => row['channel_id'] === channelId)
      ? { statements: [], value: false }
      : { statements: [freezeChannel(channelId, words), insertOperatorAction(action)], value: true },
  )
  return isDone ? null : refuse('channel_frozen', 'channel', `The channel ${channelId} is frozen already.`)
}

/** Changes what is named and leaves the rest; the account afterwards, null where there is none, or why it is refused. */
export async function settleAccount(
  deps: OperatorDeps & { readonly currencies?: ReadonlySet<string> },
  account: AccountKey,
  patch: AccountPatch,
  operator: string,
): Promise<OwnAccount | null | Refusal> {
  const before = await ownAccount(deps.reader, account)
  if (before === null || Object.keys(patch).length === 0) return before
  const { brand, ...others } = patch
  // Of a logo it is enough which it was.
  const named = brand ? { ...others, ...auditedBrand(patchedBrand(before.brand, brand)) } : others
  const evidence = JSON.stringify(named)
  const action = actionOf(deps, account.lane, 'account settings', account.accountId, { operator, evidence })
  const rules = { by: 'person', currencies: deps.currencies ?? null, channels: deps.channels } as const
  return updateAccount(operatorChanges(deps), changedBy(account, operator), patch, rules, [
    insertOperatorAction(action),
  ])
}

/** Names whom to contact about an account. */
export async function nameAccountOwner(
  deps: Pick<OperatorDeps, 'reader' | 'ids'>,
  account: AccountKey,
  owner: AccountOwner,
  operator: string,
): Promise<void> {
  const evidence = `${owner.name} <${owner.email}>`
  const action = actionOf(deps, account.lane, 'account owner', account.accountId, { operator, evidence })
  const object = { type: 'account', id: account.accountId }
  await changeAccount<null>(operatorChanges(deps), changedBy(account, operator), [], () => ({
    statements: [nameOwner(account, owner), insertOperatorAction(action)],
    audited: [{ action: 'account.owner_named', object, before: null, after: { owner } }],
    events: [],
    value: null,
  }))
}

export function actionOf(
  { ids }: Pick<OperatorDeps, 'ids'>,
  lane: number,
  action: OperatorAction['action'],
  target: string,
  { operator, evidence, approvedBy }: Deed,
): OperatorAction {
  const id = laneUuid(lane, ids.nowMs(), ids.randomHex())
  return { id, operator, action, target, evidence: maskCards(evidence), approvedBy: approvedBy ?? null }
}
