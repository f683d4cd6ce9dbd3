// The end of a price: who pays a crumb in time does not keep the price for later, and who paid in time has it.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PaymentBody } from '../payments/payments-stage.ts'
import { CONFIRMATIONS, type CryptoStage, linkOf, openCryptoStage } from './crypto-payments-stage.ts'

let at: CryptoStage
beforeAll(async () => {
  at = await openCryptoStage('receives')
})
afterAll(() => at.close())

/**
 * Asked of the attempt as it was opened: one that is closed by then shows no end any more. Over by the chain's clock, too, which counts whole
 * seconds from a whole second on.
 */
function isOver({ next_action: opened }: PaymentBody): () => boolean {
  const endsAt = Date.parse(opened?.expires_at ?? '')
  return () => endsAt + 2000 < Date.now()
}
const isIn = (amount: number) => (payment: PaymentBody) => payment.amount_received === amount

test.each([
  ['TUSD', 'soon'],
  ['ETH', 'brief_coin'],
] as const)('%s paid in time pays the contract, though the gateway was away past the end', async (asset, channel) => {
  await at.stopWorkers()
  const opened = await at.open(asset, {}, { channel })
  await at.pay(opened)
  await at.mine(1)
  await at.until(opened.id, isOver(opened))
  await at.startWorkers()
  const paid = await at.minedUntil(opened.id, isIn(100))
  expect(paid).toMatchObject({ status: 'completed', amount_in_suspense: 0 })
})

test('a crumb that is worth nothing does not keep the attempt open past the end of its price', async () => {
  const opened = await at.open('TUSD', {}, { channel: 'brief' })
  await at.pay(opened, () => 1n)
  await at.mine(1)
  await at.until(opened.id, ({ attempts }) => attempts[0]?.status === 'processing')
  await at.mine(CONFIRMATIONS)
  await at.until(opened.id, isOver(opened))
  await sleep(3000)
  await at.settled()
  await at.pay(opened)
  const paid = await at.minedUntil(opened.id, isIn(100))
  expect(paid).toMatchObject({ status: 'issued', amount_in_suspense: 100 })
})

test('nor do crumbs one after another', async () => {
  const opened = await at.open('TUSD', {}, { channel: 'brief' })
  await at.pay(opened, () => 1n)
  await at.mine(1)
  await at.until(opened.id, ({ attempts }) => attempts[0]?.status === 'processing')
  await at.until(opened.id, isOver(opened))
  for (let crumbs = 0; crumbs < 4; crumbs++) {
    await at.pay(opened, () => 1n)
    await at.mine(1)
    await at.until(opened.id, () => true)
  }
  await at.pay(opened)
  const paid = await at.minedUntil(opened.id, isIn(100))
  expect(paid).toMatchObject({ status: 'issued', amount_in_suspense: 100 })
})

test('coins that a contract paid in time pay the contract, though they are counted after the end', async () => {
  const opened = await at.open('ETH', {}, { channel: 'brief_coin' })
  const { address, units } = linkOf(opened)
  await at.chain.payByContract(address, units)
  await at.mine(1)
  await at.until(opened.id, isOver(opened))
  await at.settled()
  await at.until(opened.id, () => true)
  const paid = await at.minedUntil(opened.id, isIn(100))
  expect(paid).toMatchObject({ status: 'completed', amount_in_suspense: 0 })
})
