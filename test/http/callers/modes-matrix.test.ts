// The wall between test and live: every route of the document, asked with a test key about a live thing and with a live key
// about a test thing. A route without a row fails. Both accounts are on one lane of one gateway, some of whose rails are live.
import { createHmac } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import type { Method } from '../../world.ts'
import { absent, all, type Body, coded, type Crossing, noId, ownMode, refused, without } from './modes-crossings.ts'
import { approvalRows } from '../approvals/modes-approvals.ts'
import { memberRows } from './modes-members.ts'
import { partyRows } from './modes-parties.ts'
import { policyRows } from '../policies/modes-policies.ts'
import { scheduleRows } from '../schedules/modes-schedules.ts'
import {
  CALLING,
  drafted,
  endpoint,
  ENDPOINT,
  event,
  failed,
  issued,
  openModes,
  opened,
  paid,
  payment,
  received,
  SECRET,
  type Side,
  stateOf,
  wallet,
} from './modes-stage.ts'
import { verifierRows } from './modes-verifiers.ts'
import { makeProvider, tell } from '../payments/receiver-world.ts'
import { follow } from '../webhooks/stream-follower.ts'

const { world, TEST, LIVE } = await openModes()
afterAll(() => world.stop())
const base = await world.listen()

const managed = (method: Method, path: string, body?: Body) =>
  absent(method, `/webhook-endpoints/{id}${path}`, endpoint, body)

const key = async ({ caller }: Side) =>
  ((await caller.ask('POST', '/keys', { body: KEY })).data['key'] as { id: string }).id
const KEY = { name: 'Made', scopes: ['accounts:read'] }
const keyed = (method: Method, path: string, body?: Body) => absent(method, `/keys/{id}${path}`, key, body)

