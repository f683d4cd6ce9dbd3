// What becomes of several processes of one start while they are replaced, where the old ones do not wait for it.
import { afterEach, expect, test } from 'vitest'
import type { GatewayProcess } from '../../rig/gateway-process.ts'
import { openTwo, processesOf, untilGone, untilOthers } from '../../rig/processes/several.ts'

let gateway: GatewayProcess | null = null
afterEach(async () => {
  await gateway?.remove()
  gateway = null
})

async function startTwo(): Promise<GatewayProcess> {
  gateway = await openTwo({})
  gateway.launch()
  await gateway.ready()
  return gateway
}

test('one that dies while its successor loads has one successor, which the next replacement replaces', {
  timeout: 600_000,
}, async () => {
  const { child } = await startTwo()
  const supervisor = child.pid() ?? 0
  const old = processesOf(supervisor)
  expect(old).toHaveLength(2)
  process.kill(supervisor, 'SIGHUP')
  const fresh = () => processesOf(supervisor).filter((pid) => !old.includes(pid))
  await expect.poll(fresh, { timeout: 30_000, interval: 5 }).toHaveLength(1)
  // They have their turns by their numbers.
  process.kill(old[0] ?? 0, 'SIGKILL')
  await untilGone(old)
  // Whatever was begun for the one that died was begun before the second one's successor, for which the second one has gone.
  const second = processesOf(supervisor)
  expect(second).toHaveLength(2)
  process.kill(supervisor, 'SIGHUP')
  await untilOthers(supervisor, 2, second)
  await untilGone(second)
  expect(processesOf(supervisor)).toHaveLength(2)
  await gateway?.ready()
})
