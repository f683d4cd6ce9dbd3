// Policies hold for what a batch itself has opened: a contract that was not there when the batch looked for them is judged all the same.
import { afterAll, expect, test } from 'vitest'
import type { Command } from '../../src/domain/contract/command.ts'
import { laneUuid } from '../../src/domain/contract/ids.ts'
import { isRefusal } from '../../src/domain/contract/refusals.ts'
import { DENY, policiesOf } from '../http/policies/policy-stage.ts'
import { openWorld } from '../world.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

test('a transfer that is made, issued and paid in one batch is denied as any other', async () => {
  const caller = await world.newCaller()
  await policiesOf(caller).make({ name: 'Nothing', then: DENY })
  const { lane, accountId } = caller.account
  const { deps } = world.gateway
  const id = laneUuid(lane, Date.now(), deps.randomHex())
  const recipient = { name: 'Ana', email: null, mobile: null, wallet: '1', tag: null, address: null, country: null }
  const named = { issuedTo: null, description: null, deliverable: null, recipient, channelId: 'sandbox' }
  const terms = { amountMinor: 100_00n, currency: 'PHP', ...named }
  const draft = { livemode: false, terms, expiresInSeconds: null, preview: null, warnings: [], pays: null }
  const commands: Command[] = [
    { verb: 'create_transfer', id, ...draft },
    { verb: 'issue', id, preview: null },
    { verb: 'pay', id, preview: null, walletId: null },
  ]
  const answers = await Promise.all(
    commands.map((command) => deps.execute({ lane, accountId, keyId: null, idempotency: null, command })),
  )
  expect(answers.map((answer) => isRefusal(answer) && answer.code)).toEqual([false, false, 'policy_denied'])
  expect(await caller.wallet('PHP')).toMatchObject({ held: 0 })
})
