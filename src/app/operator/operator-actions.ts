// What an operator does by hand, each with its row of evidence in the same transaction: resolves a transfer whose
// outcome no rail reports, lifts a freeze, changes an account's settings.
import type { Transfer } from '../../domain/transfer/transfer.ts'
import { maskCards } from '../../domain/text/cards.ts'
import type { ChannelBook } from '../../domain/channel/channel.ts'
import { isUuid, laneUuid } from '../../domain/contract/ids.ts'
import { faultOfOrigin } from '../../domain/account/origins.ts'
import { invalid, type Refusal, refuse, refuseAll } from '../../domain/contract/refusals.ts'
import type { Session, Statement } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { unfreezeChannel } from '../../store/operator/channels.ts'
import {
  type AccountSettings,
  accountSettings,
  accountSettingsFrom,
  changeAccountSettings,
  insertOperatorAction,
  type OperatorAction,
  wakeReturns,
} from '../../store/operator/operator-actions.ts'
import { replaceOrigins } from '../../store/accounts/origins.ts'
import type { IdSource } from '../accounts/accounts.ts'
import { ownerOfContract } from '../accounts/contract-owners.ts'
import type { ContractResult } from '../../engine/command-request.ts'
import { contractNotFound, executeAlone } from '../../engine/execute.ts'

/** Who did it, and what proves that it was right. */
export type Deed = { readonly operator: string; readonly evidence: string }

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
): Promise<ContractResult<Transfer> | Refusal> {
  const owner = isUuid(contractId) ? await ownerOfContract(deps, contractId) : null
  if (!owner) return contractNotFound()
  const { lane, accountId } = owner
  const action = actionOf(deps, lane, `resolve as ${as}`, contractId, deed)
  const { operator, evidence } = action
  const command = { verb: 'resolve', id: contractId, as, operator, evidence } as const
  const session = alsoWriting(deps.writer, insertOperatorAction(action))
  return executeAlone(session, deps.channels, { lane, accountId, keyId: null, idempotency: null, command })
}

/** The session, but each transaction that writes anything writes this as well. */
export function alsoWriting(session: Session, statement: Statement): Session {
  return {
    ...session,
    transaction: (load, decide) =>
      session.transaction(load, (loaded) => {
        const stored = decide(loaded)
        if (stored.statements.length === 0) return stored
        return { ...stored, statements: [...stored.statements, statement] }
      }),
  }
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

/**
 * Changes what is named and leaves the rest; the settings afterwards, null where there is no such account, or why an
 * origin is refused.
 */
export async function settleAccount(
  deps: OperatorDeps,
  account: AccountKey,
  changes: Partial<AccountSettings>,
  operator: string,
): Promise<AccountSettings | null | Refusal> {
  const evidence = JSON.stringify(changes)
  const action = actionOf(deps, account.lane, 'account settings', account.accountId, { operator, evidence })
  return deps.reader.transaction<AccountSettings | null | Refusal>([accountSettings(account)], ([found]) => {
    const row = found?.rows[0]
    if (!row) return { statements: [], value: null }
    const settings = { ...accountSettingsFrom(row), ...changes }
    const livemode = row['livemode'] === true
    const fault = changes.corsOrigins?.map((origin) => faultOfOrigin(origin, livemode)).find((each) => each !== null)
    if (fault) return { statements: [], value: refuseAll([invalid('cors_origins', fault)]) }
    const siteFault = changes.sites?.map((site) => faultOfOrigin(site, livemode)).find((each) => each !== null)
    if (siteFault) return { statements: [], value: refuseAll([invalid('sites', siteFault)]) }
    if (Object.keys(changes).length === 0) return { statements: [], value: settings }
    const statements = [changeAccountSettings(account, settings), insertOperatorAction(action)]
    if (changes.returnsAtOnce) statements.push(wakeReturns(account))
    if (changes.corsOrigins) statements.push(...replaceOrigins(account, changes.corsOrigins))
    return { statements, value: settings }
  })
}

export function actionOf(
  { ids }: OperatorDeps,
  lane: number,
  action: OperatorAction['action'],
  target: string,
  { operator, evidence }: Deed,
): OperatorAction {
  return { id: laneUuid(lane, ids.nowMs(), ids.randomHex()), operator, action, target, evidence: maskCards(evidence) }
}
