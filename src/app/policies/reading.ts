// What callers write of a policy -> its terms. The same rules serve create, patch and a policy that is only tried; all problems
// are reported together, each with its place: when.2.value.
import { isForMode } from '../../domain/channel/modes.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { invalid, isRefusal, missing, type Problem, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import { minorDigits } from '../../domain/money/currencies.ts'
import { amountFaultWords, parseAmount } from '../../domain/money/money.ts'
import {
  AMOUNT_OPS,
  type AmountOp,
  type Condition,
  ONE_OF_FIELDS,
  type OneOfField,
} from '../../domain/policy/condition.ts'
import type { PolicyTerms } from '../../domain/policy/decide.ts'
import type { Outcome, Policy } from '../../domain/policy/policy.ts'
import { scopesOf } from '../../domain/account/roles.ts'
import { isCountry } from '../../domain/text/countries.ts'
import { seenText } from '../../domain/text/texts.ts'
import {
  PolicyBody,
  PolicyPatchBody,
  policySent,
  type SentCondition,
  type SentOutcome,
} from '../../wire/policies/policy.ts'
import { mergePatch } from '../contracts/merge-patch.ts'
import { readerOf } from '../contracts/validation.ts'
import { feesIn, type PolicyRules, refuseUnknown } from './reading-fees.ts'

const readPolicy = readerOf(PolicyBody)
/** Checks the shape of a merge patch. */
export const readPolicyPatch = readerOf(PolicyPatchBody)

const PRIORITY = 100

export function termsIn(body: unknown, rules: PolicyRules): PolicyTerms | Refusal {
  const sent = readPolicy(body)
  if (isRefusal(sent)) return sent
  const { description, priority, when, then: outcome, status } = sent.read
  const problems: Problem[] = []
  const name = seenText(sent.read.name)
  if (name === null) problems.push(missing('name', 'Give it a name that people know it by.'))
  const conditions = (when ?? []).flatMap((each, place) => conditionIn(each, `when.${place}`, rules, problems) ?? [])
  const then = outcomeIn(outcome, rules, problems)
  if (then?.kind === 'fees') refuseUnknown(conditions, problems)
  const [first, ...others] = problems
  if (first || name === null || !then) return refuseAll([first ?? missing('then', 'Say what it does.'), ...others])
  const facts = { name, description: seenText(description), priority: priority ?? PRIORITY, when: conditions, then }
  return { ...facts, status: status ?? 'active' }
}

/** A merge patch as a function of the policy it mends. What a policy of another kind does is said anew as a whole. */
export function termsPatch(patch: object, rules: PolicyRules): (before: Policy) => PolicyTerms | Refusal {
  const kind = (patch as { then?: { kind?: string } | null }).then?.kind
  return (before) => {
    const sent = policySent(before)
    const then = kind !== undefined && kind !== before.then.kind ? {} : sent.then
    return termsIn(mergePatch({ ...sent, then }, patch), rules)
  }
}

type Member = Exclude<keyof SentCondition, 'field'>

/** Which members each field has; any other is refused, for it would do nothing. */
const MEMBERS: Readonly<Record<SentCondition['field'], readonly Member[]>> = {
  amount: ['op', 'value', 'currency'],
  currency: ['op', 'values'],
  channel: ['op', 'values'],
  'recipient.country': ['op', 'values'],
  'recipient.profile': ['op', 'values'],
  key: ['op', 'values'],
  member: ['op', 'values'],
  'recipient.new': ['within_days'],
  hour: ['from', 'to'],
  weekday: ['values'],
  sum: ['by', 'window', 'op', 'value', 'currency'],
  count: ['by', 'window', 'op', 'value'],
}

/** Undefined where something is wrong with it, of which `problems` then tells. */
function conditionIn(sent: SentCondition, at: string, rules: PolicyRules, problems: Problem[]): Condition | undefined {
  const { field } = sent
  const known = MEMBERS[field]
  const given = Object.entries(sent).flatMap(([name, value]) => (value === null || name === 'field' ? [] : [name]))
  const strange = given.filter((name) => !(known as readonly string[]).includes(name))
  const lacking = known.filter((name) => !given.includes(name))
  for (const name of strange)
    problems.push(invalid(`${at}.${name}`, `${at}.${name} says nothing of ${field}. It has: ${known.join(', ')}.`))
  for (const name of lacking)
    problems.push(missing(`${at}.${name}`, `A condition on ${field} has: ${known.join(', ')}.`))
  if (strange.length + lacking.length > 0) return undefined
  const before = problems.length
  const read = readCondition(sent, at, rules, problems)
  return problems.length === before ? read : undefined
}

