// What becomes of several processes of one start while they are replaced, where the old ones do not wait for it or do not end; and of
// those that stand still for a while.
import { setTimeout as sleep } from 'node:timers/promises'
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

test('one that stands still is ended, so that all are replaced, and can be again', { timeout: 600_000 }, async () => {
  const { child } = await startTwo()
  const supervisor = child.pid() ?? 0
  const old = processesOf(supervisor)
  process.kill(old[0] ?? 0, 'SIGSTOP')
  process.kill(supervisor, 'SIGHUP')
  await untilOthers(supervisor, 2, old)
  await untilGone(old)
  const second = processesOf(supervisor)
  expect(second).toHaveLength(2)
  process.kill(supervisor, 'SIGHUP')
  await untilOthers(supervisor, 2, second)
  await untilGone(second)
  await gateway?.ready()
})

test('one that stands still while nobody replaces it is replaced', { timeout: 300_000 }, async () => {
  const { child } = await startTwo()
  const old = processesOf(child.pid())
  process.kill(old[1] ?? 0, 'SIGSTOP')
  await untilGone(old.slice(1))
  await untilOthers(child.pid(), 1, old)
  expect(processesOf(child.pid())).toContain(old[0])
})

test('one that goes on after twenty seconds is left alone, and so are all that slept as long as their supervisor', {
  timeout: 300_000,
}, async () => {
  const { child } = await startTwo()
  const supervisor = child.pid() ?? 0
  const both = processesOf(supervisor)
  const all = (pids: readonly number[], signal: NodeJS.Signals) => {
    for (const pid of pids) process.kill(pid, signal)
  }
  all(both, 'SIGSTOP')
  await sleep(20_000)
  all(both, 'SIGCONT')
  await gateway?.ready()
  all([...both, supervisor], 'SIGSTOP')
  await sleep(45_000)
  // The supervisor is awake before the others are.
  all([supervisor], 'SIGCONT')
  await sleep(5000)
  all(both, 'SIGCONT')
  await sleep(5000)
  expect(processesOf(supervisor)).toEqual(both)
  await gateway?.ready()
})
