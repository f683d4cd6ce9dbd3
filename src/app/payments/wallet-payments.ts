// A payer pays with a wallet of this gateway: a transfer contract of the payer's own account, on the wallet channel, which
// pays the payment contract instead of crediting a wallet. A saga like any other: exactly once, or the payer keeps the money.
import { setTimeout as sleep } from 'node:timers/promises'
import { modeWord } from '../../domain/channel/modes.ts'
import type { PaymentMethod } from '../../domain/channel/collection.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import type { SendOrder } from '../../domain/channel/outcome.ts'
import type { PaymentReport } from '../../domain/payment/commands.ts'
import { currentAttempt, type Payment, type PaymentAttempt } from '../../domain/payment/payment.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { type Failure, NO_RECIPIENT, type Terms, type Transfer } from '../../domain/transfer/transfer.ts'
import type { ContractPaid } from '../../connectors/wallet/wallet.ts'
import { savePayer } from '../../store/profiles/payers.ts'
import { bookedObjects, FROM_WALLET, objectOf } from '../../store/payments/payment-events.ts'
import { scopeOf } from '../../platform/scope.ts'
import { definite } from '../../platform/servers/absence.ts'
import type { CommandRequest } from '../../engine/command-request.ts'
import type { CommandOf } from '../../engine/command-table.ts'
import type { Caller } from '../accounts/callers.ts'
import { ownerOfContract } from '../accounts/contract-owners.ts'
import type { CreditDeps } from '../accounts/credits.ts'
import type { Deps } from '../deps.ts'
import { runPayout } from '../transfers/payouts.ts'
import { isPaying, NOT_PAID } from './collections.ts'
import { choosePayment, findPayment, type Paid } from './payments.ts'
import type { Found, ReadContract } from '../../engine/reads.ts'

/** Pays a contract from a wallet of the payer's account; answers when the money has moved, or why it did not. */
export async function payByWallet(
  deps: Deps,
  payment: Payment,
  payer: Caller,
  walletId: string,
  versions?: readonly number[],
): Promise<Paid> {
  if (payer.accountId === payment.accountId)
    return refuse(
      'payment_not_payable',
      'payment.wallet.wallet_id',
      'An account cannot pay its own contract. Pay with a wallet of another account.',
    )
  if (payer.livemode !== payment.livemode)
    return refuse(
      'wallet_not_found',
      'payment.wallet.wallet_id',
      `No ${payment.terms.currency} wallet has this id for a ${modeWord(payment.livemode)} contract: TEST money pays contracts of test accounts, live money those of live ones. Pay with a wallet of a ${payment.livemode ? 'live' : 'test'} account.`,
    )
  // The transfer waits for no worker, who would look first.
  await deps.payments.freezes.look()
  const chosen = await chooseWallet(deps, payment, payer, walletId, versions)
  if (isRefusal(chosen) || chosen.contract.status !== 'issued') return chosen
  const attempt = begunIn(chosen.contract)
  await introduce(deps, payer, payment)
  const refused = await transfer(deps, payer, chosen.contract, attempt, walletId)
  if (refused) return notPaid(deps, payer, chosen.contract, attempt, refused)
  const now = await findPayment(deps, payment.id)
  return { ...chosen, contract: now ?? chosen.contract }
}

type WalletAttempt = PaymentAttempt & { readonly transferId: string }

/** The attempt that was chosen. The same choice goes on with the transfer that it has begun: asked for again, nothing is held twice. */
function begunIn(payment: Payment): WalletAttempt {
  const attempt = currentAttempt(payment)
  const transferId = attempt?.details['transfer_id']
  if (!attempt || transferId === undefined) throw new Error('an attempt was chosen and is not there')
  return { ...attempt, transferId }
}

/** Begins an attempt, or goes on with the one that the same choice has begun; not where its transfer is over: then with another one. */
async function chooseWallet(
  deps: Deps,
  payment: Payment,
  payer: Caller,
  walletId: string,
  versions: readonly number[] | undefined,
): Promise<Paid> {
  const { lane, accountId, id } = payment
  const transferId = deps.newContractId(payer, null)
  const details = { wallet_id: walletId, transfer_id: transferId, payer_profile: payer.profileId }
  const method: PaymentMethod = { kind: 'wallet', details, secret: null }
  const requester = { lane, accountId, keyId: null, idempotency: null }
  const chosen = await choosePayment(deps, { ...requester, ...(versions && { versions }) }, id, method, 'payer')
  if (isRefusal(chosen) || chosen.contract.status !== 'issued') return chosen
  const attempt = begunIn(chosen.contract)
  if (attempt.transferId === transferId || !isOver(await transferOf(deps, payer, attempt))) return chosen
  await giveUp(deps, chosen.contract, attempt, NOT_PAID)
  // The versions that the payer named were those of the contract until it was changed here.
  return choosePayment(deps, requester, id, method, 'payer')
}

