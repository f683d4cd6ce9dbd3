// The same gateway on two databases, in turns: what the measured one does of what the other, the baseline, does on the same machine, and
// what its PostgreSQL takes for it. A cluster beside one server, for example.
import type { Bench } from './measure.ts'
import { BATCHED_PER_SECOND_MAX, createStep, getStep, type Once, payStep, type Record, seedRead } from './scenarios.ts'
import type { Databases } from './stage/databases.ts'
import { openRig, type Rig } from './stage/rig.ts'
import { stopChild } from './stage/stage.ts'

/** What each scenario is called where the baseline runs it. */
export const onBaseline = (scenario: string): string => `${scenario}-baseline`

/** What is compared, in the order of a round. */
export const COMPARED = ['create', 'get', 'pay-one', 'pay-spread'] as const

type Compared = (typeof COMPARED)[number]

/** What is asked for beside a baseline and is not measured there: a run that left it out would seem to have done it. */
export const notCompared = (wanted: readonly string[]): string[] =>
  wanted.filter((name) => !(COMPARED as readonly string[]).includes(name))

export async function runBaseline(
  bench: Bench,
  wanted: readonly string[],
  measured: Databases,
  baseline: Databases,
  record: Record,
): Promise<void> {
  const compared = COMPARED.filter((name) => wanted.includes(name))
  const sides = []
  for (const [databases, nameOf] of [
    [measured, (scenario: string) => scenario],
    [baseline, onBaseline],
  ] as const) {
    const rig = await openRig(bench.stage, databases, { name: nameOf('main'), undoSeconds: 3600, batchMax: 256 })
    const own = { ...bench, postgresPids: databases.pids }
    sides.push({ rig, steps: await stepsOf(own, rig, nameOf) })
  }
  for (let round = 1; round <= bench.effort.rounds; round++)
    // In turns, so that neither always follows the other.
    for (const name of compared)
      for (const { steps } of round % 2 === 1 ? sides : sides.toReversed()) await steps[name](round, record)
  for (const { rig } of sides) await stopChild(rig.server.child)
}

async function stepsOf(
  bench: Bench,
  rig: Rig,
  nameOf: (scenario: string) => string,
): Promise<Readonly<{ [name in Compared]: Once }>> {
  const { server, big, many } = rig
  const pay = (scenario: string, payers: Rig['many']) =>
    payStep(bench, rig, {
      scenario: nameOf(scenario),
      server,
      payers,
      connections: bench.connections,
      perSecondMax: BATCHED_PER_SECOND_MAX,
    })
  return {
    create: createStep(bench, rig, nameOf('create')),
    get: getStep(bench, rig, nameOf('get'), await seedRead(rig)),
    'pay-one': pay('pay-one', [big]),
    'pay-spread': pay('pay-spread', many),
  }
}