const ROWS: Readonly<Record<string, Crossing>> = {
  'POST /keys': ownMode(
    'POST',
    '/keys',
    KEY,
    ({ data }) => /^gck_(live|test)_/.exec(String(data['api_key']))?.[1] === 'live',
  ),
  'GET /audit': async (asking, owning) => {
    const [mine, theirs] = [await key(asking), await key(owning)]
    const { text } = await asking.caller.ask('GET', '/audit?limit=100')
    expect([text.includes(mine), text.includes(theirs)]).toEqual([true, false])
  },
  'GET /usage': async (asking) => {
    const { text, status } = await asking.caller.ask('GET', '/usage')
    expect([status, text.includes('"failed":0')]).toEqual([200, true])
  },
  'GET /overview': async (asking) => {
    const { data } = await asking.caller.ask('GET', '/overview')
    expect((data['overview'] as { livemode: boolean }).livemode).toBe(asking.word === 'live')
  },
  'GET /requests': async (asking, owning) => {
    const { text } = await asking.caller.ask('GET', '/requests?limit=100')
    expect([text.includes(asking.caller.keyId), text.includes(owning.caller.keyId)]).toEqual([true, false])
  },
  'GET /requests/stream': heardOfRequests,
  'GET /accounts/me': async (asking, owning) => {
    const { data, text } = await asking.caller.ask('GET', '/accounts/me')
    expect((data['account'] as { livemode: boolean }).livemode).toBe(asking.word === 'live')
    expect(text).not.toContain(owning.caller.account.accountId)
  },
  'PATCH /accounts/me': async (asking, owning) => {
    const body = { settings: { fallback_channels: owning.channels.slice(0, 1) } }
    const reply = await asking.caller.ask('PATCH', '/accounts/me', { body })
    expect(coded(reply)).toEqual([400, 'invalid_settings_fallback_channels'])
  },
  'GET /keys': without('/keys', 'keys', key),
  'GET /keys/current': async (asking) => {
    const { data } = await asking.caller.ask('GET', '/keys/current')
    expect((data['key'] as { livemode: boolean }).livemode).toBe(asking.word === 'live')
  },
  'GET /keys/{id}': keyed('GET', ''),
  'PATCH /keys/{id}': keyed('PATCH', '', { name: 'mine now' }),
  'POST /keys/{id}/roll': keyed('POST', '/roll', {}),
  'DELETE /keys/{id}': keyed('DELETE', ''),
  'POST /contracts/transfer': refused('POST', '/contracts/transfer', noId, ({ draft }) => draft, 'channel'),
  ...approvalRows,
  'GET /contracts/transfer': without('/contracts/transfer', 'contracts', drafted),
  'GET /contracts/transfer/{id}': absent('GET', '/contracts/transfer/{id}', paid),
  'GET /contracts/transfer/{id}/activities': absent('GET', '/contracts/transfer/{id}/activities', paid),
  'PATCH /contracts/transfer/{id}': all(
    absent('PATCH', '/contracts/transfer/{id}', drafted, { amount: 1 }),
    refused('PATCH', '/contracts/transfer/{id}', drafted, ({ draft }) => draft, 'channel'),
  ),
  'PUT /contracts/transfer/{id}/issue': absent('PUT', '/contracts/transfer/{id}/issue', drafted, {}),
  'PUT /contracts/transfer/{id}/pay': all(absent('PUT', '/contracts/transfer/{id}/pay', issued, {}), sourceOf),
  'PUT /contracts/transfer/{id}/retry': all(
    absent('PUT', '/contracts/transfer/{id}/retry', failed, {}),
    refused('PUT', '/contracts/transfer/{id}/retry', failed, ({ draft }) => ({ channel: draft['channel'] }), 'channel'),
  ),
  'GET /contracts/transfer/{id}/explain': absent('GET', '/contracts/transfer/{id}/explain', paid),
  'GET /contracts/transfer/{id}/receipt': absent('GET', '/contracts/transfer/{id}/receipt', paid),
  'GET /contracts/transfer/{id}/attempts': absent('GET', '/contracts/transfer/{id}/attempts', paid),
  'GET /contracts/transfer/{id}/entries': absent('GET', '/contracts/transfer/{id}/entries', paid),
  'GET /contracts/transfer/{id}/deliveries': absent('GET', '/contracts/transfer/{id}/deliveries', paid),
  'DELETE /contracts/transfer/{id}': absent('DELETE', '/contracts/transfer/{id}', paid, { reason: 'mine now' }),
  'POST /contracts/payment': all(
    refused(
      'POST',
      '/contracts/payment',
      noId,
      ({ collects }) => ({ amount: 100, currency: 'PHP', channel: collects }),
      'channel',
    ),
    refused(
      'POST',
      '/contracts/payment',
      noId,
      ({ collects }) => ({ amount: 100, currency: 'PHP', payment: chosen(collects) }),
      'payment.type',
    ),
  ),
  'GET /contracts/payment': without('/contracts/payment', 'contracts', payment),
  'GET /contracts/payment/{id}': absent('GET', '/contracts/payment/{id}', payment),
  'GET /contracts/payment/{id}/activities': absent('GET', '/contracts/payment/{id}/activities', payment),
  'GET /contracts/payment/{id}/explain': absent('GET', '/contracts/payment/{id}/explain', payment),
  'GET /contracts/payment/{id}/receipt': absent('GET', '/contracts/payment/{id}/receipt', payment),
  'GET /contracts/payment/{id}/attempts': absent('GET', '/contracts/payment/{id}/attempts', payment),
  'GET /contracts/payment/{id}/entries': absent('GET', '/contracts/payment/{id}/entries', payment),
  'GET /contracts/payment/{id}/deliveries': absent('GET', '/contracts/payment/{id}/deliveries', payment),
  'PUT /contracts/payment/{id}/pay': all(
    absent('PUT', '/contracts/payment/{id}/pay', payment, chosen('maya')),
    refused('PUT', '/contracts/payment/{id}/pay', payment, ({ collects }) => chosen(collects), 'payment.type'),
    payersWallet,
  ),
  'DELETE /contracts/payment/{id}': absent('DELETE', '/contracts/payment/{id}', payment, { reason: 'mine now' }),
  'POST /contracts/payment/{id}/refunds': all(
    absent('POST', '/contracts/payment/{id}/refunds', (side) => received(side, 100_00n), {}),
    refused(
      'POST',
      '/contracts/payment/{id}/refunds',
      (side) => received(side, 100_00n),
      ({ back }) => back,
      'channel',
    ),
  ),
  'POST /contracts/payment/{id}/returns': all(
    absent('POST', '/contracts/payment/{id}/returns', (side) => received(side, 40_00n), {}),
    refused(
      'POST',
      '/contracts/payment/{id}/returns',
      (side) => received(side, 40_00n),
      ({ back }) => back,
      'channel',
    ),
  ),
  ...partyRows,
  ...scheduleRows,
  ...memberRows,
  ...verifierRows,
  ...policyRows,
  'GET /events': without('/events', 'events', drafted),
  'GET /events/{id}': absent('GET', '/events/{id}', event),
  'GET /events/changes': heard,
  'GET /events/stream': heard,
  'POST /webhook-endpoints': ownMode('POST', '/webhook-endpoints', ENDPOINT, ({ data }) => {
    return (data['webhook_endpoint'] as { livemode: boolean }).livemode
  }),
  'GET /webhook-endpoints': without('/webhook-endpoints', 'webhook_endpoints', endpoint),
  'GET /webhook-endpoints/{id}': managed('GET', ''),
  'PATCH /webhook-endpoints/{id}': managed('PATCH', '', { description: 'mine now' }),
  'DELETE /webhook-endpoints/{id}': managed('DELETE', ''),
  'PUT /webhook-endpoints/{id}/pause': managed('PUT', '/pause'),
  'PUT /webhook-endpoints/{id}/resume': managed('PUT', '/resume'),
  'POST /webhook-endpoints/{id}/roll-secret': managed('POST', '/roll-secret', {}),
  'POST /webhook-endpoints/{id}/test': managed('POST', '/test', {}),
  'POST /webhook-endpoints/{id}/replay': all(managed('POST', '/replay', { missed: true }), replayOf),
  'GET /webhook-endpoints/{id}/deliveries': managed('GET', '/deliveries'),
  'GET /webhook-endpoints/{id}/deliveries/{delivery}/attempts': managed('GET', '/deliveries/{delivery}/attempts'),
  'GET /channels': async (asking) => {
    const { data } = await asking.caller.ask('GET', '/channels')
    const channels = data['channels'] as { id: string; livemode: boolean | null }[]
    expect(channels.map(({ id }) => id).sort()).toEqual(asking.channels)
    for (const { id, livemode } of channels)
      expect([id, livemode]).toEqual([id, id === 'wallet' ? null : asking.word === 'live'])
  },
  // Open to all, as the reader of a contract may be anybody: it says which mode the channel is of.
  'GET /channels/{id}': async (_, owning) => {
    const { data } = await world.ask('GET', `/channels/${owning.collects}`)
    expect((data['channel'] as { livemode: boolean }).livemode).toBe(owning.word === 'live')
  },
  'GET /channels/{id}/policy': async (_, owning) => {
    expect((await world.ask('GET', `/channels/${owning.collects}/policy`)).status).toBe(200)
  },
  'POST /channels/compare': async (asking) => {
    const { data } = await asking.caller.ask('POST', '/channels/compare', { body: { amount: 100, currency: 'PHP' } })
    const priced = (data['channels'] as { channel: { id: string } }[]).map(({ channel }) => channel.id)
    expect(priced.length).toBeGreaterThan(1)
    expect(priced.filter((id) => !asking.channels.includes(id))).toEqual([])
  },
  'GET /sandbox': testOnly('GET', ''),
  'POST /sandbox/scenarios': testOnly('POST', '/scenarios', { match: { account: 'nobody' }, verdict: 'refused' }),
  'DELETE /sandbox/scenarios': testOnly('DELETE', '/scenarios'),
  'POST /sandbox/clock': testOnly('POST', '/clock', { advance_seconds: 1 }),
  'GET /sandbox/orders': testOnly('GET', '/orders'),
  'POST /oauth/token': all(
    ownMode('POST', '/oauth/token', { grant_type: 'client_credentials' }, ({ body }) => body['livemode']),
    boundTo,
  ),
  'POST /channels/{id}/callbacks': async (asking, owning) => {
    const { id, transfer, preview, currency } = await owning.caller.paid(owning.draft)
    const before = await stateOf(owning)
    for (const rail of asking.channels.filter((each) => CALLING.has(each))) {
      const object = {
        rail,
        reference: transfer.reference,
        amount: preview.receive_amount.toFixed(2),
        currency,
        status: 'completed',
      }
      const body = JSON.stringify({
        id: 'evt_1',
        type: 'transfer.completed',
        created_at: new Date(0).toISOString(),
        data: { object },
      })
      const t = Math.floor(Date.now() / 1000)
      const v1 = createHmac('sha256', SECRET).update(`${t}.${body}`).digest('hex')
      const headers = { 'service-signature': `t=${t},v1=${v1}`, 'content-type': 'application/json' }
      const { status, text } = await world.ask('POST', `/channels/${rail}/callbacks`, { body, headers })
      expect([rail, status, text, id]).toEqual([rail, 200, '{}', id])
    }
    expect(await stateOf(owning)).toEqual(before)
  },
  'POST /webhooks': async (asking, owning) => {
    const contract = await payment(owning)
    const before = await stateOf(owning)
    const provider = await makeProvider(world, asking.caller, { livemode: asking.word === 'live' })
    const object = {
      id: `pi of ${contract}`,
      contract_id: contract,
      amount: 100,
      currency: 'PHP',
      status: 'succeeded',
      channel: owning.collects,
    }
    const told = {
      id: `evt of ${contract}`,
      type: 'payment_intent.succeeded',
      created_at: Math.floor(Date.now() / 1000),
      data: { object },
    }
    expect((await tell(world, provider, told)).status).toBe(200)
    expect(await stateOf(owning)).toEqual(before)
    const [stored] = await world.sql<{ status: string }>('select status from payment_events where id = $1', [told.id])
    expect(stored?.status).toBe('unmatched')
  },
}
const NO_ACCOUNT = ['GET /healthz', 'GET /readyz']

