// The rows that open payment contracts: as the request for one, but that nobody has chosen yet how to pay.
import type { BulkCommand, CommandRow, RowPreview } from '../../domain/command/command.ts'
import type { Contract } from '../../domain/contract/contract.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import type { CreatePayment } from '../../domain/payment/commands.ts'
import { decideCreatePayment } from '../../domain/payment/draft.ts'
import type { Payment } from '../../domain/payment/payment.ts'
import type { Wallet } from '../../domain/wallet/wallet.ts'
import { PaymentBody } from '../../wire/payment-requests.ts'
import { closed } from '../../wire/shapes.ts'
import { draftOf } from '../contracts/draft.ts'
import { repeatedOr } from '../contracts/repeats.ts'
import { readerOf } from '../contracts/validation.ts'
import { profilesNamed } from '../profiles/named.ts'
import { contractIdOf, failed, requesterOf, type RowResult, type StepDeps } from './steps.ts'

const { payment: _, return_url: __, ...FIELDS } = PaymentBody.properties
const readPayment = readerOf(closed(FIELDS))

async function paymentIn(deps: StepDeps, command: BulkCommand, row: CommandRow): Promise<CreatePayment | Refusal> {
  const sent = readPayment(row.sent)
  if (isRefusal(sent)) return sent
  const { livemode } = command
  const { profileId } = await deps.merchantOf(command)
  const named = profilesNamed(deps, { ...command, profileId }, sent.read)
  const profiles = named && (await named)
  const draft = draftOf(sent.read, { currencies: deps.currencies, livemode }, { money: 'comes in', profiles })
  if (isRefusal(draft)) return draft
  const id = contractIdOf(command, row)
  const place = { returnUrl: null, walletId: sent.read.wallet?.toLowerCase() ?? null, method: null }
  return { verb: 'create_payment', id, livemode, ...draft, ...place, leaseMs: deps.payments.leaseMs }
}

const isPayment = (contract: Contract | null): contract is Payment => contract?.kind === 'payment'

/** Opens the contract of a row, once. */
export async function openPayment(
  deps: StepDeps,
  command: BulkCommand,
  row: CommandRow,
  isAgain: boolean,
): Promise<RowResult> {
  const known = isAgain ? await paymentOfRow(deps, command, row) : null
  if (known) return known
  const create = await paymentIn(deps, command, row)
  const requester = requesterOf(command, row, 'create')
  const repeat = { kind: 'payment', id: contractIdOf(command, row) } as const
  const answer = isRefusal(create)
    ? await repeatedOr(deps.execute, requester, { ...repeat, otherwise: create })
    : await deps.execute({ ...requester, command: create })
  return isRefusal(answer) ? failed(answer, 'create') : opened(answer.contract)
}

/** The result of a row whose contract is there; null where there is none. */
export async function paymentOfRow(deps: StepDeps, command: BulkCommand, row: CommandRow): Promise<RowResult | null> {
  const { lane, accountId } = command
  const contract = await deps.contracts.submit({ lane, accountId, id: contractIdOf(command, row) })
  return isPayment(contract) ? opened(contract) : null
}

const opened = (payment: Payment): RowResult => ({ ...priced(payment), contractId: payment.id })

function priced({ terms, feeMinor }: Payment): RowResult {
  const [amount, fee, receive] = [terms.amountMinor, feeMinor, terms.amountMinor - feeMinor].map(String) as [
    string,
    string,
    string,
  ]
  // Nothing leaves a wallet.
  const preview: RowPreview = { currency: terms.currency, amount, fee, debit: '0', receive }
  return { status: 'done', contractId: null, step: 'create', error: null, preview }
}

/** What would become of a row. */
export async function checkPayment(
  deps: StepDeps,
  command: BulkCommand,
  row: CommandRow,
  ground: { readonly nowMs: number; readonly wallet: (id: string | null, currency: string) => Wallet | undefined },
): Promise<RowResult> {
  const create = await paymentIn(deps, command, row)
  if (isRefusal(create)) return failed(create, 'create')
  const decided = decideCreatePayment(create, command.lane, command.accountId, {
    ...ground,
    channels: deps.channels,
    job: null,
    booked: () => undefined,
    waiting: () => [],
    returnId: () => '',
    adoptedReturn: () => undefined,
    returnsAtOnce: true,
    rulesElsewhere: () => null,
    expiresInSeconds: null,
  })
  return isRefusal(decided) ? failed(decided, 'create') : priced(decided.after)
}
