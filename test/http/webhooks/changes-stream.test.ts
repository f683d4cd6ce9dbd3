// GET /events/changes: says that the account has changed, about once a second at most, and tells nobody of another's.
import { afterAll, expect, test } from 'vitest'
import { type Caller, openWorld } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
const url = await world.listen()
afterAll(() => world.stop())

type Followed = { readonly status: number; readonly told: string[]; readonly end: () => void }

async function follow({ apiKey }: Pick<Caller, 'apiKey'>): Promise<Followed> {
  const stop = new AbortController()
  const reply = await fetch(`${url}/events/changes`, { headers: { 'x-api-key': apiKey }, signal: stop.signal })
  const told: string[] = []
  const read = async () => {
    for await (const part of reply.body!.pipeThrough(new TextDecoderStream()))
      told.push(...part.split('\n').filter((line) => line.startsWith('data: ')))
  }
  read().catch(() => undefined)
  return { status: reply.status, told, end: () => stop.abort() }
}

test('many changes at once are one message or two, and another account hears nothing', async () => {
  const [own, others] = [await follow(world.caller), await follow(world.other)]
  expect([own.status, others.status]).toEqual([200, 200])
  await Promise.all(Array.from({ length: 40 }, () => world.caller.draft()))
  const [{ position } = { position: 0 }] = await world.sql<{ position: number }>(
    'select position::int from accounts where account_id = $1',
    [world.caller.account.accountId],
  )
  await expect.poll(() => own.told.at(-1)).toBe(`data: {"position":${position}}`)
  expect(own.told.length).toBeLessThan(10)
  expect(others.told).toEqual([])
  await world.other.draft()
  await expect.poll(() => others.told.length).toBeGreaterThan(0)
  for (const each of [own, others]) each.end()
})

test('it begins with what happens from now on, and needs the right to read events', async () => {
  await world.caller.draft()
  const later = await follow(world.caller)
  await world.other.draft()
  const blind = await world.withKey(world.caller, { scopes: ['contracts:read'] })
  expect((await blind.ask('GET', '/events/changes')).error.code).toBe('scope_missing')
  expect(later.told).toEqual([])
  await world.caller.draft()
  await expect.poll(() => later.told.length).toBeGreaterThan(0)
  later.end()
})
