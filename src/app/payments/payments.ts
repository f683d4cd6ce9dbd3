// Payment contracts: what a merchant and a payer do with them. Each begins in the write path; a rail is called in between.
import { setTimeout as sleep } from 'node:timers/promises'
import type { PaymentMethod } from '../../domain/channel/collection.ts'
import type { RepeatRequest } from '../../domain/contract/command.ts'
import type { CreatePayment } from '../../domain/payment/commands.ts'
import { currentAttempt, type Payment } from '../../domain/payment/payment.ts'
import { isRefusal, type Refusal, refuse } from '../../domain/contract/refusals.ts'
import type { Actor } from '../../domain/transfer/transfer.ts'
import type { Observed } from '../../platform/telemetry/observed.ts'
import type { IdempotencyKey } from '../../store/contracts/idempotency.ts'
import type { CommandRequest, ContractResult, ReplayedRefusal } from '../../engine/command-request.ts'
import type { CommandOf } from '../../engine/command-table.ts'
import { repeatedOr } from '../contracts/repeats.ts'
import { ownerOfContract } from '../accounts/contract-owners.ts'
import { refuseOwnRefundAddress } from '../crypto/own-addresses.ts'
import { leaseClock } from '../jobs/lease-call-record.ts'
import { runLeased, type WaitingRequest } from './collections.ts'
import { runLookup } from './receipt-lookups.ts'
import type { Deps } from '../deps.ts'

/** The account of the contract, and the caller's credential: a key is checked in the batch itself. */
export type Requester = {
  readonly lane: number
  readonly accountId: string
  readonly keyId: string | null
  readonly memberId?: string | null
  readonly idempotency: IdempotencyKey | null
  readonly versions?: readonly number[]
  readonly observed?: Observed | null
}

/** A payment contract after a command about it. */
export type Paid = ContractResult<Payment> | Refusal | ReplayedRefusal

/** Opens a contract, and begins the attempt that may have been chosen with it. */
export async function createPayment(
  deps: Deps,
  requester: Requester,
  command: Omit<CreatePayment, 'verb' | 'leaseMs'>,
): Promise<Paid> {
  const { leaseMs } = deps.payments
  const { method } = command
  const own = method && (await refuseOwnRefundAddress(deps, method, 'payment.crypto.refund_address'))
  if (own) return repeatedPayment(deps, requester, command.id, own)
  const isInTime = leaseClock(leaseMs)
  const answer = await answered(deps, { ...requester, command: { verb: 'create_payment', ...command, leaseMs } })
  return begun(deps, requester, answer, { secret: method?.secret ?? null, isInTime })
}

/**
 * The answer to a request that a look-up refuses: what is kept under its key, for the rail may have been called when it came first, or
 * that refusal. `id`: the contract that it would open; null for one that opens none.
 */
export async function repeatedPayment(
  deps: Pick<Deps, 'execute' | 'contracts'>,
  requester: Requester,
  id: string | null,
  otherwise: Refusal,
): Promise<Paid> {
  return repeatedOr<'payment'>((request) => answered(deps, request), requester, { kind: 'payment', id, otherwise })
}

/** Begins an attempt: the rail is called, and its result is in the answer. */
export async function choosePayment(
  deps: Deps,
  requester: Requester,
  id: string,
  method: PaymentMethod,
  actor: Actor,
): Promise<Paid> {
  const { leaseMs } = deps.payments
  const own = await refuseOwnRefundAddress(deps, method, 'crypto.refund_address')
  if (own) return repeatedPayment(deps, requester, null, own)
  const isInTime = leaseClock(leaseMs)
  const answer = await answered(deps, { ...requester, command: { verb: 'choose', id, method, actor, leaseMs } })
  // No rail is called for a wallet: what it pays by is made by whoever chose it, under this lease.
  if (method.kind === 'wallet') return answer
  return begun(deps, requester, answer, { secret: method.secret, isInTime })
}

/**
 * Cancels a contract of either kind. What is open at a rail is closed there first, if it answers in time; till then the
 * cancellation is pending.
 */
