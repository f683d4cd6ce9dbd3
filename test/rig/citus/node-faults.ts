// What is done to a cluster and the gateways on it: one of them dies at once, with all of its processes, and is started again.
// Some die between the two phases of a commit, when every node is prepared and waits to hear how it ends. One does not come back, and its
// standby takes its place.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dice } from '../dice.ts'
import type { GatewayChild } from '../gateway-child.ts'
import { rowsFrom } from '../gateway-process.ts'
import type { ClusterNode } from './cluster.ts'

/** The one that no gateway is to leave unsaid. */
export const REPLACED = 'a worker dies for good, and its standby takes its place'

export const FAULTS = [
  'a worker dies',
  'the coordinator dies',
  'a gateway dies',
  'a gateway dies and starts while a worker is dead',
  'the coordinator dies between the phases, before it has decided',
  'the coordinator dies between the phases, when it has decided',
  'a worker dies between the phases',
  REPLACED,
] as const
export type NodeFault = (typeof FAULTS)[number]

/** What can be killed, and what makes a commit in two phases. */
export type Victims = {
  readonly database: string
  readonly coordinator: ClusterNode
  readonly workers: readonly ClusterNode[]
  readonly gateways: readonly GatewayChild[]
  /**
   * Of an account whose own commits this node does not hold back: they would hold the account. Resolves when whoever asked for it has
   * been answered, in whatever way.
   */
  readonly commitInTwoPhases: (holds: ClusterNode) => Promise<void>
}

/** From when to when a worker was away, and which; `addresses`: wherever it had been by then. */
export type Outage = {
  readonly node: string
  readonly addresses: readonly string[]
  readonly fromMs: number
  readonly untilMs: number
}

const DEAD_MS = [3000, 6000] as const
const FOLLOWED_MS = [1000, 2000] as const
const PREPARED_WITHIN_MS = 30_000
const POLL_MS = 10
const READY_WITHIN_MS = 60_000
const START_AGAIN_MS = 500

/** Does one fault from its beginning to its end; the outages of workers that it was, and what went otherwise. */
export async function doFault(kind: NodeFault, victims: Victims, dice: Dice): Promise<Outage | null> {
  const worker = dice.pick(victims.workers)
  const gateway = dice.pick(victims.gateways)
  switch (kind) {
    case 'a worker dies':
      return awayFor(worker, () => sleep(dice.whole(...DEAD_MS)))
    case 'the coordinator dies':
      await awayFor(victims.coordinator, () => sleep(dice.whole(500, 4000)))
      return null
    case 'a gateway dies':
      await gateway.end('SIGKILL')
      await sleep(dice.whole(0, 2000))
      await supervised(gateway)
      return null
    case 'a gateway dies and starts while a worker is dead': {
      let started: Promise<void> = Promise.resolve()
      const outage = await awayFor(worker, async () => {
        await sleep(dice.whole(0, 1000))
        await gateway.end('SIGKILL')
        started = supervised(gateway)
        await Promise.race([started, sleep(DEAD_MS[1])])
      })
      await started
      return outage
    }
    case 'the coordinator dies between the phases, before it has decided':
      return betweenPhases(victims, { holds: worker, dies: victims.coordinator })
    case 'the coordinator dies between the phases, when it has decided':
      return betweenPhases(victims, { holds: victims.coordinator, dies: victims.coordinator })
    case 'a worker dies between the phases':
      return betweenPhases(victims, { holds: victims.coordinator, dies: worker })
    case REPLACED:
      return replaced(worker, victims.database, dice)
  }
}

/** As a supervisor does: it is started until it is ready. A trial whose own accounts lie on a dead node ends at its start. */
async function supervised(gateway: GatewayChild): Promise<void> {
  for (const end = performance.now() + READY_WITHIN_MS; ; await sleep(START_AGAIN_MS)) {
    if (!gateway.isUp()) gateway.launch()
    try {
      return void (await gateway.ready())
    } catch (fault) {
      if (performance.now() > end) throw fault
    }
  }
}

async function awayFor(node: ClusterNode, meanwhile: () => Promise<unknown>): Promise<Outage> {
  const fromMs = performance.now()
  const addresses = node.addresses()
  node.kill()
  try {
    await meanwhile()
  } finally {
    await node.start()
  }
  return { node: node.place, addresses, fromMs, untilMs: performance.now() }
}

/** The standby is made while the node is at work, which is no outage, and is the node from then on. */
async function replaced(node: ClusterNode, database: string, dice: Dice): Promise<Outage> {
  const standby = await node.addStandby(database, 'synchronous')
  // What was acknowledged just before commits waited for the standby has come to it by then.
  await sleep(dice.whole(...FOLLOWED_MS))
  const fromMs = performance.now()
  const addresses = node.addresses()
  node.kill()
  await sleep(dice.whole(0, 2000))
  await standby.takePlace()
  return { node: node.place, addresses, fromMs, untilMs: performance.now() }
}

/**
 * `holds`: the node that waits at each commit for a standby that there is not. Where that is the coordinator, it has decided and has
 * told nobody; where it is a worker, it is prepared and has not said so.
 */
async function betweenPhases(
  { database, coordinator, workers, commitInTwoPhases }: Victims,
  { holds, dies }: { readonly holds: ClusterNode; readonly dies: ClusterNode },
): Promise<Outage | null> {
  await setStandby(holds, `set synchronous_standby_names = 'nobody'`)
  const asked = commitInTwoPhases(holds)
  let outage: Outage
  try {
    await prepared(workers, database)
  } finally {
    await rowsFrom(holds.superuser('postgres'), 'alter system reset synchronous_standby_names')
    outage = await awayFor(dies, async () => {
      if (holds !== dies) await rowsFrom(holds.superuser('postgres'), 'select pg_reload_conf()')
      await sleep(1500)
    })
  }
  await asked
  return dies === coordinator ? null : outage
}

async function setStandby(node: ClusterNode, what: string): Promise<void> {
  await rowsFrom(node.superuser('postgres'), `alter system ${what}`)
  await rowsFrom(node.superuser('postgres'), 'select pg_reload_conf()')
}

/** Waits until each worker has a transaction that is prepared. */
async function prepared(workers: readonly ClusterNode[], database: string): Promise<void> {
  for (const end = performance.now() + PREPARED_WITHIN_MS; ; await sleep(POLL_MS)) {
    const counts = await Promise.all(workers.map((each) => preparedAt(each, database)))
    if (counts.every((count) => count > 0)) return
    if (performance.now() > end) throw new Error(`no commit in two phases came: ${counts.join(', ')} prepared`)
  }
}

/** How many transactions of a database wait at a node to hear how they end. */
export async function preparedAt(node: ClusterNode, database: string): Promise<number> {
  const [found] = await rowsFrom<{ count: number }>(
    node.superuser('postgres'),
    `select count(*)::int as count from pg_prepared_xacts where database = '${database}'`,
  )
  return found?.count ?? 0
}