function readCondition(sent: SentCondition, at: string, rules: PolicyRules, problems: Problem[]): Condition {
  const { field, op, by = null, window: span = null, value = 0, from = 0, to = 0 } = sent
  switch (field) {
    case 'amount':
      return { field, op: amountOp(op, at, problems), ...moneyIn(sent, at, problems) }
    case 'recipient.new':
      return { field, withinDays: sent.within_days ?? 1 }
    case 'hour': {
      if (from === 24 || to === 0 || from === to)
        problems.push(
          invalid(`${at}.to`, `${at}: from is 0 to 23, to is 1 to 24, and they differ: 18 and 8 is the night.`),
        )
      return { field, from: from ?? 0, to: to ?? 0 }
    }
    case 'weekday':
      return { field, values: weekdaysIn(sent.values ?? [], at, problems) }
    case 'sum': {
      onlyAbove(op, at, problems)
      const { currency, amountMinor } = moneyIn(sent, at, problems)
      return { field, by: by ?? 'account', span: span ?? 'day', currency, aboveMinor: amountMinor }
    }
    case 'count': {
      onlyAbove(op, at, problems)
      if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > 1_000_000)
        problems.push(invalid(`${at}.value`, `${at}.value must be a whole number from 0 to 1,000,000.`))
      return { field, by: by ?? 'account', span: span ?? 'day', above: Number(value) }
    }
    case 'currency':
    case 'channel':
    case 'recipient.country':
    case 'recipient.profile':
    case 'key':
    case 'member':
      return { field, op: listOp(op, at, problems), values: valuesIn(field, sent.values ?? [], at, rules, problems) }
  }
}

function amountOp(op: SentCondition['op'], at: string, problems: Problem[]): AmountOp {
  const known = AMOUNT_OPS.find((each) => each === op)
  if (!known) problems.push(invalid(`${at}.op`, `${at}.op must be one of: ${AMOUNT_OPS.join(', ')}.`))
  return known ?? 'above'
}

function onlyAbove(op: SentCondition['op'], at: string, problems: Problem[]): void {
  if (op !== 'above') problems.push(invalid(`${at}.op`, `${at}.op must be above.`))
}

function listOp(op: SentCondition['op'], at: string, problems: Problem[]): 'in' | 'not_in' {
  if (op === 'in' || op === 'not_in') return op
  problems.push(invalid(`${at}.op`, `${at}.op must be one of: in, not_in.`))
  return 'in'
}

function moneyIn(
  { value, currency: sent }: SentCondition,
  at: string,
  problems: Problem[],
): { readonly currency: string; readonly amountMinor: bigint } {
  const currency = (sent ?? '').toUpperCase()
  if (minorDigits(currency) === undefined) {
    problems.push(invalid(`${at}.currency`, `${at}.currency ${currency} is no currency of ISO 4217, such as PHP.`))
    return { currency, amountMinor: 0n }
  }
  const parsed = parseAmount(value, currency)
  if ('amountMinor' in parsed) return { currency, amountMinor: parsed.amountMinor }
  problems.push(invalid(`${at}.value`, `${at}.value: ${amountFaultWords(parsed.fault, currency)}`))
  return { currency, amountMinor: 0n }
}

function weekdaysIn(values: NonNullable<SentCondition['values']>, at: string, problems: Problem[]): number[] {
  const isDay = (day: unknown): day is number => typeof day === 'number' && day >= 1 && day <= 7
  for (const [i, day] of values.entries())
    if (!isDay(day)) problems.push(invalid(`${at}.values.${i}`, `${at}.values.${i} must be 1 (Monday) to 7 (Sunday).`))
  return [...new Set(values.filter(isDay))].toSorted((one, other) => one - other)
}

type ValueRule = { readonly read: (value: string, rules: PolicyRules) => string | null; readonly mend: string }

