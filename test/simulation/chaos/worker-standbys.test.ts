// The standby of a worker is promoted and lacks something, or nobody was there to see it: no gateway moves money on, for the lanes of
// either worker, until two operators have compared. On a cluster of its own, beside that of the run: npm run test:citus.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ClusterNode } from '../../rig/citus/cluster.ts'
import { DATABASE, type Stage, withGatewaysOnCluster } from '../../rig/citus/stage.ts'
import type { Payer } from '../../rig/citus/tenants.ts'
import { rowsFrom } from '../../rig/gateway-process.ts'

const kit = process.env['TEST_ON_CITUS'] === 'yes' ? process.env['CITUS_KIT'] : undefined
const WITHIN_MS = 300_000
const POLL = { timeout: 60_000, interval: 100 }
// What was noted of a node's log lies a second or two back.
const NOTED_MS = 3000

const onCluster = (gateways: number, use: (stage: Stage) => Promise<void>) =>
  withGatewaysOnCluster(kit ?? '', { gateways, shards: 4, payersEach: 1 }, use)

const stateOf = async ({ url }: { readonly url: string }) => {
  const reply = await fetch(`${url}/readyz`).catch(() => null)
  return reply?.ok ? (reply.headers.get('gateway-state') ?? 'at work') : 'away'
}
const epochs = (stage: Stage) => rowsFrom(stage.owner, 'select number, reason, resumed_at from epochs order by number')
const IN_RECOVERY = [{ number: 1 }, { number: 2, reason: 'other_timeline', resumed_at: null }]

const DRAFT = { amount: 20, currency: 'PHP', channel: 'sandbox', recipient: { name: 'Ana', wallet: 'account 1' } }
async function drafted({ caller }: Payer): Promise<string> {
  const made = await caller.ask('POST', '/contracts/transfer', DRAFT)
  expect(made.status).toBe(200)
  return made.contract?.id ?? ''
}

/** The worker that has the rows of an account. */
function workerOf({ cluster }: Stage, { node }: Payer): ClusterNode {
  const worker = cluster.workers.find(({ place }) => place === node)
  if (!worker) throw new Error('the payer is on no worker')
  return worker
}

/** By two operators, who find nothing to compare. */
async function resumed({ gateway }: Stage): Promise<void> {
  const said = async (...words: string[]) => {
    const { status, stdout, stderr } = await gateway.besideInThread('recovery', ...words, '--json')
    expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, ''])
  }
  await said('compare', '--operator', 'ana')
  for (const operator of ['ana', 'ben']) await said('resume', '--operator', operator, '--evidence', 'compared')
}

test.skipIf(kit === undefined)(
  'what it lacks of what was acknowledged begins a recovery of all gateways (without CITUS_KIT it is skipped)',
  () =>
    onCluster(2, async (stage) => {
      const [payer, other] = stage.tenants.payers as [Payer, Payer]
      const node = workerOf(stage, payer)
      const ids = [await drafted(payer), await drafted(other)]
      const pids = stage.gateways.map(({ pid }) => pid())
      const standby = await node.addStandby(DATABASE, 'asynchronous')
      await sleep(NOTED_MS)
      await standby.part()
      // One of the two gateways alone knows of it.
      const lost = await drafted(payer)
      node.kill()
      await standby.takePlace()
      for (const each of stage.gateways) await expect.poll(() => stateOf(each), POLL).toBe('recovery')
      expect(await epochs(stage)).toMatchObject(IN_RECOVERY)
      expect(stage.gateways.map(({ pid }) => pid())).toEqual(pids)
      expect(readFileSync(stage.gateway.logPath, 'utf8')).toContain('it lacks acknowledged transactions')
      for (const [i, { caller }] of [payer, other].entries()) {
        expect((await caller.ask('GET', `/contracts/transfer/${ids[i]}`)).status).toBe(200)
        expect((await caller.ask('PUT', `/contracts/transfer/${ids[i]}/issue`, {})).code).toBe('in_recovery')
      }
      expect((await payer.caller.ask('GET', `/contracts/transfer/${lost}`)).status).toBe(404)

      await resumed(stage)
      for (const each of stage.gateways) await expect.poll(() => stateOf(each), POLL).toBe('at work')
      for (const [i, { caller }] of [payer, other].entries()) {
        for (const verb of ['issue', 'pay'])
          expect((await caller.ask('PUT', `/contracts/transfer/${ids[i]}/${verb}`, {})).code).toBeNull()
        const status = async () => (await caller.ask('GET', `/contracts/transfer/${ids[i]}`)).contract?.status
        await expect.poll(status, POLL).toBe('completed')
      }
    }),
  WITHIN_MS,
)

test.skipIf(kit === undefined)(
  'a gateway that was not at work begins in recovery, by what it had noted of the worker (without CITUS_KIT it is skipped)',
  () =>
    onCluster(1, async (stage) => {
      const [payer] = stage.tenants.payers as [Payer]
      const node = workerOf(stage, payer)
      await drafted(payer)
      const standby = await node.addStandby(DATABASE, 'synchronous')
      await sleep(NOTED_MS)
      const [gateway] = stage.gateways
      await gateway?.end('SIGTERM')
      node.kill()
      await standby.takePlace()
      gateway?.launch()
      await gateway?.ready()
      expect(gateway && (await stateOf(gateway))).toBe('recovery')
      expect(await epochs(stage)).toMatchObject(IN_RECOVERY)
    }),
  WITHIN_MS,
)
