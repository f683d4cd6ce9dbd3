// A draft's body -> terms. Parsed once, here; the same rules serve create, update and compare.
import type { FoundProfiles } from '../profiles/named.ts'
import type { CreateTransfer, PatchedDraft, TermsPatch } from '../../domain/transfer/commands.ts'
import { EXPIRES_IN_SECONDS } from '../../domain/transfer/draft.ts'
import { amountFaultWords, parseAmount } from '../../domain/money/money.ts'
import type { ExpectedPreview } from '../../domain/contract/preview.ts'
import { invalid, isRefusal, type Problem, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import { seenText } from '../../domain/text/texts.ts'
import type { Deliverable, Terms } from '../../domain/transfer/transfer.ts'
import { draftFrom } from '../../wire/contract.ts'
import { DraftBody, PatchBody } from '../../wire/transfer-requests.ts'
import { mergePatch } from './merge-patch.ts'
import { readMetadata } from './metadata.ts'
import { maskedOrNull } from './recipient.ts'
import { readerOf } from './validation.ts'
import { issuedTo, paidBy, type PartyRules } from './draft-parties.ts'

/** What parsing depends on: the enabled currencies, and whether the account is live. */
export type DraftRules = {
  readonly currencies: ReadonlySet<string>
  readonly livemode: boolean
}

export type ParsedDraft = Pick<CreateTransfer, 'terms' | 'expiresInSeconds' | 'preview' | 'warnings'>

/** Checks the shape of a draft as it was sent. */
export const readDraft = readerOf(DraftBody)

/** Checks the meaning of a draft; all problems are reported together. */
export function draftOf(
  draft: Omit<DraftBody, 'status'>,
  rules: DraftRules,
  partyRules: PartyRules,
): ParsedDraft | Refusal {
  const problems: Problem[] = []
  const currency = draft.currency.toUpperCase()
  const amountMinor = amountOf(draft.amount, currency, rules, problems)
  const paid = paidBy(draft, partyRules, problems)
  const issued = issuedTo(draft, partyRules, problems)
  const expiresInSeconds = expiryOf(draft.expires_in ?? null, rules, problems)
  const metadata = readMetadata(draft.metadata, problems)
  const [first, ...others] = problems
  if (first) return refuseAll([first, ...others])
  const terms: Terms = {
    amountMinor,
    currency,
    issuedTo: issued.text,
    description: maskedOrNull(draft.description),
    deliverable: deliverableOf(draft.deliverable ?? null),
    recipient: paid.recipient,
    channelId: paid.channelId,
    ...(paid.used && { recipientProfile: paid.used }),
    ...(issued.named && { issuedToProfile: issued.named }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
  return { terms, expiresInSeconds, preview: expectedPreview(draft.preview), warnings: [] }
}

/** Checks the shape of a merge patch. */
export const readPatch = readerOf(PatchBody)

/** A merge patch as a function of the terms it mends (RFC 7396). */
export function patchOf(patch: PatchBody, rules: DraftRules, profiles?: FoundProfiles): TermsPatch {
  return (terms): PatchedDraft | Refusal => {
    const sent = readDraft(mergePatch(mendable(terms, patch), patch))
    if (isRefusal(sent)) return sent
    const parsed = draftOf(sent.read, rules, { money: 'goes out', profiles, before: linkedBefore(terms, patch) })
    return isRefusal(parsed) ? parsed : { ...parsed, namesChannel: 'channel' in patch }
  }
}

/** The draft as a caller would send it; one that is to pay a profile pays nobody else any more. */
function mendable(terms: Terms, { recipient }: PatchBody) {
  const draft = draftFrom(terms)
  return typeof recipient?.profile === 'string' ? { ...draft, recipient: null } : draft
}

/** The terms before; where the patch takes the profile away, without it. */
function linkedBefore(terms: Terms, { recipient }: PatchBody): Terms {
  if (recipient?.profile !== null) return terms
  const { recipientProfile: _, ...unlinked } = terms
  return unlinked
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
