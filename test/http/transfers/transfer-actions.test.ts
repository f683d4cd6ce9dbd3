// A transfer that failed for good goes again, by command or by the account's setting, and whoever asks is told where the
// money is. Real provider, real workers; the ledger holds after each.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import { type Caller, type ContractBody, openWorld, READY, type World } from '../../world.ts'

type Explanation = {
  readonly summary: string
  readonly places: readonly { readonly account: string; readonly amount: number; readonly currency: string }[]
  readonly waits_for: string
  readonly by: string | null
  readonly cancel_now: string
  readonly attempt: Readonly<Record<string, unknown>> | null
}

const SANDBOX = { ...SHIPPED_CHANNELS.find((channel) => channel.id === 'sandbox')!, undo_seconds: 0 }
const WALLET = SHIPPED_CHANNELS.find((channel) => channel.id === 'wallet')!
const SECOND = { ...SANDBOX, id: 'second', name: 'Second', connector: 'sandbox' }
const LIVE: typeof SANDBOX = { ...SECOND, id: 'live', connector: 'instapay', mode: 'live' }
const CHANNELS = [SANDBOX, SECOND, LIVE, WALLET]

let world: World
beforeAll(async () => {
  world = await openWorld({ config: { channels: CHANNELS }, liveRails: ['instapay'] })
})
afterEach(() => world.ledgerHolds())
afterAll(() => world.stop())

type Settings = { readonly refundsAtOnce: 'true' | 'false'; readonly retries: number; readonly fallback: string }

async function callerWith({ refundsAtOnce, retries, fallback }: Settings): Promise<Caller> {
  const caller = await world.newCaller()
  const change = `update accounts set refunds_at_once = $2, retries = $3, fallback_channels = $4 where account_id = $1`
  await world.sql(change, [caller.account.accountId, refundsAtOnce, retries, fallback])
  return caller
}
const BY_HAND: Settings = { refundsAtOnce: 'false', retries: 0, fallback: '{}' }

