// A draft's body -> terms. Parsed once, here; the same rules serve create, update and compare.
import type { CreateTransfer, PatchedDraft, TermsPatch } from '../domain/commands.ts'
import { maskCards } from '../domain/cards.ts'
import { isCountry } from '../domain/countries.ts'
import { minorDigits } from '../domain/currencies.ts'
import { EXPIRES_IN_SECONDS } from '../domain/draft.ts'
import { type AmountFault, majorNumber, parseAmount } from '../domain/money.ts'
import type { ExpectedPreview } from '../domain/preview.ts'
import { invalid, type Problem, type Refusal, refuseAll } from '../domain/refusals.ts'
import type { Deliverable, Message, Recipient, Terms } from '../domain/transfer.ts'
import { DraftBody } from './schemas.ts'
import { validatorOf } from './validation.ts'

/** What parsing depends on: the enabled currencies, and whether the account is live. */
export type DraftRules = {
  readonly currencies: ReadonlySet<string>
  readonly livemode: boolean
  /** Members of the body that somebody else reads. */
  readonly alsoKnown?: ReadonlySet<string>
}

export type ParsedDraft = Pick<CreateTransfer, 'terms' | 'expiresInSeconds' | 'preview' | 'warnings'>

const checkShape = validatorOf(DraftBody)

/** Checks shape and meaning; all problems are reported together. */
export function parseDraft(body: unknown, rules: DraftRules): ParsedDraft | Refusal {
  const misshapen = checkShape(body)
  if (misshapen) return misshapen
  const draft = body as DraftBody
  const problems: Problem[] = []
  const currency = draft.currency.toUpperCase()
  const amountMinor = amountOf(draft.amount, currency, rules, problems)
  const recipient = recipientOf(draft.recipient ?? null, problems)
  const expiresInSeconds = expiryOf(draft.expires_in ?? null, rules, problems)
  const [first, ...others] = problems
  if (first) return refuseAll([first, ...others])
  const terms: Terms = {
    amountMinor,
    currency,
    issuedTo: maskedOrNull(draft.issued_to),
    description: maskedOrNull(draft.description),
    deliverable: deliverableOf(draft.deliverable ?? null),
    recipient,
    channelId: draft.channel ?? null,
  }
  return { terms, expiresInSeconds, preview: expectedPreview(draft.preview), warnings: ignoredOf(draft, rules) }
}

/** A merge patch as a function of the terms it mends (RFC 7396). */
export function patchOf(patch: Record<string, unknown>, rules: DraftRules): TermsPatch {
  return (terms): PatchedDraft | Refusal => {
    const merged = mergePatch(wireOf(terms), patch)
    return parseDraft(merged, rules)
  }
}

const AMOUNT_WORDS: Record<AmountFault, (currency: string) => string> = {
  not_a_number: () => 'amount must be a JSON number',
  not_finite: () => 'amount is too large',
  not_positive: () => 'amount must be above 0',
  too_many_digits: () => 'amount has more than 15 significant digits',
  too_many_decimals: (currency) =>
    `amount has more decimals than ${currency} has (${minorDigits(currency)}); it is never rounded`,
  too_large: () => 'amount is above 999,999,999,999.99',
}

function amountOf(amount: number, currency: string, rules: DraftRules, problems: Problem[]): bigint {
  if (!rules.currencies.has(currency)) {
    problems.push(
      invalid(
        'currency',
        `currency ${currency} is not taken here. Choose one of: ${[...rules.currencies].join(', ')}.`,
      ),
    )
    return 0n
  }
  const parsed = parseAmount(amount, currency)
  if ('amountMinor' in parsed) return parsed.amountMinor
  problems.push(invalid('amount', `${AMOUNT_WORDS[parsed.fault](currency)}.`))
  return 0n
}

function expiryOf(seconds: number | null, rules: DraftRules, problems: Problem[]): number | null {
  const min = rules.livemode ? EXPIRES_IN_SECONDS.min : EXPIRES_IN_SECONDS.minInTest
  if (seconds !== null && (seconds < min || seconds > EXPIRES_IN_SECONDS.max))
    problems.push(invalid('expires_in', `expires_in must be ${min} to ${EXPIRES_IN_SECONDS.max} seconds.`))
  return seconds
}

