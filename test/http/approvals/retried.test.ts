// A transfer that members approved and that failed for good: it is tried again by the channel that they saw, and by no other.
import { afterAll, expect, test } from 'vitest'
import { settleAccount } from '../../../src/app/operator/operator-actions.ts'
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import { openKeyedSession, openPlannedSession } from '../../../src/main/database/database.ts'
import { openWorld } from '../../world.ts'
import { coded, joined } from '../members/people.ts'
import { looked } from '../payments/payments-stage.ts'
import { asks } from './policies.ts'

const world = await openWorld({
  config: { channels: SHIPPED_CHANNELS.map((channel) => ({ ...channel, undo_seconds: 0 })) },
})
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})
const account = await world.newCaller({ funds: { PHP: 1_000_000_00n } })
const approver = await joined(world, account, 'approver')
await asks(world, account, [{ count: 1, role: null }])

/** What fails stays with its money held, and is not given back. */
async function keepsFailures(): Promise<void> {
  const { channels, nowMs, randomHex } = world.gateway.deps
  const [reader, writer] = [openPlannedSession(world.operators), openKeyedSession(world.operators)]
  try {
    const desk = { reader, writer, channels, ids: { nowMs, randomHex } }
    await settleAccount(desk, account.account, { refundsAtOnce: false }, 'Ana')
  } finally {
    await Promise.all([reader.close(), writer.close()])
  }
}

type Refusals = { readonly 'x-error-codes': readonly string[] }
type Retry = { readonly put: { readonly responses: { readonly '409': Refusals } } }
type Document = { readonly paths: { readonly '/contracts/transfer/{id}/retry': Retry } }
type Shown = { readonly approval: { readonly terms_hash: string }; readonly transfer: { readonly status: string } }

test('a retry on another channel than the approved one is refused, as the API says', async () => {
  await keepsFailures()
  const { id } = await account.issued({ amount: 5000.21 })
  const look = async () => (await account.ask('GET', `/contracts/transfer/${id}`)).data['contract'] as Shown
  const { terms_hash } = (await look()).approval
  await approver.ask('PUT', `/contracts/transfer/${id}/approve`, { body: { terms_hash } })
  expect((await account.ask('PUT', `/contracts/transfer/${id}/pay`)).status).toBe(200)
  const failed = await looked(look, ({ transfer }) => transfer.status === 'failed')
  const elsewhere = await account.ask('PUT', `/contracts/transfer/${id}/retry`, { body: { channel: 'instapay' } })
  expect(coded(elsewhere)).toEqual([409, 'terms_changed'])
  expect((await look()).transfer).toEqual(failed.transfer)
  expect((await account.ask('PUT', `/contracts/transfer/${id}/retry`)).status).toBe(200)
  const { paths } = JSON.parse((await world.ask('GET', '/openapi.json')).text) as Document
  expect(paths['/contracts/transfer/{id}/retry'].put.responses['409']['x-error-codes']).toContain('terms_changed')
})