const lowered = (value: string) => (isUuid(value.toLowerCase()) ? value.toLowerCase() : null)
const spoken = (value: string) => (/^[A-Za-z0-9_-]+$/.test(value) ? value : null)

/** What may stand in the list of each field. A value that nothing can be would make a policy that silently does nothing. */
const VALUES: Readonly<Record<OneOfField, ValueRule>> = {
  currency: {
    read: (value) => (minorDigits(value.toUpperCase()) === undefined ? null : value.toUpperCase()),
    mend: 'is no currency of ISO 4217, such as PHP',
  },
  channel: {
    read: (value, { channels, livemode }) =>
      channels.all().some((channel) => channel.id === value && isForMode(channel, livemode)) ? value : null,
    mend: 'is no channel of your mode: GET /channels lists them',
  },
  'recipient.country': {
    read: (value) => (isCountry(value.toUpperCase()) ? value.toUpperCase() : null),
    mend: 'is no country of ISO 3166-1, such as PH',
  },
  'recipient.profile': { read: lowered, mend: 'is not the id of a profile: GET /profiles lists them' },
  key: { read: spoken, mend: 'is not the id of an API key: GET /keys lists them' },
  member: { read: lowered, mend: 'is not the id of a member: GET /members lists them' },
}

function valuesIn(
  field: (typeof ONE_OF_FIELDS)[number],
  values: NonNullable<SentCondition['values']>,
  at: string,
  rules: PolicyRules,
  problems: Problem[],
): string[] {
  const { read, mend } = VALUES[field]
  const known = values.flatMap((value, i) => {
    const kept = typeof value === 'string' ? read(value, rules) : null
    if (kept === null) problems.push(invalid(`${at}.values.${i}`, `${at}.values.${i} ${mend}.`))
    return kept ?? []
  })
  return [...new Set(known)]
}

type OutcomeMember = Exclude<keyof SentOutcome, 'kind'>

/** Which members each kind must have, and which it may have. */
const OF_OUTCOME: Readonly<
  Record<SentOutcome['kind'], { readonly needs: readonly OutcomeMember[]; readonly takes: readonly OutcomeMember[] }>
> = {
  allow: { needs: [], takes: [] },
  deny: { needs: ['words'], takes: [] },
  approvals: { needs: ['count'], takes: ['role'] },
  verification: { needs: ['verification'], takes: ['verifier', 'on_unavailable'] },
  delay: { needs: ['seconds'], takes: [] },
  fees: { needs: ['channel', 'currency', 'tiers'], takes: ['by'] },
}

function outcomeIn(sent: SentOutcome, rules: PolicyRules, problems: Problem[]): Outcome | undefined {
  const { kind, words, count, role, verification, verifier, on_unavailable: onUnavailable, seconds } = sent
  const { needs, takes } = OF_OUTCOME[kind]
  const before = problems.length
  const has = [...needs, ...takes]
  for (const [name, value] of Object.entries(sent))
    if (value !== null && name !== 'kind' && !(has as readonly string[]).includes(name))
      problems.push(
        invalid(`then.${name}`, `then.${name} says nothing of ${kind}. It has: ${has.join(', ') || 'kind alone'}.`),
      )
  for (const name of needs)
    if ((sent[name] ?? null) === null)
      problems.push(missing(`then.${name}`, `What ${kind} does is said by: ${has.join(', ')}.`))
  const said = seenText(words)
  if (kind === 'deny' && (words ?? null) !== null && said === null)
    problems.push(missing('then.words', 'Say why, to whoever is refused.'))
  if (kind === 'approvals' && role && !scopesOf(role).has('approvals:write'))
    problems.push(
      invalid('then.role', `then.role: nobody of the role ${role} may approve. Take owner, admin or approver.`),
    )
  if (problems.length > before) return undefined
  switch (kind) {
    case 'allow':
      return { kind }
    case 'deny':
      return { kind, words: said ?? '' }
    case 'approvals':
      return { kind, count: count ?? 1, role: role ?? null }
    case 'verification':
      return {
        kind,
        verification: verification ?? 'name',
        verifierId: verifier ?? null,
        onUnavailable: onUnavailable ?? 'wait',
      }
    case 'delay':
      return { kind, seconds: seconds ?? 0 }
    case 'fees':
      return feesIn(sent, rules, problems)
  }
}
