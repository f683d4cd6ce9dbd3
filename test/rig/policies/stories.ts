// Histories of chance as callers write them: what an account pays and takes back, and the policies that it tries on that.
import type { Dice } from '../dice.ts'

/** One of the keys that an account of a story has, by its place. */
export type Key = 0 | 1
export type Step =
  | { readonly kind: 'pay'; readonly by: Key; readonly terms: object }
  /** Of the payment that this step made; nothing where it was not paid. */
  | { readonly kind: 'take back'; readonly step: number }

/** `policyOf`: the document for an account whose keys have these ids. In the order in which they are made. */
export type Story = {
  readonly steps: readonly Step[]
  /** `approvers`: how many members its outcome asks for. */
  readonly policies: readonly {
    readonly name: string
    readonly approvers: number
    readonly of: (keys: readonly string[]) => object
  }[]
}

const WALLETS = ['000111222333', '000444555666', '000777888999']
const COUNTRIES = [null, 'PH', 'DE'] as const
const WINDOWS = ['hour', 'day', '30_days'] as const

export function storyOf(dice: Dice): Story {
  return {
    steps: stepsOf(dice.part('steps'), dice.whole(3, 12)),
    policies: policiesOf(dice.part('policies'), dice.whole(1, 4)),
  }
}

function stepsOf(dice: Dice, count: number): Step[] {
  const paying: number[] = []
  return Array.from({ length: count }, (_, place): Step => {
    if (paying.length > 0 && dice.chance(0.2)) return { kind: 'take back', step: dice.pick(paying) }
    paying.push(place)
    const currency = dice.pick(['PHP', 'PHP', 'PHP', 'USD'])
    const recipient = { name: 'Ana Reyes', wallet: dice.pick(WALLETS), country: dice.pick(COUNTRIES) }
    const terms = { amount: dice.whole(20, 60) * 5, currency, channel: 'sandbox', recipient }
    return { kind: 'pay', by: dice.pick<Key>([0, 1]), terms }
  })
}

function policiesOf(dice: Dice, count: number): Story['policies'] {
  return Array.from({ length: count }, (_, place) => {
    const name = `Policy ${place}`
    const then = outcomeOf(dice)
    const conditions = Array.from({ length: dice.whole(0, 2) }, () =>
      then.kind === 'fees' ? countryOf(dice) : conditionOf(dice),
    )
    const priority = dice.whole(0, 2)
    const of = (keys: readonly string[]) => ({ name, priority, then, when: conditions.map((each) => each(keys)) })
    return { name, approvers: then.count ?? 0, of }
  })
}

type Conditions = (keys: readonly string[]) => object

function countryOf(dice: Dice): Conditions {
  const condition = { field: 'recipient.country', op: dice.pick(['in', 'not_in']), values: ['PH'] }
  return () => condition
}

function conditionOf(dice: Dice): Conditions {
  const meter = { by: dice.pick(['account', 'recipient', 'key', 'wallet']), window: dice.pick(WINDOWS), op: 'above' }
  const made: (() => object | Conditions)[] = [
    () => ({ field: 'sum', ...meter, currency: dice.pick(['PHP', 'USD']), value: dice.whole(1, 8) * 100 }),
    () => ({ field: 'sum', ...meter, currency: 'PHP', value: dice.whole(1, 4) * 100 }),
    () => ({ field: 'count', ...meter, value: dice.whole(1, 5) }),
    () => ({ field: 'amount', op: dice.pick(['above', 'at_most']), currency: 'PHP', value: dice.whole(20, 60) * 5 }),
    () => ({ field: 'currency', op: dice.pick(['in', 'not_in']), values: [dice.pick(['PHP', 'USD'])] }),
    () => ({ field: 'recipient.new', within_days: dice.whole(1, 30) }),
    () => countryOf(dice),
    () => {
      const [place, op] = [dice.whole(0, 1), dice.pick(['in', 'not_in'])]
      return (keys) => ({ field: 'key', op, values: [keys[place]] })
    },
  ]
  const one = dice.pick(made)()
  return typeof one === 'function' ? (one as Conditions) : () => one
}

type OutcomeShown = { readonly kind: string; readonly count?: number }

function outcomeOf(dice: Dice): OutcomeShown {
  const tiers = [
    { up_to: dice.whole(2, 6) * 100, add: dice.whole(11, 15) },
    { pct: dice.whole(1, 9), add: 20 },
  ]
  return dice.pick<() => OutcomeShown>([
    () => ({ kind: 'allow' }),
    () => ({ kind: 'deny', words: 'No.' }),
    () => ({ kind: 'deny', words: 'Too much.' }),
    () => ({ kind: 'approvals', count: dice.whole(1, 2), role: dice.pick([null, 'approver']) }),
    () => ({ kind: 'approvals', count: 1 }),
    () => ({ kind: 'fees', channel: 'sandbox', currency: 'PHP', by: dice.pick(['amount', 'volume']), tiers }),
  ])()
}
