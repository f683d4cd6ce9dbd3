// The keys of providers and the secrets that sign: made by an operator, shown once, sealed at rest, rolled with an overlap,
// and of no use a moment after they have ended.
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { rollReceiverSecret } from '../../../src/app/accounts/receiver-secrets.ts'
import { type DevFile, prepareDevelopment } from '../../../src/main/development.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { openFunds } from '../../../src/main/operator/funding.ts'
import { openOperator, type Operator } from '../../../src/main/operator/operator.ts'
import { openSealing } from '../../../src/platform/sealing.ts'
import type { Receiver } from '../../webhooks/receiver-corpus.ts'
import { openWorld, urlOf } from '../../world.ts'
import { eventCount, eventOf, makeProvider, tell } from './receiver-world.ts'

const world = await openWorld({ workers: 'resting' })
const databaseUrl = urlOf(world.database.owner)
const operator = await openOperator({ ...world.config, databaseUrl }, () => undefined)
afterAll(async () => {
  await operator.close()
  await world.stop()
})
const { caller, other } = world
const { accountId, lane } = caller.account

const told = async (provider: Receiver) => (await tell(world, provider, eventOf({}))).status
/** Who was just looked up is remembered for a second. */
const forgotten = () => sleep(1050)
const receiverOf = async (made: ReturnType<Operator['createReceiver']>) => {
  const key = await made
  if (!key || isRefusal(key)) throw new Error('no key was made')
  return { key: key.text, secret: key.secret, keyId: key.keyId }
}
const rolledOf = async (made: ReturnType<Operator['rollKey']>) => {
  const key = await made
  if (!key || isRefusal(key)) throw new Error('no key was rolled')
  return key
}
const ONLY_EVENTS = { name: 'Provider', scopes: ['events:write'], expiresInSeconds: null } as const

