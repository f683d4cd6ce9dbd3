// A draft's body -> terms. Parsed once, here; the same rules serve create, update and compare.
import type { CreateTransfer, PatchedDraft, TermsPatch } from '../../domain/transfer/commands.ts'
import { maskCards } from '../../domain/text/cards.ts'
import { isCountry } from '../../domain/text/countries.ts'
import { EXPIRES_IN_SECONDS } from '../../domain/transfer/draft.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { amountFaultWords, parseAmount } from '../../domain/money/money.ts'
import type { ExpectedPreview } from '../../domain/contract/preview.ts'
import { invalid, isRefusal, type Problem, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import { seenText } from '../../domain/text/texts.ts'
import type { Deliverable, Recipient, Terms } from '../../domain/transfer/transfer.ts'
import { draftFrom } from '../../wire/contract.ts'
import { DraftBody, PatchBody } from '../../wire/transfer-requests.ts'
import { readMetadata } from '../request/metadata.ts'
import { readerOf } from '../request/validation.ts'

/** What parsing depends on: the enabled currencies, and whether the account is live. */
export type DraftRules = {
  readonly currencies: ReadonlySet<string>
  readonly livemode: boolean
}

export type ParsedDraft = Pick<CreateTransfer, 'terms' | 'expiresInSeconds' | 'preview' | 'warnings'>

const readDraft = readerOf(DraftBody)

/** Checks shape and meaning of a draft as it was sent. */
export function parseDraft(body: unknown, rules: DraftRules): ParsedDraft | Refusal {
  const sent = readDraft(body)
  return isRefusal(sent) ? sent : draftOf(sent.read, rules)
}

/** Checks the meaning of a draft; all problems are reported together. */
export function draftOf(draft: Omit<DraftBody, 'status'>, rules: DraftRules): ParsedDraft | Refusal {
  const problems: Problem[] = []
  const currency = draft.currency.toUpperCase()
  const amountMinor = amountOf(draft.amount, currency, rules, problems)
  const recipient = recipientOf(draft.recipient ?? null, problems)
  const expiresInSeconds = expiryOf(draft.expires_in ?? null, rules, problems)
  const metadata = readMetadata(draft.metadata, problems)
  const [first, ...others] = problems
  if (first) return refuseAll([first, ...others])
  const terms: Terms = {
    amountMinor,
    currency,
    issuedTo: maskedOrNull(seenText(draft.issued_to)),
    description: maskedOrNull(draft.description),
    deliverable: deliverableOf(draft.deliverable ?? null),
    recipient,
    channelId: draft.channel ?? null,
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
  return { terms, expiresInSeconds, preview: expectedPreview(draft.preview), warnings: [] }
}

/** Checks the shape of a merge patch. */
export const readPatch = readerOf(PatchBody)

/** A merge patch as a function of the terms it mends (RFC 7396). */
export function patchOf(patch: PatchBody, rules: DraftRules): TermsPatch {
  return (terms): PatchedDraft | Refusal => {
    const parsed = parseDraft(mergePatch(draftFrom(terms), patch), rules)
    return isRefusal(parsed) ? parsed : { ...parsed, namesChannel: 'channel' in patch }
  }
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
  problems.push(invalid('amount', amountFaultWords(parsed.fault, currency)))
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
    referenceId: seenText(reference_id),
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
  const country = seenText(sent.country)?.toUpperCase() ?? null
  if (country !== null && !isCountry(country))
    problems.push(
      invalid('recipient.country', 'recipient.country must be a country code of two letters (ISO 3166-1), such as PH.'),
    )
  return {
    name: maskedOrNull(seenText(sent.name)),
    email: sent.email ?? null,
    mobile: mobileOf(seenText(sent.mobile), problems),
    wallet: accountOf(sent.wallet),
    tag: seenText(sent.tag),
    address: maskedOrNull(seenText(sent.address)),
    country,
  }
}

/** An account as it is compared: the id of a wallet in small letters. */
function accountOf(sent: string | null | undefined): string | null {
  const account = seenText(sent)
  if (account === null || account.length !== UUID_LENGTH) return account
  const small = account.toLowerCase()
  return isUuid(small) ? small : account
}

const UUID_LENGTH = 36

/** E.164, with spaces, dashes and brackets left out; Philippine numbers may begin with 09 (docs/design/domain.md). */
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
