// A policy as its form holds it: the very body that the API takes, so that its JSON can stand beside the form and be pasted into.
// Amounts stay as they are typed; the gateway reads and judges them.
import type { Policy, PolicyConditionInput, PolicyOutcomeInput, PolicyRequest } from '../../../../sdk/src/index.ts'

export type Condition = PolicyConditionInput
export type Outcome = PolicyOutcomeInput
export type Field = Condition['field']
export type Kind = Outcome['kind']
export type Tier = NonNullable<Outcome['tiers']>[number]

export type PolicyForm = {
  readonly name: string
  readonly description: string
  readonly priority: number
  readonly status: 'active' | 'paused'
  readonly when: readonly Condition[]
  readonly then: Outcome
}

const PRIORITY = 100

/** The members of each field that the form asks for. */
const MEMBERS: Readonly<Record<Field, readonly string[]>> = {
  amount: ['op', 'value', 'currency'],
  sum: ['by', 'window', 'value', 'currency'],
  count: ['by', 'window', 'value'],
  'recipient.new': ['within_days'],
  'recipient.country': ['op', 'values'],
  'recipient.profile': ['op', 'values'],
  channel: ['op', 'values'],
  currency: ['op', 'values'],
  hour: ['from', 'to'],
  weekday: ['values'],
  key: ['op', 'values'],
  member: ['op', 'values'],
}

export const FIELDS = Object.keys(MEMBERS) as Field[]
export const KINDS: readonly Kind[] = ['deny', 'approvals', 'verification', 'delay', 'allow', 'fees']

const OF_KIND: Readonly<Record<Kind, readonly string[]>> = {
  allow: [],
  deny: ['words'],
  approvals: ['count', 'role'],
  verification: ['verification', 'verifier', 'on_unavailable'],
  delay: ['seconds'],
  fees: ['channel', 'currency', 'by'],
}

export const TIER_MEMBERS = ['up_to', 'pct', 'add', 'min', 'max'] as const

/** A price is known when a draft is written: it can depend on no more. */
export const FIELDS_OF_FEES: readonly Field[] = ['recipient.country', 'recipient.profile']

/** The paths of all inputs of the form, as refusals name them. */
export const pathsOf = ({ when, then }: PolicyForm): readonly string[] => [
  'name',
  'description',
  'priority',
  ...when.flatMap(({ field }, place) => MEMBERS[field].map((member) => `when.${place}.${member}`)),
  ...OF_KIND[then.kind].map((member) => `then.${member}`),
  ...(then.tiers ?? []).flatMap((_, place) => TIER_MEMBERS.map((member) => `then.tiers.${place}.${member}`)),
]

/** A condition to begin with. */
export function blankCondition(field: Field, currency: string): Condition {
  switch (field) {
    case 'amount':
      return { field, op: 'above', value: '', currency } as Condition
    case 'sum':
      return { field, by: 'account', window: 'day', op: 'above', value: '', currency } as Condition
    case 'count':
      return { field, by: 'account', window: 'day', op: 'above', value: 10 }
    case 'recipient.new':
      return { field, within_days: 3 }
    case 'hour':
      return { field, from: 18, to: 8 }
    case 'weekday':
      return { field, values: [6, 7] }
    case 'recipient.country':
    case 'recipient.profile':
    case 'channel':
    case 'currency':
    case 'key':
    case 'member':
      return { field, op: 'in', values: [] }
  }
}

export const blankTier = (): Tier => ({ pct: '', add: '' })

export function blankOutcome(kind: Kind, currency: string): Outcome {
  switch (kind) {
    case 'allow':
      return { kind }
    case 'deny':
      return { kind, words: '' }
    case 'approvals':
      return { kind, count: 2, role: null }
    case 'verification':
      return { kind, verification: 'name', verifier: null, on_unavailable: 'wait' }
    case 'delay':
      return { kind, seconds: 3600 }
    case 'fees':
      return { kind, currency: currency as Outcome['currency'], by: 'amount', tiers: [blankTier()] }
  }
}

export const TEMPLATES = ['daily', 'fresh', 'two', 'hours', 'fees', 'blank'] as const
export type Template = (typeof TEMPLATES)[number]

/** What a new policy begins with; its name and the words of a denial are those of the reader's language. */
export function fromTemplate(
  template: Template,
  words: { name: string; denied: string },
  currency: string,
): PolicyForm {
  const deny: Outcome = { kind: 'deny', words: words.denied }
  const of: Readonly<Record<Template, Pick<PolicyForm, 'when' | 'then'>>> = {
    daily: { when: [blankCondition('sum', currency)], then: deny },
    fresh: { when: [blankCondition('recipient.new', currency)], then: blankOutcome('delay', currency) },
    two: { when: [blankCondition('amount', currency)], then: blankOutcome('approvals', currency) },
    hours: { when: [blankCondition('hour', currency)], then: deny },
    fees: { when: [], then: blankOutcome('fees', currency) },
    blank: { when: [], then: blankOutcome('deny', currency) },
  }
  return { name: words.name, description: '', priority: PRIORITY, status: 'active', ...of[template] }
}

export function formOf({ name, description, priority, status, when, then }: Policy): PolicyForm {
  const isActive = status === 'active'
  return { name, description: description ?? '', priority, status: isActive ? 'active' : 'paused', when, then }
}

/** As the API takes it. What is empty is left out, so that it is missed by its name. */
export function bodyOf({ name, description, priority, status, when, then }: PolicyForm): PolicyRequest {
  return {
    name: name.trim(),
    description: description.trim() === '' ? null : description.trim(),
    priority,
    when: when.map(filled),
    then: filled({ ...then, ...(then.tiers && { tiers: then.tiers.map(filled) }) }),
    status,
  }
}

const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0)

const filled = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value))) as T

/** The body as JSON for people. An amount that was typed is a number there, digit for digit. */
export const jsonOf = (form: PolicyForm): string =>
  JSON.stringify(bodyOf(form), null, 2).replace(/"(value|up_to|pct|add|min|max)": "(-?\d+(?:\.\d+)?)"/g, '"$1": $2')

/** What was pasted, as far as a form can hold it; null for what is no policy. The gateway says what is wrong with it. */
export function formIn(text: string): PolicyForm | null {
  try {
    const sent = JSON.parse(text) as Partial<PolicyForm> | null
    const { name, description, priority, status, when, then } = sent ?? {}
    if (!isKnown(KINDS, then?.kind)) return null
    if (!(when ?? []).every((each) => isKnown(FIELDS, each?.field) && isListOrNone(each.values))) return null
    if (!isListOrNone(then?.tiers)) return null
    return {
      name: typeof name === 'string' ? name : '',
      description: typeof description === 'string' ? description : '',
      priority: typeof priority === 'number' ? priority : PRIORITY,
      status: status === 'paused' ? 'paused' : 'active',
      when: when ?? [],
      then: then as Outcome,
    }
  } catch {
    return null
  }
}

const isListOrNone = (value: unknown): boolean => (value ?? null) === null || Array.isArray(value)
const isKnown = (known: readonly unknown[], value: unknown): boolean => known.includes(value)
