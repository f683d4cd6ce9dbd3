// What ends a session ends the streams that are open by it, within a second, on the process that did it and on another one.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../../world.ts'
import { joined, type Person, signedInAgain } from './people.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
const url = await world.listen()
afterAll(() => world.stop())

const owner = await joined(world, caller, 'owner')
/** Looks come each 750 ms; a machine at work adds to that. Without them a stream would live for ten seconds. */
const WITHIN_MS = 8000
const REMEMBERED_MS = 1000

/** A stream over a real connection; how long it lives from the moment that `end` is done. */
async function lifeAfter(headers: Record<string, string>, end: () => Promise<unknown>): Promise<number> {
  const reply = await fetch(`${url}/events/stream`, { headers })
  expect(reply.status).toBe(200)
  const reader = reply.body!.getReader()
  await reader.read()
  await end()
  const endedAt = performance.now()
  const timer = setTimeout(() => void reader.cancel(), 9000)
  for (let read = await reader.read(); !read.done; read = await reader.read());
  clearTimeout(timer)
  return performance.now() - endedAt
}

const streamOf = ({ cookie }: Person, end: () => Promise<unknown>) => lifeAfter({ cookie }, end)

// They wait at the same time: half of each is waiting.
test.concurrent.each<[string, (person: Person) => Promise<unknown>]>([
  ['removed', ({ id }) => owner.ask('DELETE', `/members/${id}`)],
  ['given another role', ({ id }) => owner.ask('PATCH', `/members/${id}`, { body: { role: 'operator' } })],
  ['reset', ({ id }) => owner.ask('POST', `/members/${id}/reset`)],
  ['signed out', (person) => person.ask('DELETE', '/sessions/current')],
  [
    'signed out from elsewhere, by a new password',
    async (person) => {
      const there = await signedInAgain(world, person)
      return there.ask('PUT', '/members/me/password', {
        body: { password: person.password, new_password: 'another four plain words' },
      })
    },
  ],
])('of a member who is %s, streams end within a second, and no request is served', async (_, end) => {
  const person = await joined(world, caller, 'developer')
  expect(await streamOf(person, () => end(person))).toBeLessThan(WITHIN_MS)
  // Reads remember a session for a second.
  await sleep(REMEMBERED_MS)
  expect((await person.ask('GET', '/sessions/current')).status).toBe(401)
})

test('people who have the console open take no place of the account’s programs', async () => {
  const account = await world.newCaller()
  const person = await joined(world, account, 'viewer')
  const opened = await Promise.all(
    Array.from({ length: 30 }, () => fetch(`${url}/events/stream`, { headers: { cookie: person.cookie } })),
  )
  expect(opened.map(({ status }) => status)).toEqual(opened.map(() => 200))
  const program = await fetch(`${url}/events/stream`, { headers: { 'x-api-key': account.apiKey } })
  expect(program.status).toBe(200)
  for (const { body } of [...opened, program]) await body?.cancel()
})

test('a key that is revoked by another process ends its stream within a second, and other streams go on', async () => {
  const key = await world.withKey(caller, {})
  const stays = await fetch(`${url}/events/stream`, { headers: { 'x-api-key': caller.apiKey } })
  const lived = await lifeAfter({ 'x-api-key': key.apiKey }, () =>
    world.sql('update api_keys set revoked_at = now() where key_id = $1', [key.keyId]),
  )
  expect(lived).toBeLessThan(WITHIN_MS)
  const reader = stays.body!.getReader()
  await reader.read()
  const draft = await caller.draft()
  let heard = ''
  while (!heard.includes(draft.id)) heard += Buffer.from((await reader.read()).value ?? []).toString()
  expect(heard).toContain('contract.created')
  await reader.cancel()
})
