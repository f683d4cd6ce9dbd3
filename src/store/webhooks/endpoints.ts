// Webhook endpoints as they are stored, and how each fares. Secrets come and go sealed. Whoever writes one holds its
// progress row first, which is also what the process that serves it holds. Times are milliseconds since the epoch.
import { ms } from '../../platform/columns.ts'
import type { DisabledBecause, EndpointStatus } from '../../domain/webhook/endpoint.ts'
import type { Fares } from '../../domain/webhook/shown.ts'
import type { Metadata } from '../../domain/text/metadata.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'
import type { EndpointKey } from './deliveries.ts'

/** A signing secret as it is stored. `expires_at` is null for the newest one. */
export type SealedSecret = { readonly sealed: string; readonly created_at: number; readonly expires_at: number | null }

/** What may change about an endpoint. */
export type EndpointSettings = {
  readonly url: string
  readonly description: string | null
  /** Event types, or `*` alone. */
  readonly events: readonly string[]
  readonly inFlightMax: number
  readonly status: EndpointStatus
  readonly disabledBecause: DisabledBecause | null
  /** Newest first. */
  readonly secrets: readonly SealedSecret[]
  readonly bearerSealed: string
  readonly sealingKeyId: string
  readonly metadata: Metadata
}
export type NewEndpoint = EndpointKey & EndpointSettings & { readonly apiVersion: string }
export type StoredEndpoint = NewEndpoint & {
  readonly livemode: boolean
  readonly sincePosition: number
  readonly createdAt: number
  readonly updatedAt: number
}

const COLUMNS = `e.lane, e.account_id, e.id, e.livemode, e.url, e.description, e.events, e.api_version, e.in_flight_max, e.status,
                  e.disabled_because, e.secrets_sealed, e.bearer_sealed, e.sealing_key_id, e.metadata, e.since_position,
                  ${ms('e.created_at')} as created_at, ${ms('e.updated_at')} as updated_at`

export function storedEndpointFrom(row: Row): StoredEndpoint {
  return {
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    id: row['id'] as string,
    livemode: row['livemode'] as boolean,
    url: row['url'] as string,
    description: row['description'] as string | null,
    events: row['events'] as string[],
    apiVersion: row['api_version'] as string,
    inFlightMax: row['in_flight_max'] as number,
    status: row['status'] as EndpointStatus,
    disabledBecause: row['disabled_because'] as DisabledBecause | null,
    secrets: row['secrets_sealed'] as SealedSecret[],
    bearerSealed: row['bearer_sealed'] as string,
    sealingKeyId: row['sealing_key_id'] as string,
    metadata: row['metadata'] as Metadata,
    sincePosition: Number(row['since_position']),
    createdAt: row['created_at'] as number,
    updatedAt: row['updated_at'] as number,
  }
}

/** With all that is stored of it, and how it fares. */
export type FaringEndpoint = StoredEndpoint & { readonly fares: Fares }

const counted = (condition: string) =>
  `(select count(*) from deliveries d where d.lane = $1 and d.account_id = e.account_id and d.endpoint_id = e.id
                      and ${condition})`

// The lane is named in each part: that of a row does not lead a distributed engine to one shard.
const FARING = `select ${COLUMNS}, p.position, greatest(a.position - p.position, 0) as behind, p.failures, p.latency_ms,
                  case when p.open_until > now() then ${ms('p.open_until')} end as open_until,
                  ${ms('p.last_success_at')} as last_success_at, ${ms('p.last_failure_at')} as last_failure_at,
                  ${counted('d.due_at is not null')} as waiting, ${counted(`d.status = 'held'`)} as held,
                  ${counted(`d.status = 'dead'`)} as dead
             from webhook_endpoints e
             join webhook_progress p on p.lane = e.lane and p.account_id = e.account_id and p.endpoint_id = e.id
             join accounts a on a.lane = e.lane and a.account_id = e.account_id
            where e.lane = $1 and e.account_id = $2 and e.status <> 'deleted'`

/** The account's endpoints, oldest first. */
export function listEndpoints({ lane, accountId }: AccountKey): Statement {
  return { name: 'list_endpoints', text: `${FARING} order by e.created_at, e.id`, values: [lane, accountId] }
}

/** The endpoint, if it is the account's and was not deleted. */
export function findEndpoint({ lane, accountId, id }: EndpointKey): Statement {
  return { name: 'find_endpoint', text: `${FARING} and e.id = $3`, values: [lane, accountId, id] }
}

export function faringEndpointFrom(row: Row): FaringEndpoint {
  const fares: Fares = {
    position: Number(row['position']),
    behind: Number(row['behind']),
    waiting: Number(row['waiting']),
    held: Number(row['held']),
    dead: Number(row['dead']),
    openUntil: row['open_until'] as number | null,
    failures: row['failures'] as number,
    lastSuccessAt: row['last_success_at'] as number | null,
    lastFailureAt: row['last_failure_at'] as number | null,
    latencyMs: row['latency_ms'] as number | null,
  }
  return { ...storedEndpointFrom(row), fares }
}

