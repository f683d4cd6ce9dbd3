// A gateway some of whose rails are live, with an account on each side of the wall between test and live: on one lane, so that
// only their mode and their names keep them apart.
import { eventId } from '../../../src/domain/contract/ids.ts'
import { type Caller, openWorld, READY, type World } from '../../world.ts'

export const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBwcm92aWRlcg=='
export const CALLING = new Map(['sandbox', 'instapay', 'gcash', 'maya'].map((id) => [id, [SECRET]]))

/** One side of the wall: an account, a channel that pays out in its mode, and a way to pay that brings money in. */
export type Side = {
  readonly word: 'test' | 'live'
  readonly world: World
  readonly caller: Caller
  readonly draft: Readonly<Record<string, unknown>>
  readonly back: Readonly<Record<string, unknown>>
  readonly collects: 'maya' | 'gcash'
  readonly channels: readonly string[]
}

const BANK = { name: 'Ana Reyes', wallet: '000123456789', tag: 'BOPIPHMM' }

/** Workers rest: nothing leaves while it is looked at. */
export async function openModes(workers: 'running' | 'resting' = 'resting') {
  const world = await openWorld({
    undoSeconds: workers === 'resting' ? 3600 : 0,
    workers,
    liveRails: ['instapay', 'gcash', 'card'],
    config: { callbackSecrets: CALLING },
  })
  const TEST: Side = {
    word: 'test',
    world,
    caller: world.caller,
    draft: READY,
    back: { channel: 'sandbox', recipient: READY['recipient'] },
    collects: 'maya',
    channels: ['maya', 'pesonet', 'qrph', 'sandbox', 'wallet'],
  }
  const LIVE: Side = {
    word: 'live',
    world,
    caller: await world.newCaller({ livemode: true, lane: world.caller.account.lane }),
    draft: { ...READY, channel: 'instapay', recipient: BANK },
    back: { channel: 'instapay', recipient: BANK },
    collects: 'gcash',
    channels: ['card', 'gcash', 'instapay', 'wallet'],
  }
  return { world, TEST, LIVE }
}

export const drafted = async ({ caller, draft }: Side) => (await caller.draft(draft)).id
export const issued = async ({ caller, draft }: Side) => (await caller.issued(draft)).id
export const paid = async ({ caller, draft }: Side) => (await caller.paid(draft)).id
export type Opened = { readonly id: string; readonly checkout_url: string }
export const opened = async ({ caller }: Side): Promise<Opened> => {
  const reply = await caller.ask('POST', '/contracts/payment', { body: { amount: 100, currency: 'PHP' } })
  return reply.data['contract'] as Opened
}
export const payment = async (side: Side) => (await opened(side)).id
export const wallet = async ({ caller }: Side) => (await caller.wallet('PHP')).id
export const event = async (side: Side) => eventId(await drafted(side), 1)
export const ENDPOINT = { url: 'http://127.0.0.1:9/hook', events: ['contract.returned'] }
export const endpoint = async ({ caller, world }: Side) => {
  await world.sql(`update webhook_endpoints set status = 'deleted' where account_id = $1`, [caller.account.accountId])
  const { data } = await caller.ask('POST', '/webhook-endpoints', { body: ENDPOINT })
  return (data['webhook_endpoint'] as { id: string }).id
}

/** A payment of the side's own for which this much came, in minor units; its contract is over 100 PHP. */
export async function received(side: Side, amountMinor: bigint): Promise<string> {
  const id = await payment(side)
  const nothing = { attempt: null, channelId: null, assetUnits: null, failure: null, payer: null, shown: {} }
  const report = { ...nothing, outcome: 'succeeded', objectId: `money of ${id}`, amountMinor, currency: 'PHP' } as const
  const told = { id: `event of ${id}`, type: 'any', body: null, bodyHash: null }
  const command = { verb: 'receive', id, event: told, report, unallocated: 'suspense' } as const
  const { lane, accountId } = side.caller.account
  await side.world.gateway.deps.execute({ lane, accountId, keyId: null, idempotency: null, command })
  return id
}

/** A transfer of the side's own that its channel refused for good; it is refunded by hand. */
export async function failed(side: Side): Promise<string> {
  const { lane, accountId } = side.caller.account
  const id = await paid(side)
  const word = { verb: 'report', id, number: 1, channelId: String(side.draft['channel']), fence: null } as const
  const outcome = { kind: 'failed', code: 'account_closed', message: 'Closed.' } as const
  const connector = { notFoundFinalAfterMs: 0, dedupeLifetimeMs: null, inquiry: true }
  await side.world.sql('update accounts set refunds_at_once = false where account_id = $1', [accountId])
  const command = { ...word, outcome, connector }
  await side.world.gateway.deps.execute({ lane, accountId, keyId: null, idempotency: null, command })
  return id
}

/** All rows that a side owns but its keys. */
export async function stateOf({ world, caller: { account } }: Side): Promise<unknown> {
  const money = ['accounts', 'jobs', 'contracts', 'contract_versions', 'ledger', 'wallets', 'webhook_endpoints']
  const tables = [
    ...money,
    'members',
    'passkeys',
    'profiles',
    'profile_versions',
    'policies',
    'policy_versions',
    'schedules',
    'schedule_runs',
    'account_events',
  ]
  const verifying = ['verifiers', 'verifier_versions', 'verifier_entries', 'verifications']
  const parts = [...tables, ...verifying].map(
    (name) =>
      `select '${name}' as table_name, coalesce(json_agg(t order by t::text), '[]')::text as rows from ${name} t where account_id = $1`,
  )
  return world.sql(parts.join(' union all '), [account.accountId])
}
