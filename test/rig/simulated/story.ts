// Stories of the simulation, thrown by dice: what happens in which order. Values only; each step picks among what there is when
// it comes, and does nothing where there is nothing, so that a story with steps left out is a story.
import type { Dice } from '../dice.ts'
import { type Word, WORDS } from './provider.ts'

/** Which one, of those that there are: the remainder counts. */
type Pick = number

export const PAID_TO = ['bank', 'bank', 'quick', 'quick', 'mute', 'wallet'] as const

export type Step =
  | {
      readonly do: 'create'
      readonly owner: Pick
      readonly channel: (typeof PAID_TO)[number]
      readonly minor: number
      readonly seconds: number
    }
  | {
      readonly do: 'create payment'
      readonly owner: Pick
      readonly channel: 'purse' | 'code' | null
      readonly minor: number
      readonly seconds: number
    }
  | { readonly do: 'mend' | 'issue' | 'pay' | 'cancel' | 'retry'; readonly contract: Pick; readonly life: Pick }
  | { readonly do: 'choose'; readonly contract: Pick; readonly kind: 'gcash' | 'qr'; readonly life: Pick }
  | { readonly do: 'refund'; readonly contract: Pick; readonly life: Pick; readonly share: number }
  | { readonly do: 'again'; readonly ask: Pick; readonly life: Pick }
  | { readonly do: 'begin'; readonly life: Pick; readonly most: number }
  | { readonly do: 'commit'; readonly life: Pick }
  /** Both at once, of whatever waits. */
  | { readonly do: 'run'; readonly life: Pick }
  | { readonly do: 'crash'; readonly life: Pick; readonly when: 'before commit' | 'after commit' }
  | { readonly do: 'work'; readonly life: Pick; readonly job: Pick }
  | { readonly do: 'rail'; readonly call: Pick; readonly word: Word }
  | { readonly do: 'arrive'; readonly call: Pick; readonly word: Word }
  | { readonly do: 'move'; readonly order: Pick; readonly to: 'delivered' | 'failed' | 'returned' }
  | { readonly do: 'news'; readonly order: Pick; readonly life: Pick; readonly isCallback: boolean }
  | {
      readonly do: 'payer'
      readonly desk: Pick
      readonly acts: 'pays' | 'pays a part' | 'pays more' | 'pays late' | 'processing' | 'failed'
    }
  | { readonly do: 'tell'; readonly event: Pick; readonly life: Pick }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'sweep'; readonly life: Pick }
  /** Somebody's money from outside, told again under the same reference. */
  | { readonly do: 'deposit'; readonly owner: Pick; readonly life: Pick }
  /** A key that was used already, with another request. */
  | { readonly do: 'misuse'; readonly ask: Pick; readonly life: Pick }

type Name = Step['do']

/** How often each comes. Without commits nothing goes on, so they come most. */
const OFTEN: readonly (readonly [Name, number])[] = [
  ['create', 6],
  ['create payment', 4],
  ['mend', 1],
  ['issue', 7],
  ['pay', 8],
  ['cancel', 2],
  ['retry', 1],
  ['choose', 5],
  ['refund', 3],
  ['again', 3],
  ['begin', 5],
  ['commit', 8],
  ['run', 40],
  ['crash', 2],
  ['work', 20],
  ['rail', 20],
  ['arrive', 4],
  ['move', 4],
  ['news', 4],
  ['payer', 6],
  ['tell', 7],
  ['wait', 12],
  ['sweep', 1],
  ['deposit', 1],
  ['misuse', 1],
]
const NAMES = OFTEN.flatMap(([name, times]) => Array.from({ length: times }, () => name))
const WAITS_MS = [1, 500, 2000, 6000, 6000, 6000, 16_000, 16_000, 31_000, 61_000, 130_000, 4_000_000] as const
const SECONDS = [60, 7200, 86_400, 86_400, 864_000] as const
const ACTS = ['pays', 'pays', 'pays', 'pays a part', 'pays more', 'pays late', 'processing', 'failed'] as const

/** The story of a seed. */
export function storyOf(dice: Dice, length: number): Step[] {
  return Array.from({ length }, () => stepOf(dice))
}

function stepOf(dice: Dice): Step {
  const pick = () => dice.whole(0, 999)
  const name = dice.pick(NAMES)
  const life = dice.whole(0, 1)
  switch (name) {
    case 'create':
      return {
        do: name,
        owner: pick(),
        channel: dice.pick(PAID_TO),
        minor: dice.whole(101, 6000),
        seconds: dice.pick(SECONDS),
      }
    case 'create payment':
      return {
        do: name,
        owner: pick(),
        channel: dice.pick(['purse', 'code', null]),
        minor: dice.whole(501, 9000),
        seconds: dice.pick(SECONDS),
      }
    case 'choose':
      return { do: name, contract: pick(), kind: dice.pick(['gcash', 'qr']), life }
    case 'refund':
      return { do: name, contract: pick(), life, share: dice.pick([0, 1, 3, 7, 10, 12]) }
    case 'deposit':
      return { do: name, owner: pick(), life }
    case 'again':
    case 'misuse':
      return { do: name, ask: pick(), life }
    case 'begin':
      return { do: name, life, most: dice.pick([1, 1, 2, 3, 8]) }
    case 'commit':
      return { do: name, life }
    case 'run':
    case 'sweep':
      return { do: name, life }
    case 'crash':
      return { do: name, life, when: dice.pick(['before commit', 'after commit']) }
    case 'work':
      return { do: name, life, job: pick() }
    case 'rail':
    case 'arrive':
      return { do: name, call: pick(), word: dice.pick(WORDS) }
    case 'move':
      return { do: name, order: pick(), to: dice.pick(['delivered', 'delivered', 'failed', 'returned']) }
    case 'news':
      return { do: name, order: pick(), life, isCallback: dice.chance(0.5) }
    case 'payer':
      return { do: name, desk: pick(), acts: dice.pick(ACTS) }
    case 'tell':
      return { do: name, event: pick(), life }
    case 'wait':
      return { do: name, ms: dice.pick(WAITS_MS) }
    case 'mend':
    case 'issue':
    case 'pay':
    case 'cancel':
    case 'retry':
      return { do: name, contract: pick(), life }
  }
}
