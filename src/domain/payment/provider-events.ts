// What a provider's event reports of a payment, read with suspicion: whatever cannot be read becomes null, for money
// must not be lost over a typo. And which contract it is about. Pure: signatures and stored rows are not known here.
import { maskCards } from '../text/cards.ts'
import { withoutTrailing } from '../text/texts.ts'
import type { PayerPlace } from '../channel/collection.ts'
import { isCurrency } from '../money/currencies.ts'
import { contractOfReference, isUuid, referenceOfShort } from '../contract/ids.ts'
import { parseAmount } from '../money/money.ts'
import type { PaymentReport, EventNames, NamedAttempt } from './commands.ts'
import type { Payment } from './payment.ts'
import type { Failure } from '../transfer/transfer.ts'

type Members = Readonly<Record<string, unknown>>

/** An event as a provider sent it. The envelope was checked, the object was not. */
export type ProviderEvent = { readonly id: string; readonly type: string; readonly object: Members }

export type NamedReport = { readonly report: Omit<PaymentReport, 'attempt'>; readonly names: EventNames }

const OUTCOMES: ReadonlyMap<string, PaymentReport['outcome']> = new Map([
  ['payment_intent.succeeded', 'succeeded'],
  ['payment_intent.processing', 'processing'],
  ['payment_intent.failed', 'failed'],
])

/** What the event reports of a payment; null for a type that is only kept. */
export function paymentReportOf({ id, type, object }: ProviderEvent): NamedReport | null {
  const outcome = OUTCOMES.get(type)
  if (outcome === undefined) return null
  const providerId = textOf(object['id'], NAME_MAX)
  const currency = currencyOf(object['currency'])
  return {
    report: {
      outcome,
      // Money without an id of its own is named after the event that reported it.
      objectId: providerId ?? `event:${id}`,
      channelId: wordOf(object['channel']),
      amountMinor: currency === null ? null : amountOf(object['amount'], currency),
      currency,
      assetUnits: null,
      failure: failureOf(object['failure']),
      payer: payerOf(object['payer']),
      shown: {},
    },
    names: namesIn(object, providerId),
  }
}

/** The contract that is named by an id of ours: where it is there, no other name has to be looked up. */
export function contractNamed({ contractId, attempt }: EventNames): string | null {
  return contractId ?? attempt?.contractId ?? null
}

/**
 * The attempt that the names mean of the contract that they name: the same as {@link matchOf} with everything looked up.
 * `names_not_found` where that might find another contract.
 */
export function attemptNamed(
  { contractId, providerId, attempt }: EventNames,
  { id, attempts }: Payment,
): number | null | 'names_not_found' {
  const named = attempt?.contractId === id ? attempt.number : null
  const called = providerId === null ? null : (attempts.find((each) => each.providerId === providerId)?.number ?? null)
  if (contractId === id) return named ?? called
  // The provider's id of the payment is stronger than a reference, and may be an attempt of another contract.
  return named !== null && (providerId === null || called === named) ? named : 'names_not_found'
}

/** What of the names is in the books of the account. */
export type KnownNames = {
  /** Those of the named contracts that are payment contracts. */
  readonly payments: ReadonlySet<string>
  /** The attempt that has this id at the provider. */
  readonly intent: NamedAttempt | null
  /** The payment contracts with this reference of the caller's own. */
  readonly byReference: readonly string[]
}

/** The contract that an event is about, and the attempt where one of its names says it. Null where no contract fits. */
export function matchOf(
  { contractId, attempt }: EventNames,
  { payments, intent, byReference }: KnownNames,
): { readonly contractId: string; readonly attempt: number | null } | null {
  const [own, another] = byReference
  const found = [
    contractId !== null && payments.has(contractId) ? contractId : null,
    attempt && payments.has(attempt.contractId) ? attempt.contractId : null,
    intent?.contractId ?? null,
    // A reference that several contracts carry names none of them.
    own !== undefined && another === undefined ? own : null,
  ].find((each) => each !== null)
  if (found === undefined) return null
  const numbers = [attempt, intent].flatMap((each) => (each?.contractId === found ? [each.number] : []))
  return { contractId: found, attempt: numbers[0] ?? null }
}

