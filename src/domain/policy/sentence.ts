// What a policy does, in one plain sentence for people. Pure. Two policies that do different things never read alike.
import { displayText } from '../money/money.ts'
import type { AmountOp, Condition, OneOfField } from './condition.ts'
import type { MeterBy, Span } from './meters.ts'
import { type FeeSchedule, pctText } from '../money/fees.ts'
import type { FeeBasis, FeeOutcome } from './fees.ts'
import type { Outcome, Policy, PolicyFacts, PolicyNames, VerificationKind } from './policy.ts'

/** Whatever it names by an id is called by its name, too, where that is known. */
export function sentenceOf({
  when,
  then,
  names = {},
}: Pick<PolicyFacts, 'when' | 'then'> & Pick<Policy, 'names'>): string {
  const which = when.map((condition) => conditionWords(condition, names)).join(', ')
  return outcomeWords(then, which, names)
}

/** “Ana Cruz” (0198c0de-…): the id stays, for two may have one name. */
function called(id: string, names: PolicyNames): string {
  const name = names[id] ?? ''
  return name === '' ? id : `“${name}” (${id})`
}

function outcomeWords(then: Outcome, which: string, names: PolicyNames): string {
  const transfers = which === '' ? 'all transfers' : `transfers ${which}`
  switch (then.kind) {
    case 'allow':
      return `Allow ${transfers}: no policy that is asked later denies them.`
    case 'deny':
      return `Deny ${transfers}: “${then.words}”`
    case 'approvals': {
      const { count, role } = then
      const members = `${NUMBERS[count] ?? count} ${count === 1 ? 'member' : 'different members'}`
      const who = role === null ? `${members} who may approve` : `${members} of the role ${role}`
      return `${who} ${count === 1 ? 'approves' : 'approve'} ${transfers}.`
    }
    case 'verification': {
      const by = then.verifierId === null ? '' : ` by the verifier ${called(then.verifierId, names)}`
      const otherwise = then.onUnavailable === 'wait' ? 'they wait' : 'they go without it'
      const what = VERIFIED[then.verification]
      return `${what}${by} comes before ${transfers}; while it is unavailable, ${otherwise}.`
    }
    case 'fees':
      return feeWords(then, which)
    case 'delay':
      return `Delay ${transfers}: the money leaves ${durationWords(then.seconds)} later.`
  }
}

const BASES: Readonly<Record<FeeBasis, string>> = {
  amount: 'by their amount',
  volume: 'by what the channel moved in the 30 days before',
}

/** “Transfers in PHP by the channel sandbox cost by their amount up to PHP 1,000.00: 1.5 % + PHP 10.00; above that: 1 %.” */
function feeWords({ channelId, currency, by, tiers }: FeeOutcome, which: string): string {
  const transfers = `Transfers in ${currency} by the channel ${channelId}${which === '' ? '' : `, ${which},`}`
  const parts = tiers.map(({ upToMinor, fees }) => {
    const end =
      upToMinor === null ? (tiers.length > 1 ? 'above that' : 'always') : `up to ${displayText(upToMinor, currency)}`
    return `${end}: ${scheduleWords(fees, currency)}`
  })
  return `${transfers} cost ${BASES[by]} ${parts.join('; ')}; and never less than the channel itself asks.`
}

function scheduleWords({ pctPpm, addMinor, minMinor, maxMinor, fixedMinor }: FeeSchedule, currency: string): string {
  const show = (minor: bigint) => displayText(minor, currency)
  if (fixedMinor > 0n) return show(fixedMinor)
  const pct = `${pctText(pctPpm)} %`
  const rest = [
    addMinor > 0n ? ` + ${show(addMinor)}` : '',
    minMinor > 0n ? `, at least ${show(minMinor)}` : '',
    maxMinor > 0n ? `, at most ${show(maxMinor)}` : '',
  ]
  return `${pct}${rest.join('')}`
}

const NUMBERS = ['', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']

const VERIFIED: Readonly<Record<VerificationKind, string>> = {
  name: 'A check of the recipient’s name',
  mobile: 'A check of the recipient’s mobile number',
  chain_address: 'A check of the recipient’s chain address',
  list: 'A look at the lists of sanctioned and unwanted parties',
  otp: 'A one-time code',
  http: 'The answer of a verifier of one’s own',
}

/** Of a transfer, as the end of “transfers …”. */
export function conditionWords(condition: Condition, names: PolicyNames = {}): string {
  switch (condition.field) {
    case 'amount':
      return `${COMPARED[condition.op]} ${displayText(condition.amountMinor, condition.currency)}`
    case 'recipient.new':
      return `to a recipient known for less than ${counted(condition.withinDays, 'day')}`
    case 'hour':
      return `between ${clock(condition.from)} and ${clock(condition.to)}`
    case 'weekday':
      return `on ${listed(
        condition.values.map((day) => WEEKDAYS[day - 1] ?? String(day)),
        'or',
      )}`
    case 'sum': {
      const above = displayText(condition.aboveMinor, condition.currency)
      return `that bring ${SPENT[condition.by]} in ${SPAN_WORDS[condition.span]} above ${above}`
    }
    case 'count':
      return `that come after ${counted(condition.above, 'other')} ${PAID[condition.by]} in ${SPAN_WORDS[condition.span]}`
    case 'currency':
    case 'channel':
    case 'recipient.country':
    case 'recipient.profile':
    case 'key':
    case 'member': {
      const [is, isNot] = ONE_OF[condition.field]
      return `${condition.op === 'in' ? is : isNot} ${listed(
        condition.values.map((value) => called(value, names)),
        'or',
      )}`
    }
  }
}

const COMPARED: Readonly<Record<AmountOp, string>> = {
  above: 'above',
  at_least: 'of at least',
  below: 'below',
  at_most: 'of at most',
}

const ONE_OF: Readonly<Record<OneOfField, readonly [is: string, isNot: string]>> = {
  currency: ['in', 'not in'],
  channel: ['by the channel', 'not by the channel'],
  'recipient.country': ['to a recipient in', 'to a recipient not known to be in'],
  'recipient.profile': ['to the profile', 'to anybody but the profile'],
  key: ['paid with the key', 'not paid with the key'],
  member: ['paid by the member', 'not paid by the member'],
}

const SPENT: Readonly<Record<MeterBy, string>> = {
  account: 'what the account pays',
  recipient: 'what the recipient is paid',
  key: 'what the key or the member pays',
  wallet: 'what leaves the wallet',
}

const PAID: Readonly<Record<MeterBy, string>> = {
  account: 'of the account',
  recipient: 'to the recipient',
  key: 'of the key or the member',
  wallet: 'from the wallet',
}

const SPAN_WORDS: Readonly<Record<Span, string>> = { hour: 'an hour', day: 'a day', '30_days': '30 days' }

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

export const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

/** “2 hours and 30 minutes”. */
export function durationWords(seconds: number): string {
  let left = seconds
  const parts = UNITS.flatMap(([length, unit]) => {
    const count = Math.floor(left / length)
    left -= count * length
    return count === 0 ? [] : [counted(count, unit)]
  })
  return listed(parts, 'and')
}

/** “PHP, USD or EUR”. */
function listed(all: readonly string[], last: 'and' | 'or'): string {
  const ending = all.at(-1) ?? ''
  return all.length < 2 ? ending : `${all.slice(0, -1).join(', ')} ${last} ${ending}`
}
