// What is measured through HTTP: each scenario of the gateway side by side with the bare framework, round after round.
import { join } from 'node:path'
import { type Bench, type Figure, measure, type Window } from './measure.ts'
import type { Work } from './plan.ts'
import { createRequest, getRequest, keyedCreateRequest, metadataCreateRequest, putRequest } from './load/requests.ts'
import { type Age, type Payer, type Rig, writeList } from './stage/rig.ts'
import { type Seeded, seedIssued, settleTables } from './stage/seed.ts'
import { memberSession } from './stage/member-session.ts'
import { type Server, startCollectorProcess, startConsolesProcess, startGatewayProcess } from './stage/servers.ts'
import { stopChild } from './stage/stage.ts'

/** Different contracts that are read. They are never paid: that would make them longer than what the bar answers. */
const READ_CONTRACTS = 10_000
/** More pays a second than two processors can do; what a window leaves over serves the next one. */
export const BATCHED_PER_SECOND_MAX = 12_000
/** The same where each is committed by itself. */
export const UNBATCHED_PER_SECOND_MAX = 2500

/** A figure of one round. Ratios compare figures of the same round. */
export type RoundFigure = Figure & { readonly round: number }
export type Record = (figure: Figure, round: number) => void

/** Runs a window and hands its figure over; how far its list was used. */
export type Run = (bench: Bench, window: Window, round: number, record: Record) => Promise<number>

const run: Run = async (bench, window, round, record) => {
  const { figure, listUsed } = await measure(bench, window)
  record(figure, round)
  return listUsed
}

export type Once = (round: number, record: Record) => Promise<void>

/** The scenarios that throughput is compared by, in the order of a round, each after the bar it is compared with. */
export type Throughput = { readonly name: string; readonly bar: 'bare-post' | 'bare-get' | 'bare-put' }
export const THROUGHPUT: readonly Throughput[] = [
  { name: 'create', bar: 'bare-post' },
  { name: 'create-metadata', bar: 'bare-post' },
  { name: 'create-keyed', bar: 'bare-post' },
  { name: 'get', bar: 'bare-get' },
  { name: 'pay-one', bar: 'bare-put' },
  { name: 'pay-spread', bar: 'bare-put' },
]
/** Runs the pays once more, right after each, by a gateway that commits them one by one. */
export const UNBATCHED = 'unbatched'

/** Runs the creations once more, right after, by a gateway that traces every one of them. */
export const TRACED = 'create-traced'

/** Pays of one account once more, right after, while so many consoles of that account are open. */
export const CONSOLES = 'pay-one-consoles'
const CONSOLES_OPEN = 50

/** What a scenario is called when a gateway of several processes runs it. */
export const severalName = (scenario: string, { processes }: Pick<Bench, 'processes'>) =>
  `${scenario}-${processes}-processes`

/** All wanted scenarios. What is compared runs back to back, for a neighbour's load comes and goes. */
export async function runRounds(
  bench: Bench,
  rig: Rig,
  bare: Server,
  wanted: readonly string[],
  record: Record,
): Promise<void> {
  const alone = wanted.includes(UNBATCHED) ? await startUnbatched(bench, rig) : null
  const traced = wanted.includes(TRACED) ? await startTraced(bench, rig) : null
  const several = bench.processes > 1 ? { ...rig, server: await startSeveral(bench, rig) } : null
  const steps: Once[] = []
  for (const { name, bar } of THROUGHPUT) {
    if (wanted.includes(name)) steps.push(bareStep(bench, bare, bar, rig), await stepOf(bench, rig, name))
    if (several && wanted.includes(name)) steps.push(await stepOf(bench, several, name, severalName(name, bench)))
    if (traced && name === 'create') steps.push(createStep(bench, { ...rig, server: traced }, TRACED))
    if (name === 'pay-one' && wanted.includes(CONSOLES)) steps.push(consolesStep(bench, rig))
    if (alone && name.startsWith('pay')) steps.push(unbatchedStep(bench, rig, name, alone))
  }
  for (let round = 1; round <= bench.effort.rounds; round++) for (const step of steps) await step(round, record)
  for (const other of [alone, traced, several?.server]) if (other) await stopChild(other.child)
}

/** A second gateway on the same database, which commits each command by itself. */
export function startUnbatched({ stage }: Bench, { wish }: Rig): Promise<Server> {
  return startGatewayProcess(stage, { ...wish, name: `${wish.name}-unbatched`, batchMax: 1 })
}

/** A second gateway on the same database, of several processes. */
export function startSeveral({ stage, processes }: Bench, { wish }: Rig): Promise<Server> {
  return startGatewayProcess(stage, { ...wish, name: `${wish.name}-several`, processes })
}

