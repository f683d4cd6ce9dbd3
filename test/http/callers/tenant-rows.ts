// The wall between accounts, route by route: what each needs, and what makes what its id names. A route without a row fails.
import type { Caller, World } from '../../world.ts'
import { eventId } from '../../../src/domain/contract/ids.ts'
import { commandRows } from '../commands/tenant-commands.ts'
import { contractRows, draft } from './tenant-contracts.ts'
import { memberRows } from './tenant-members.ts'
import { policyRows } from '../policies/tenant-policies.ts'
import { profileRows } from './tenant-profiles.ts'
import { scheduleRows } from '../schedules/tenant-schedules.ts'
import type { Row, Rows } from './tenant-row.ts'
import { verifierRows } from './tenant-verifiers.ts'

export type { Row } from './tenant-row.ts'

export const wallet = async (owner: Caller) => (await owner.wallet('PHP')).id
const event = async (owner: Caller) => eventId(await draft(owner), 1)

/** Its account's only one, so that there is always room. It hears what never happens here. */
async function endpoint(world: World, owner: Caller): Promise<string> {
  await world.sql(`update webhook_endpoints set status = 'deleted' where account_id = $1`, [owner.account.accountId])
  const { data } = await owner.ask('POST', '/webhook-endpoints', { body: ENDPOINT })
  return (data['webhook_endpoint'] as { id: string }).id
}

/** An endpoint with the delivery dlv_1_0. */
async function delivered(world: World, owner: Caller): Promise<string> {
  await owner.draft()
  const id = await endpoint(world, owner)
  await world.sql(
    `insert into deliveries (lane, account_id, endpoint_id, position, status, tries, created_at, updated_at)
     select lane, account_id, id, 1, 'delivered', 1, now(), now() from webhook_endpoints where id = $1`,
    [id],
  )
  return id
}

const ENDPOINT = { url: 'http://127.0.0.1:9/hook', events: ['contract.returned'] }
const managed = (body: unknown, id: Row['id'] | null): Row => ({
  access: 'key',
  scope: 'webhooks:manage',
  ...(body === null ? {} : { body }),
  ...(id ? { id } : {}),
})

/** A key that anybody might like to have. There is always room for it: of those that tests made only the newest act. */
async function key(world: World, { account, keyId, ask }: Caller): Promise<string> {
  await world.sql(
    `update api_keys set revoked_at = now() where account_id = $1 and key_id <> $2 and revoked_at is null
        and key_id not in (select key_id from api_keys where account_id = $1 order by created_at desc limit 5)`,
    [account.accountId, keyId],
  )
  return ((await ask('POST', '/keys', { body: KEY })).data['key'] as { id: string }).id
}

const KEY = { name: 'Made', scopes: ['accounts:read'] }

const accountRows = (world: World): Rows => ({
  'GET /audit': { access: 'key', scope: 'audit:read' },
  'GET /requests': { access: 'key', scope: 'audit:read' },
  'GET /requests/stream': { access: 'key', scope: 'audit:read', endless: true },
  'GET /overview': { access: 'key', scope: 'contracts:read' },
  'GET /usage': { access: 'key', scope: 'accounts:read' },
  'GET /accounts/me': { access: 'key', scope: 'accounts:read' },
  'PATCH /accounts/me': { access: 'key', scope: 'accounts:write', body: { time_zone: 'Asia/Manila' } },
  'POST /keys': { access: 'key', scope: 'keys:write', body: KEY },
  'GET /keys': { access: 'key', scope: 'accounts:read' },
  'GET /keys/current': { access: 'key', scope: null },
  'GET /keys/{id}': { access: 'key', scope: 'accounts:read', id: (owner) => key(world, owner) },
  'PATCH /keys/{id}': {
    access: 'key',
    scope: 'keys:write',
    body: { name: 'mine now' },
    id: (owner) => key(world, owner),
  },
  'POST /keys/{id}/roll': { access: 'key', scope: 'keys:write', body: {}, id: (owner) => key(world, owner) },
  'DELETE /keys/{id}': { access: 'key', scope: 'keys:write', id: (owner) => key(world, owner) },
})

