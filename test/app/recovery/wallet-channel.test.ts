// A payout into another wallet of this gateway that comes to the books while they are in recovery: it is not known to have failed, so that
// its payer is not given back what may arrive later.
import { afterAll, expect, test } from 'vitest'
import { creditFromChannel } from '../../../src/app/accounts/credits.ts'
import { payFromWallet } from '../../../src/app/payments/wallet-payments.ts'
import { standingStill } from '../../../src/app/recoveries/recovery.ts'
import type { SendOrder } from '../../../src/domain/channel/outcome.ts'
import { openPayment } from '../../http/payments/receiver-world.ts'
import { openWorld } from '../../world.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(() => world.stop())

const { execute, reader, contracts } = world.gateway.deps
const working = { execute, reader, findContract: contracts.submit }
const inRecovery = { ...working, execute: standingStill({ isOn: () => true, wasEver: () => true }, execute) }
const orderFor = (reference: string) =>
  ({ amountMinor: 100n, currency: 'PHP', reference, notAfter: null }) as unknown as SendOrder

test('a credit that is refused in recovery is none that failed, and comes afterwards', async () => {
  const { wallets } = (await world.other.ask('GET', '/wallets')).data as { wallets: { id: string; currency: string }[] }
  const { id } = wallets.find(({ currency }) => currency === 'PHP')!
  const order = orderFor('in-recovery-1')
  expect(await creditFromChannel(inRecovery, id, order)).toBe('not now')
  expect(await creditFromChannel(working, id, { ...order, currency: 'USD' })).toBe('other currency')
  expect(await creditFromChannel(working, id, order)).toBe('credited')
})

test('nor is a payment of a contract', async () => {
  const { id } = await openPayment(world.caller)
  const order = { ...orderFor('in-recovery-2'), amountMinor: 10_000_000n }
  expect(await payFromWallet(inRecovery, id, order)).toBe('not now')
  expect(await payFromWallet(working, id, order)).toBe('not payable')
})
