// What a caller says of fees, read: a channel that pays out in the currency, and tiers whose ends rise.
import { invalid, missing, type Problem } from '../../domain/contract/refusals.ts'
import type { ChannelBook } from '../../domain/channel/channel.ts'
import { isForMode } from '../../domain/channel/modes.ts'
import { minorDigits } from '../../domain/money/currencies.ts'
import { parseFeeSchedule } from '../../domain/money/fees.ts'
import { amountFaultWords, parseAmount } from '../../domain/money/money.ts'
import type { Condition } from '../../domain/policy/condition.ts'
import type { FeeOutcome, FeeTier } from '../../domain/policy/fees.ts'
import type { SentTier } from '../../wire/policies/fees.ts'
import type { SentOutcome } from '../../wire/policies/policy.ts'

/** What there is to name: channels, of one mode. */
export type PolicyRules = { readonly channels: Pick<ChannelBook, 'all'>; readonly livemode: boolean }

/** A price is known when a draft is written: before anybody knows who pays it, and when. */
const KNOWN_OF_DRAFTS: ReadonlySet<Condition['field']> = new Set(['recipient.country', 'recipient.profile'])

export function feesIn(sent: SentOutcome, rules: PolicyRules, problems: Problem[]): FeeOutcome {
  const channelId = sent.channel ?? ''
  const currency = (sent.currency ?? '').toUpperCase()
  const by = sent.by ?? 'amount'
  const channel = rules.channels.all().find(({ id }) => id === channelId)
  if (!channel || !isForMode(channel, rules.livemode))
    problems.push(
      invalid('then.channel', `then.channel ${channelId} is no channel of your mode: GET /channels lists them.`),
    )
  else if (minorDigits(currency) === undefined || !channel.terms.has(currency))
    problems.push(
      invalid(
        'then.currency',
        `then.currency: the channel pays out in ${[...channel.terms.keys()].join(', ') || 'no currency'}.`,
      ),
    )
  if (problems.length > 0) return { kind: 'fees', channelId, currency, by, tiers: [] }
  const tiers = (sent.tiers ?? []).map((tier, i) => tierIn(tier, `then.tiers.${i}`, currency, problems))
  tiers.forEach(({ upToMinor }, i) => {
    const isLast = i === tiers.length - 1
    const param = `then.tiers.${i}.up_to`
    const before = tiers[i - 1]?.upToMinor ?? null
    if (isLast && upToMinor !== null) problems.push(invalid(param, `${param}: the last tier has no end. Leave it out.`))
    if (!isLast && upToMinor === null) problems.push(missing(param, 'Only the last tier has no end.'))
    if (upToMinor !== null && before !== null && upToMinor <= before)
      problems.push(invalid(param, `${param} must be above the end of the tier before it.`))
  })
  return { kind: 'fees', channelId, currency, by, tiers }
}

function tierIn({ up_to: upTo, ...fees }: SentTier, at: string, currency: string, problems: Problem[]): FeeTier {
  const end = (upTo ?? null) === null ? null : parseAmount(upTo, currency)
  if (end && 'fault' in end)
    problems.push(invalid(`${at}.up_to`, `${at}.up_to: ${amountFaultWords(end.fault, currency)}`))
  const schedule = parseFeeSchedule(fees, currency)
  const none = { pctPpm: 0n, addMinor: 0n, minMinor: 0n, maxMinor: 0n, fixedMinor: 0n }
  const upToMinor = end && 'amountMinor' in end ? end.amountMinor : null
  if (!('fault' in schedule)) return { upToMinor, fees: schedule }
  const { param, fault } = schedule
  const words =
    fault === 'min_above_max'
      ? 'is above max: no fee could keep to both.'
      : `is not one that can be kept (${fault.replaceAll('_', ' ')}).`
  problems.push(invalid(`${at}.${param}`, `${at}.${param} ${words}`))
  return { upToMinor, fees: none }
}

/** Conditions that a price cannot know. */
export function refuseUnknown(when: readonly Condition[], problems: Problem[]): void {
  for (const [i, { field }] of when.entries())
    if (!KNOWN_OF_DRAFTS.has(field))
      problems.push(
        invalid(
          `when.${i}.field`,
          `when.${i}.field: a price is known when a draft is written. Fees may ask for: ${[...KNOWN_OF_DRAFTS].join(', ')}.`,
        ),
      )
}
