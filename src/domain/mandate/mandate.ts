// What a key may spend in all: of each currency a total, how much at a time, to whom, through which channels, until when.
// Judges what would leave against what has left already. Pure.
import { displayText } from '../money/money.ts'
import { type Refusal, refuse } from '../contract/refusals.ts'

export type MandateLimit = {
  readonly currency: string
  /** In all, fees included, in minor units. */
  readonly totalMinor: bigint
  /** At a time, fee included; null for as much as is left of the total. */
  readonly perTransferMinor: bigint | null
  /** More than this at a time, fee included, is paid once a member has approved it; null where the key pays it alone. */
  readonly approvalAboveMinor: bigint | null
}

/** Where money goes: as much of it as a rail may go by. All that a contract names must be there, and the same. */
export type Payee = {
  readonly wallet: string | null
  readonly tag: string | null
  readonly mobile: string | null
  readonly email: string | null
}

export type Mandate = {
  /** The key that it was given to. Those that it is rolled into spend from the same totals. */
  readonly keyId: string
  /** Another currency than those listed does not leave. */
  readonly limits: readonly MandateLimit[]
  /** Both null where anybody may be paid; else whoever stands in one of the lists. */
  readonly recipients: readonly Payee[] | null
  /** Profiles whose saved values a contract's recipient was taken from. */
  readonly profiles: readonly string[] | null
  /** Null for any. */
  readonly channels: readonly string[] | null
  /** Milliseconds since the epoch; null for as long as the key lives. */
  readonly until: number | null
}

/** What has left by a mandate in a currency. What comes back is not given back to it. */
export type Spent = { readonly currency: string; readonly spentMinor: bigint; readonly count: number }

/** What would leave. */
export type Outgoing = {
  readonly currency: string
  /** Fee included, in minor units. */
  readonly minor: bigint
  readonly recipient: Payee | null
  /** The profile that the recipient was taken from; null where somebody wrote it. */
  readonly profile: string | null
  readonly channelId: string | null
  readonly nowMs: number
}

const spentIn = (spending: readonly Spent[], currency: string): bigint =>
  spending.find((each) => each.currency === currency)?.spentMinor ?? 0n

/** Never below zero: totals may be lowered below what has left. */
export function remainingMinor({ currency, totalMinor }: MandateLimit, spending: readonly Spent[]): bigint {
  const left = totalMinor - spentIn(spending, currency)
  return left > 0n ? left : 0n
}

/** Why it may not leave by the mandate; null where it may. */
export function refuseByMandate(mandate: Mandate, spending: readonly Spent[], going: Outgoing): Refusal | null {
  const { until, channels } = mandate
  if (until !== null && going.nowMs >= until)
    return exceeded(null, `The mandate of this API key ended at ${new Date(until).toISOString()}.`)
  if (channels !== null && (going.channelId === null || !channels.includes(going.channelId)))
    return exceeded(
      'channel',
      `By the mandate of this API key money leaves through ${listed(channels)} only, and not through ${going.channelId ?? 'no channel'}.`,
    )
  if (!isPayee(mandate, going)) return exceeded('recipient', `${strangerWords(mandate)}`)
  return refuseAmount(mandate, spending, going)
}

function refuseAmount({ limits }: Mandate, spending: readonly Spent[], going: Outgoing): Refusal | null {
  const { currency, minor } = going
  const limit = limits.find((each) => each.currency === currency)
  if (!limit) {
    const currencies = listed(limits.map((each) => each.currency))
    return exceeded('currency', `By the mandate of this API key no ${currency} may leave, only ${currencies}.`)
  }
  const { perTransferMinor, totalMinor } = limit
  const takes = `this takes ${displayText(minor, currency)}, fee included.`
  if (perTransferMinor !== null && minor > perTransferMinor)
    return exceeded(
      'amount',
      `By its mandate at most ${displayText(perTransferMinor, currency)} leave at a time, and ${takes}`,
    )
  const left = remainingMinor(limit, spending)
  if (minor <= left) return null
  const remains = `Of the ${displayText(totalMinor, currency)} of its mandate ${displayText(left, currency)} remain`
  return exceeded('amount', `${remains}, and ${takes}`)
}

const isAboveApproval = ({ limits }: Mandate, { currency, minor }: Outgoing): boolean => {
  const above = limits.find((each) => each.currency === currency)?.approvalAboveMinor ?? null
  return above !== null && minor > above
}

/** Whether some amount waits for a member before the key pays it. */
export const asksApprovals = ({ limits }: Mandate): boolean =>
  limits.some(({ approvalAboveMinor }) => approvalAboveMinor !== null)

/** Whether this waits for a member's approval before the key pays it. Of what does not leave at all nobody is asked. */
export const asksApprovalOf = (mandate: Mandate, spending: readonly Spent[], going: Outgoing): boolean =>
  isAboveApproval(mandate, going) && refuseByMandate(mandate, spending, going) === null

/** Why the key does not send it by what nobody approves: a retry, a refund, a return. Null where it may. */
export function refuseUnapproved(mandate: Mandate, going: Outgoing): Refusal | null {
  if (!isAboveApproval(mandate, going)) return null
  const { currency, minor } = going
  return exceeded(
    'amount',
    `By its mandate this API key does not send ${displayText(minor, currency)} alone, and only payments are approved: a member does this.`,
  )
}

const exceeded = (param: string | null, why: string) =>
  refuse(
    'mandate_exceeded',
    param,
    `${why} GET /keys/current shows what is allowed; ask whoever gave the mandate for more.`,
  )

const LISTED_MAX = 5

function listed(names: readonly string[]): string {
  const more = names.length > LISTED_MAX ? ` and ${names.length - LISTED_MAX} more` : ''
  return `${names.slice(0, LISTED_MAX).join(', ')}${more}`
}

const strangerWords = ({ recipients, profiles }: Mandate) =>
  `The mandate of this API key names who may be paid (${recipients?.length ?? 0} recipients, ${profiles?.length ?? 0} profiles), and this recipient is none of them, or has an account, a bank, a mobile or an e-mail beside that it does not name.`

/**
 * A contract that names an account of the mandate and somebody else's mobile would pay the one or the other by its channel:
 * so everything that money could go by must be the mandate's.
 */
function isPayee({ recipients, profiles }: Mandate, { recipient, profile }: Outgoing): boolean {
  if (recipients === null && profiles === null) return true
  if (profile !== null && profiles?.includes(profile)) return true
  if (recipient === null || (recipient.wallet ?? recipient.mobile ?? recipient.email) === null) return false
  return (recipients ?? []).some((each) => isSame(each, recipient))
}

/** The bank that an account is at makes it another account, so that it is compared where none is named, too. */
function isSame(named: Payee, { wallet, tag, mobile, email }: Payee): boolean {
  if (wallet !== null && (wallet !== named.wallet || tag !== named.tag)) return false
  if (wallet === null && tag !== null) return false
  return (mobile === null || mobile === named.mobile) && (email === null || email === named.email)
}
