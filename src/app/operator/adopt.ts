// One order that a provider lists, taken to its end: reported to the engine, or adopted by it, until the books have it as the
// provider does, or nothing more can be done by itself. Each step is the write path's.
import { type Connector, findsLost } from '../../connectors/connector.ts'
import type { Contract } from '../../domain/contract/contract.ts'
import { accountTagOf, createdAtOf, laneOf, tagIn } from '../../domain/contract/ids.ts'
import { livemodesIn } from '../../domain/channel/modes.ts'
import type { Outcome } from '../../domain/channel/outcome.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import {
  type Answer,
  answerTo,
  type LineKind,
  type ListedOrder,
  type RecoveryLine,
  type ReportedEnd,
} from '../../domain/recovery/compare.ts'
import type { Epoch } from '../../domain/recovery/epoch.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import { passOn } from '../../engine/crash-points.ts'
import { executeAlone } from '../../engine/execute.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { suspendedAt } from '../../store/payments/payment-events.ts'
import { accountsOfLane, insertAdoptedOrder } from '../../store/operator/recovery-lines.ts'
import { contractsWith } from '../accounts/contract-owners.ts'
import { report } from '../transfers/payouts.ts'
import { alsoWriting, operatorEntry } from './operator-changes.ts'
import type { OperatorDeps } from './operator-actions.ts'

export type AdoptDeps = OperatorDeps & {
  readonly connector: Connector
  readonly channelId: string
  readonly epoch: Epoch
  readonly operator: string
}

/** Each step brings a contract nearer to its end, and there are few. */
const STEPS_MAX = 8

/** The line of the report about an order; null where the books had it as the provider has it. */
export async function answered(
  deps: AdoptDeps,
  order: ListedOrder,
  found: Contract | null,
): Promise<RecoveryLine | null> {
  let contract = found
  let done: LineKind | null = null
  for (let step = 0; step < STEPS_MAX; step++) {
    if (contract?.kind === 'payment') return lineOf(deps, order, 'differs', 'a payment contract has this reference')
    const answer = answerTo(contract, order)
    if (answer.kind === 'matched') return done && lineOf(deps, order, done, endedWords(done, order))
    if (answer.kind === 'in_review') return lineOf(deps, order, 'in_review', reviewWords(deps, order))
    if (answer.kind === 'differs') return lineOf(deps, order, 'differs', answer.words)
    const before = contract
    const failure = await act(deps, order, before, answer)
    if (failure) return lineOf(deps, order, failure.kind, failure.words)
    done = answer.kind === 'adopt' ? 'adopted' : (done ?? 'settled')
    contract = (await contractsWith(deps, [order.contractId], livemodesIn(deps.channels, deps.channelId))).get(
      order.contractId,
    ) as Contract | null
    if (before && contract?.version === before.version) break
  }
  const words = contract?.kind === 'transfer' ? `, and by our books the contract is ${contract.status}` : ''
  return lineOf(deps, order, 'differs', `the provider lists it as ${order.ended}${words}`)
}

const endedWords = (done: LineKind, { ended }: ListedOrder) =>
  done === 'adopted'
    ? `The books had forgotten that it was paid; the provider lists it as ${ended}.`
    : `The books had it open; the provider lists it as ${ended}.`

function reviewWords({ connector }: AdoptDeps, { ended }: ListedOrder): string {
  if (ended === 'returned') return 'Adopted. It went and came back: resolve it as failed, once the money is there.'
  return findsLost(connector)
    ? 'Adopted; its money is held, and its receiver has it in these books. Resolve it as delivered.'
    : 'Adopted; its money is held. Resolve it as delivered, or as failed where it did not go.'
}

type Failure = { readonly kind: LineKind; readonly words: string }

async function act(
  deps: AdoptDeps,
  order: ListedOrder,
  contract: Transfer | null,
  answer: Extract<Answer, { kind: 'report' | 'adopt' }>,
): Promise<Failure | null> {
  if (answer.kind === 'adopt') return adopt(deps, order, contract, answer.isKnown)
  if (contract === null) throw new Error('only what is known can be reported about')
  for (const end of answer.outcomes) await reportOutcome(deps, contract, order.number, OUTCOMES[end])
  return null
}

