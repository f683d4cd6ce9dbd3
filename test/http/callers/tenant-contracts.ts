// The routes of contracts for the wall between accounts, and what makes the contracts that they need.
import { expect } from 'vitest'
import type { Caller, World } from '../../world.ts'
import { READY } from '../../world.ts'
import type { Rows } from './tenant-row.ts'

export type Opened = { readonly id: string; readonly checkout_url: string }

const PAYMENT = { amount: 100, currency: 'PHP' }
const PAYER = { channelId: 'sandbox', recipient: { name: 'Ana Reyes', wallet: '000123456789' } }
const BACK = { channel: PAYER.channelId, recipient: PAYER.recipient }

export const draft = async (owner: Caller) => (await owner.draft()).id
const issued = async (owner: Caller) => (await owner.issued()).id
const paid = async (owner: Caller) => (await owner.paid()).id

/** With a receipt: its history is sealed a moment after it is written. */
async function receipted(owner: Caller, kind: 'transfer' | 'payment', id: string): Promise<string> {
  const receipt = async () => (await owner.ask('GET', `/contracts/${kind}/${id}/receipt`)).status
  await expect.poll(receipt).toBe(200)
  return id
}

export async function openPayment(owner: Caller): Promise<Opened> {
  const { data } = await owner.ask('POST', '/contracts/payment', { body: PAYMENT })
  return data['contract'] as Opened
}
export const payment = async (owner: Caller) => (await openPayment(owner)).id

/** Paid, and refused for good by the channel; its account refunds by hand for that while. */
async function failed(world: World, owner: Caller): Promise<string> {
  const { lane, accountId } = owner.account
  const id = await paid(owner)
  const word = { verb: 'report', id, number: 1, channelId: 'sandbox', fence: null } as const
  const outcome = { kind: 'failed', code: 'account_closed', message: 'Closed.' } as const
  const connector = { notFoundFinalAfterMs: 0, dedupeLifetimeMs: null, inquiry: true }
  const command = { ...word, outcome, connector }
  await world.sql('update accounts set refunds_at_once = false where account_id = $1', [accountId])
  await world.gateway.deps.execute({ lane, accountId, keyId: null, idempotency: null, command })
  await world.sql('update accounts set refunds_at_once = true where account_id = $1', [accountId])
  return id
}

/** Puts a contract into the queue of approvals. */
export async function queue(
  world: Pick<World, 'sql'>,
  { lane, accountId }: Pick<Caller['account'], 'lane' | 'accountId'>,
  id: string,
): Promise<void> {
  await world.sql(
    `insert into approvals (lane, account_id, contract_id, status, asked_at, changed_at)
     values ($1, $2, $3, 'waiting', now(), now())`,
    [lane, accountId, id],
  )
}

async function asked(world: World, owner: Caller): Promise<string> {
  const id = await issued(owner)
  await queue(world, owner.account, id)
  return id
}

/** A payment contract for which this much came, in minor units, from nobody knows where. */
async function received(world: World, owner: Caller, amountMinor: bigint): Promise<string> {
  const { lane, accountId } = owner.account
  const id = await payment(owner)
  const nothing = { attempt: null, channelId: null, assetUnits: null, failure: null, payer: PAYER, shown: {} }
  const report = { ...nothing, outcome: 'succeeded', objectId: `money of ${id}`, amountMinor, currency: 'PHP' } as const
  const event = { id: `event of ${id}`, type: 'any', body: null, bodyHash: null }
  const command = { verb: 'receive', id, event, report, unallocated: 'suspense' } as const
  await world.gateway.deps.execute({ lane, accountId, keyId: null, idempotency: null, command })
  return id
}

export const contractRows = (world: World): Rows => ({
  'POST /contracts/transfer': { access: 'key', scope: 'contracts:write', body: READY },
  'GET /contracts/transfer': { access: 'key or token', scope: 'contracts:read' },
  'GET /approvals': { access: 'key', scope: 'contracts:read' },
  'GET /approvals/{id}': { access: 'key', scope: 'contracts:read', id: (owner) => asked(world, owner) },
  'GET /contracts/transfer/{id}': { access: 'key or token', scope: 'contracts:read', id: paid },
  'PATCH /contracts/transfer/{id}': { access: 'key', scope: 'contracts:write', body: { amount: 1 }, id: draft },
  'PUT /contracts/transfer/{id}/issue': { access: 'key', scope: 'transfers:issue', body: {}, id: draft },
  'PUT /contracts/transfer/{id}/pay': { access: 'key', scope: 'transfers:pay', body: {}, id: issued },
  'PUT /contracts/transfer/{id}/retry': {
    access: 'key',
    scope: 'transfers:pay',
    body: {},
    id: (owner) => failed(world, owner),
  },
  'GET /contracts/transfer/{id}/activities': { access: 'key', scope: 'contracts:read', id: paid },
  'GET /contracts/transfer/{id}/explain': { access: 'key', scope: 'contracts:read', id: paid },
  'GET /contracts/transfer/{id}/receipt': {
    access: 'key',
    scope: 'contracts:read',
    id: async (owner) => receipted(owner, 'transfer', await paid(owner)),
  },
  'GET /contracts/transfer/{id}/attempts': { access: 'key', scope: 'contracts:read', id: paid },
  'GET /contracts/transfer/{id}/entries': { access: 'key', scope: 'contracts:read', id: paid },
  'GET /contracts/transfer/{id}/deliveries': { access: 'key', scope: 'webhooks:manage', id: paid },
  'DELETE /contracts/transfer/{id}': {
    access: 'key',
    scope: 'transfers:cancel',
    body: { reason: 'mine now' },
    id: paid,
  },
  'POST /contracts/payment': { access: 'key', scope: 'contracts:write', body: PAYMENT },
  'GET /contracts/payment': { access: 'key or token', scope: 'contracts:read' },
  'GET /contracts/payment/{id}': { access: 'key or token', scope: 'contracts:read', id: payment },
  'GET /contracts/payment/{id}/activities': { access: 'key', scope: 'contracts:read', id: payment },
  'GET /contracts/payment/{id}/explain': { access: 'key', scope: 'contracts:read', id: payment },
  'GET /contracts/payment/{id}/receipt': {
    access: 'key',
    scope: 'contracts:read',
    id: async (owner) => receipted(owner, 'payment', await payment(owner)),
  },
  'GET /contracts/payment/{id}/attempts': { access: 'key', scope: 'contracts:read', id: payment },
  'GET /contracts/payment/{id}/entries': { access: 'key', scope: 'contracts:read', id: payment },
  'GET /contracts/payment/{id}/deliveries': { access: 'key', scope: 'webhooks:manage', id: payment },
  'PUT /contracts/payment/{id}/pay': {
    access: 'key',
    scope: 'contracts:write',
    body: { type: 'gcash', gcash: {} },
    id: payment,
  },
  'DELETE /contracts/payment/{id}': {
    access: 'key',
    scope: 'transfers:cancel',
    body: { reason: 'mine now' },
    id: payment,
  },
  'POST /contracts/payment/{id}/refunds': {
    access: 'key',
    scope: 'payments:refund',
    body: BACK,
    id: (owner) => received(world, owner, 100_00n),
  },
  'POST /contracts/payment/{id}/returns': {
    access: 'key',
    scope: 'payments:refund',
    body: BACK,
    id: (owner) => received(world, owner, 40_00n),
  },
  'POST /contracts/payment/{id}/payer-profile': {
    access: 'key',
    scope: 'profiles:write',
    body: {},
    id: (owner) => received(world, owner, 100_00n),
  },
})