const transferOf = ({ contracts }: Deps, { lane, accountId }: Caller, { transferId }: WalletAttempt): Promise<Found> =>
  contracts.submit({ lane, accountId, id: transferId })

/** Whether the transfer neither pays nor is about to. One that is not there yet is being made. */
const isOver = (found: Found): boolean =>
  found?.kind === 'transfer' && found.status !== 'draft' && found.status !== 'issued' && !isPaying(found)

/** Whom paid_by names is told to the one that is paid, under the name of the payer's account: before the money moves. */
async function introduce(deps: Deps, payer: Caller, payment: Payment): Promise<void> {
  const { profileId, name } = await deps.merchantOf(payer)
  await deps.reader.send([savePayer(payment, { profileId, name })])
}

/** The payer's transfer: made, issued, paid and sent. Each step may be repeated; a refusal leaves nothing held. */
async function transfer(
  deps: Deps,
  payer: Caller,
  payment: Payment,
  attempt: WalletAttempt,
  walletId: string,
): Promise<Refusal | null> {
  const { transferId: id } = attempt
  const { lane, accountId, keyId, livemode } = payer
  const request = <V extends 'create_transfer' | 'issue' | 'pay'>(
    command: CommandOf<V>,
  ): CommandRequest<CommandOf<V>> => ({
    lane,
    accountId,
    keyId,
    idempotency: null,
    command,
  })
  const draft = { expiresInSeconds: null, preview: null, warnings: [], pays: payment.id }
  const terms = termsOf(payment, attempt)
  const made = await deps.execute(request({ verb: 'create_transfer', id, livemode, terms, ...draft }))
  if (isRefusal(made)) return made
  const issued = await deps.execute(request({ verb: 'issue', id, preview: null }))
  if (isRefusal(issued)) return issued
  const paid = await deps.execute(request({ verb: 'pay', id, preview: null, walletId }))
  if (isRefusal(paid)) return paid
  if (!paid.attempt) return null
  const { connectors, freezes, leaseMs, crashPoint } = deps.payments
  const outcomes = { execute: deps.execute, connectors, freezes, leaseMs, crashPoint }
  const result = await runPayout(outcomes, paid.attempt)
  return outcomeOf(await ended(deps, { lane, accountId, id }, result === 'not called' ? WORKER_WITHIN_MS : 0))
}

const WORKER_WITHIN_MS = 3000
const LOOK_AGAIN_MS = 20

/** The payer's transfer; a worker may have been faster to take it, and then is waited for. */
async function ended({ contracts }: Deps, key: ReadContract, withinMs: number): Promise<Found> {
  const until = performance.now() + withinMs
  for (;;) {
    const found = await contracts.submit(key)
    if (found?.status !== 'paid' || performance.now() >= until) return found
    await sleep(LOOK_AGAIN_MS)
  }
}

function outcomeOf(contract: Found): Refusal | null {
  if (contract?.kind !== 'transfer' || contract.status !== 'cancelled') return null
  return nothingTaken(contract.execution.failure?.message ?? IS_OVER)
}

function termsOf(payment: Payment, attempt: PaymentAttempt): Terms {
  return {
    amountMinor: attempt.debitMinor,
    currency: payment.terms.currency,
    // A profile of the one that is paid is nobody to the payer.
    issuedTo: payment.terms.issuedToProfile ? null : payment.terms.issuedTo,
    description: payment.terms.description,
    deliverable: { type: 'order', referenceId: payment.id, description: null, details: null },
    // What the channel requires; the money goes to the contract.
    recipient: { ...NO_RECIPIENT, wallet: payment.id },
    channelId: attempt.channelId,
  }
}

/**
 * The answer to a payer whose transfer was refused. Where it pays all the same, for a step was repeated, its attempt goes on; and what is
 * said of a transfer that is over is no word about the contract.
 */
async function notPaid(
  deps: Deps,
  payer: Caller,
  payment: Payment,
  attempt: WalletAttempt,
  refused: Refusal,
): Promise<Refusal> {
  const made = await transferOf(deps, payer, attempt)
  if (made?.kind === 'transfer' && isPaying(made)) return refused
  const why = OF_TRANSFER.has(refused.code) ? nothingTaken(IS_OVER) : refused
  await giveUp(deps, payment, attempt, why)
  return why
}

