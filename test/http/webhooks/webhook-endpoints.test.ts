// Webhook endpoints: made, shown, changed, paused, disabled, enabled again, tried out and deleted; and what each means for
// whoever serves them. Nobody does here.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { EVENT_TYPES } from '../../../src/domain/transfer/moves.ts'
import { type Caller, openWorld, type Reply } from '../../world.ts'
import {
  deliveriesOf,
  endOf,
  type EndpointBody,
  endpointOf,
  getEndpoint,
  leaseTo,
  makeEndpoint,
  patchEndpoint,
  progressOf,
  putEndpoint,
  tried,
  URL_OF_NOBODY,
} from './webhook-world.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(() => world.stop())

let caller: Caller
beforeEach(async () => {
  caller = await world.newCaller()
})

const coded = ({ status, error }: Reply) => [status, error.code, error.param]
const LATER = '01890000-0000-7000-8000-000000000001'

describe('a new endpoint', () => {
  test('has defaults, begins at the end of the history, and shows its secrets this once', async () => {
    await caller.paid()
    const reply = await caller.ask('POST', '/webhook-endpoints', { body: { url: URL_OF_NOBODY } })
    const made = endpointOf(reply)
    expect(reply.body['status']).toBe(200)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(made).toMatchObject({
      url: URL_OF_NOBODY,
      description: null,
      events: ['*'],
      events_not_sent: [],
      api_version: '2026-11-01',
      in_flight_max: 4,
      metadata: {},
      status: 'enabled',
      disabled_because: null,
      delivery: {
        behind: 0,
        waiting: 0,
        held: 0,
        dead: 0,
        breaker: 'closed',
        open_until: null,
        failures: 0,
        last_success_at: null,
        last_failure_at: null,
        latency_ms: null,
      },
    })
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(made.bearer_token).toMatch(/^whb_[A-Za-z0-9_-]{43}$/)
    expect(made.secrets).toEqual([
      { hint: `…${made.secret!.slice(-4)}`, created_at: expect.any(String), expires_at: null },
    ])
    expect(made.bearer_token_hint).toBe(`…${made.bearer_token!.slice(-4)}`)
    expect((await progressOf(world, made.id)).position).toBe(await endOf(world, caller))

    const shown = { ...made, secret: null, bearer_token: null }
    expect(await getEndpoint(caller, made.id)).toEqual(shown)
    const { data } = await caller.ask('GET', '/webhook-endpoints')
    expect(data).toEqual({ webhook_endpoints: [shown], next: null })
  })

  test('keeps pairs of its owner, which a patch merges', async () => {
    const pairs = { team: 'books', kind: 'refusal', note: 'card 4242 4242 4242 4242' }
    const { id, metadata } = await makeEndpoint(caller, { metadata: pairs })
    expect(metadata).toEqual({ team: 'books', kind: 'refusal', note: 'card [card ending 4242]' })
    const mended = await patchEndpoint(caller, id, { metadata: { team: null, cost_centre: '17' } })
    expect(mended.metadata).toEqual({ kind: 'refusal', note: metadata['note'], cost_centre: '17' })
    const many = Object.fromEntries(Array.from({ length: 48 }, (_, i) => [`pair${i}`, 'x']))
    const full = await caller.ask('PATCH', `/webhook-endpoints/${id}`, { body: { metadata: many } })
    expect(coded(full)).toEqual([400, 'invalid_metadata', 'metadata'])
    expect((await getEndpoint(caller, id)).metadata).toEqual(mended.metadata)
    expect((await patchEndpoint(caller, id, { description: 'Shop' })).metadata).toEqual(mended.metadata)
    expect((await patchEndpoint(caller, id, { metadata: null })).metadata).toEqual({})
  })

  test('is as it was asked for', async () => {
    const fields = {
      url: 'https://receiver.example:8443/hooks?a=b',
      description: 'books',
      events: ['contract.paid', 'contract.returned', 'contract.paid'],
      api_version: '2026-11-01',
      bearer_token: 'a-token-of-my-own~!',
      in_flight_max: 16,
    }
    const made = await makeEndpoint(caller, fields)
    expect(made).toMatchObject({
      url: fields.url,
      description: 'books',
      events: ['contract.paid', 'contract.returned'],
      in_flight_max: 16,
      bearer_token: fields.bearer_token,
    })
    const nulls = { description: null, events: null, api_version: null, bearer_token: null, in_flight_max: null }
    expect(await makeEndpoint(caller, nulls)).toMatchObject({ in_flight_max: 4, description: null })
    expect((await makeEndpoint(caller, { events: ['*'] })).events).toEqual(['*'])
  })

  test.each<[string, Record<string, unknown>, string, string, RegExp]>([
    ['no url', { url: undefined }, 'missing_url', 'url', /url is missing/],
    ['a url that is none', { url: 'hooks' }, 'invalid_url', 'url', /https:\/\/example\.com/],
    ['another scheme', { url: 'ftp://receiver.example/' }, 'invalid_url', 'url', /must begin with https/],
    ['a password', { url: 'https://me:pw@receiver.example/' }, 'invalid_url', 'url', /no user name and no password/],
    ['a private address', { url: 'https://10.0.0.1/' }, 'invalid_url', 'url', /public address/],
    ['a url that is too long', { url: `https://r.example/${'x'.repeat(2048)}` }, 'invalid_url', 'url', /2048/],
    [
      'an unknown event',
      { events: ['contract.paid', 'contract.payed'] },
      'invalid_events',
      'events.1',
      /contract\.paid/,
    ],
    ['no events', { events: [] }, 'invalid_events', 'events', /1/],
    ['* beside others', { events: ['*', 'contract.paid'] }, 'invalid_events', 'events', /Send \["\*"\]/],
    ['another version', { api_version: '2025-01-01' }, 'invalid_api_version', 'api_version', /2026-11-01/],
    ['a short token', { bearer_token: 'x'.repeat(15) }, 'invalid_bearer_token', 'bearer_token', /16 to 255/],
    ['a long token', { bearer_token: 'x'.repeat(256) }, 'invalid_bearer_token', 'bearer_token', /16 to 255/],
    ['a token with a space', { bearer_token: 'one two three four' }, 'invalid_bearer_token', 'bearer_token', /space/],
    [
      'a token with a line break',
      { bearer_token: 'x-injected: yes\r\ny: z' },
      'invalid_bearer_token',
      'bearer_token',
      /ASCII/,
    ],
    ['none at once', { in_flight_max: 0 }, 'invalid_in_flight_max', 'in_flight_max', /1/],
    ['too many at once', { in_flight_max: 17 }, 'invalid_in_flight_max', 'in_flight_max', /16/],
    ['half a call', { in_flight_max: 1.5 }, 'invalid_in_flight_max', 'in_flight_max', /whole number/],
    ['a novel', { description: 'x'.repeat(256) }, 'invalid_description', 'description', /255/],
  ])('%s is refused with its mend, on change as well', async (_name, fields, code, param, mend) => {
    const made = await makeEndpoint(caller)
    const body = { url: URL_OF_NOBODY, ...fields }
    const refused = [await caller.ask('POST', '/webhook-endpoints', { body })]
    const isOfCreate = 'api_version' in fields || (fields['url'] === undefined) === 'url' in fields
    if (!isOfCreate) refused.push(await caller.ask('PATCH', `/webhook-endpoints/${made.id}`, { body: fields }))
    for (const reply of refused) {
      expect(coded(reply)).toEqual([400, code, param])
      expect(reply.error.message).toMatch(mend)
    }
    expect(await getEndpoint(caller, made.id)).toEqual({ ...made, secret: null, bearer_token: null })
    expect((await caller.ask('GET', '/webhook-endpoints')).data['webhook_endpoints']).toHaveLength(1)
  })

  test('is one of sixteen: of forty that are asked for at once, sixteen are made', async () => {
    const asked = Array.from({ length: 40 }, () =>
      caller.ask('POST', '/webhook-endpoints', { body: { url: URL_OF_NOBODY } }),
    )
    const replies = await Promise.all(asked)
    const made = replies.filter(({ status }) => status === 200).map(endpointOf)
    expect(made).toHaveLength(16)
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      expect(coded(reply)).toEqual([409, 'webhook_endpoints_full', null])
      expect(reply.error.message).toContain('DELETE /webhook-endpoints/{id}')
    }
    await caller.ask('DELETE', `/webhook-endpoints/${made[0]!.id}`)
    const another = await makeEndpoint(caller)
    const { data } = await caller.ask('GET', '/webhook-endpoints')
    const listed = (data['webhook_endpoints'] as EndpointBody[]).map(({ id }) => id)
    expect(listed.toSorted()).toEqual([...made.slice(1).map(({ id }) => id), another.id].toSorted())
    expect(listed.at(-1)).toBe(another.id)
  })
})

