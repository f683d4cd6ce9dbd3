// What the two bank rails share of ISO 20022: the creditor side of an order, and how a status report is
// read. It must not know in which message either stands.
import { createHash } from 'node:crypto'
import type { Outcome, SendOrder } from '../domain/channel/outcome.ts'
import type { Credit, TransferIds } from '../formats/iso20022/credits.ts'
import { type Bank, bankMember, isAccountId } from '../formats/iso20022/banks.ts'
import type { Party } from '../formats/iso20022/parties.ts'
import type { ReportedTransfer, StatusReason } from '../formats/iso20022/statuses.ts'
import { plainLines } from '../formats/iso20022/texts.ts'
import type { OutboundReply } from '../platform/outbound.ts'
import { callRail, type RailRequest, type RailSettings, unknown } from './rail.ts'

export type BankSettings = RailSettings & {
  readonly nowMs: () => number
  /** Sent as a bearer token; null where something on the way opens the bank, such as a sidecar with a certificate. */
  readonly apiKey?: string | null
  /** Who pays, by the books of the bank that we pay from. */
  readonly debtorName: string
  readonly debtorBank: Bank
}

/**
 * Rejections that prove that no money moved and none will: codes of the standard's list of status reasons
 * (ExternalStatusReason1Code) that speak of the account, the party or the amount themselves. Missing on purpose: DUPL and
 * AM05, which speak of another order under the same reference, those of timeouts (AB05 to AB08), and NARR.
 */
export const BANK_REFUSALS: ReadonlySet<string> = new Set([
  'AC01', // IncorrectAccountNumber
  'AC03', // InvalidCreditorAccountNumber
  'AC04', // ClosedAccountNumber
  'AC06', // BlockedAccount
  'AG01', // TransactionForbidden
  'AM02', // NotAllowedAmount
  'AM03', // NotAllowedCurrency
  'BE04', // MissingCreditorAddress, also sent where the name is missing
  'RC04', // InvalidCreditorBankIdentifier
])

// Settled for the debtor, settled for the creditor.
const SETTLED: ReadonlySet<string> = new Set(['ACSC', 'ACCC'])
// Received, technically right, right for the customer, in settlement, pending.
const IN_PROCESS: ReadonlySet<string> = new Set(['RCVD', 'ACTC', 'ACCP', 'ACSP', 'PDNG'])

const LINE_MAX = 70
const LINES_MAX = 7

/** One call with or about a message. */
export function callBank(
  settings: BankSettings,
  { method, path, body }: Omit<RailRequest, 'headers'>,
  reference: string,
): Promise<OutboundReply> {
  const type: Record<string, string> = body === null ? {} : { 'content-type': 'application/xml' }
  const opened: Record<string, string> = settings.apiKey ? { authorization: `Bearer ${settings.apiKey}` } : {}
  const headers = { ...type, ...opened, accept: 'application/xml', 'idempotency-key': reference }
  return callRail(settings, { method, path, headers, body })
}

export function debtorOf({ debtorName }: BankSettings): Party {
  return { name: debtorName, country: null, addressLines: [], email: null, mobile: null }
}

/** The receiving side of an order, or why no bank rail could ever carry it: nothing is sent then. */
export function creditOf({ recipient, currency, description }: SendOrder): Credit | Outcome {
  if (currency !== 'PHP') return failed('wrong_currency', 'Only PHP is taken.')
  const account = recipient['wallet'] ?? ''
  if (!isAccountId(account)) return failed('invalid_account', 'recipient.wallet is no account number.')
  const creditorBank = bankMember(recipient['tag'] ?? '')
  if (creditorBank === null) return failed('invalid_bank', 'recipient.tag is no code of a bank.')
  const creditor: Party = {
    name: recipient['name'] ?? null,
    country: recipient['country'] ?? null,
    addressLines: plainLines(recipient['address'] ?? null, LINE_MAX, LINES_MAX),
    email: recipient['email'] ?? null,
    mobile: recipient['mobile'] ?? null,
  }
  return { creditorBank, creditor, creditorAccount: account, remittance: description }
}

function failed(code: string, message: string): Outcome {
  return { kind: 'failed', code, message }
}

/** The names of a transfer: the same at every try. */
export function idsOf(reference: string): TransferIds {
  return { instructionId: reference, endToEndId: reference, uetr: uetrOf(reference) }
}

/** A UUID in the form of version 4, as the standard's type has it, that is the reference's own. */
function uetrOf(reference: string): string {
  const hex = createHash('sha256').update(reference).digest('hex')
  const variant = (8 + (Number.parseInt(hex.charAt(16), 16) & 3)).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** What a report says about an order. A report about other money than ours proves nothing about ours. */
export function reportedOutcome(transfer: ReportedTransfer | undefined, order: SendOrder): Outcome {
  if (transfer?.originalEndToEndId !== order.reference) return unknown('the report is about another reference')
  const { amount, status, reasons } = transfer
  if (amount?.amountDecimal !== order.amountDecimal || amount.currency !== order.currency)
    return unknown('the report is about another amount')
  if (SETTLED.has(status)) return { kind: 'delivered', providerId: null }
  if (IN_PROCESS.has(status)) return { kind: 'accepted', providerId: null }
  return status === 'RJCT' ? rejection(reasons) : unknown('a status without a known meaning')
}

/** Every reason has to be definite: of two that contradict each other, none counts. */
function rejection(reasons: readonly StatusReason[]): Outcome {
  const [first] = reasons
  const isDefinite = reasons.every(({ code }) => code !== null && BANK_REFUSALS.has(code))
  if (!first || first.code === null || !isDefinite) return unknown('a rejection without a known code')
  return { kind: 'failed', code: first.code, message: first.info.join(' ') }
}
