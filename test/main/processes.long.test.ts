// Several processes of one start on one port: who answers, who goes on when one dies, and what callers see while they are replaced or ended.
import { afterEach, expect, test } from 'vitest'
import type { GatewayProcess } from '../rig/gateway-process.ts'
import { freePort } from '../rig/gateway-child.ts'
import { newSeed } from '../rig/dice.ts'
import { runDisturbed } from '../rig/sagas/disturbed.ts'
import { BUSY, load, openTwo, processesOf, TWO, untilGone, untilOthers } from '../rig/processes/several.ts'

let gateway: GatewayProcess | null = null
afterEach(async () => {
  await gateway?.remove()
  gateway = null
})

async function startTwo(settings: Readonly<Record<string, string>> = {}): Promise<GatewayProcess> {
  gateway = await openTwo(settings)
  gateway.launch()
  await gateway.ready()
  return gateway
}

const figure = (text: string, name: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith(name))
    .map((line) => Number(line.slice(line.lastIndexOf(' '))))

test('both answer, figures and requests are those of both, and no request fails while they are replaced', {
  timeout: 600_000,
}, async () => {
  const metricsPort = await freePort()
  const { url, dev, child } = await startTwo({ GATEWAY_METRICS_PORT: String(metricsPort) })
  const callers = load({ url, dev }, 6)
  await callers.more(60)
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const before = await metrics()
  const created = (text: string) =>
    figure(text, 'gateway_http_requests_total{operation="transfers.create",status="2xx"}')
  expect(created(before)).toHaveLength(1)
  // Until the two have seen each other, each takes all lanes: a look, or two where the machine is busy.
  const lanes = async () => figure(await metrics(), 'gateway_lanes{').reduce((sum, own) => sum + own, 0)
  await expect.poll(lanes).toBe(256)
  const { data } = (await (
    await fetch(`${url}/requests?limit=100`, { headers: { 'x-api-key': dev().api_key } })
  ).json()) as { data: { requests: { id: string }[] } }
  // What stands before the count is the process's own.
  expect(new Set(data.requests.map(({ id }) => id.slice(0, 14))).size).toBe(2)

  const old = processesOf(child.pid())
  expect(old).toHaveLength(2)
  process.kill(child.pid() ?? 0, 'SIGHUP')
  await untilOthers(child.pid(), 2, old)
  await untilGone(old)
  await callers.more(30)
  expect((await callers.end()).filter((fault) => !BUSY.test(fault))).toEqual([])
  // What the old ones have counted is not forgotten.
  expect(created(await metrics())[0]).toBeGreaterThan(created(before)[0] ?? Number.NaN)
})

test('what was taken before the stop is answered, and no connection is reset', { timeout: 600_000 }, async () => {
  const { url, dev, child } = await startTwo()
  const callers = load({ url, dev }, 6)
  await callers.more(60)
  const both = processesOf(child.pid())
  const ended = child.end('SIGTERM')
  await expect
    .poll(() =>
      fetch(`${url}/readyz`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .not.toBe(200)
  callers.isOver()
  const faults = await callers.end()
  expect(faults.filter((fault) => !BUSY.test(fault) && !/^503 .*shutting_down|ECONNREFUSED/.test(fault))).toEqual([])
  expect(await ended).toBe(0)
  expect(both).toHaveLength(2)
  await untilGone(both)
})

test('a process that hangs at its start is ended, and the ones after it do not wait for it', {
  timeout: 240_000,
}, async () => {
  const { child } = await startTwo()
  const first = processesOf(child.pid())
  const [killed, other] = first
  process.kill(killed ?? 0, 'SIGKILL')
  const fresh = () => processesOf(child.pid()).filter((pid) => !first.includes(pid))
  await expect.poll(fresh, { timeout: 30_000, interval: 5 }).toHaveLength(1)
  const [hanging] = fresh()
  process.kill(hanging ?? 0, 'SIGSTOP')
  process.kill(other ?? 0, 'SIGKILL')
  await untilGone([hanging ?? 0])
  await untilOthers(child.pid(), 2, [...first, hanging ?? 0])
  await gateway?.ready()
})

test('what was acknowledged is there and the provider was asked once, whichever process is killed', {
  timeout: 600_000,
}, async () => {
  const { findings, contracts } = await runDisturbed(
    {
      seed: newSeed(),
      callers: 4,
      heal: 'asked at once',
      healWithinMs: 120_000,
      settings: { ...TWO, GATEWAY_DRAIN_SECONDS: '1' },
    },
    async (disturbed, dice) => {
      const supervisor = () => disturbed.pid('gateway')
      const first = processesOf(supervisor())
      for (const pid of first) {
        await new Promise((resolve) => setTimeout(resolve, dice.whole(300, 1500)))
        process.kill(pid, 'SIGKILL')
        await untilOthers(supervisor(), 2, [pid])
      }
      await disturbed.ready()
      const replaced = processesOf(supervisor())
      process.kill(supervisor() ?? 0, 'SIGHUP')
      await untilGone(replaced)
      const orphans = processesOf(supervisor())
      await disturbed.kill('gateway')
      await untilGone(orphans)
      disturbed.launch()
      await disturbed.ready()
      return { figures: {}, findings: [] }
    },
  )
  expect(findings).toEqual([])
  expect(contracts['completed']).toBeGreaterThan(5)
})