describe('a change', () => {
  const CHANGES: [string, Record<string, unknown>, number][] = [
    ['url', { url: 'http://127.0.0.1:9/other' }, 1],
    ['events', { events: ['*'] }, 1],
    ['in_flight_max', { in_flight_max: 1 }, 1],
    ['bearer_token', { bearer_token: 'another-token-of-mine' }, 1],
    ['description', { description: 'other' }, 0],
    ['nothing', {}, 0],
  ]
  test.each(CHANGES)(
    'of %s changes that alone, and takes it from whoever serves it where that matters',
    async (name, body, fences) => {
      const made = await makeEndpoint(caller, { description: 'books' })
      await leaseTo(world, made.id, 0)
      const before = await progressOf(world, made.id)
      const changed = await patchEndpoint(caller, made.id, body)
      const { bearer_token: token, ...fields } = body
      const hint = typeof token === 'string' ? { bearer_token_hint: `…${token.slice(-4)}` } : {}
      const { updated_at, ...rest } = changed
      expect(rest).toEqual({ ...made, updated_at: undefined, ...fields, ...hint, secret: null, bearer_token: null })
      expect(updated_at > made.updated_at).toBe(name !== 'nothing')
      expect(await progressOf(world, made.id)).toEqual({
        ...before,
        fence: before.fence + fences,
        leased: fences === 0,
      })
    },
  )

  test('clears the description with null, and takes no null elsewhere', async () => {
    const { id } = await makeEndpoint(caller, { description: 'books' })
    expect((await patchEndpoint(caller, id, { description: null })).description).toBeNull()
    for (const name of ['url', 'events', 'in_flight_max', 'bearer_token', 'status']) {
      const reply = await caller.ask('PATCH', `/webhook-endpoints/${id}`, { body: { [name]: null } })
      expect(coded(reply), name).toEqual([400, `invalid_${name}`, name])
    }
    const paused = await caller.ask('PATCH', `/webhook-endpoints/${id}`, { body: { status: 'paused' } })
    expect(coded(paused)).toEqual([400, 'invalid_status', 'status'])
  })
})