function deliverableOf(sent: DraftBody['deliverable'] | null): Deliverable | null {
  if (!sent) return null
  const { type, reference_id, description, details } = sent
  return {
    type: type ?? null,
    referenceId: reference_id ?? null,
    description: maskedOrNull(description),
    details: maskedOrNull(details),
  }
}

/** Free text, without any card number that slipped into it. */
export function maskedOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : maskCards(text)
}

function recipientOf(sent: DraftBody['recipient'] | null, problems: Problem[]): Recipient | null {
  if (!sent) return null
  const country = sent.country?.toUpperCase() ?? null
  if (country !== null && !isCountry(country))
    problems.push(
      invalid('recipient.country', 'recipient.country must be a country code of two letters (ISO 3166-1), such as PH.'),
    )
  return {
    name: maskedOrNull(sent.name),
    email: sent.email ?? null,
    mobile: mobileOf(sent.mobile ?? null, problems),
    wallet: sent.wallet ?? null,
    tag: sent.tag ?? null,
    address: maskedOrNull(sent.address),
    country,
  }
}

/** E.164, with spaces, dashes and brackets left out; Philippine numbers may begin with 09 (design 4). */
function mobileOf(sent: string | null, problems: Problem[]): string | null {
  if (sent === null) return null
  const number = mobileNumber(sent)
  if (number !== null) return number
  problems.push(
    invalid(
      'recipient.mobile',
      'recipient.mobile must be an international number such as +639171234567 (or 09171234567).',
    ),
  )
  return null
}

/** A mobile number in its international form, or null for what is none. */
export function mobileNumber(sent: string): string | null {
  const digits = sent.replace(/[\s().-]/g, '').replace(/^09(?=\d{9}$)/, '+639')
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : null
}

export function expectedPreview(sent: DraftBody['preview'] | undefined): ExpectedPreview | null {
  if (!sent) return null
  const { amount, valid, fees } = sent
  return {
    amount: amount ?? null,
    valid: valid ?? null,
    feesTotal: fees?.total ?? null,
    covered: fees?.covered ?? null,
  }
}

// Server-owned fields may be sent back as they were read, and are ignored without a word (design 4).
const OWNED = new Set(
  'id kind livemode issued_by issued_at paid_by paid_at expires_at payment activities transfer cancellation refund created_at updated_at version'.split(
    ' ',
  ),
)
const KNOWN = new Set(Object.keys(DraftBody.properties))
const KNOWN_DELIVERABLE = new Set(['type', 'reference_id', 'description', 'details'])
const KNOWN_RECIPIENT = new Set(['name', 'email', 'mobile', 'wallet', 'tag', 'address', 'country'])

function ignoredOf(draft: DraftBody, { alsoKnown }: DraftRules): Message[] {
  const ignored = [
    ...Object.keys(draft).filter((name) => !KNOWN.has(name) && !OWNED.has(name) && !alsoKnown?.has(name)),
    ...Object.keys(draft.deliverable ?? {})
      .filter((name) => !KNOWN_DELIVERABLE.has(name))
      .map((name) => `deliverable.${name}`),
    ...Object.keys(draft.recipient ?? {})
      .filter((name) => !KNOWN_RECIPIENT.has(name))
      .map((name) => `recipient.${name}`),
  ]
  return ignored.slice(0, 20).map((name) => {
    const shown = maskCards(name).slice(0, 64)
    return {
      code: 'unknown_parameter',
      type: 'warning',
      message: `${shown} is not known and was ignored. Look for a typing mistake.`,
    }
  })
}

/** The terms as the caller would have sent them. */
function wireOf(terms: Terms): Record<string, unknown> {
  const { deliverable } = terms
  return {
    amount: majorNumber(terms.amountMinor, terms.currency),
    currency: terms.currency,
    issued_to: terms.issuedTo,
    description: terms.description,
    deliverable: deliverable && {
      type: deliverable.type,
      reference_id: deliverable.referenceId,
      description: deliverable.description,
      details: deliverable.details,
    },
    recipient: terms.recipient && { ...terms.recipient },
    channel: terms.channelId,
  }
}

function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else
      Object.defineProperty(merged, name, {
        value: mergePatch(merged[name], value),
        enumerable: true,
        writable: true,
        configurable: true,
      })
  }
  return merged
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