// Names of rails and accounts pass the checksum of cards too often to be judged by it (docs/design/domain.md).
const IDENTIFIER = /^(?:id|.*_id|reference|wallet|tag|mobile)$/

/** What is kept of a body: its text as it came or, where it holds a card number, the same value with that masked. */
export function keptText(text: string, value: unknown): string {
  // Only an escape can hide digits from a look at the text.
  if (!text.includes('\\u') && maskCards(text) === text) return text
  let isMasked = false
  const masked = JSON.stringify(value, (name, member: unknown) => {
    if ((typeof member !== 'string' && typeof member !== 'number') || IDENTIFIER.test(name)) return member
    const words = maskCards(String(member))
    if (words === String(member)) return member
    isMasked = true
    return words
  })
  return isMasked ? masked : text
}

const NAME_MAX = 255
const REFERENCE_MAX = 128
const WORDS_MAX = 1000

function namesIn(object: Members, providerId: string | null): EventNames {
  const contractId = textOf(object['contract_id'], NAME_MAX)?.toLowerCase() ?? null
  const reference = textOf(object['reference'], REFERENCE_MAX)
  return {
    contractId: contractId !== null && isUuid(contractId) ? contractId : null,
    providerId,
    attempt: reference === null ? null : attemptOf(reference),
    reference,
  }
}

/** Some rails write all in capitals; only the short form tells them apart. */
function attemptOf(reference: string): NamedAttempt | null {
  const short = referenceOfShort(reference)
  return contractOfReference(short ?? reference.toLowerCase()) ?? null
}

function currencyOf(value: unknown): string | null {
  const code = textOf(value, 3)?.toUpperCase() ?? ''
  return isCurrency(code) ? code : null
}

function amountOf(value: unknown, currency: string): bigint | null {
  const parsed = parseAmount(typeof value === 'string' ? numberOf(value) : value, currency)
  return 'fault' in parsed ? null : parsed.amountMinor
}

// As many digits as a number is sure to keep (money.ts).
const DIGITS_MAX = 15

/** The number that reads back as the decimal text; null for any other text. */
function numberOf(text: string): number | null {
  if (!/^(?:0|[1-9]\d{0,11})(?:\.\d{1,8})?$/.test(text)) return null
  const exact = text.includes('.') ? withoutTrailing(withoutTrailing(text, '0'), '.') : text
  return exact.replace('.', '').length > DIGITS_MAX ? null : Number(exact)
}

function failureOf(value: unknown): Failure | null {
  const { code, message } = membersOf(value)
  if (typeof code !== 'string' && typeof message !== 'string') return null
  return { code: wordsOf(code) ?? 'failed', message: wordsOf(message) ?? 'The provider gave no reason.' }
}

/** Text for display: as much as is kept, without card numbers. */
function wordsOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null
  // A cut must leave no half of a pair behind.
  return maskCards(value)
    .slice(0, WORDS_MAX)
    .replace(/[\ud800-\udbff]$/, '')
}

const RECIPIENT_FIELDS = ['name', 'email', 'mobile', 'wallet', 'tag', 'address', 'country'] as const
const FREE_TEXT: ReadonlySet<string> = new Set(['name', 'address'])

/** Where money could be sent back to. One field that is not what it should be, and nothing is sent there. */
function payerOf(value: unknown): PayerPlace | null {
  const { channel, recipient: stated } = membersOf(value)
  const channelId = wordOf(channel)
  const fields = membersOf(stated)
  const recipient: Record<string, string> = {}
  for (const name of RECIPIENT_FIELDS) {
    const field = fields[name] ?? null
    if (field === null) continue
    const text = textOf(field, NAME_MAX)
    if (text === null) return null
    recipient[name] = FREE_TEXT.has(name) ? maskCards(text) : text
  }
  return channelId === null || Object.keys(recipient).length === 0 ? null : { channelId, recipient }
}

const wordOf = (value: unknown) => (typeof value === 'string' && /^[a-z0-9_-]{1,64}$/.test(value) ? value : null)

const textOf = (value: unknown, charsMax: number) =>
  typeof value === 'string' && value !== '' && value.length <= charsMax ? value : null

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}
}
