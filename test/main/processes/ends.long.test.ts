// How several processes of one start end: by a signal to all of them, to one alone, and to the supervisor while one is still loading.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { GatewayProcess } from '../../rig/gateway-process.ts'
import { BUSY, load, openTwo, processesOf, untilGone, untilOthers } from '../../rig/processes/several.ts'

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

/** 0 where nobody listens. */
const statusOf = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { headers }).then(
    ({ status }) => status,
    () => 0,
  )

/** What a caller may meet while all of them stop: it is refused in our words, or nobody listens any more. */
const isOfStop = (fault: string) => BUSY.test(fault) || /^503 .*shutting_down|ECONNREFUSED/.test(fault)

test('a signal to all of them at once, as systemd may send it, is one stop, with its drain', {
  timeout: 300_000,
}, async () => {
  const { url, dev, child } = await startTwo({ GATEWAY_DRAIN_SECONDS: '15' })
  const both = processesOf(child.pid())
  expect(both).toHaveLength(2)
  for (const pid of both) process.kill(pid, 'SIGTERM')
  // The supervisor is the last to be scheduled: what it says comes when they have taken the signal in.
  await sleep(100)
  const ended = child.end('SIGTERM')
  await expect.poll(() => statusOf(`${url}/readyz`), { timeout: 15_000, interval: 20 }).toBe(503)
  // Each answer ends its connection, so that each of these has come since.
  const served: number[] = []
  for (const from = performance.now(); performance.now() - from < 3000; await sleep(100))
    served.push(await statusOf(`${url}/wallets`, { 'x-api-key': dev().api_key }))
  expect(new Set(served)).toEqual(new Set([200]))
  expect(await ended).toBe(0)
  await untilGone(both)
})

test('one that is sent the signal alone ends in order, and another one comes for it', {
  timeout: 300_000,
}, async () => {
  const { url, dev, child } = await startTwo()
  const callers = load({ url, dev }, 6)
  await callers.more(60)
  const [one, other] = processesOf(child.pid())
  process.kill(one ?? 0, 'SIGTERM')
  await untilGone([one ?? 0])
  await untilOthers(child.pid(), 1, [one ?? 0, other ?? 0])
  await callers.more(30)
  expect((await callers.end()).filter((fault) => !BUSY.test(fault))).toEqual([])
})

test('a stop that comes while a new process is still loading ends that one too', { timeout: 300_000 }, async () => {
  const { url, dev, child } = await startTwo()
  const callers = load({ url, dev }, 6)
  await callers.more(60)
  const old = processesOf(child.pid())
  const fresh = () => processesOf(child.pid()).filter((pid) => !old.includes(pid))
  process.kill(child.pid() ?? 0, 'SIGHUP')
  await expect.poll(fresh, { timeout: 30_000, interval: 5 }).toHaveLength(1)
  const loading = fresh()
  const ended = child.end('SIGTERM')
  await expect.poll(() => statusOf(`${url}/readyz`)).not.toBe(200)
  callers.isOver()
  const faults = (await callers.end()).filter((fault) => !isOfStop(fault))
  expect({ code: await ended, faults }).toEqual({ code: 0, faults: [] })
  await untilGone([...old, ...loading])
})
