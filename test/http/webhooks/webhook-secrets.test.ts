// The secrets of webhook endpoints: shown once, rolled with an overlap, nowhere in the clear, and opened by keys that can be
// changed but not lost.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openSecrets } from '../../../src/app/webhooks/endpoint-secrets.ts'
import { Misconfigured } from '../../../src/main/config/config.ts'
import { readSealingKeys } from '../../../src/main/database/sealing-keys.ts'
import type { SealedSecret } from '../../../src/store/webhooks/endpoints.ts'
import { type Caller, openWorld, type Reply } from '../../world.ts'
import { endpointOf, getEndpoint, leaseTo, makeEndpoint, patchEndpoint, progressOf } from './webhook-world.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(() => world.stop())

let caller: Caller
beforeEach(async () => {
  caller = await world.newCaller()
})

const coded = ({ status, error }: Reply) => [status, error.code, error.param]

describe('a secret', () => {
  const roll = (id: string, body?: unknown) =>
    caller.ask('POST', `/webhook-endpoints/${id}/roll-secret`, body === undefined ? {} : { body })

  /** Those that would sign at this time, as whoever serves the endpoint opens them. */
  async function signing(id: string, nowMs = Date.now()): Promise<string[]> {
    const [row] = await world.sql<{ account_id: string; secrets_sealed: SealedSecret[]; bearer_sealed: string }>(
      'select account_id, secrets_sealed, bearer_sealed from webhook_endpoints where id = $1',
      [id],
    )
    const { account_id: accountId, secrets_sealed: secrets, bearer_sealed: bearerSealed } = row!
    const { sealing } = world.gateway.deps.webhooks
    return openSecrets(sealing, { accountId, id }, { secrets, bearerSealed }, nowMs).secrets.map(({ text }) => text)
  }

  test.each(['https://elsewhere.example/hook', 'https://example.com:8443/hook'])(
    'is a new one at %s, like the token: neither is told to another receiver',
    async (url) => {
      const made = await makeEndpoint(caller)
      await leaseTo(world, made.id, 0)
      const { fence } = await progressOf(world, made.id)
      const reply = await caller.ask('PATCH', `/webhook-endpoints/${made.id}`, { body: { url } })
      const moved = endpointOf(reply)
      expect([moved.url, reply.headers['cache-control']]).toEqual([url, 'no-store'])
      expect(await signing(made.id)).toEqual([moved.secret])
      expect([made.secret, made.bearer_token]).not.toContain(moved.secret)
      expect(moved.bearer_token).toMatch(/^whb_/)
      expect(moved.bearer_token_hint).toBe(`…${moved.bearer_token?.slice(-4)}`)
      expect(moved.bearer_token).not.toBe(made.bearer_token)
      // Whoever serves it with the old ones has to let go.
      expect((await progressOf(world, made.id)).fence).toBeGreaterThan(fence)
      // Shown once.
      expect(await getEndpoint(caller, made.id)).toMatchObject({ secret: null, bearer_token: null })
    },
  )

  test('and a token stay where the origin does, and a token that is sent anew goes along', async () => {
    const made = await makeEndpoint(caller)
    const path = `${new URL(made.url).origin}/another/path`
    const stayed = endpointOf(await caller.ask('PATCH', `/webhook-endpoints/${made.id}`, { body: { url: path } }))
    expect(stayed).toMatchObject({ url: path, secret: null, bearer_token: null })
    expect(await signing(made.id)).toEqual([made.secret])
    expect(stayed.bearer_token_hint).toBe(made.bearer_token_hint)
    const body = { url: 'https://elsewhere.example/hook', bearer_token: 'a-token-of-my-own' }
    const moved = endpointOf(await caller.ask('PATCH', `/webhook-endpoints/${made.id}`, { body }))
    expect(moved).toMatchObject({ bearer_token: null, bearer_token_hint: '…-own' })
    expect(moved.secret).toMatch(/^whsec_/)
  })

  test('that is rolled signs beside the new one until the overlap ends; there are never three', async () => {
    const made = await makeEndpoint(caller)
    await leaseTo(world, made.id, 0)
    const { fence } = await progressOf(world, made.id)
    const reply = await roll(made.id)
    const rolled = endpointOf(reply)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(rolled.bearer_token).toBeNull()
    expect(rolled.bearer_token_hint).toBe(made.bearer_token_hint)
    expect(rolled.secret).not.toBe(made.secret)
    expect(rolled.secrets.map(({ hint }) => hint)).toEqual([
      `…${rolled.secret!.slice(-4)}`,
      `…${made.secret!.slice(-4)}`,
    ])
    const [newest, before] = rolled.secrets
    expect(newest?.expires_at).toBeNull()
    expect(Date.parse(before!.expires_at!) - Date.parse(newest!.created_at)).toBe(86_400_000)
    expect(await progressOf(world, made.id)).toMatchObject({ fence: fence + 1, leased: false })
    expect(await signing(made.id)).toEqual([rolled.secret, made.secret])
    expect(await signing(made.id, Date.now() + 86_400_001)).toEqual([rolled.secret])

    const again = endpointOf(await roll(made.id, { overlap_seconds: 60 }))
    expect(await signing(made.id)).toEqual([again.secret, rolled.secret])
    expect(await signing(made.id, Date.now() + 60_001)).toEqual([again.secret])
    const alone = endpointOf(await roll(made.id, { overlap_seconds: 0 }))
    expect(await signing(made.id)).toEqual([alone.secret])
    expect((await getEndpoint(caller, made.id)).secrets).toHaveLength(1)
  })

  test.each([-1, 604_801, 1.5, '60', null])('is not rolled with an overlap of %j', async (overlap) => {
    const { id } = await makeEndpoint(caller)
    const reply = await roll(id, { overlap_seconds: overlap })
    expect(coded(reply)).toEqual([400, 'invalid_overlap_seconds', 'overlap_seconds'])
    expect((await getEndpoint(caller, id)).secrets).toHaveLength(1)
  })

  test('is nowhere in the database in the clear, nor is a token', async () => {
    const made = await makeEndpoint(caller)
    const rolled = endpointOf(await roll(made.id))
    await patchEndpoint(caller, made.id, { bearer_token: 'canary-token-of-mine' })
    const told = [made.secret!, made.secret!.slice(6), made.bearer_token!, rolled.secret!, 'canary-token-of-mine']
    const tables = await world.sql<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    expect(tables.map(({ name }) => name)).toContain('webhook_endpoints')
    let bytes = 0
    for (const { name } of tables) {
      const [row] = await world.sql<{ text: string | null }>(`select string_agg(t::text, ' ') as text from ${name} t`)
      const text = row?.text ?? ''
      bytes += text.length
      for (const secret of told) expect(text.includes(secret), name).toBe(false)
      for (const secret of told) expect(text.includes(Buffer.from(secret).toString('hex')), name).toBe(false)
    }
    expect(bytes).toBeGreaterThan(1000)
  })
})