/** What a step says of a transfer that ended between two looks. */
const OF_TRANSFER: ReadonlySet<string> = new Set(['contract_cancelled', 'contract_expired'])
const IS_OVER = 'The transfer that was to pay the contract is over.'

const nothingTaken = (reason: string) =>
  refuse('payment_not_payable', 'id', `${reason} Nothing was taken from the wallet.`)

/** The payer could not pay: the attempt ends, and another one may be tried at once. */
async function giveUp({ execute }: Deps, payment: Payment, { number }: PaymentAttempt, why: Failure): Promise<void> {
  const { lane, accountId, id } = payment
  const failure = { code: why.code, message: why.message }
  const name = `wallet:${id}:${number}:failed`
  const event = { id: name, type: FROM_WALLET, body: null, bodyHash: null }
  const report: PaymentReport = { ...NOTHING, outcome: 'failed', objectId: name, attempt: number, failure }
  await execute({
    lane,
    accountId,
    keyId: null,
    idempotency: null,
    command: { verb: 'receive', id, event, report, unallocated: 'refuse' },
  })
}

const NOTHING = {
  channelId: 'wallet',
  amountMinor: null,
  currency: null,
  assetUnits: null,
  failure: null,
  payer: null,
  shown: {},
} as const

export type WalletPaymentDeps = CreditDeps & { readonly findContract: (key: ReadContract) => Promise<Found> }

/** The wallet channel's payment: taken by the contract as it stands, or not at all. */
export async function payFromWallet(
  deps: WalletPaymentDeps,
  paymentId: string,
  order: SendOrder,
): Promise<ContractPaid> {
  const owner = await ownerOf(deps, paymentId)
  if (!owner) return 'no such contract'
  const objectId = objectOf(order.reference)
  const { amountMinor, currency } = order
  const event = { id: objectId, type: FROM_WALLET, body: null, bodyHash: null }
  const report: PaymentReport = {
    ...NOTHING,
    outcome: 'succeeded',
    objectId,
    attempt: await walletAttempt(deps, owner, paymentId, order),
    amountMinor,
    currency,
  }
  const answer = await deps.execute({
    ...owner,
    keyId: null,
    idempotency: null,
    notAfter: order.notAfter,
    ...(order.isInTime && { isInTime: order.isInTime }),
    command: { verb: 'receive', id: paymentId, event, report, unallocated: 'refuse' },
  })
  if (isRefusal(answer)) return NOT_NOW.has(answer.code) ? 'not now' : 'not payable'
  if (answer.reception === 'applied') return 'paid'
  // That it was reported before is no proof that it was taken.
  return (await isPaidFromWallet(deps, paymentId, order.reference)) ? 'paid' : 'not payable'
}

/** Refused for a reason that says nothing of the contract: it may be paid later. */
const NOT_NOW: ReadonlySet<string> = new Set(['request_timeout', 'in_recovery'])

/** The attempt that the payer's transfer was made for. */
async function walletAttempt(
  { findContract }: WalletPaymentDeps,
  owner: { readonly lane: number; readonly accountId: string },
  id: string,
  { reference }: SendOrder,
): Promise<number | null> {
  const contract = await findContract({ ...owner, id })
  if (contract?.kind !== 'payment') return null
  const made = contract.attempts.find(({ details }) =>
    reference.startsWith(details['transfer_id']?.replaceAll('-', '') ?? ' '),
  )
  return made?.number ?? null
}

/** Whether the contract has been paid under the reference. */
export async function isPaidFromWallet(deps: CreditDeps, paymentId: string, reference: string): Promise<boolean> {
  const owner = await ownerOf(deps, paymentId)
  if (!owner) return false
  const look = definite(bookedObjects(scopeOf([owner]), [{ ...owner, id: objectOf(reference) }]))
  const [result] = await deps.reader.send([look])
  return (result?.rows.length ?? 0) > 0
}

/** The transfer that a wallet pays by: its account need not be known. Throws where its books cannot be read. */
export async function payersTransfer(deps: WalletPaymentDeps, id: string): Promise<Transfer | null> {
  const owner = await ownerOf(deps, id)
  const contract = owner && (await deps.findContract({ ...owner, id }))
  return contract?.kind === 'transfer' ? contract : null
}

async function ownerOf(deps: CreditDeps, contractId: string) {
  const owner = isUuid(contractId) ? await ownerOfContract(deps, contractId) : null
  return owner && { lane: owner.lane, accountId: owner.accountId }
}