function chosen(kind: Side['collects']): Body {
  return { type: kind, [kind]: {} }
}

/** The sandbox serves test accounts alone, and says nothing of what is live. */
function testOnly(method: Method, path: string, body?: Body): Crossing {
  return async (asking, owning) => {
    const theirs = await paid(owning)
    const reply = await asking.caller.ask(method, `/sandbox${path}`, body === undefined ? {} : { body })
    if (asking.word === 'live') expect(coded(reply)).toEqual([403, 'test_account_required'])
    else expect([reply.status, reply.text.includes(theirs.replaceAll('-', ''))]).toEqual([200, false])
  }
}

async function sourceOf(asking: Side, owning: Side): Promise<void> {
  const body = { source: await wallet(owning) }
  const reply = await asking.caller.ask('PUT', `/contracts/transfer/${await issued(asking)}/pay`, { body })
  expect(coded(reply)).toEqual([404, 'wallet_not_found'])
}

async function replayOf(asking: Side, owning: Side): Promise<void> {
  const body = { events: [await event(owning)] }
  const reply = await asking.caller.ask('POST', `/webhook-endpoints/${await endpoint(asking)}/replay`, { body })
  expect(coded(reply)).toEqual([404, 'event_not_found'])
}

async function boundTo(asking: Side, owning: Side): Promise<void> {
  const body = { grant_type: 'client_credentials', contract_id: await drafted(owning) }
  expect(coded(await asking.caller.ask('POST', '/oauth/token', { body }))).toEqual([404, 'contract_not_found'])
}

