// Stories of one payment contract, thrown by dice: what is asked of it and told of it, in which order. Values only.
import type { Dice } from '../dice.ts'
import { type Fact, type Kind, KINDS } from './payments-model.ts'

export type Closing = 'voided' | 'still_open' | 'unknown'
export type Opening = 'open' | 'failed' | 'unknown'

export type Step =
  | { readonly do: 'choose'; readonly kind: Kind; readonly word: Opening }
  | { readonly do: 'tell'; readonly fact: Fact }
  | { readonly do: 'cancel'; readonly word: Closing }
  | { readonly do: 'process_due'; readonly word: Closing }
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'expire' }
  | { readonly do: 'refund'; readonly share: 'a part' | 'all' | 'too much'; readonly hasRoute: boolean }
  | { readonly do: 'give back'; readonly ends: 'delivered' | 'failed' }

export type Story = {
  readonly amountMinor: bigint
  readonly expiresInSeconds: number
  readonly openingMinor: bigint
  /** Nothing but events, after the choices: their order must not matter. */
  readonly isEventsOnly: boolean
  readonly steps: readonly Step[]
}

export type Wrong = 'less' | 'more' | 'part' | 'currency' | 'unknown currency'

export type StoryOptions = {
  readonly openings: readonly Opening[]
  readonly closings: readonly Closing[]
  /** Seconds that may pass; none where time cannot be made to. */
  readonly waits: readonly number[]
  readonly giveBacks: readonly ('delivered' | 'failed')[]
  readonly openingMinor: bigint
  /** In which ways money may not fit. */
  readonly wrongs: readonly Wrong[]
  /** What rails say of money that was told of in events alone. */
  readonly atRail: readonly Fact['atRail'][]
}

const EVENTS_ONLY_SHARE = 0.3
const COPIES_MAX = 5
const HOUR_SECONDS = 3600

/** The story that these dice throw. `name` tells its ids from those of every other story. */
export function storyOf(dice: Dice, name: string, options: StoryOptions): Story {
  const amountMinor = BigInt(dice.whole(50, 5000)) * 100n
  const isEventsOnly = dice.chance(EVENTS_ONLY_SHARE)
  const choices: Step[] = Array.from({ length: dice.whole(0, 3) }, () => {
    return { do: 'choose', kind: dice.pick(KINDS), word: isEventsOnly ? 'open' : dice.pick(options.openings) }
  })
  const facts = Array.from({ length: dice.whole(1, 5) }, (_, i) => factOf(dice, `${name}_${i}`, amountMinor, options))
  const told: Step[] = facts.flatMap((fact) =>
    Array.from({ length: dice.whole(1, COPIES_MAX) }, () => ({ do: 'tell', fact }) as const),
  )
  const again: Step[] = facts.filter(() => dice.chance(0.2)).map((fact) => secondName(fact))
  const events = [...told, ...again]
  const asked = isEventsOnly ? [] : Array.from({ length: dice.whole(0, 8) }, () => askedOf(dice, options))
  const rest = isEventsOnly ? events : [...events, ...asked, ...choices.slice(1)]
  const before = isEventsOnly ? choices : choices.slice(0, 1)
  const { openingMinor } = options
  return {
    amountMinor,
    expiresInSeconds: dice.pick([60, 600, HOUR_SECONDS]),
    openingMinor: dice.chance(0.5) ? openingMinor : 0n,
    isEventsOnly,
    steps: [...before, ...shuffled(dice, rest)],
  }
}

function askedOf(dice: Dice, { closings, waits, giveBacks }: StoryOptions): Step {
  const kind = dice.pick(['cancel', 'process_due', 'wait', 'expire', 'refund', 'give back', 'choose'] as const)
  switch (kind) {
    case 'cancel':
    case 'process_due':
      return { do: kind, word: dice.pick(closings) }
    case 'wait':
      return waits.length === 0
        ? { do: 'process_due', word: dice.pick(closings) }
        : { do: 'wait', seconds: dice.pick(waits) }
    case 'expire':
      return { do: 'expire' }
    case 'refund':
      return { do: 'refund', share: dice.pick(['a part', 'a part', 'all', 'too much']), hasRoute: dice.chance(0.5) }
    case 'give back':
      return { do: 'give back', ends: dice.pick(giveBacks) }
    case 'choose':
      return { do: 'choose', kind: dice.pick(KINDS), word: 'open' }
  }
}

/** Most facts fit their contract; the rest are wrong in one way each. What the attempt asks is known when it is told. */
function factOf(dice: Dice, name: string, amountMinor: bigint, { wrongs, atRail }: StoryOptions): Fact {
  const says = dice.pick(['succeeded', 'succeeded', 'succeeded', 'failed', 'processing', 'something else'] as const)
  const wrong = says === 'succeeded' ? dice.pick(['', '', '', ...wrongs] as const) : ''
  const byMinor = wrong === 'less' ? -100n : wrong === 'more' ? 100n : wrong === 'part' ? -amountMinor / 2n : 0n
  return {
    eventId: `evt_${name}`,
    objectId: `pi_${name}`,
    says,
    attempt: dice.pick([1, 1, 1, 2, 2, 3, null]),
    kind: dice.pick(KINDS),
    amountMinor: byMinor,
    currency: wrong === 'currency' ? 'USD' : wrong === 'unknown currency' ? 'XXX' : 'PHP',
    hasPayer: dice.chance(0.6),
    atRail: dice.pick(atRail),
  }
}

/** The same money, told under another event id. */
const secondName = (fact: Fact): Step => ({ do: 'tell', fact: { ...fact, eventId: `${fact.eventId}_again` } })

export function shuffled<T>(dice: Dice, all: readonly T[]): T[] {
  const rest = [...all]
  return Array.from({ length: rest.length }, () => rest.splice(dice.whole(0, rest.length - 1), 1)[0] as T)
}

/** A story as a person can repeat it. */
export function storyText({ steps, ...rest }: Story): string {
  const plain = (value: unknown) =>
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}` : each))
  return [plain(rest), ...steps.map((step, i) => `  ${i + 1}. ${plain(step)}`)].join('\n')
}