/** A second gateway on the same database. */
async function startTraced({ stage }: Bench, { wish }: Rig): Promise<Server> {
  const collector = await startCollectorProcess(stage)
  return startGatewayProcess(stage, { ...wish, name: `${wish.name}-traced`, collector })
}

function bareStep(bench: Bench, server: Server, bar: string, rig: Rig): Once {
  const path = join(bench.stage.directory, 'bare.list')
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

async function stepOf(bench: Bench, rig: Rig, name: string, scenario = name): Promise<Once> {
  const { server } = rig
  switch (name) {
    case 'create':
      return createStep(bench, rig, scenario)
    case 'create-metadata': {
      const work: Work = { kind: 'same', request: metadataCreateRequest(rig.big.key) }
      return async (round, record) => void (await run(bench, { scenario, server, work }, round, record))
    }
    case 'create-keyed':
      return async (round, record) => {
        const request = keyedCreateRequest(rig.big.key, `${process.pid}-${scenario}-${round}`)
        await run(bench, { scenario, server, work: { kind: 'same', request } }, round, record)
      }
    case 'get':
      return getStep(bench, rig, scenario, await seedRead(rig))
    default:
      return payStep(bench, rig, {
        scenario,
        server,
        payers: payersFor(rig, name),
        perSecondMax: BATCHED_PER_SECOND_MAX,
        connections: bench.connections,
      })
  }
}

function unbatchedStep(bench: Bench, rig: Rig, name: string, server: Server): Once {
  const scenario = `${name}-unbatched`
  const { connections } = bench
  const perSecondMax = UNBATCHED_PER_SECOND_MAX
  return payStep(bench, rig, { scenario, server, payers: payersFor(rig, name), perSecondMax, connections })
}

/** Beside consoles that follow the very account that pays: nobody else's has more to tell. */
function consolesStep(bench: Bench, rig: Rig): Once {
  const { server, big } = rig
  const { connections, stage } = bench
  const paying = { scenario: CONSOLES, server, payers: [big], perSecondMax: BATCHED_PER_SECOND_MAX, connections }
  const pay = payStep(bench, rig, paying)
  return async (round, record) => {
    const cookie = await memberSession(server.port, big.key)
    const consoles = await startConsolesProcess(stage, { port: server.port, cookie, count: CONSOLES_OPEN })
    await pay(round, record)
    await stopChild(consoles)
  }
}

function payersFor({ big, many }: Rig, name: string): readonly Payer[] {
  return name === 'pay-one' ? [big] : many
}

export function createStep(bench: Bench, { server, big }: Rig, scenario: string, runs = run): Once {
  const work: Work = { kind: 'same', request: createRequest(big.key) }
  return async (round, record) => void (await runs(bench, { scenario, server, work }, round, record))
}

/** Contracts to read, as many as a window has room for. */
export async function seedRead(rig: Rig): Promise<Seeded[]> {
  const contracts = await seedIssued(rig.client, rig.original, rig.many, READ_CONTRACTS)
  await settleTables(rig.client)
  return contracts
}

/** Reads these contracts of the many payers in turns. */
export function getStep(bench: Bench, rig: Rig, scenario: string, contracts: readonly Seeded[], runs = run): Once {
  const path = join(bench.stage.directory, `${scenario}.list`)
  writeList(path, rig.many, contracts)
  return async (round, record) => {
    const work: Work = { kind: 'listed', request: getRequest('{key}'), listPath: path, order: 'around' }
    await runs(bench, { scenario, server: rig.server, work }, round, record)
  }
}

/** Who pays, where, and how many contracts a second are more than can be paid. */
export type Paying = {
  readonly scenario: string
  readonly server: Server
  readonly payers: readonly Payer[]
  readonly connections: number
  readonly perSecondMax: number
  readonly age?: Age
}

/** Pays contracts that were seeded before, each once. */
export function payStep(bench: Bench, rig: Rig, paying: Paying, runs = run): Once {
  const { scenario, server, payers, connections, perSecondMax, age } = paying
  const need = neededFor(bench, perSecondMax)
  return async (round, record) => {
    const list = await rig.unpaid(payers, need, age)
    const work: Work = { kind: 'listed', request: putRequest('pay', '{key}'), listPath: list.path, order: 'once' }
    const used = await runs(bench, { scenario, server, work, connections }, round, record)
    list.take(used)
  }
}

/** So many are more than a window with its warm-up can use. */
export const neededFor = ({ effort, measureMs }: Bench, perSecondMax: number): number =>
  Math.ceil(perSecondMax * ((effort.warmupMs + measureMs) / 1000))

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
  for (let round = 1; round <= bench.effort.rounds; round++)
    await run(bench, { scenario: 'lifecycle', server: rig.server, work }, round, record)
}