/** Holds the endpoint until commit. */
export function lockEndpoint({ lane, accountId, id }: EndpointKey): Statement {
  return {
    name: 'lock_endpoint',
    text: `select ${COLUMNS} from webhook_endpoints e
            where e.lane = $1 and e.account_id = $2 and e.id = $3 and e.status <> 'deleted'
              for no key update of e`,
    values: [lane, accountId, id],
  }
}

/** How many endpoints the account has. Exact while the account is held. */
export function countEndpoints({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'count_endpoints',
    text: `select count(*) as count from webhook_endpoints e
            where e.lane = $1 and e.account_id = $2 and e.status <> 'deleted'`,
    values: [lane, accountId],
  }
}

function settingValues(settings: EndpointSettings): unknown[] {
  return [
    settings.url,
    settings.description,
    textArray(settings.events),
    settings.inFlightMax,
    settings.status,
    settings.disabledBecause,
    JSON.stringify(settings.secrets),
    settings.bearerSealed,
    settings.sealingKeyId,
    JSON.stringify(settings.metadata),
  ]
}

/** A new endpoint with its progress: what is in the history up to `position` was before its time. */
export function insertEndpoint(endpoint: NewEndpoint, position: number): readonly Statement[] {
  const key = [endpoint.lane, endpoint.accountId, endpoint.id]
  return [
    {
      name: 'insert_endpoint',
      text: `insert into webhook_endpoints (lane, account_id, id, url, description, events, in_flight_max, status,
                                            disabled_because, secrets_sealed, bearer_sealed, sealing_key_id, metadata,
                                            api_version, since_position, livemode)
             select a.lane, a.account_id, $3::uuid, $4::text, $5::text, $6::text[], $7::int, $8::text, $9::text, $10::json,
                    $11::text, $12::text, $13::json, $14::text, $15::bigint, a.livemode
               from accounts a where a.lane = $1 and a.account_id = $2`,
      values: [...key, ...settingValues(endpoint), endpoint.apiVersion, position],
    },
    {
      name: 'insert_progress',
      text: `insert into webhook_progress (lane, account_id, endpoint_id, position) values ($1, $2, $3, $4)`,
      values: [...key, position],
    },
  ]
}

/** Writes what may change. */
export function saveEndpoint(endpoint: EndpointKey & EndpointSettings): Statement {
  return {
    name: 'save_endpoint',
    text: `update webhook_endpoints e
              set url = $4, description = $5, events = $6, in_flight_max = $7, status = $8, disabled_because = $9,
                  secrets_sealed = $10, bearer_sealed = $11, sealing_key_id = $12, metadata = $13, updated_at = now()
            where e.lane = $1 and e.account_id = $2 and e.id = $3`,
    values: [endpoint.lane, endpoint.accountId, endpoint.id, ...settingValues(endpoint)],
  }
}

/** Takes the endpoint from the process that serves it: what that one still tries is not written any more. */
export function interruptServing({ lane, accountId, id }: EndpointKey): Statement {
  return {
    name: 'interrupt_serving',
    text: `update webhook_progress p set fence = p.fence + 1, leased_until = null
            where p.lane = $1 and p.account_id = $2 and p.endpoint_id = $3`,
    values: [lane, accountId, id],
  }
}

/** Lets an endpoint begin anew: nothing before `position` is due, and its failures are forgotten. */
export function beginAnew({ lane, accountId, id }: EndpointKey, position: number): Statement {
  return {
    name: 'begin_serving_anew',
    text: `update webhook_progress p
              set fence = p.fence + 1, leased_until = null, position = $4, next_due_at = null, failures = 0, openings = 0,
                  open_until = null, trusted = default, failing_since = null, failed_tries = 0
            where p.lane = $1 and p.account_id = $2 and p.endpoint_id = $3`,
    values: [lane, accountId, id, position],
  }
}

/** The keys that stored secrets of these lanes were sealed with. */
export function sealingKeysInUse(lanes: readonly number[]): Statement {
  return {
    name: 'sealing_keys_in_use',
    text: `select e.sealing_key_id from webhook_endpoints e where e.lane = any($1) and e.status <> 'deleted'
           union select r.sealing_key_id from receiver_secrets r where r.lane = any($1)
           union select split_part(s ->> 'sealed', '.', 1)
                   from verifiers f cross join lateral json_array_elements(f.secret_sealed::json) s
                  where f.lane = any($1) and f.secret_sealed is not null and f.status = 'active'`,
    values: [plainArray(lanes)],
  }
}
