// What the workers of a gateway do when nothing goes on, what they find that another process wrote, and that lanes which fail keep no
// others waiting.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLog } from '../../src/platform/log.ts'
import type { WaitingWork } from '../../src/store/jobs/look.ts'
import { startLook } from '../../src/workers/look.ts'
import { startRounds } from '../../src/workers/rounds.ts'
import { drafts, run } from '../http/commands/command-stage.ts'
import { makeDue, schedulesOf } from '../http/schedules/schedule-stage.ts'
import { callerOf } from '../world-caller.ts'
import { type Caller, openWorld, type World } from '../world.ts'

const log = openLog('fatal')

let world: World
let caller: Caller
beforeAll(async () => {
  world = await openWorld()
  caller = world.caller
})
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

const IDLE_MS = 4000
const STATEMENTS_A_SECOND = 20

test('an idle gateway asks its database little, and writes nothing', async () => {
  // Until nobody's work of the start is left.
  await sleep(3000)
  const texts: string[] = []
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await sleep(IDLE_MS)
  for (const [asked] of query.mock.calls as unknown[][]) texts.push(textOf(asked))
  query.mockRestore()
  const count = new Map<string, number>()
  for (const text of texts) count.set(text, (count.get(text) ?? 0) + 1)
  expect(texts.length, JSON.stringify([...count])).toBeLessThanOrEqual((IDLE_MS / 1000) * STATEMENTS_A_SECOND)
  // But that this process is there.
  const writes = texts.filter((text) => /^\s*(update|insert|delete|with)/i.test(text))
  expect(writes.filter((text) => !/into processes\b/.test(text))).toEqual([])
})

const textOf = (asked: unknown) => (typeof asked === 'string' ? asked : String((asked as { text: unknown }).text))
const ELSEWHERE = { timeout: 30_000 }

describe('what another process wrote', () => {
  /** A gateway whose workers rest, on the same database: it tells this one nothing. */
  let elsewhere: Caller
  let stop: () => Promise<void>
  beforeAll(async () => {
    const beside = await world.beside()
    elsewhere = callerOf(beside, caller.account, { keyId: caller.keyId, text: caller.apiKey })
    stop = beside.stop
  })
  afterAll(() => stop())

  test('a payout is sent, and its contract completed', async () => {
    const { id } = await elsewhere.issued()
    await elsewhere.pay(id)
    expect(await world.settle(id)).toBe('completed')
  })

  test('a command is carried out', async () => {
    expect((await run(elsewhere, { type: 'transfers.create', rows: drafts(3) })).status).toBe('completed')
  })

  test('a schedule begins its run', async () => {
    const { make, get } = schedulesOf(elsewhere)
    const { id } = await make()
    await makeDue(world, id)
    await expect.poll(async () => (await get(id)).last_runs[0]?.status, ELSEWHERE).toBe('paid')
  })

  test('a verification is asked', async () => {
    const { data } = await elsewhere.ask('POST', '/verifications', {
      body: { kind: 'list', recipient: { name: 'Ana' } },
    })
    const { id } = data['verification'] as { id: string }
    const reason = async () => {
      const { data: shown } = await elsewhere.ask('GET', `/verifications/${id}`)
      return (shown['verification'] as { reason: string | null }).reason
    }
    await expect.poll(reason, ELSEWHERE).toMatch(/^No list is loaded/)
  })

  test('a contract whose time is over expires', async () => {
    const { id } = await elsewhere.issued({ expires_in: 1 })
    await expect
      .poll(async () => (await world.sql('select status from contracts where id = $1', [id]))[0], ELSEWHERE)
      .toEqual({ status: 'expired' })
  })
})

describe('lanes that fail together', () => {
  const GROUPS = [[0, 1], [2, 3], [4], [200]] as const
  const groups = () => GROUPS

  test('a group that cannot be looked at is tried again, and the others go on', async () => {
    let isDown = true
    let failed = 0
    const looked = new Map<number, number>()
    const told: number[] = []
    const look = startLook({
      groups,
      onFailed: () => (failed += 1),
      look: async ([first = 0]): Promise<readonly WaitingWork[]> => {
        looked.set(first, (looked.get(first) ?? 0) + 1)
        if (first === 2 && isDown) throw new Error('the node of these lanes is away')
        return [{ lane: first, dueInMs: new Map([['jobs', 0]]) }]
      },
      tell: ({ lane }) => told.push(lane),
      log,
    })
    try {
      await expect.poll(() => looked.get(4) ?? 0, ELSEWHERE).toBeGreaterThan(4)
      expect(look.failing()).toBe(1)
      expect(looked.get(2)).toBeLessThan(looked.get(4) ?? 0)
      expect(new Set(told)).toEqual(new Set([0, 4, 200]))
      expect(failed).toBeGreaterThan(0)
      isDown = false
      await expect.poll(() => told.includes(2), ELSEWHERE).toBe(true)
      expect(look.failing()).toBe(0)
    } finally {
      await look.stop()
    }
  })

  test('a round that hangs or fails for one keeps nobody else waiting, and comes once for many lanes', async () => {
    let letGo: () => void = () => undefined
    const hangs = new Promise<void>((resolve) => (letGo = resolve))
    const rounds: (readonly number[])[] = []
    let found = 0
    const worker = startRounds({
      name: 'test',
      groups,
      round: async (lanes) => {
        rounds.push(lanes)
        if (lanes.includes(2)) await hangs
        if (lanes.includes(4)) throw new Error('the round fails')
        return rounds.length === 1 ? 1 : 0
      },
      onFound: () => (found += 1),
      log,
    })
    for (const lane of [0, 1, 2, 4, 200]) worker.tell(lane)
    // The first group's round found something, and runs again.
    await expect.poll(() => rounds.length, ELSEWHERE).toBe(5)
    expect(rounds).toEqual([[0, 1], [2], [4], [200], [0, 1]])
    expect(found).toBe(1)
    worker.tell(3)
    worker.tell(1, 30)
    await expect.poll(() => rounds.length, ELSEWHERE).toBe(6)
    expect(rounds.at(-1)).toEqual([1])
    letGo()
    await expect.poll(() => rounds.at(-1), ELSEWHERE).toEqual([3])
    await worker.stop()
  })
})
