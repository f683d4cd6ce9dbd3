// amount + fees + requirements -> preview with messages. The one place that prices a contract (docs/design/domain.md).
import type { ChannelFacts, RecipientRule } from '../channel/channel.ts'
import { chargeOf } from '../money/fees.ts'
import { type FeePrice, pricing } from '../policy/fees.ts'
import { displayText, majorNumber } from '../money/money.ts'
import { assetAmount, quoteFrom } from '../money/quotes.ts'
import type { Problem } from './refusals.ts'
import { SOMETHING, seenText } from '../text/texts.ts'
import type { Message, Recipient, Terms } from '../transfer/transfer.ts'

/** What a contract would cost, and what still blocks its issue. */
export type Preview = {
  readonly feeMinor: bigint
  /** What the payer is debited: amount + fee, or the amount. */
  readonly debitMinor: bigint
  /** What arrives: always debit − fee. */
  readonly receiveMinor: bigint
  readonly messages: readonly Message[]
}

const error = (code: string, message: string): Message => ({ code, type: 'error', message })

/**
 * Prices the terms on the channel; without a channel, or without a price in the currency, the fee is nothing yet.
 * `found` are the problems that a look-up outside the terms has found; `price` is what a policy of fees asks.
 */
export function previewOf(
  terms: Terms,
  channel: ChannelFacts | null,
  found: readonly Message[] = [],
  price: FeePrice | null = null,
): Preview {
  const unpriced = { feeMinor: 0n, debitMinor: terms.amountMinor, receiveMinor: terms.amountMinor }
  if (!channel) {
    const message = error('missing_channel', 'channel is missing. Choose one of GET /channels.')
    return { ...unpriced, messages: [message] }
  }
  const priced = channel.terms.get(terms.currency)
  if (!priced) {
    const takes = [...channel.terms.keys()].join(', ')
    const message = error(
      'invalid_currency',
      `Channel ${channel.id} takes ${takes}; choose another channel for ${terms.currency}.`,
    )
    return { ...unpriced, messages: [message, ...lacks(channel, terms.recipient), ...found] }
  }
  const { fees } = pricing(priced.fees, price, terms.amountMinor)
  const charge = chargeOf(fees, terms.amountMinor, channel.covered ? 'payer' : 'recipient')
  return {
    ...charge,
    messages: [...boundsBroken(terms, channel, charge.receiveMinor), ...lacks(channel, terms.recipient), ...found],
  }
}

function boundsBroken(terms: Terms, channel: ChannelFacts, receiveMinor: bigint): Message[] {
  const bounds = channel.terms.get(terms.currency)
  const show = (minor: bigint) => displayText(minor, terms.currency)
  if (!bounds) return []
  if (bounds.minMinor !== null && terms.amountMinor < bounds.minMinor)
    return [error('invalid_amount', `Channel ${channel.id} moves ${show(bounds.minMinor)} or more; raise the amount.`)]
  if (bounds.maxMinor !== null && terms.amountMinor > bounds.maxMinor)
    return [
      error(
        'invalid_amount',
        `Channel ${channel.id} moves at most ${show(bounds.maxMinor)}; lower the amount or choose another channel.`,
      ),
    ]
  if (receiveMinor <= 0n)
    return [error('invalid_amount', 'The fee takes the whole amount and nothing would arrive; raise the amount.')]
  return isDust(channel, terms.currency, receiveMinor)
    ? [error('invalid_amount', `So little of ${channel.asset?.asset} cannot be sent without loss; raise the amount.`)]
    : []
}

/** So little of the channel's asset that rounding alone would cost too much of it. */
export function isDust({ asset }: ChannelFacts, currency: string, receiveMinor: bigint): boolean {
  const quote = asset && quoteFrom(asset, currency, 0)
  return quote !== null && 'fault' in assetAmount(receiveMinor, currency, quote)
}

/** What of a recipient the channel requires and does not find, each with how to fix it. */
export function lacks(channel: ChannelFacts, recipient: Recipient | null): Message[] {
  return channel.recipient.flatMap((rule) => lack(rule, recipient?.[rule.field] ?? null))
}

function lack(rule: RecipientRule, value: string | null): Message[] {
  if (seenText(value) === null || value === null)
    return [error(`missing_recipient_${rule.field}`, `recipient.${rule.field} is missing. ${rule.mend}`)]
  if (!compiled(SOMETHING).test(value))
    return [error(`invalid_recipient_${rule.field}`, `recipient.${rule.field} has no letter or digit. ${rule.mend}`)]
  if (rule.pattern !== null && !compiled(rule.pattern).test(value))
    return [error(`invalid_recipient_${rule.field}`, `recipient.${rule.field} does not fit the channel. ${rule.mend}`)]
  const fault = rule.check === null ? null : rule.check(value)
  return fault === null ? [] : [error(`invalid_recipient_${rule.field}`, `recipient.${rule.field}: ${fault}`)]
}

/** A rule's pattern for the whole value, as JSON Schema reads one: with Unicode. Throws for what is none. */
export function wholePattern(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`, 'u')
}

const patterns = new Map<string, RegExp>()
function compiled(pattern: string): RegExp {
  const known = patterns.get(pattern)
  if (known) return known
  const made = wholePattern(pattern)
  patterns.set(pattern, made)
  return made
}

/** True when nothing blocks issue. */
export function isValid(preview: Preview): boolean {
  return !preview.messages.some((message) => message.type === 'error')
}

/** What blocks the issue of a contract, each with its parameter and how to fix it. */
export function problemsOf({ messages }: Pick<Preview, 'messages'>): Problem[] {
  const errors = messages.filter(({ type }) => type === 'error')
  return errors.map(({ code, message }) => ({ code: code as Problem['code'], param: paramOf(code), message }))
}

/** `missing_recipient_mobile` is about `recipient.mobile`: the two families name their parameter. */
function paramOf(code: string): string {
  return code.replace(/^(missing|invalid)_/, '').replace(/^recipient_/, 'recipient.')
}

/** The preview that a caller sends along: any part of it may be absent (docs/design/domain.md). Major units, as on the wire. */
export type ExpectedPreview = {
  readonly amount: number | null
  readonly feesTotal: number | null
  readonly covered: boolean | null
  readonly valid: boolean | null
}

/** Names the first difference between the preview sent and the real one, or null when there is none. */
export function previewDifference(
  expected: ExpectedPreview,
  preview: Preview,
  currency: string,
  channel: ChannelFacts | null,
): string | null {
  const debit = majorNumber(preview.debitMinor, currency)
  if (expected.amount !== null && expected.amount !== debit)
    return `preview.amount was sent as ${expected.amount}, but the payer would be debited ${debit}.`
  const fee = majorNumber(preview.feeMinor, currency)
  if (expected.feesTotal !== null && expected.feesTotal !== fee)
    return `preview.fees.total was sent as ${expected.feesTotal}, but the fee is ${fee}.`
  if (expected.covered !== null && channel !== null && expected.covered !== channel.covered)
    return `preview.fees.covered was sent as ${expected.covered}, but it is ${channel.covered} on channel ${channel.id}.`
  if (expected.valid !== null && expected.valid !== isValid(preview))
    return `preview.valid was sent as ${expected.valid}, but it is ${isValid(preview)}.`
  return null
}