/** The wallet of the other mode is no wallet for the contract, whatever its payer shows. */
async function payersWallet(asking: Side, owning: Side): Promise<void> {
  const mine = await opened(asking)
  const before = await stateOf(owning)
  const headers = { authorization: `Bearer ${mine.checkout_url.split('/').at(-1)}`, 'x-api-key': owning.caller.apiKey }
  const body = { type: 'wallet', wallet: { wallet_id: await wallet(owning) } }
  const reply = await world.ask('PUT', `/contracts/payment/${mine.id}/pay`, { headers, body })
  expect([...coded(reply), reply.error.param]).toEqual([404, 'wallet_not_found', 'payment.wallet.wallet_id'])
  expect(await stateOf(owning)).toEqual(before)
}

/** The stream of one side tells nothing of the other: what comes after an event of the other is one's own next. */
async function heard(asking: Side, owning: Side): Promise<void> {
  const stream = await follow(base, asking.caller, { after: await event(asking) })
  const theirs = await event(owning)
  const mine = await event(asking)
  await expect.poll(() => stream.ids()).toContain(mine)
  stream.cut()
  expect(stream.ids()).not.toContain(theirs)
}

/** Of the requests it tells one's own, and not one of the other side that came before it. */
async function heardOfRequests(asking: Side, owning: Side): Promise<void> {
  const end = new AbortController()
  const headers = { 'x-api-key': asking.caller.apiKey }
  const { body } = await fetch(`${base}/requests/stream`, { headers, signal: end.signal })
  await owning.caller.ask('GET', '/usage')
  await asking.caller.ask('GET', '/usage')
  let told = ''
  if (body) {
    for await (const part of body.pipeThrough(new TextDecoderStream())) {
      told += part
      if (told.includes(asking.caller.keyId)) break
    }
  }
  end.abort()
  expect(told).toContain(asking.caller.keyId)
  expect(told).not.toContain(owning.caller.keyId)
}

test('every route of the document has a row, and every row a route', () => {
  const routes = world.routes.map(({ method, path }) => `${method} ${path}`)
  expect([...Object.keys(ROWS), ...NO_ACCOUNT].toSorted()).toEqual(routes.toSorted())
})

describe.each([
  ['a test key on a live thing', TEST, LIVE],
  ['a live key on a test thing', LIVE, TEST],
])('%s', (_what, asking, owning) => {
  test.each(Object.keys(ROWS))('%s', async (name) => {
    expect.hasAssertions()
    await ROWS[name]?.(asking, owning)
  })
})

test('the books hold', () => world.ledgerHolds())
