// A secret that was shown once is shown again to who repeats the request by its idempotency key, and to nobody else: whoever may make
// weak keys alone does not get the strong one of somebody else by asking as they did.
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../../world.ts'
import { coded, joined, type Person } from './people.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(() => world.stop())

const once = (idempotencyKey: string, body: object) => ({ body, headers: { 'idempotency-key': idempotencyKey } })
const STRONG = { name: 'Payouts', scopes: ['transfers:issue', 'transfers:pay', 'accounts:write'] }

test('a key of an owner is not given to a developer who asks for it in the same words', async () => {
  const [owner, developer] = [
    await joined(world, world.caller, 'owner'),
    await joined(world, world.caller, 'developer'),
  ] as [Person, Person]
  const made = await owner.ask('POST', '/keys', once('payouts-key-1', STRONG))
  expect(made.status).toBe(200)
  const again = await owner.ask('POST', '/keys', once('payouts-key-1', STRONG))
  expect(again.data).toEqual(made.data)
  expect(again.headers['idempotent-replayed']).toBe('true')
  expect(coded(await developer.ask('POST', '/keys', once('payouts-key-1', STRONG)))).toEqual([
    403,
    'exceeds_own_access',
  ])
})
