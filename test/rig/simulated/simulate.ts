// One seed of the simulation: its story, what was found, and the shortest story that still finds it.
import { HELD } from '../../../src/engine/batch.ts'
import { diceOf } from '../dice.ts'
import type { BegunBatch } from '../memory-store/memory-books.ts'
import { endAll } from './liveness.ts'
import { judgeAgreement, judgeBatch, judgeProvider, judgeSums, Unsound } from './judge.ts'
import { play } from './play.ts'
import { type Step, storyOf } from './story.ts'
import { beginBatch, commitBatch, OWNERS, openWorld, type World } from './world.ts'

export type Played = {
  readonly seed: number
  readonly steps: readonly Step[]
  /** What must not have been; null where nothing was found. */
  readonly finding: string | null
  readonly batches: number
  /** How often contracts ended, or were found, in each state. */
  readonly reached: ReadonlyMap<string, number>
}

const STEPS = { min: 60, max: 260 }
const FUNDS_MINOR = 12_000n

/** Beside the story: whoever else is to write what is committed. */
export type Beside = (world: World, batch: BegunBatch) => Promise<void>

export function stepsOf(seed: number): Step[] {
  const dice = diceOf(seed)
  return storyOf(dice.part('story'), dice.whole(STEPS.min, STEPS.max))
}

/** Plays the story of a seed, or these steps of it. */
export async function simulate(
  seed: number,
  steps: readonly Step[] = stepsOf(seed),
  options: { readonly owners?: World['owners']; readonly tables?: World['tables']; readonly beside?: Beside } = {},
): Promise<Played> {
  const world = openWorld(seed, options.owners ?? OWNERS, options.tables)
  const reached = new Map<string, number>()
  let batches = 0
  world.onCommitted = async (batch) => {
    batches += 1
    await options.beside?.(world, batch)
    judgeBatch(world, batch)
    note(reached, batch)
  }
  try {
    await fund(world)
    for (const step of steps) {
      await play(world, step)
      if (step.do === 'rail' || step.do === 'arrive' || step.do === 'move') judgeProvider(world)
    }
    judgeSums(world)
    await endAll(world)
    judgeSums(world)
    judgeAgreement(world)
    return { seed, steps, finding: null, batches, reached }
  } catch (fault) {
    const finding = fault instanceof Unsound ? fault.message : `${(fault as Error).name}: ${(fault as Error).message}`
    return { seed, steps, finding, batches, reached }
  }
}

async function fund(world: World): Promise<void> {
  const [life] = world.lives
  if (!life) return
  for (const { lane, accountId, walletIds } of world.owners)
    for (const walletId of walletIds) {
      const credit = { walletId, amountMinor: FUNDS_MINOR, currency: 'PHP', reference: `opening ${walletId}` }
      const command = { verb: 'credit', ...credit, source: 'external', approval: null } as const
      void life.execute({ lane, accountId, keyId: null, idempotency: null, command })
    }
  beginBatch(world, life, 100)
  await commitBatch(world, life)
}

function note(reached: Map<string, number>, { state, answers }: BegunBatch): void {
  const count = (what: string) => void reached.set(what, (reached.get(what) ?? 0) + 1)
  for (const { contract } of state.changes.versions) {
    count(`${contract.kind} ${contract.status}`)
    if (contract.kind === 'transfer') count(`execution ${contract.execution.status}`)
  }
  for (const answer of answers)
    if (answer === HELD) count('held by the other gateway')
    else if ('code' in answer) count(`refused ${answer.code}`)
}

/** Drops steps for as long as something is found without them: the shortest story that is left. */
export async function shrink({ seed, steps, finding }: Played): Promise<Played> {
  let shortest: Played = { seed, steps, finding, batches: 0, reached: new Map() }
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < shortest.steps.length; ) {
      const rest = [...shortest.steps.slice(0, from), ...shortest.steps.slice(from + size)]
      const played = await simulate(seed, rest)
      if (played.finding === null) from += size
      else shortest = played
    }
  }
  return shortest
}

/** A story as a person reads it. */
export const storyText = ({ seed, steps, finding }: Played): string =>
  [`seed ${seed}: ${finding}`, ...steps.map((step, i) => `  ${i + 1}. ${JSON.stringify(step)}`)].join('\n')
