// The development accounts over several starts: made once on an empty database and nowhere else, found again, their keys
// given the scopes of today, and never made anew once somebody has ended them.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { processStart } from '../../src/platform/process-start.ts'
import { totpAt } from '../../src/platform/totp.ts'
import { SCOPES } from '../../src/domain/account/scopes.ts'
import { type DevFile, prepareDevelopment } from '../../src/main/development.ts'
import { openFunds } from '../../src/main/operator/funding.ts'
import { openWorld } from '../world.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(() => world.stop())

const { deps } = world.gateway
const { dataDir } = world.config
const path = join(dataDir, 'dev.json')
const places = {
  baseUrl: 'http://gateway.test',
  consoleUrl: null,
  sandboxUrl: 'http://sandbox.test',
  sandboxToken: 'a token',
  pid: process.pid,
}
const prepared = () => prepareDevelopment(deps, ['PHP', 'USD'], dataDir, places, () => openFunds(world.database))
const start = async () => (await prepared()).file as DevFile
const written = () => JSON.parse(readFileSync(path, 'utf8')) as DevFile
const accounts = async () => (await world.sql<{ n: number }>('select count(*)::int as n from accounts'))[0]?.n
/** Whoever has just called is remembered for a second. */
const forgotten = () => sleep(1100)
const ADDRESSES = {
  base_url: 'http://gateway.test',
  console_url: null,
  sandbox_url: 'http://sandbox.test',
  sandbox_token: 'a token',
  pid: process.pid,
  pid_start: processStart(process.pid),
}

// The world has made its own; a first start finds none.
beforeAll(async () => void (await world.sql('truncate accounts cascade')))

test('a first start makes two, and the next one finds them, for their owner’s eyes alone', async () => {
  const { file: first, notes } = await prepared()
  expect(notes).toEqual([])
  expect(written()).toEqual(first)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(await prepared()).toEqual({ file: first, path, notes: [] })
  expect(await accounts()).toBe(2)
})

test('its owner signs in with what the file says', async () => {
  const { console_login: login, account_id: accountId } = await start()
  const { email, password, totp_secret: secret } = login!
  await world.sql('update members set totp_step = 0')
  const code = totpAt(secret, Date.now())
  const reply = await world.ask('POST', '/sessions', { body: { email, password, code } })
  expect(reply.data['member']).toMatchObject({ email, role: 'owner', status: 'active' })
  const [cookie = ''] = (reply.headers['set-cookie'] ?? '').split(';')
  const current = await world.ask('GET', '/sessions/current', { headers: { cookie } })
  expect(current.data['account_id']).toBe(accountId)
})

test('a key that lacks a scope of today is replaced, and goes on for a day', async () => {
  const before = await start()
  const less = SCOPES.filter((scope) => scope !== 'webhooks:manage')
  await world.sql("update api_keys set scopes = $1 where account_id = $2 and name = 'Development'", [
    less,
    before.account_id,
  ])
  await forgotten()
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

test('a directory that knows nothing of a database with accounts makes none in it, and says so', async () => {
  const before = written()
  const unknown = '018f0000-0000-7000-8000-000000000000'
  for (const file of [null, 'no JSON', { ...ADDRESSES }, { ...before, account_id: unknown }]) {
    if (file === null) rmSync(path)
    else writeFileSync(path, typeof file === 'string' ? file : JSON.stringify(file))
    const { file: after, notes } = await prepared()
    expect(after).toEqual(ADDRESSES)
    expect(written()).toEqual(ADDRESSES)
    expect(notes).toEqual([expect.stringMatching(/has accounts already.*gateway keys create/)])
  }
  expect(await accounts()).toBe(2)
  writeFileSync(path, JSON.stringify(before))
})

test('a key that was ended stays ended: the next starts say so, make nothing and go on', async () => {
  const before = written()
  // A file that names another account's key is as much use as one that has ended.
  writeFileSync(path, JSON.stringify({ ...before, api_key: before.other_account.api_key }))
  expect((await prepared()).file.api_key).toBeNull()
  writeFileSync(path, JSON.stringify(before))
  await world.sql('update api_keys set revoked_at = now() where account_id = $1', [before.account_id])
  await forgotten()
  for (const _ of ['the next start', 'the one after it']) {
    const { file, notes } = await prepared()
    expect(file).toEqual({ ...before, api_key: null, webhook_key: null, webhook_secret: null })
    expect(notes).toEqual([
      expect.stringContaining(`gateway keys create --account ${before.account_id} --name Development`),
      expect.stringContaining('receiver key'),
    ])
  }
  expect(await accounts()).toBe(2)
})
