// Payouts in crypto assets through the whole gateway: the draft shows what arrives, issue freezes it, and the chain, looked
// at by a client of the test's own, has it to the last unit, once.
import { setTimeout as sleep } from 'node:timers/promises'
import { createPublicClient, erc20Abi, formatUnits, http } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccount, createApiKey } from '../../../src/app/accounts/accounts.ts'
import type { ChannelConfig } from '../../../src/domain/channel/config.ts'
import { SCOPES } from '../../../src/domain/account/scopes.ts'
import { callerOf } from '../../world-caller.ts'
import { CONFIRMATIONS, type CryptoWorld, newAddress, openCryptoWorld } from './crypto-world.ts'

let at: CryptoWorld
beforeAll(async () => {
  at = await openCryptoWorld()
})
afterAll(async () => {
  await at.world.ledgerHolds()
  await at.close()
})

/** 100 PHP in each asset, in its smallest unit: cut off, never rounded up. */
const WORTH = { coin: 10n ** 21n / 1_128_005n, token: 1_773_049n }
const DECIMALS = { coin: 18, token: 6 }
type Asset = keyof typeof WORTH

async function received(asset: Asset, address: `0x${string}`): Promise<bigint> {
  const client = createPublicClient({ transport: http(at.chain.url, { retryCount: 0 }), cacheTime: 0 })
  if (asset === 'coin') return client.getBalance({ address })
  return client.readContract({ address: at.chain.token, abi: erc20Abi, functionName: 'balanceOf', args: [address] })
}

async function sendOf(id: string) {
  const { transfer } = await at.world.caller.get(id)
  const sends = await at.world.sql<{ status: string; mined_block: string | null; hashes: string[] }>(
    'select status, mined_block, hashes from chain_sends where reference = $1',
    [transfer.reference],
  )
  return sends[0]
}

