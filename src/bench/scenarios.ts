// What is measured through HTTP: each scenario of the gateway side by side with the bare framework, round after round.
import { type Bench, type Figure, measure, WARMUP_MS, type Window } from './measure.ts'
import type { Work } from './plan.ts'
import { createRequest, getRequest, keyedCreateRequest, putRequest } from './requests.ts'
import { type Payer, type Rig, writeList } from './rig.ts'
import { settleTables } from './seed.ts'
import { type Server, startGatewayProcess } from './servers.ts'
import { stopChild } from './stage.ts'

export const ROUNDS = 3
/** More than two processors can do. */
export const BATCHED_PER_SECOND_MAX = 8000

/** A figure of one round. Ratios compare figures of the same round. */
export type RoundFigure = Figure & { readonly round: number }
export type Record = (figure: Figure, round: number) => void

/** Runs a window and hands its figure over. */
async function run(bench: Bench, window: Window, round: number, record: Record): Promise<number> {
  const { figure, listUsed } = await measure(bench, window)
  record(figure, round)
  return listUsed
}

type Once = (round: number, record: Record) => Promise<void>

/** The scenarios that throughput is compared by, in the order of a round; each is named by what it needs. */
export type Throughput = { readonly name: string; readonly bar: 'bare-post' | 'bare-get' | 'bare-put' }
export const THROUGHPUT: readonly Throughput[] = [
  { name: 'create', bar: 'bare-post' },
  { name: 'create-keyed', bar: 'bare-post' },
  { name: 'get', bar: 'bare-get' },
  { name: 'pay-one', bar: 'bare-put' },
  { name: 'pay-spread', bar: 'bare-put' },
  { name: 'unbatched', bar: 'bare-put' },
]

/** All wanted scenarios, each bar once before the first that is held to it. */
export async function runRounds(
  bench: Bench,
  rig: Rig,
  bare: Server,
  wanted: readonly string[],
  record: Record,
): Promise<void> {
  const chosen = THROUGHPUT.filter(({ name }) => wanted.includes(name))
  const steps = new Map<string, Once>()
  let alone: Server | null = null
  for (const { name, bar } of chosen) {
    if (!steps.has(bar)) steps.set(bar, bareStep(bench, bare, bar, rig))
    if (name === 'unbatched') alone = await startUnbatched(bench, rig)
    steps.set(name, await stepOf(bench, rig, name, alone))
  }
  for (let round = 1; round <= ROUNDS; round++) for (const step of steps.values()) await step(round, record)
  if (alone) await stopChild(alone.child)
}

/** A second gateway on the same database, which commits each command by itself. */
function startUnbatched({ stage }: Bench, { wish }: Rig): Promise<Server> {
  return startGatewayProcess(stage, { ...wish, name: `${wish.name}-unbatched`, batchMax: 1 })
}

function bareStep(bench: Bench, server: Server, bar: string, rig: Rig): Once {
  const path = `${bench.stage.directory}/bare.list`
  writeList(path, [rig.big], [{ id: rig.original.contractId, accountId: rig.big.accountId }])
  const listed = (request: string): Work => ({ kind: 'listed', request, listPath: path, order: 'around' })
  const works: { readonly [bar: string]: Work } = {
    'bare-post': { kind: 'same', request: createRequest(rig.big.key) },
    'bare-get': listed(getRequest(rig.big.key)),
    'bare-put': listed(putRequest('pay', rig.big.key)),
  }
  return async (round, record) =>
    void (await run(bench, { scenario: bar, server, work: works[bar] as Work }, round, record))
}

async function stepOf(bench: Bench, rig: Rig, name: string, alone: Server | null): Promise<Once> {
  const { server } = rig
  const { connections } = bench
  switch (name) {
    case 'create':
      return createStep(bench, rig, name)
    case 'create-keyed':
      return async (round, record) => {
        const request = keyedCreateRequest(rig.big.key, `${process.pid}-${round}`)
        await run(bench, { scenario: name, server, work: { kind: 'same', request } }, round, record)
      }
    case 'get':
      return getStep(bench, rig, name, 10_000)
    case 'pay-one':
      return payStep(bench, rig, {
        scenario: name,
        server,
        payers: [rig.big],
        perSecondMax: BATCHED_PER_SECOND_MAX,
        connections,
      })
    case 'pay-spread':
      return payStep(bench, rig, {
        scenario: name,
        server,
        payers: rig.many,
        perSecondMax: BATCHED_PER_SECOND_MAX,
        connections,
      })
    default: {
      const unbatched = { server: alone ?? server, perSecondMax: 2500, connections }
      const one = payStep(bench, rig, { ...unbatched, scenario: 'pay-one-unbatched', payers: [rig.big] })
      const spread = payStep(bench, rig, { ...unbatched, scenario: 'pay-spread-unbatched', payers: rig.many })
      return async (round, record) => {
        await one(round, record)
        await spread(round, record)
      }
    }
  }
}

export function createStep(bench: Bench, { server, big }: Rig, scenario: string): Once {
  const work: Work = { kind: 'same', request: createRequest(big.key) }
  return async (round, record) => void (await run(bench, { scenario, server, work }, round, record))
}

/** Reads `count` different contracts in turns. */
export async function getStep(bench: Bench, rig: Rig, scenario: string, count: number): Promise<Once> {
  const { path } = await rig.unpaid(rig.many, count)
  return async (round, record) => {
    const work: Work = { kind: 'listed', request: getRequest('{key}'), listPath: path, order: 'around' }
    await run(bench, { scenario, server: rig.server, work }, round, record)
  }
}

/** Who pays, where, and how many contracts a second will not be enough for the first round. */
export type Paying = {
  readonly scenario: string
  readonly server: Server
  readonly payers: readonly Payer[]
  readonly connections: number
  readonly perSecondMax: number
}

const ROOM = 1.5

/** Pays contracts that were seeded before, each once. */
export function payStep(bench: Bench, rig: Rig, paying: Paying): Once {
  const { scenario, server, payers, connections, perSecondMax } = paying
  let need = Math.ceil(perSecondMax * ((WARMUP_MS + bench.measureMs) / 1000))
  return async (round, record) => {
    const list = await rig.unpaid(payers, need)
    const work: Work = { kind: 'listed', request: putRequest('pay', '{key}'), listPath: list.path, order: 'once' }
    const used = await run(bench, { scenario, server, work, connections }, round, record)
    list.take(used)
    // From the second round on, what this one used and a half.
    need = Math.ceil(used * ROOM)
  }
}

/** From create to completed through the sandbox provider, on a gateway without an undo window. */
export async function runLifecycle(bench: Bench, rig: Rig, record: Record): Promise<void> {
  const { key } = rig.big
  const work: Work = {
    kind: 'lifecycle',
    create: createRequest(key),
    issue: putRequest('issue', key),
    pay: putRequest('pay', key),
    get: getRequest(key),
  }
  await settleTables(rig.client)
  for (let round = 1; round <= ROUNDS; round++)
    await run(bench, { scenario: 'lifecycle', server: rig.server, work }, round, record)
}
