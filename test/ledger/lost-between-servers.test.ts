// One of two servers comes back older, and money had gone to it: its own books hold, and the proofs name what those of the payers have as
// delivered there, whether to a wallet or to a payment contract.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyBooks } from '../../src/app/operator/verify.ts'
import { openAuditSession } from '../../src/main/database/database.ts'
import { EAST } from '../rig/servers/other-server.ts'
import { keepRows } from '../rig/servers/older-lanes.ts'
import { contractIn, tokenOf } from '../http/payments/payments-stage.ts'
import { type Caller, openWorld, type World } from '../world.ts'

const CAME = 'attempt.delivered came to its receiver'

let world: World
beforeAll(async () => {
  world = await openWorld({ lanesElsewhere: EAST })
})
afterAll(() => world.stop())

async function findings() {
  const auditor = openAuditSession(world.operators)
  try {
    return (await verifyBooks(auditor, () => undefined)).findings
  } finally {
    await auditor.close()
  }
}

async function payWallet(payer: Caller, receiver: Caller): Promise<string> {
  const { id: wallet } = await receiver.wallet('PHP')
  const { id } = await payer.paid({ channel: 'wallet', recipient: { wallet }, amount: 5 })
  expect(await world.settle(id)).toBe('completed')
  return id
}

async function payContract(payer: Caller, receiver: Caller): Promise<string> {
  const body = { amount: 7, currency: 'PHP' }
  const payment = contractIn(await receiver.ask('POST', '/contracts/payment', { body }))
  const method = { type: 'wallet', wallet: { wallet_id: (await payer.wallet('PHP')).id } }
  const headers = { authorization: `Bearer ${tokenOf(payment)}` }
  const reply = await payer.ask('PUT', `/contracts/payment/${payment.id}/pay`, { body: method, headers })
  expect(reply.status).toBe(200)
  const { data } = await payer.ask('GET', `/contracts/transfer?reference_id=${payment.id}`)
  return (data['contracts'] as { id: string }[])[0]!.id
}

test('what came to a server that has forgotten it is named, by the lanes of those who paid it', async () => {
  const payers = await Promise.all([17, 18, 19].map((lane) => world.newCaller({ lane })))
  const [toWallet, toContract, ofHome] = payers as [Caller, Caller, Caller]
  const east = await world.newCaller({ lane: 200 })
  for (const pay of [payWallet, payContract]) await pay(toWallet, east)
  const comeBack = await keepRows(world.sqlElsewhere)
  const forgotten = [await payWallet(toWallet, east), await payContract(toContract, east)]
  for (const pay of [payWallet, payContract]) await pay(ofHome, toWallet)
  expect(await findings()).toEqual([])

  await comeBack()
  expect(await findings()).toMatchObject(
    forgotten.map((id, place) => ({ lane: 17 + place, proof: CAME, row: `attempt 1 of transfer ${id}` })),
  )
})