export const tenantRows = (world: World): Rows => ({
  ...accountRows(world),
  ...contractRows(world),
  ...walletRows,
  ...memberRows,
  ...profileRows,
  ...verifierRows(world),
  ...policyRows,
  ...commandRows(world),
  ...scheduleRows,
  ...eventRows,
  ...endpointRows(world),
  ...otherRows,
})

const walletRows: Rows = {
  'GET /wallets': { access: 'key', scope: 'wallets:read' },
  'GET /wallets/{id}': { access: 'key', scope: 'wallets:read', id: wallet },
  'GET /wallets/{id}/entries': { access: 'key', scope: 'wallets:read', id: wallet },
  'GET /wallets/{id}/statement': { access: 'key', scope: 'wallets:read', id: wallet },
  'POST /wallets': { access: 'key', scope: 'wallets:write', body: { currency: 'PHP' } },
  'PATCH /wallets/{id}': { access: 'key', scope: 'wallets:write', body: { label: 'mine now' }, id: wallet },
  'POST /wallets/{id}/topups': { access: 'key', scope: 'wallets:write', body: { amount: 1 }, id: wallet },
}

const eventRows: Rows = {
  'GET /resources': { access: 'key or token', scope: null },
  'GET /resources/{id}': { access: 'key or token', scope: null, id: draft, anyKind: true },
  'GET /search': { access: 'key or token', scope: null, query: '?q=Juan' },
  'GET /events': { access: 'key', scope: 'events:read' },
  'GET /events/{id}': { access: 'key', scope: 'events:read', id: event },
  'GET /events/changes': { access: 'key', scope: 'events:read', endless: true },
  'GET /events/stream': { access: 'key', scope: 'events:read', endless: true },
}

const endpointRows = (world: World): Rows => ({
  'POST /webhook-endpoints': managed(ENDPOINT, null),
  'GET /webhook-endpoints': managed(null, null),
  'GET /webhook-endpoints/{id}': managed(null, (owner) => endpoint(world, owner)),
  'PATCH /webhook-endpoints/{id}': managed({ description: 'mine now' }, (owner) => endpoint(world, owner)),
  'DELETE /webhook-endpoints/{id}': managed(null, (owner) => endpoint(world, owner)),
  'PUT /webhook-endpoints/{id}/pause': managed(null, (owner) => endpoint(world, owner)),
  'PUT /webhook-endpoints/{id}/resume': managed(null, (owner) => endpoint(world, owner)),
  'POST /webhook-endpoints/{id}/roll-secret': managed({}, (owner) => endpoint(world, owner)),
  'POST /webhook-endpoints/{id}/test': managed({}, (owner) => endpoint(world, owner)),
  'POST /webhook-endpoints/{id}/replay': managed({ missed: true }, (owner) => endpoint(world, owner)),
  'GET /webhook-endpoints/{id}/deliveries': managed(null, (owner) => delivered(world, owner)),
  'GET /webhook-endpoints/{id}/deliveries/{delivery}/attempts': managed(null, (owner) => delivered(world, owner)),
})

const sandboxed = (body?: unknown): Row => ({
  access: 'key',
  scope: 'contracts:write',
  ...(body === undefined ? {} : { body }),
})

const otherRows: Rows = {
  'GET /sandbox': sandboxed(),
  'POST /sandbox/scenarios': sandboxed({ match: { account: 'nobody' }, verdict: 'refused' }),
  'DELETE /sandbox/scenarios': sandboxed(),
  'POST /sandbox/clock': sandboxed({ advance_seconds: 1 }),
  'GET /sandbox/orders': sandboxed(),
  'GET /channels': { access: 'key or token', scope: 'contracts:read' },
  'GET /channels/{id}': { access: 'open', scope: null, id: async () => 'sandbox' },
  'GET /channels/{id}/policy': { access: 'open', scope: null, id: async () => 'sandbox' },
  'POST /channels/compare': { access: 'key', scope: 'contracts:read', body: { amount: 1, currency: 'PHP' } },
  'POST /oauth/token': { access: 'key', scope: null, body: { grant_type: 'client_credentials' } },
  'GET /healthz': { access: 'open', scope: null },
  'GET /readyz': { access: 'open', scope: null },
}