export async function cancelContract(
  deps: Deps,
  requester: Requester,
  id: string,
  reason: string | null,
): Promise<ContractResult | Refusal | ReplayedRefusal> {
  const answer = await deps.execute({ ...requester, command: { verb: 'cancel', id, reason, actor: 'account' } })
  if (isRefusal(answer) || answer.replayed) return answer
  if (answer.contract.kind !== 'payment' || answer.contract.status !== 'issued') return answer
  // What the cancellation waits for is due now: taken at once, so that the caller need not call again.
  const { lane, accountId } = requester
  const { leaseMs } = deps.payments
  const isInTime = leaseClock(leaseMs)
  const command = { verb: 'process_due', id, leaseMs, found: null } as const
  const leased = await deps.execute({ lane, accountId, keyId: null, idempotency: null, command })
  return isRefusal(leased) ? answer : begun(deps, requester, leased, { secret: null, isInTime })
}

const LOOKS_MAX = 60
const LOOK_AGAIN_MS = 50

/**
 * The same request may be under way: a repeat waits for the rail's result, too. Where the process that began it has died a worker goes
 * on, and what is kept under the key stays behind: then the contract as it stands is the answer.
 */
async function answered(
  deps: Pick<Deps, 'execute' | 'contracts'>,
  request: CommandRequest<CommandOf<'create_payment' | 'choose'> | RepeatRequest<'payment'>>,
): Promise<Paid> {
  for (let looks = 1; ; looks++) {
    const answer = await deps.execute(request)
    if (!isUnderWay(answer)) return answer
    const isLast = looks === LOOKS_MAX
    const standing = looks === 1 || isLast ? await asItStands(deps, request, answer) : answer
    if (isLast || !isUnderWay(standing)) return standing
    await sleep(LOOK_AGAIN_MS)
  }
}

async function asItStands(
  { contracts }: Pick<Deps, 'contracts'>,
  { lane, accountId }: CommandRequest,
  answer: Paid,
): Promise<Paid> {
  if (isRefusal(answer)) return answer
  const contract = await contracts.submit({ lane, accountId, id: answer.contract.id })
  return contract?.kind === 'payment' ? { ...answer, contract } : answer
}

function isUnderWay(answer: Paid): boolean {
  return !isRefusal(answer) && answer.replayed && currentAttempt(answer.contract)?.status === 'starting'
}

/** Calls the rail where the command leased an attempt to us. */
async function begun(
  deps: Deps,
  requester: Requester,
  answer: Paid,
  lease: Pick<WaitingRequest, 'secret' | 'isInTime'>,
): Promise<Paid> {
  if (isRefusal(answer)) return answer
  const { contract, job, toLookFor } = answer
  if (toLookFor && job) {
    const { record } = await runLookup(deps, { payment: contract, job, receipt: toLookFor })
    return { ...answer, contract: await record() }
  }
  const current = currentAttempt(contract)
  if (answer.replayed || !job || job.dueAt === null) return { ...answer, contract }
  const begun = current?.status === 'starting' ? current : null
  const asked = { answersFor: requester.idempotency, begun, ...lease }
  return { ...answer, contract: await runLeased(deps, contract, job, asked) }
}

/** The refusal for a payer whose attempt came to nothing at once; null where it did not. */
export function declineOf(payment: Payment): Refusal | null {
  const attempt = currentAttempt(payment)
  if (payment.status !== 'issued' || attempt?.status !== 'failed' || !attempt.failure) return null
  const { code, message } = attempt.failure
  const words = `The payment was declined (${code}): ${message} Try another method.`
  return { ...refuse('payment_declined', 'payment', words), contractId: payment.id }
}

/** A payment contract by its id alone, for a caller who proves the right to it by its token. */
export async function findPayment(deps: Pick<Deps, 'reader' | 'contracts'>, id: string): Promise<Payment | null> {
  const owner = await ownerOfContract(deps, id)
  const contract = owner && (await deps.contracts.submit({ lane: owner.lane, accountId: owner.accountId, id }))
  return contract?.kind === 'payment' ? contract : null
}