describe('an endpoint', () => {
  test('that is paused keeps its place; what happened meanwhile is due when it is resumed', async () => {
    const { id } = await makeEndpoint(caller)
    await leaseTo(world, id, 0)
    const { fence } = await progressOf(world, id)
    const paused = await putEndpoint(caller, id, 'pause')
    expect(paused).toMatchObject({ status: 'paused', disabled_because: null })
    expect(await progressOf(world, id)).toMatchObject({ fence: fence + 1, leased: false, position: 0 })
    expect(await putEndpoint(caller, id, 'pause')).toEqual(paused)
    await caller.paid()
    const resumed = await putEndpoint(caller, id, 'resume')
    expect(resumed).toMatchObject({ status: 'enabled', delivery: { behind: 3 } })
    expect(await putEndpoint(caller, id, 'resume')).toEqual(resumed)
    expect((await progressOf(world, id)).position).toBe(0)
  })

  test('that is disabled and enabled again begins anew: what waited is held, what happened is left to a replay', async () => {
    const { id } = await makeEndpoint(caller)
    const WAITING = 10_050
    await tried(
      world,
      id,
      Array.from({ length: WAITING }, (_, i) => i + 1),
      'pending',
    )
    await tried(world, id, [WAITING + 1], 'delivered')
    await world.sql(
      `update webhook_progress set failures = 9, openings = 3, open_until = now() + interval '1 hour', trusted = 1,
              failing_since = now(), failed_tries = 9, next_due_at = now(), last_failure_at = now() where endpoint_id = $1`,
      [id],
    )
    expect((await getEndpoint(caller, id)).delivery).toMatchObject({ waiting: WAITING, breaker: 'open', failures: 9 })
    const disabled = await patchEndpoint(caller, id, { status: 'disabled' })
    expect(disabled).toMatchObject({ status: 'disabled', disabled_because: 'caller', delivery: { waiting: WAITING } })
    expect(await patchEndpoint(caller, id, { status: 'disabled' })).toEqual(disabled)
    const refused = await caller.ask('PUT', `/webhook-endpoints/${id}/pause`)
    expect(coded(refused)).toEqual([409, 'webhook_endpoint_disabled', 'id'])
    expect(refused.error.message).toContain('/resume')
    await caller.paid()
    const { fence } = await progressOf(world, id)

    // Whoever comes second finds it enabled.
    const twice = [patchEndpoint(caller, id, { status: 'enabled' }), putEndpoint(caller, id, 'resume')]
    for (const enabled of await Promise.all(twice))
      expect(enabled).toMatchObject({
        status: 'enabled',
        disabled_because: null,
        delivery: { behind: 0, waiting: 0, held: WAITING, breaker: 'closed', failures: 0, open_until: null },
      })
    expect(await progressOf(world, id)).toEqual({
      position: await endOf(world, caller),
      fence: fence + 1,
      leased: false,
      failures: 0,
      openings: 0,
      trusted: 16,
      failed_tries: 0,
      open: false,
      failing: false,
      due: false,
    })
    const rows = await deliveriesOf(world, id)
    expect(rows.filter(({ status, due }) => status === 'held' && !due)).toHaveLength(WAITING)
    expect(rows.at(-1)).toMatchObject({ status: 'delivered' })
  })

  test('that is enabled while something waits for it keeps waiting', async () => {
    const { id } = await makeEndpoint(caller)
    await tried(world, id, [1, 2], 'pending')
    await putEndpoint(caller, id, 'pause')
    expect((await putEndpoint(caller, id, 'resume')).delivery).toMatchObject({ waiting: 2, held: 0 })
  })

  test('that is deleted is gone, its secrets erased', async () => {
    const made = await makeEndpoint(caller)
    await leaseTo(world, made.id, 0)
    const { fence } = await progressOf(world, made.id)
    const reply = await caller.ask('DELETE', `/webhook-endpoints/${made.id}`)
    expect(reply.body['status']).toBe(200)
    const { updated_at, ...gone } = endpointOf(reply)
    expect(updated_at >= made.updated_at).toBe(true)
    expect(gone).toEqual({
      ...made,
      updated_at: undefined,
      status: 'deleted',
      secret: null,
      secrets: [],
      bearer_token: null,
      bearer_token_hint: null,
    })
    expect(await progressOf(world, made.id)).toMatchObject({ fence: fence + 1, leased: false })
    const [row] = await world.sql('select secrets_sealed, bearer_sealed from webhook_endpoints where id = $1', [
      made.id,
    ])
    expect(row).toEqual({ secrets_sealed: [], bearer_sealed: '' })
    const asked = (id: string) =>
      Promise.all([
        caller.ask('GET', `/webhook-endpoints/${id}`),
        caller.ask('DELETE', `/webhook-endpoints/${id}`),
        caller.ask('PATCH', `/webhook-endpoints/${id}`, { body: { status: 'enabled' } }),
        caller.ask('PUT', `/webhook-endpoints/${id}/resume`),
        caller.ask('POST', `/webhook-endpoints/${id}/roll-secret`),
        caller.ask('POST', `/webhook-endpoints/${id}/test`),
        caller.ask('POST', `/webhook-endpoints/${id}/replay`, { body: { missed: true } }),
        caller.ask('GET', `/webhook-endpoints/${id}/deliveries`),
      ])
    const errors = async (id: string) => (await asked(id)).map(({ error: { request_id: _, ...rest } }) => rest)
    expect(await errors(made.id)).toEqual(await errors(LATER))
    expect((await asked(made.id)).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 404))
  })
})