const OUTCOMES: Readonly<Record<ReportedEnd, Outcome>> = {
  accepted: { kind: 'accepted', providerId: null },
  delivered: { kind: 'delivered', providerId: null },
  returned: { kind: 'returned', code: 'returned', message: 'The provider lists it as returned.' },
}
/** Brings what the provider says to the contract, as its own list and not as an answer to a call. */
export async function reportOutcome(
  deps: AdoptDeps,
  contract: Transfer,
  number: number,
  outcome: Outcome,
): Promise<void> {
  const { connector, channelId, writer, channels } = deps
  const { lane, accountId, id: contractId } = contract
  const execute: Parameters<typeof report>[0]['execute'] = (request) => executeAlone(writer, channels, request)
  await report(
    { execute, crashPoint: passOn },
    connector,
    { lane, accountId, contractId, number, channelId },
    null,
    outcome,
  )
}

async function adopt(
  deps: AdoptDeps,
  order: ListedOrder,
  contract: Transfer | null,
  isKnown: boolean,
): Promise<Failure | null> {
  const owner = contract ?? (await ownerOf(deps, order))
  if ('kind' in owner && owner.kind === 'extra') return owner
  const { lane, accountId, livemode } = owner as Owner
  if (contract === null && (await beganReturn(deps, order, { lane, accountId }))) return null
  const { contractId: id, number, channelId, amountMinor, currency, reference } = order
  if (amountMinor === null) throw new Error('an order without an exact amount is not adopted')
  const epoch = deps.epoch.number
  const command = {
    ...({ verb: 'adopt', id, livemode, number, channelId, amountMinor, currency, isKnown, epoch } as const),
    operator: deps.operator,
  }
  const after = { reference, channel: channelId, amount_minor: amountMinor.toString(), currency, epoch }
  const audited = { action: 'contract.adopted', object: { type: 'contract', id }, before: null, after } as const
  const session = alsoWriting(
    deps.writer,
    operatorEntry(deps, { lane, accountId }, deps.operator, audited),
    insertAdoptedOrder({ lane, accountId, contractId: id, reference, epoch, channelId, amountMinor, currency }),
  )
  const request = { lane, accountId, keyId: null, idempotency: null, command }
  const result = await executeAlone(session, deps.channels, request)
  return isRefusal(result) ? lackingOf(result) : null
}

/**
 * Whether the order is the return of money that the books have in suspense: then it is begun again under its id, out of that money, and
 * what became of it is said of it as of any order. Its id was given in the moment at which the money was booked.
 */
async function beganReturn(deps: AdoptDeps, { contractId, number }: ListedOrder, owner: AccountKey): Promise<boolean> {
  if (number !== 1) return false
  const [booked] = await deps.reader.send([suspendedAt(owner, createdAtOf(contractId))])
  for (const { payment_id: id } of booked?.rows ?? []) {
    const command = { verb: 'process_due', id: id as string, leaseMs: 0, found: contractId } as const
    const request = { ...owner, keyId: null, idempotency: null, afterRestore: true, command }
    const begun = await executeAlone(deps.writer, deps.channels, request)
    if (!isRefusal(begun) && begun.contract.refunds.some(({ transferId }) => transferId === contractId)) return true
  }
  return false
}

/** The money is not there: it came in the time that was lost, or it was never there. */
const lackingOf = ({ message }: Refusal): Failure => ({
  kind: 'lacking',
  words: `Not adopted: ${message} Put the money there, with evidence, and compare again.`,
})

type Owner = AccountKey & { readonly livemode: boolean }

/** Whose a contract was that the books do not know: what its id says of its account must fit one account alone. */
async function ownerOf({ reader, channels }: AdoptDeps, { contractId, channelId }: ListedOrder) {
  const lane = laneOf(contractId)
  const [found] = await reader.send([accountsOfLane(lane, livemodesIn(channels, channelId))])
  const owners = (found?.rows ?? [])
    .map((row): Owner => ({ lane, accountId: row['account_id'] as string, livemode: row['livemode'] as boolean }))
    .filter(({ accountId }) => accountTagOf(accountId) === tagIn(contractId))
  const [owner] = owners
  if (owner && owners.length === 1) return owner
  const words =
    owners.length === 0
      ? 'It has the form of our references, and no account of the channel’s mode that could have made it.'
      : `It may be of any of these accounts: ${owners.map(({ accountId }) => accountId).join(', ')}.`
  return { kind: 'extra', words } as const
}

export function lineOf(
  { ids }: Pick<AdoptDeps, 'ids'>,
  { channelId, reference, contractId, amountMinor, currency }: ListedOrder,
  kind: LineKind,
  words: string,
): RecoveryLine {
  return { channelId, reference, contractId, kind, amountMinor, currency, words, at: ids.nowMs() }
}
