// What a payer is shown: an address of the attempt's own that the owner of the key controls, and the amount to pay there.
import { HDKey, privateKeyToAddress } from 'viem/accounts'
import { getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { receivingConnector } from '../../../src/connectors/crypto/collecting.ts'
import { collects } from '../../../src/connectors/connector.ts'
import { openOutbound } from '../../../src/platform/outbound.ts'
import { CONFIRMATIONS, keyOf, openReceivers, type Receivers } from './crypto-in-stage.ts'

let receivers: Receivers
beforeAll(async () => {
  receivers = await openReceivers()
})
afterAll(() => receivers.close())

test.each([
  ['coin', '0.00625'],
  ['token', '12.5'],
] as const)('an attempt in the %s: what is asked, where, and until when', async (asset, amount) => {
  const { chain, collecting, order } = receivers
  const wanted = order(asset)
  const said = await collecting().collect(wanted)
  if (said.kind !== 'open' || said.nextAction?.type !== 'display_address') throw new Error(said.kind)
  const { address, uri, ...rest } = said.nextAction
  expect(said).toMatchObject({ status: 'pending', providerId: address.toLowerCase(), shown: {} })
  expect(rest).toEqual({
    type: 'display_address',
    amount,
    asset: wanted.quote?.asset,
    network: `eip155:${chain.chainId}`,
    confirmations: CONFIRMATIONS,
    expiresAt: Math.min(wanted.expiresAt, wanted.quote?.expiresAt ?? 0),
  })
  const { chainId, token } = chain
  const link =
    asset === 'coin'
      ? `ethereum:${address}@${chainId}?value=6250000000000000`
      : `ethereum:${getAddress(token)}@${chainId}/transfer?address=${address}&uint256=12500000`
  expect([uri, address]).toEqual([link, getAddress(address)])
})

test('the owner of the seed holds the key of each address', async () => {
  const { owner, book } = receivers
  for (const asset of ['coin', 'token'] as const) {
    const { order, address } = await receivers.attempt(asset)
    const found = await book.find(order.reference)
    const { privateKey } = owner.derive(`m/0/${found?.address.keyIndex}`)
    expect(privateKeyToAddress(`0x${Buffer.from(privateKey ?? []).toString('hex')}`)).toBe(address)
  }
})

test('an attempt has one address, however often and at once it is asked; two attempts never share one', async () => {
  const { collecting, order } = receivers
  const one = order('token')
  const addressOf = async (wanted: typeof one) => {
    const said = await collecting().collect(wanted)
    return said.kind === 'open' && said.nextAction?.type === 'display_address' ? said.nextAction.address : said
  }
  const same = await Promise.all(Array.from({ length: 8 }, () => addressOf(one)))
  expect(new Set(same).size).toBe(1)
  expect(await addressOf(one)).toBe(same[0])
  const others = Array.from({ length: 12 }, (_, place) => order(place % 2 ? 'coin' : 'token'))
  const addresses = await Promise.all(others.map(addressOf))
  expect(new Set([...addresses, ...same]).size).toBe(13)
})

test('an address that was used before, whoever used it, is passed over', async () => {
  const { chain, sql, key } = receivers
  await receivers.attempt('coin')
  const [row] = await sql<{ next_index: string }>('select next_index from chain_keys where fingerprint = $1', [
    key.fingerprint,
  ])
  const next = Number(row?.next_index)
  await chain.pay('coin', key.addressAt(next), 1n)
  await chain.pay('token', key.addressAt(next + 1), 1n)
  await chain.client.setNonce({ address: key.addressAt(next + 2), nonce: 1 })
  await chain.mine()
  const { address } = await receivers.attempt('token')
  expect(address).toBe(key.addressAt(next + 3))
  const old = keyOf(HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/44'/60'/0'"))
  for (let index = 0; index < 20; index++) await chain.client.setBalance({ address: old.addressAt(index), value: 1n })
  expect(await receivers.collecting({ key: old }).collect(receivers.order('coin'))).toMatchObject({
    kind: 'not_sent',
    reason: expect.stringContaining('an account of its own') as string,
  })
})

test('what is not followed, not priced, or not there is not shown', async () => {
  const { collecting, order, sql } = receivers
  const wanted = order('token')
  const quote = wanted.quote ?? (null as never)
  const away = collecting({ url: 'http://127.0.0.1:9/v3/secret' })
  const said = await away.collect(wanted)
  expect(said).toMatchObject({ kind: 'not_sent', reason: expect.not.stringMatching(/secret|127/) as string })
  expect(await collecting().checkCollection(wanted)).toEqual({ kind: 'not_found' })
  const unfollowed = { ...quote, token: `0x${'12'.repeat(20)}` as Hex }
  expect(await collecting().collect({ ...wanted, quote: unfollowed })).toMatchObject({
    kind: 'not_sent',
    reason: expect.stringContaining('not followed yet') as string,
  })
  expect(await collecting().collect({ ...wanted, quote: { ...quote, network: 'eip155:1' } })).toMatchObject({
    kind: 'not_sent',
  })
  expect(await collecting().collect({ ...wanted, quote: { ...quote, currency: 'PHP' } })).toMatchObject({
    kind: 'not_sent',
  })
  const dust = { ...wanted, quote: { ...quote, rate: '100000' } }
  expect(await collecting().collect(dust)).toMatchObject({ kind: 'failed', code: 'amount_too_small' })
  await expect(collecting().collect({ ...wanted, quote: null })).rejects.toThrow('has its quote')
  expect(await sql('select 1 from chain_addresses where reference = $1', [wanted.reference])).toEqual([])
  expect(await collecting().collect(wanted)).toMatchObject({ kind: 'open' })
  const other = { ...wanted, quote: order('coin').quote }
  expect(await collecting().collect(other)).toMatchObject({ kind: 'unknown' })
  expect(await collecting().checkCollection(other)).toMatchObject({ kind: 'unknown' })
  expect(await away.checkCollection(wanted)).toMatchObject({ kind: 'open', status: 'pending' })
  expect(await away.voidCollection(wanted, Date.now())).toBe('voided')
})

test('a channel that only receives refuses to pay for good', async () => {
  const { chain, key, book } = receivers
  const outbound = openOutbound()
  const { chainId, url } = chain
  const connector = receivingConnector({ outbound, url, timeoutMs: 5_000, chainId, key, book, confirmations: 3 })
  const payout = {
    reference: 'r',
    amountMinor: 1n,
    amountDecimal: '0.01',
    currency: 'USD',
    channelId: 'token',
    recipient: {},
    description: null,
    quote: null,
    refundOf: null,
    pays: null,
    notAfter: null,
  }
  expect(await connector.send(payout)).toMatchObject({ kind: 'failed', code: 'channel_only_receives' })
  expect(await connector.check('r', payout)).toMatchObject({ kind: 'failed' })
  expect(collects(connector) && connector.describeCollect()).toEqual({ inquiry: true, refunds: false })
  expect(await connector.collect(receivers.order('token'))).toMatchObject({ kind: 'open' })
  await outbound.close()
})
