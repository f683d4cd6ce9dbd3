// Several processes of one start: callers who ask them and try nothing twice, and which processes there are. Knows nothing about what
// becomes of them.
import { spawnSync } from 'node:child_process'
import { expect } from 'vitest'
import { READY } from '../../world.ts'
import { type GatewayProcess, openGatewayProcess } from '../gateway-process.ts'

/** All callers write to one account: on a busy machine one process waits longer than it may for what the other one holds. */
export const BUSY = /^503 .*account_busy/

export const TWO = { GATEWAY_PROCESSES: '2' }

/** Whoever opens it launches it, and removes it. */
export const openTwo = (settings: Readonly<Record<string, string>>): Promise<GatewayProcess> =>
  openGatewayProcess({}, { ...TWO, GATEWAY_DRAIN_SECONDS: '1', ...settings })

/** Callers that pay one transfer after another and try nothing twice, until they are told to end or that the gateway stops. */
export function load({ url, dev }: Pick<GatewayProcess, 'url' | 'dev'>, callers: number) {
  const { api_key: key } = dev()
  const faults: string[] = []
  let asked = 0
  let isOver = false
  const ask = async (method: string, path: string, body: object = {}): Promise<string | null> => {
    asked += 1
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': `several-${asked}` }
    try {
      const reply = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
      const text = await reply.text()
      if (reply.ok) return (JSON.parse(text) as { data: { contract: { id: string } } }).data.contract.id
      faults.push(`${reply.status} ${text}`)
    } catch (fault) {
      faults.push(String((fault as Error).cause ?? fault))
    }
    return null
  }
  const one = async () => {
    while (!isOver) {
      const id = await ask('POST', '/contracts/transfer', READY)
      if (id === null || (await ask('PUT', `/contracts/transfer/${id}/issue`)) === null) continue
      await ask('PUT', `/contracts/transfer/${id}/pay`)
    }
  }
  const running = Promise.all(Array.from({ length: callers }, one))
  return {
    more: async (count: number) => {
      const from = asked
      await expect.poll(() => asked - from, { timeout: 60_000 }).toBeGreaterThan(count)
    },
    isOver: () => (isOver = true),
    end: async () => {
      isOver = true
      await running
      return faults
    },
  }
}

/** The processes that a supervisor has begun, without what runs beside them. */
export function processesOf(supervisor: number | undefined): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(supervisor)], { encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter((line) => / start\b/.test(line))
    .map((line) => Number.parseInt(line, 10))
}

/** Waits until there are so many, none of them among those `before`. */
export async function untilOthers(
  supervisor: number | undefined,
  count: number,
  before: readonly number[],
): Promise<void> {
  const fresh = () => processesOf(supervisor).filter((pid) => !before.includes(pid))
  await expect.poll(() => fresh().length, { timeout: 120_000, interval: 200 }).toBe(count)
}

/** Waits until none of them is there. */
export async function untilGone(pids: readonly number[]): Promise<void> {
  await expect.poll(() => pids.filter(isThere), { timeout: 120_000, interval: 200 }).toEqual([])
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