let accounts = 0
/** An account at the provider that refuses for good so many orders, and then takes them. */
async function refusing(times: number): Promise<string> {
  accounts += 1
  const account = `refusing-${accounts}`
  const body = JSON.stringify({ rail: 'sandbox', match: { account }, times, verdict: 'refused' })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${world.sandboxUrl}/scenarios`, { method: 'POST', headers, body })
  expect(reply.status).toBe(200)
  return account
}

/** Paid to an account that refuses so many orders, and as far as its transfer has come to a stand. */
async function paidTo(caller: Caller, times: number): Promise<ContractBody> {
  const { id } = await caller.paid({ recipient: { name: 'Ana', wallet: await refusing(times) } })
  return stands(caller, id, 'failed')
}

function stands(caller: Caller, id: string, status: string): Promise<ContractBody> {
  return vi.waitFor(
    async () => {
      const contract = await caller.get(id)
      expect(contract.transfer.status).toBe(status)
      return contract
    },
    { timeout: 30_000, interval: 20 },
  )
}

const retry = (caller: Caller, id: string, channel?: string) =>
  caller.ask('PUT', `/contracts/transfer/${id}/retry`, channel === undefined ? {} : { body: { channel } })

async function explained(caller: Caller, id: string): Promise<Explanation> {
  const { status, data } = await caller.ask('GET', `/contracts/transfer/${id}/explain`)
  expect(status).toBe(200)
  return data['explanation'] as Explanation
}

/** The ledger rows of a contract, oldest first. */
async function moved(caller: Caller, id: string): Promise<string[]> {
  const { id: wallet } = await caller.wallet('PHP')
  type Entry = { debit: string; credit: string; amount: number; contract_id: string }
  const entries = await caller.all<Entry>(`/wallets/${wallet}/entries`, 'entries')
  const own = entries.filter((entry) => entry.contract_id === id).toReversed()
  return own.map(({ debit, credit, amount }) => `${debit} -> ${credit} ${amount}`)
}

const HELD = 'available -> held 110.5'
const GIVEN_BACK = 'held -> available 110.5'
const DELIVERED = (channel: string) => [`held -> clearing:${channel} 100`, 'held -> fee_revenue 10.5']

describe('by command', () => {
  test('a new attempt with a new hold goes through the same channel and arrives', async () => {
    const caller = await callerWith(BY_HAND)
    const { id } = await paidTo(caller, 1)
    const { status, body } = await retry(caller, id)
    expect([status, body['status'], body['message']]).toEqual([200, 200, 'The transfer is tried again.'])
    expect(await world.settle(id)).toBe('completed')
    const { transfer, activities } = await caller.get(id)
    expect(transfer).toMatchObject({ attempts: 2, failure: null, reference: `${id.replaceAll('-', '')}002` })
    expect(activities.map(({ type }) => type)).toEqual([
      'created',
      'issued',
      'paid',
      'transfer_submitted',
      'transfer_failed',
      'transfer_retried',
      'transfer_submitted',
      'completed',
    ])
    expect(await moved(caller, id)).toEqual([HELD, GIVEN_BACK, HELD, ...DELIVERED('sandbox')])
  })

  test('test money is tried again on no channel of live money', async () => {
    const caller = await callerWith(BY_HAND)
    const { id } = await paidTo(caller, 1)
    const { status, error } = await retry(caller, id, 'live')
    expect([status, error.code, error.param]).toEqual([409, 'channel_not_in_mode', 'channel'])
    expect((await caller.get(id)).transfer).toMatchObject({ status: 'failed', attempts: 1 })
  })

  test('another channel may take it; the price stays, and its clearing account receives', async () => {
    const caller = await callerWith(BY_HAND)
    const { id } = await paidTo(caller, 1)
    expect((await retry(caller, id, 'second')).status).toBe(200)
    expect(await world.settle(id)).toBe('completed')
    expect((await caller.get(id)).channel?.id).toBe('sandbox')
    expect(await moved(caller, id)).toEqual([HELD, GIVEN_BACK, HELD, ...DELIVERED('second')])
    expect((await explained(caller, id)).attempt).toMatchObject({ number: 2, channel: 'second', status: 'delivered' })
  })

  test('a hundred at once make one new attempt, with keys and without', async () => {
    const caller = await callerWith(BY_HAND)
    const { id } = await paidTo(caller, 1)
    const headers = (index: number) => (index % 2 === 0 ? {} : { 'idempotency-key': `retry-${index}` })
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        caller.ask('PUT', `/contracts/transfer/${id}/retry`, { headers: headers(index) }),
      ),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(replies.filter(({ status }) => status !== 200).map(({ error }) => error.code))).toEqual(
      new Set(['transfer_not_failed']),
    )
    expect(await world.settle(id)).toBe('completed')
    expect((await caller.get(id)).transfer.attempts).toBe(2)
  })

  test('the same key again gives the first answer again', async () => {
    const caller = await callerWith(BY_HAND)
    const { id } = await paidTo(caller, 1)
    const sent = { headers: { 'idempotency-key': 'once' }, body: {} }
    const first = await caller.ask('PUT', `/contracts/transfer/${id}/retry`, sent)
    await world.settle(id)
    const again = await caller.ask('PUT', `/contracts/transfer/${id}/retry`, sent)
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true'])
  })

  test('is refused while the money may still move, where nothing failed, and where the channel lacks something', async () => {
    const caller = await callerWith(BY_HAND)
    const refusalOf = async (id: string, channel?: unknown) => {
      const { status, error } = await caller.ask('PUT', `/contracts/transfer/${id}/retry`, { body: { channel } })
      return [status, error.code, error.param]
    }
    const stuck = await stands(caller, (await caller.paid({ amount: 100.52 })).id, 'accepted')
    const { id: failed } = await paidTo(caller, 99)
    const bystanders = [(await caller.draft()).id, (await caller.issued()).id, stuck.id]
    for (const id of bystanders) expect(await refusalOf(id)).toEqual([409, 'transfer_not_failed', 'id'])
    expect(await refusalOf(failed, 'nowhere')).toEqual([404, 'channel_not_found', 'channel'])
    expect(await refusalOf(failed, 'wallet')).toEqual([409, 'requirements_not_met', 'channel'])
    expect(await refusalOf(failed, 7)).toEqual([400, 'invalid_channel', 'channel'])
    expect(await refusalOf('nonsense')).toEqual([404, 'contract_not_found', 'id'])
    expect((await caller.get(failed)).transfer).toMatchObject({ status: 'failed', attempts: 1 })
    expect((await caller.cancel(failed)).refund).toMatchObject({ amount: 110.5 })
    expect(await refusalOf(failed)).toEqual([409, 'transfer_not_failed', 'id'])
  })
})

describe('by the account’s setting', () => {
  test('the same channel is tried again a minute later', async () => {
    const caller = await callerWith({ refundsAtOnce: 'true', retries: 1, fallback: '{}' })
    const { id } = await caller.paid({ recipient: { name: 'Ana', wallet: await refusing(1) } })
    const waiting = await vi.waitFor(async () => {
      const { attempt } = await explained(caller, id)
      expect(attempt).toMatchObject({ number: 2, status: 'queued', channel: 'sandbox' })
      return attempt!
    }, 30_000)
    const restMs = Date.parse(waiting['next_at'] as string) - Date.now()
    expect(restMs).toBeGreaterThan(15_000)
    expect(restMs).toBeLessThanOrEqual(60_000)
    await world.sql('update jobs set due_at = now() where contract_id = $1', [id])
    expect(await world.settle(id)).toBe('completed')
    expect(await moved(caller, id)).toEqual([HELD, GIVEN_BACK, HELD, ...DELIVERED('sandbox')])
  })

  test('another channel is fallen back to at once, and the payer hears nothing of the failure', async () => {
    const caller = await callerWith({ refundsAtOnce: 'true', retries: 0, fallback: '{wallet,live,second}' })
    const { id } = await caller.paid({ recipient: { name: 'Ana', wallet: await refusing(1) } })
    expect(await world.settle(id)).toBe('completed')
    expect(await moved(caller, id)).toEqual([HELD, GIVEN_BACK, HELD, ...DELIVERED('second')])
    const events = await caller.all<{ type: string }>('/events', 'events')
    const types = ['created', 'issued', 'paid', 'completed'].map((each) => `contract.${each}`)
    expect(events.map(({ type }) => type)).toEqual(types)
  })

  test('when all of them refuse, all of it comes back, once', async () => {
    const caller = await callerWith({ refundsAtOnce: 'true', retries: 0, fallback: '{second}' })
    const before = await caller.balance('PHP')
    const { id } = await caller.paid({ amount: 100.21 })
    expect(await world.settle(id)).toBe('cancelled')
    expect(await caller.get(id)).toMatchObject({
      transfer: { attempts: 2, status: 'failed' },
      refund: { amount: 110.71 },
    })
    expect(await caller.balance('PHP')).toBe(before)
  })

  test('doubt is no failure: nothing else is tried, and the first attempt is found to have arrived', async () => {
    const caller = await callerWith({ refundsAtOnce: 'true', retries: 3, fallback: '{second}' })
    const { id } = await caller.paid({ amount: 100.41 })
    const { attempt, waits_for: waitsFor } = await vi.waitFor(async () => {
      const said = await explained(caller, id)
      expect(said.attempt).toMatchObject({ status: 'unknown' })
      return said
    }, 30_000)
    expect([attempt?.['number'], waitsFor]).toEqual([1, 'channel'])
    await world.sql('update jobs set due_at = now() where contract_id = $1', [id])
    expect(await world.settle(id)).toBe('completed')
    expect((await caller.get(id)).transfer.attempts).toBe(1)
  })
})

describe('explained', () => {
  test('a failed transfer waits for its caller, with every centavo named', async () => {
    const caller = await callerWith(BY_HAND)
    const { id, transfer } = await paidTo(caller, 99)
    expect(await explained(caller, id)).toEqual({
      summary: expect.stringContaining('refused it for good') as string,
      places: [{ account: 'held', amount: 110.5, currency: 'PHP' }],
      waits_for: 'caller',
      by: null,
      cancel_now: 'refunds all of it, the fee included; a retry sends it again instead',
      attempt: {
        number: 1,
        channel: 'sandbox',
        reference: transfer.reference,
        status: 'failed',
        tries: 0,
        submitted_at: transfer.submitted_at,
        next_at: null,
      },
    })
  })

  test('a draft binds nothing and has no attempt; what arrived is the recipient’s', async () => {
    const caller = await callerWith(BY_HAND)
    const draft = await caller.draft()
    expect(await explained(caller, draft.id)).toMatchObject({
      places: [],
      waits_for: 'caller',
      by: draft.expires_at,
      attempt: null,
    })
    const { id } = await caller.paid()
    await world.settle(id)
    expect(await explained(caller, id)).toMatchObject({
      places: [
        { account: 'recipient', amount: 100, currency: 'PHP' },
        { account: 'fee_revenue', amount: 10.5, currency: 'PHP' },
      ],
      waits_for: 'nobody',
      cancel_now: 'is refused: the money has arrived',
    })
  })

  test('what came back waits for the caller of an account that refunds by hand, and a cancel refunds it', async () => {
    const caller = await callerWith(BY_HAND)
    const { id } = await caller.paid({ amount: 100.51 })
    await world.settle(id)
    const body = JSON.stringify({ advance_seconds: 10 })
    await fetch(`${world.sandboxUrl}/clock`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    await stands(caller, id, 'returned')
    const held = [
      { account: 'held', amount: 100.51, currency: 'PHP' },
      { account: 'fee_revenue', amount: 10.5, currency: 'PHP' },
    ]
    expect(await explained(caller, id)).toMatchObject({ waits_for: 'caller', by: null, places: held })
    expect((await caller.cancel(id)).refund).toMatchObject({ amount: 100.51 })
  })

  test('a frozen channel waits for the operator, and its reason is nobody else’s', async () => {
    const caller = await callerWith(BY_HAND)
    const { id } = await paidTo(caller, 1)
    await world.sql(`insert into channel_freezes (channel_id, reason) values ('sandbox', 'a line of another account')`)
    // The workers look at freezes once a second.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await retry(caller, id)
    const { text } = await caller.ask('GET', `/contracts/transfer/${id}/explain`)
    expect(text).not.toContain('another account')
    expect(await explained(caller, id)).toMatchObject({
      waits_for: 'operator',
      by: null,
      attempt: { status: 'queued' },
    })
    await world.sql('delete from channel_freezes')
    expect(await world.settle(id)).toBe('completed')
  })

  test('no token may ask, not even one that is bound to the contract: the answer says what it costs', async () => {
    const caller = await callerWith(BY_HAND)
    const [one, two] = [await caller.draft(READY), await caller.draft(READY)]
    const token = async (contractId: string) => {
      const { body } = await caller.ask('POST', '/oauth/token', {
        body: { grant_type: 'client_credentials', contract_id: contractId },
      })
      return { authorization: `Bearer ${String(body['access_token'])}` }
    }
    const asked = async (bound: string) =>
      (await world.ask('GET', `/contracts/transfer/${one.id}/explain`, { headers: await token(bound) })).status
    expect([await asked(one.id), await asked(two.id)]).toEqual([401, 401])
  })
})