describe('the sealing key', () => {
  const text = (key: Buffer | undefined) => key!.toString('base64')
  const newKey = () => text(randomBytes(32))

  test('is changed by putting another before it; what is sealed anew needs the old one no more', async () => {
    const stored = text(readSealingKeys(null, world.config.dataDir)[0])
    const next = newKey()
    const { id } = await makeEndpoint(caller)
    const both = await world.beside({ sealingKeys: `${next},${stored}` })
    const headers = { 'x-api-key': caller.apiKey }
    const keyOf = async () =>
      (await world.sql<{ key: string }>('select sealing_key_id as key from webhook_endpoints where id = $1', [id]))[0]
        ?.key
    const before = await keyOf()
    expect((await both.ask('GET', `/webhook-endpoints/${id}`, { headers })).status).toBe(200)
    const rolled = endpointOf(await both.ask('POST', `/webhook-endpoints/${id}/roll-secret`, { headers }))
    expect(await keyOf()).not.toBe(before)
    await both.stop()
    // The endpoints of other tests were sealed by the old key, and their accounts are gone for good.
    await world.sql(`update webhook_endpoints set status = 'deleted' where id <> $1`, [id])
    const after = await world.beside({ sealingKeys: next })
    const shown = endpointOf(await after.ask('GET', `/webhook-endpoints/${id}`, { headers }))
    expect(shown.secrets).toEqual(rolled.secrets)
    await after.stop()
    // So that this world itself finds its own.
    await world.sql(`update webhook_endpoints set status = 'deleted'`)
  })

  test('that is not there keeps a gateway from starting, which says how to mend it', async () => {
    const { id } = await makeEndpoint(caller)
    const start = world.beside({ sealingKeys: newKey() })
    await expect(start).rejects.toThrow(Misconfigured)
    await expect(start).rejects.toThrow(/sealed by a key that is not here \([0-9a-f]{8}\)\. .*GATEWAY_SEALING_KEYS/)
    await caller.ask('DELETE', `/webhook-endpoints/${id}`)
    const started = await world.beside({ sealingKeys: newKey() })
    await started.stop()
  })
})