describe('a test', () => {
  test('sends a sample of each type, signed and once, and says what came of it', async () => {
    const received: { headers: Record<string, unknown>; body: string }[] = []
    const receiver = createServer((request, response) => {
      let body = ''
      request.on('data', (bytes: Buffer) => (body += bytes.toString()))
      request.on('end', () => {
        received.push({ headers: request.headers, body })
        response.writeHead(received.length === 1 ? 202 : 418).end('{"seen":true}')
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const { port } = receiver.address() as AddressInfo
    const made = await makeEndpoint(caller, { url: `http://127.0.0.1:${port}/`, events: ['contract.returned'] })
    const send = async (body: unknown) => {
      const { data } = await caller.ask('POST', `/webhook-endpoints/${made.id}/test`, { body })
      return data['delivery_test'] as Record<string, unknown> & { event: { id: string; type: string } }
    }
    const sent = await send({})
    expect(sent).toMatchObject({ delivered: true, outcome: 'delivered', status_code: 202, fault: null })
    expect(sent['response_body']).toBe('{"seen":true}')
    expect(sent.event).toMatchObject({ type: 'contract.paid', data: { object: { status: 'paid', livemode: false } } })
    expect(sent.event.id).toMatch(/^evt_[0-9a-f]{32}0001$/)
    expect(received[0]!.body).toBe(JSON.stringify(sent.event))
    expect(received[0]!.headers).toMatchObject({
      authorization: `Bearer ${made.bearer_token}`,
      'webhook-id': sent.event.id,
      'service-signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
    })
    for (const type of EVENT_TYPES) {
      const refused = await send({ type })
      expect(refused).toMatchObject({ delivered: false, outcome: 'refused', status_code: 418, event: { type } })
    }
    expect(received).toHaveLength(1 + EVENT_TYPES.length)
    expect(await deliveriesOf(world, made.id)).toEqual([])
    await new Promise((resolve) => receiver.close(resolve))
    expect(await send({})).toMatchObject({
      delivered: false,
      outcome: 'not_sent',
      status_code: null,
      response_body: null,
    })
    const wrong = await caller.ask('POST', `/webhook-endpoints/${made.id}/test`, { body: { type: 'contract.payed' } })
    expect(coded(wrong)).toEqual([400, 'invalid_type', 'type'])
  })
})
