// Many stories of payment contracts: each is run against the model; of those that are told nothing but events every order
// must end the same. What goes wrong is shrunk to the fewest steps that show it.
import { type Dice, diceOf } from '../dice.ts'
import type { Prices } from './payments-model.ts'
import { type Driver, type Outcome, runStory } from './payments-run.ts'
import { shuffled, type Story, storyOf, type StoryOptions, storyText } from './payments-steps.ts'

export type PermutationOptions = {
  readonly count: number
  readonly seed: number
  readonly prices: Prices
  readonly stories: StoryOptions
  /** A contract of its own for the story. */
  readonly open: (story: Story) => Promise<Driver>
  readonly atOnce: number
}

export type PermutationFigures = {
  readonly seed: number
  readonly permutations: number
  readonly steps: number
  readonly eventsOnly: number
  readonly ends: Readonly<Record<string, number>>
  /** In how many stories money was booked, was stray, or was given back. */
  readonly met: Readonly<Record<string, number>>
  readonly findings: readonly string[]
  readonly seconds: number
}

const FINDINGS_MAX = 3

export async function runPermutations(options: PermutationOptions): Promise<PermutationFigures> {
  const from = performance.now()
  const { count, seed, stories, atOnce } = options
  const dice = diceOf(seed)
  const findings: string[] = []
  const [ends, met]: Record<string, number>[] = [{}, {}]
  let [next, steps, eventsOnly, permutations] = [0, 0, 0, 0]
  const lane = async () => {
    while (next < count && findings.length < FINDINGS_MAX) {
      const number = next++
      const own = dice.part(`story ${number}`)
      const story = storyOf(own, `${seed}_${number}`, stories)
      const outcome = await tried(options, story)
      if (typeof outcome === 'string') {
        findings.push(await shrunk(options, story, outcome))
        continue
      }
      permutations += 1
      steps += outcome.steps
      eventsOnly += story.isEventsOnly ? 1 : 0
      note(ends, met, outcome)
      const other = story.isEventsOnly ? await otherOrder(options, story, outcome, own) : null
      if (other !== null) findings.push(other)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  const seconds = (performance.now() - from) / 1000
  return { seed, permutations, steps, eventsOnly, ends: ends ?? {}, met: met ?? {}, findings, seconds }
}

function note(ends: Record<string, number> = {}, met: Record<string, number> = {}, { model, seen }: Outcome): void {
  const count = (all: Record<string, number>, what: string) => {
    all[what] = (all[what] ?? 0) + 1
  }
  count(ends, seen.status)
  if (model.booked.size > 0) count(met, 'money arrived')
  if ([...seen.strayMinor.values()].some((minor) => minor > 0n)) count(met, 'stray money')
  if (model.paidMinor > 0n && (model.stray.get('PHP') ?? 0n) > 0n) count(met, 'paid, with more')
  if (model.refundedMinor > 0n) count(met, 'refunded')
  if (model.held) count(met, 'left to a person')
}

/** The outcome, or what went wrong in words. */
async function tried({ open, prices }: PermutationOptions, story: Story): Promise<Outcome | string> {
  try {
    return await runStory(story, prices, await open(story))
  } catch (fault) {
    return (fault as Error).message
  }
}

/** The same events in another order, under other names: what was told decides, not when. */
async function otherOrder(
  options: PermutationOptions,
  story: Story,
  first: Outcome,
  dice: Dice,
): Promise<string | null> {
  const choices = story.steps.filter((step) => step.do === 'choose')
  const told = story.steps.filter((step) => step.do !== 'choose')
  const again: Story = { ...story, steps: [...choices, ...shuffled(dice, told)] }
  const second = await tried(options, again)
  if (typeof second === 'string') return shrunk(options, again, second)
  const [one, two] = [summaryOf(first), summaryOf(second)]
  return one === two ? null : `two orders end differently: ${one} and ${two}\n${storyText(story)}\n${storyText(again)}`
}

/** What no order of events may change. Where several amounts could have paid, the first decides the fee, and nothing else. */
function summaryOf({ model, seen }: Outcome): string {
  const money = [...seen.booked].map(([id, { amountMinor, currency }]) => `${id} ${currency} ${amountMinor}`).toSorted()
  const pesos = [...model.booked.values()].filter(({ currency }) => currency === 'PHP')
  const couldPay = pesos.filter(({ amountMinor, kind }) => amountMinor >= model.amountMinor || model.prices[kind].adds)
  const only = couldPay.length === 1 ? [seen.feeMinor, seen.paidMinor, seen.refundedMinor] : []
  // Which amount was first decides how long settling takes, too.
  const status = seen.status === 'completed' ? 'paid' : seen.status
  return [status, seen.receivedMinor, seen.strayMinor.get('USD') ?? 0n, ...only, ...money].map(String).join(', ')
}

/** Leaves out whatever is not needed for it to go wrong. */
async function shrunk(options: PermutationOptions, story: Story, fault: string): Promise<string> {
  let smallest = { story, fault }
  for (let i = story.steps.length - 1; i >= 0; i--) {
    const steps = smallest.story.steps.filter((_, at) => at !== i)
    const less = { ...smallest.story, steps }
    const outcome = await tried(options, less)
    if (typeof outcome === 'string') smallest = { story: less, fault: outcome }
  }
  return `${smallest.fault}\nseed ${options.seed}: ${storyText(smallest.story)}`
}

/** The figures in one line, and what was found. */
export function permutationReport(what: string, figures: PermutationFigures): string {
  const { permutations, seed, steps, eventsOnly, ends, met, findings, seconds } = figures
  return [
    `payment permutations, ${what}: ${permutations} in ${seconds.toFixed(1)} s, seed ${seed}; ${steps} steps, ${eventsOnly} of events only in two orders; ends ${JSON.stringify(ends)}; met ${JSON.stringify(met)}; findings: ${findings.length}`,
    ...findings,
  ].join('\n')
}
