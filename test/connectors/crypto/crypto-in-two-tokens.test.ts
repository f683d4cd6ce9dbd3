// One transaction that moves two tokens, as a bundle of several payers' does: each of the two payments is told, as what it is.
import { readFileSync } from 'node:fs'
import { type Abi, encodeFunctionData, getContractAddress, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cryptoCollecting } from '../../../src/connectors/crypto/collecting.ts'
import { openOutbound } from '../../../src/platform/outbound.ts'
import { CONFIRMATIONS, openReceivers, type Receivers } from './crypto-in-stage.ts'

let receivers: Receivers
const outbound = openOutbound()
beforeAll(async () => {
  receivers = await openReceivers()
})
afterAll(async () => {
  await receivers.close()
  await outbound.close()
})

const holder = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: 9 })
const { abi, bytecode } = JSON.parse(readFileSync('test/rig/token/TestToken.json', 'utf8')) as {
  abi: Abi
  bytecode: Hex
}

/** Code that calls while it is made: the data in memory, then CALL. */
function callCode(to: Hex, data: Hex): string {
  const bytes = data.slice(2)
  const size = bytes.length / 2
  const padded = bytes.padEnd(Math.ceil(size / 32) * 64, '0')
  const words = padded.match(/.{64}/g) ?? []
  const stored = words.map((word, at) => `7f${word}60${(at * 32).toString(16).padStart(2, '0')}52`).join('')
  return `${stored}6000600060${size.toString(16).padStart(2, '0')}6000600073${to.slice(2)}5af150`
}

const transfer = (to: Hex, units: bigint) => encodeFunctionData({ abi, functionName: 'transfer', args: [to, units] })

/** Funds a contract that is not there yet, and has it pay both while it is made. */
async function payTogether(payments: readonly { readonly token: Hex; readonly to: Hex; readonly units: bigint }[]) {
  const { client, mine } = receivers.chain
  const nonce = await client.getTransactionCount({ address: holder.address })
  const payer = getContractAddress({ from: holder.address, nonce: BigInt(nonce + payments.length) })
  for (const { token, units } of payments)
    await client.writeContract({
      account: holder,
      gas: 200_000n,
      address: token,
      abi,
      functionName: 'transfer',
      args: [payer, units],
    })
  await mine()
  const data = `0x${payments.map(({ token, to, units }) => callCode(token, transfer(to, units))).join('')}00` as Hex
  return client.sendTransaction({ account: holder, gas: 1_000_000n, data })
}

test.each(['the dear one', 'the cheap one'] as const)(
  'two tokens in one transaction, where %s is final first',
  async (first) => {
    const { chain, book, key } = receivers
    const deployed = await chain.client.deployContract({ abi, bytecode, args: [holder.address], account: holder })
    await chain.mine()
    const cheap = (await chain.client.getTransactionReceipt({ hash: deployed })).contractAddress as Hex
    const node = { outbound, url: chain.url, timeoutMs: 5_000, chainId: chain.chainId, confirmations: CONFIRMATIONS }
    const [dearWatch, cheapWatch] = [
      receivers.watcher('token'),
      receivers.watcher('token', { asset: cheap.toLowerCase() as Hex }),
    ]
    await receivers.follow(dearWatch)
    await receivers.follow(cheapWatch)
    const dear = await receivers.attempt('token')
    const order = receivers.order('token')
    const quote = { ...order.quote!, asset: 'CHEAP', token: cheap, rate: '0.000001' }
    const cheapOrder = { ...order, quote }
    const shown = await cryptoCollecting({ ...node, key, book }).collect(cheapOrder)
    const address = (shown.kind === 'open' &&
      shown.nextAction?.type === 'display_address' &&
      shown.nextAction.address) as Hex
    // A crumb of the dear one, and as many units of the cheap one as would pay the dear attempt.
    await payTogether([
      { token: chain.token, to: dear.address, units: 1n },
      { token: cheap, to: address, units: dear.units },
    ])
    await chain.mine(1)
    const watches = first === 'the dear one' ? [dearWatch, cheapWatch] : [cheapWatch, dearWatch]
    await receivers.round(dearWatch)
    await receivers.round(cheapWatch)
    await chain.mine(CONFIRMATIONS - 1)
    for (const watch of watches) await receivers.follow(watch)
    for (const watch of watches) await receivers.follow(watch)
    expect(receivers.told(dear.order).map(({ units }) => units)).toEqual([1n])
    expect(receivers.told(cheapOrder).map(({ units }) => units)).toEqual([dear.units])
  },
)