test('an operator makes a key that tells events and does nothing else', async () => {
  const provider = await receiverOf(operator.createReceiver(accountId, ONLY_EVENTS))
  expect(provider.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(await told(provider)).toBe(200)
  const headers = { 'x-api-key': provider.key }
  for (const path of ['/wallets', '/contracts/transfer', '/events'])
    expect((await world.ask('GET', path, { headers })).error.code).toBe('scope_missing')
  expect((await operator.receivers(accountId)).get(provider.keyId)).toBeNull()
  expect((await operator.receivers(accountId)).has(caller.keyId)).toBe(false)
  expect(await operator.createReceiver(provider.keyId.padEnd(36, '0'), ONLY_EVENTS)).toBeNull()
})

test('a key that is bound to channels stays so with a new secret, and so does the key that takes its place', async () => {
  const provider = await receiverOf(operator.createReceiver(accountId, { ...ONLY_EVENTS, channels: ['gcash', 'maya'] }))
  expect(await operator.rollSecret(provider.keyId, 3600)).toMatch(/^whsec_/)
  const rolled = await rolledOf(operator.rollKey(provider.keyId, 0))
  const receivers = await operator.receivers(accountId)
  expect(receivers.get(provider.keyId)).toEqual(['gcash', 'maya'])
  expect(receivers.get(rolled.keyId)).toEqual(['gcash', 'maya'])
})

test('no secret is in the database in the clear, and a seal opens for its own key alone', async () => {
  const provider = await makeProvider(world, caller)
  const second = await makeProvider(world, caller)
  const rows = await world.sql<{ row: string }>('select r::text as row from receiver_secrets r')
  for (const { row } of rows) for (const { secret } of [provider, second]) expect(row).not.toContain(secret.slice(6))
  // Moved to another key it proves nothing, and is a fault of ours, not a forger's luck.
  const [own] = await world.sql('select secrets_sealed::text as sealed from receiver_secrets where key_id = $1', [
    provider.keyId,
  ])
  await world.sql('update receiver_secrets set secrets_sealed = $1 where key_id = $2', [own?.['sealed'], second.keyId])
  expect(await told({ key: second.key, secret: provider.secret })).toBe(500)
  const stranger = openSealing([randomBytes(32)])
  const { reader } = world.gateway.deps
  await expect(rollReceiverSecret(reader, stranger, { lane, keyId: provider.keyId }, 0, Date.now())).rejects.toThrow(
    'is not here',
  )
  expect(await told(provider)).toBe(200)
})

test('a secret is rolled: both hold until the overlap is over, then the new one alone', async () => {
  const provider = await makeProvider(world, caller)
  const secret = (await operator.rollSecret(provider.keyId, 2)) ?? ''
  const rolled = { ...provider, secret }
  expect([await told(rolled), await told(provider)]).toEqual([200, 200])
  await sleep(2000)
  expect([await told(rolled), await told(provider)]).toEqual([200, 401])
  // At once, where no overlap is wanted; and the one before that has ended too.
  const last = { ...provider, secret: (await operator.rollSecret(provider.keyId, 0)) ?? '' }
  await forgotten()
  expect([await told(last), await told(rolled), await told(provider)]).toEqual([200, 401, 401])
})

test('of three secrets in a row the oldest ends with the second roll', async () => {
  const first = await makeProvider(world, other)
  const second = { ...first, secret: (await operator.rollSecret(first.keyId, 3600)) ?? '' }
  const third = { ...first, secret: (await operator.rollSecret(first.keyId, 3600)) ?? '' }
  expect([await told(third), await told(second), await told(first)]).toEqual([200, 200, 401])
  const [row] = await world.sql<{ count: number }>(
    'select json_array_length(secrets_sealed) as count from receiver_secrets where key_id = $1',
    [first.keyId],
  )
  expect(row?.count).toBe(2)
})

test('a key that is rolled keeps its secrets, so that its provider changes the key alone', async () => {
  const provider = await makeProvider(world, caller)
  const next = await rolledOf(operator.rollKey(provider.keyId, 3600))
  const rolled = { ...provider, key: next.text }
  expect([await told(rolled), await told(provider)]).toEqual([200, 200])
  const secret = (await operator.rollSecret(next.keyId, 0)) ?? ''
  await forgotten()
  expect([await told({ ...rolled, secret }), await told(rolled), await told(provider)]).toEqual([200, 401, 200])
})

test('no secret is rolled of a key that is none, tells nothing, or has ended', async () => {
  const ended = await makeProvider(world, caller)
  expect(await operator.revokeKey(ended.keyId)).toBe(true)
  const before = await eventCount(world)
  for (const keyId of [caller.keyId, ended.keyId, `${ended.keyId.slice(0, 2)}00000000`])
    expect(await operator.rollSecret(keyId, 0)).toBeNull()
  expect(await told(ended)).toBe(401)
  expect(await eventCount(world)).toBe(before)
})

test('the first start makes a receiver of the development account, and so does one after an earlier release', async () => {
  const path = join(world.config.dataDir, 'dev.json')
  const places = {
    baseUrl: 'http://gateway.test',
    consoleUrl: null,
    sandboxUrl: 'http://sandbox.test',
    sandboxToken: null,
    pid: process.pid,
  }
  const start = async () =>
    (
      await prepareDevelopment(world.gateway.deps, ['PHP'], world.config.dataDir, places, () =>
        openFunds(world.database),
      )
    ).file as DevFile
  const whose = { account_id: accountId, profile_id: caller.account.profileId, api_key: caller.apiKey }
  const earlier = { ...whose, other_account: { account_id: other.account.accountId, api_key: other.apiKey } }
  writeFileSync(path, JSON.stringify(earlier))
  const providerOf = (file: { webhook_key: string; webhook_secret: string }) => ({
    key: file.webhook_key,
    secret: file.webhook_secret,
  })
  const first = await start()
  expect(await told(providerOf(first))).toBe(200)
  expect(await start()).toEqual(first)
  writeFileSync(path, JSON.stringify(earlier))
  const second = await start()
  expect(second).toMatchObject(earlier)
  expect(second.webhook_key).not.toBe(first.webhook_key)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(second)
  expect(await told(providerOf(second))).toBe(200)
  // What was rolled by hand does not stand in the file for long.
  await operator.rollSecret(second.webhook_key.split('_')[2] ?? '', 0)
  await forgotten()
  const third = await start()
  expect(third.webhook_secret).not.toBe(second.webhook_secret)
  expect(await told(providerOf(third))).toBe(200)
  // What was ended by hand stays so, and nothing takes its place.
  expect(await operator.revokeKey(third.webhook_key.split('_')[2] ?? '')).toBe(true)
  await forgotten()
  for (const _ of ['the next start', 'the one after it'])
    expect(await start()).toMatchObject({ webhook_key: null, webhook_secret: null, api_key: third.api_key })
})