describe('a draft', () => {
  test.each(['coin', 'token'] as const)('shows what arrives, at which rate, and until when: %s', async (asset) => {
    const draft = await at.world.caller.draft(at.order(asset))
    expect(draft.preview).toMatchObject({ valid: true, amount: 110, receive_amount: 100 })
    expect(draft.preview.asset).toEqual({
      network: 'eip155:31337',
      asset: asset === 'coin' ? 'ETH' : 'TUSD',
      token: asset === 'coin' ? null : at.chain.token,
      amount: formatUnits(WORTH[asset], DECIMALS[asset]),
      rate: asset === 'coin' ? '112800.50' : '56.40',
      expires_at: new Date(Date.parse(draft.updated_at) + 600_000).toISOString(),
    })
  })

  const MISTYPED = '0x52908400098527886E0F7030069857D2E4169eE7'
  test.each([
    ['a mistyped address', () => ({ wallet: MISTYPED }), 'recipient.wallet', /checksum.*Copy it anew/],
    [
      'the zero address',
      () => ({ wallet: `0x${'0'.repeat(40)}` }),
      'recipient.wallet',
      /Nobody holds the zero address/,
    ],
    ["the token's own address", () => ({ wallet: at.chain.token }), 'recipient.wallet', /token's own contract/],
    ['no address at all', () => ({ wallet: '0123456789' }), 'recipient.wallet', /0x and 40 hexadecimal digits/],
    ['dust', () => ({ amount: 0.05 }), 'amount', /So little of TUSD.*raise the amount/],
  ])('with %s says the mend and is not issued', async (_what, wrong, param, mend) => {
    const { amount = 100, wallet = newAddress() } = wrong() as { amount?: number; wallet?: string }
    const fields = { channel: 'token', amount, recipient: { name: 'Ana Reyes', wallet } }
    const draft = await at.world.caller.draft(fields)
    expect(draft.preview.valid).toBe(false)
    expect(draft.preview.messages.map(({ message }) => message).join(' ')).toMatch(mend)
    const { status, error } = await at.world.caller.ask('PUT', `/contracts/transfer/${draft.id}/issue`)
    expect([status, error.code, error.param]).toEqual([409, 'requirements_not_met', param])
    expect(error.message).toMatch(mend)
  })

  test('of live money is refused by a channel on a chain that is declared to be one for tests', async () => {
    const { deps } = at.world.gateway
    const account = await createAccount(deps.reader, deps, { name: 'Live', livemode: true, currencies: ['PHP'] })
    const wanted = { name: 'Live', livemode: true, scopes: SCOPES, expiresInSeconds: null }
    const live = callerOf(at.world, account, await createApiKey(deps.reader, account, wanted))
    const body = { ...at.order('token'), currency: 'PHP' }
    const { status, error } = await live.ask('POST', '/contracts/transfer', { body })
    expect([status, error.code, error.param]).toEqual([409, 'channel_not_in_mode', 'channel'])
    expect(error.message).toContain('Channel token moves TEST money, and this is a live contract. No live channel')
  })
})

describe('issue', () => {
  test('freezes the rate: a later price is for later contracts', async () => {
    const { world } = at
    const order = at.order('token')
    const issued = await world.caller.issued(order)
    const waiting = await world.caller.draft(at.order('token'))
    const dearer = at.channels.map((channel) => repriced(channel, '60'))
    const neighbour = await world.beside({ channels: dearer })
    const beside = callerOf(neighbour, world.caller.account, { keyId: world.caller.keyId, text: world.caller.apiKey })
    try {
      expect((await beside.get(issued.id)).preview).toEqual(issued.preview)
      expect((await beside.draft(at.order('token'))).preview.asset).toMatchObject({ rate: '60', amount: '1.666666' })
      // The draft was priced before the change; what is promised is the price of the moment of issue.
      expect((await beside.issue(waiting.id)).preview.asset).toMatchObject({ rate: '60', amount: '1.666666' })
      const paid = await beside.pay(issued.id)
      expect(paid.preview).toEqual(issued.preview)
    } finally {
      await neighbour.stop()
    }
    expect(await at.ends(issued.id)).toBe('completed')
    expect(await received('token', order.recipient.wallet)).toBe(WORTH.token)
  })

  test('lets the contract live no longer than its quote, and no longer than was asked for', async () => {
    const long = await at.world.caller.issued({ ...at.order('token'), expires_in: 86_400 })
    expect(long.expires_at).toBe(long.preview.asset?.expires_at)
    expect(Date.parse(long.expires_at) - Date.parse(long.issued_at ?? '')).toBe(600_000)
    const short = await at.world.caller.issued({ ...at.order('token'), expires_in: 60 })
    expect(Date.parse(short.expires_at)).toBeLessThan(Date.parse(short.preview.asset?.expires_at ?? ''))
  })

  test('at a price that has ended cannot be paid', async () => {
    const { id, expires_at } = await at.world.caller.issued(at.order('brief'))
    await sleep(Date.parse(expires_at) - Date.now() + 5)
    const { status, error } = await at.world.caller.ask('PUT', `/contracts/transfer/${id}/pay`)
    expect([status, error.code]).toEqual([409, 'contract_expired'])
  })
})

function repriced(channel: ChannelConfig, rate: string): ChannelConfig {
  return channel.asset ? { ...channel, asset: { ...channel.asset, rates: { PHP: rate } } } : channel
}

describe('a payout', () => {
  test.each(['coin', 'token'] as const)(
    'arrives to the last unit, and ends with its confirmations: %s',
    async (asset) => {
      const { world, chain, sender } = at
      const before = await chain.nonce(sender)
      const order = at.order(asset)
      const { id } = await world.caller.paid(order)
      await at.stands(id, 'accepted')
      await chain.mine(CONFIRMATIONS - 1)
      await looked(id)
      expect(await received(asset, order.recipient.wallet)).toBe(WORTH[asset])
      expect(await world.caller.get(id)).toMatchObject({
        status: 'paid',
        transfer: { status: 'accepted', attempts: 1 },
      })
      expect(await at.ends(id)).toBe('completed')
      expect(await received(asset, order.recipient.wallet)).toBe(WORTH[asset])
      expect(await chain.nonce(sender)).toBe(before + 1)
      expect(await sendOf(id)).toMatchObject({ status: 'delivered' })
    },
  )

  test('that waits for its blocks is looked at every ten seconds, however long it takes', async () => {
    const { id } = await at.world.caller.paid(at.order('token'))
    await at.stands(id, 'accepted')
    await at.world.sql('update jobs set tries = 40 where contract_id = $1', [id])
    const waitsMs = await looked(id)
    expect(waitsMs).toBeGreaterThan(7_000)
    expect(waitsMs).toBeLessThanOrEqual(10_000)
    expect(await at.ends(id)).toBe('completed')
  })

  test('to the address that pays is refused before anything is signed, and comes back', async () => {
    const { world, chain, sender } = at
    const before = [await world.caller.balance('PHP'), await chain.nonce(sender)]
    const { id } = await world.caller.paid({ ...at.order('coin'), recipient: { name: 'Ana', wallet: sender } })
    expect(await at.ends(id)).toBe('cancelled')
    expect((await world.caller.get(id)).transfer.failure).toMatchObject({ code: 'invalid_address' })
    expect([await world.caller.balance('PHP'), await chain.nonce(sender)]).toEqual(before)
  })

  test('while the node is away waits, in doubt where it may have heard, and goes once', async () => {
    const { world, chain, node, sender } = at
    const before = await chain.nonce(sender)
    const order = at.order('token')
    node.spoil('eth_chainId', { when: 'before', how: 'fails' })
    const { id } = await world.caller.paid(order)
    await askedInVain(id, 2)
    expect((await world.caller.get(id)).transfer.status).toBe('queued')
    expect(await sendOf(id)).toBeUndefined()

    node.spoil('eth_sendRawTransaction', { when: 'after', how: 'leaves' })
    node.spoil('eth_chainId', null)
    await at.stands(id, 'unknown')
    await chain.forgetPool()
    await askedInVain(id, 2)
    expect(await world.caller.get(id)).toMatchObject({ status: 'paid', transfer: { status: 'unknown', attempts: 1 } })

    node.spoil('eth_sendRawTransaction', null)
    expect(await at.ends(id)).toBe('completed')
    expect(await received('token', order.recipient.wallet)).toBe(WORTH.token)
    expect(await chain.nonce(sender)).toBe(before + 1)
  })

  test.each(['coin', 'token'] as const)('that a re-org takes back goes again, and is paid once: %s', async (asset) => {
    const { world, chain, sender } = at
    const nonce = await chain.nonce(sender)
    const order = at.order(asset)
    const { id } = await world.caller.paid(order)
    await at.stands(id, 'accepted')
    const before = await chain.client.snapshot()
    await chain.mine()
    await looked(id)
    expect((await sendOf(id))?.mined_block).not.toBeNull()
    expect(await received(asset, order.recipient.wallet)).toBe(WORTH[asset])

    await chain.client.revert({ id: before })
    await chain.forgetPool()
    expect(await received(asset, order.recipient.wallet)).toBe(0n)
    await looked(id)
    expect((await world.caller.get(id)).transfer.status).toBe('accepted')
    expect(await sendOf(id)).toMatchObject({ status: 'open', mined_block: null })

    expect(await at.ends(id)).toBe('completed')
    expect(await received(asset, order.recipient.wallet)).toBe(WORTH[asset])
    expect(await chain.nonce(sender)).toBe(nonce + 1)
    expect((await sendOf(id))?.hashes).toHaveLength(1)
  })
})

type Waiting = { fence: number; waits_ms: number; status: string }

async function waitingOf(id: string): Promise<Waiting> {
  const [row] = await at.world.sql<Waiting>(
    `select fence, status, (extract(epoch from due_at - now()) * 1000)::float8 as waits_ms
       from jobs where contract_id = $1`,
    [id],
  )
  if (!row) throw new Error('the contract has no attempt')
  return row
}

/** Has a worker look at the transfer once more, from now; how long it then waits, in milliseconds. */
async function looked(id: string): Promise<number> {
  const before = await waitingOf(id)
  await at.world.sql('update jobs set due_at = now() where contract_id = $1', [id])
  // The lease of the call is longer than that; the report ends it.
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(40)) {
    const { fence, waits_ms } = await waitingOf(id)
    if (fence > before.fence && waits_ms > 0 && waits_ms <= 10_000) return waits_ms
  }
  throw new Error('nobody looked at the transfer')
}

/** Waits until workers have called a node that is away so many times more. */
async function askedInVain(id: string, times: number): Promise<void> {
  const before = await waitingOf(id)
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(40)) {
    const { status, fence } = await waitingOf(id)
    if (fence >= before.fence + times && status !== 'submitting') return
    await at.hurry()
  }
  throw new Error('the node was not called')
}
