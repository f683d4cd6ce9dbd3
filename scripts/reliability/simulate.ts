// npm run simulate -- --seeds 100000 [--seed 7] [--threads 2] [--shrink]: stories of the engine and the domain over a store in
// memory, with a clock that is made to pass. From one seed on, one after another, over all cores; ends with 1 when it finds
// something, with the seed and, if asked, the shortest story that still finds it.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { newSeed } from '../../test/rig/dice.ts'
import { type Played, shrink, simulate, storyText } from '../../test/rig/simulated/simulate.ts'

type Share = { readonly from: number; readonly step: number; readonly count: number }
type Figures = {
  readonly seeds: number
  readonly steps: number
  readonly batches: number
  readonly reached: [string, number][]
}
type Said =
  | { readonly kind: 'found'; readonly seed: number; readonly finding: string }
  | ({ readonly kind: 'done' } & Figures)

const FOUND_MAX = 20

if (isMainThread) process.exitCode = (await runAll()) ? 0 : 1
else await runShare(workerData as Share)

/** Plays its seeds, and tells what it found. */
async function runShare({ from, step, count }: Share): Promise<void> {
  const reached = new Map<string, number>()
  let [steps, batches] = [0, 0]
  const say = (said: Said) => parentPort?.postMessage(said)
  for (let i = 0; i < count; i++) {
    const played = await simulate((from + i * step) % 2 ** 32)
    steps += played.steps.length
    batches += played.batches
    for (const [what, times] of played.reached) reached.set(what, (reached.get(what) ?? 0) + times)
    if (played.finding !== null) say({ kind: 'found', seed: played.seed, finding: played.finding })
  }
  say({ kind: 'done', seeds: count, steps, batches, reached: [...reached] })
}

async function runAll(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '100000' },
      seed: { type: 'string' },
      threads: { type: 'string', default: String(availableParallelism()) },
      shrink: { type: 'boolean', default: false },
    },
  })
  const [seeds, seed, threads] = [Number(values.seeds), Number(values.seed ?? newSeed()), Number(values.threads)]
  if (![seeds, seed, threads].every((count) => Number.isSafeInteger(count) && count >= 0) || threads < 1) {
    console.error('usage: npm run simulate -- [--seeds 100000] [--seed 7] [--threads 2] [--shrink]')
    process.exit(2)
  }
  console.log(`simulate: ${seeds} seeds from ${seed} on`)
  const began = performance.now()
  const found: { seed: number; finding: string }[] = []
  const figures = await Promise.all(
    Array.from(
      { length: Math.min(threads, Math.max(1, seeds)) },
      (_, i, step = Math.min(threads, Math.max(1, seeds))) =>
        runThread({ from: seed + i, step, count: Math.ceil((seeds - i) / step) }, (each) => found.push(each)),
    ),
  )
  const seconds = (performance.now() - began) / 1000
  await tell(found, values.shrink)
  report(figures, seconds)
  console.log(found.length === 0 ? 'Nothing was found.' : `${found.length} seeds found something.`)
  return found.length === 0
}

function runThread(share: Share, onFound: (found: { seed: number; finding: string }) => void): Promise<Figures> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share })
    worker.on('message', (said: Said) => (said.kind === 'found' ? onFound(said) : resolve(said)))
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`a thread ended with ${code} before it was done`)))
  })
}

async function tell(found: readonly { seed: number; finding: string }[], isToShrink: boolean): Promise<void> {
  for (const { seed, finding } of found.slice(0, FOUND_MAX)) console.log(`seed ${seed}: ${finding}`)
  const [first] = found
  if (!first || !isToShrink) return
  const played: Played = await simulate(first.seed)
  console.log(played.finding === null ? 'It is not found again.' : storyText(await shrink(played)))
}

function report(figures: readonly Figures[], seconds: number): void {
  const sum = (of: (each: Figures) => number) => figures.reduce((total, each) => total + of(each), 0)
  const reached = new Map<string, number>()
  for (const each of figures)
    for (const [what, times] of each.reached) reached.set(what, (reached.get(what) ?? 0) + times)
  const seeds = sum((each) => each.seeds)
  console.log(
    [...reached]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([what, times]) => `${what} ${times}`)
      .join(', '),
  )
  console.log(
    `${seeds} seeds, ${sum((each) => each.steps)} steps, ${sum((each) => each.batches)} batches in ${seconds.toFixed(1)} s: ${(seeds / seconds).toFixed(1)} seeds a second`,
  )
}
