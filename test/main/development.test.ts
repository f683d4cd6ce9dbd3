// The development accounts of an earlier release: their keys get the scopes of today, and nothing else about them changes.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { SCOPES } from '../../src/domain/scopes.ts'
import { type DevFile, prepareDevelopment } from '../../src/main/development.ts'
import { openWorld } from '../world.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(() => world.stop())

const { deps } = world.gateway
const { dataDir } = world.config
const path = join(dataDir, 'dev.json')
const places = { baseUrl: 'http://gateway.test', sandboxUrl: 'http://sandbox.test' }
const start = () => prepareDevelopment(deps, ['PHP', 'USD'], dataDir, places)
const written = () => JSON.parse(readFileSync(path, 'utf8')) as DevFile

test('a start finds the accounts of the one before, for their owner’s eyes alone', async () => {
  const first = await start()
  expect(written()).toEqual(first)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(await start()).toEqual(first)
})

test('a key that lacks a scope of today is replaced, and goes on for a day', async () => {
  const before = await start()
  const less = SCOPES.filter((scope) => scope !== 'webhooks:manage')
  await world.sql("update api_keys set scopes = $1 where account_id = $2 and name = 'Development'", [
    less,
    before.account_id,
  ])
  // Whoever has just called is remembered for a second.
  await sleep(1100)
  const after = await start()
  expect(after).toEqual({ ...before, api_key: after.api_key })
  expect(after.api_key).not.toBe(before.api_key)
  expect(written()).toEqual(after)
  const ask = (key: string, url: string) => world.ask('GET', url, { headers: { 'x-api-key': key } })
  expect((await ask(after.api_key, '/webhook-endpoints')).status).toBe(200)
  expect((await ask(before.api_key, '/wallets')).status).toBe(200)
  const keys = await world.sql<{ seconds: number | null }>(
    `select extract(epoch from expires_at - now())::int as seconds from api_keys
      where account_id = $1 and name = 'Development' order by created_at`,
    [before.account_id],
  )
  expect(keys).toEqual([{ seconds: expect.closeTo(86_400, -2) }, { seconds: null }])
})

test('a file of another database is not believed', async () => {
  const before = await start()
  writeFileSync(path, JSON.stringify({ ...before, account_id: before.other_account.account_id }))
  const after = await start()
  expect(after.account_id).not.toBe(before.account_id)
  expect(after.other_account.account_id).not.toBe(before.other_account.account_id)
})
