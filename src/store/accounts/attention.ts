// What of an account waits for a person: each question reads a range of an index, and no more than a hundred rows of it.
import type { ContractMatter, Matter, Underway } from '../../domain/account/attention.ts'
import { ms } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement } from '../../platform/db.ts'
import type { AccountKey } from './accounts.ts'

/** Counts end here: more is told as more. */
export const COUNT_MAX = 99
const SHOWN = 5

export type MatterRow = Matter & { readonly contractId: string }

/** Of these contracts exactly these matters stand, whatever stood before. */
export function saveMatters(
  { lane, accountId }: AccountKey,
  contractIds: readonly string[],
  rows: readonly MatterRow[],
): Statement[] {
  const values = [
    plainArray(rows.map(({ contractId }) => contractId)),
    plainArray(rows.map(({ matter }) => matter)),
    plainArray(rows.map(({ sinceMs }) => sinceMs)),
  ]
  return [
    {
      name: 'delete_contract_matters',
      text: `delete from contract_matters m
              where m.lane = $1 and m.account_id = $2 and m.contract_id = any($3::uuid[])
                and (m.contract_id, m.matter) not in (select x.id, x.matter from unnest($4::uuid[], $5::text[]) x (id, matter))`,
      values: [lane, accountId, plainArray(contractIds), values[0], values[1]],
    },
    {
      name: 'save_contract_matters',
      text: `insert into contract_matters as m (lane, account_id, contract_id, matter, since)
             select l.lane, $2, x.id, x.matter, to_timestamp(x.since / 1000)
               from lanes l cross join unnest($3::uuid[], $4::text[], $5::float8[]) x (id, matter, since)
              where l.lane = $1
                 on conflict (lane, account_id, contract_id, matter) do update set since = excluded.since
              where m.since <> excluded.since`,
      values: [lane, accountId, ...values],
    },
  ]
}

/** Something that waits: how many of it, the oldest first of a few, and since when the oldest does. */
export type Waiting = { readonly count: number; readonly sinceMs: number; readonly ids: readonly string[] }

/** Counts at most one more than {@link COUNT_MAX}, from rows `(id, since)` in the order of `since`. */
const probe = (rows: string) => `select count(*)::int as count, ${ms('min(r.since)')} as since,
    (array_agg(r.id::text order by r.since, r.id))[1:${SHOWN}] as ids
  from (${rows} limit ${COUNT_MAX + 1}) r`

export function waitingFrom(row: Row | undefined): Waiting | null {
  if (!row || row['count'] === 0) return null
  return { count: row['count'] as number, sinceMs: row['since'] as number, ids: row['ids'] as string[] }
}

export function contractsWaiting({ lane, accountId }: AccountKey, matter: ContractMatter): Statement {
  return {
    name: 'contracts_waiting',
    text: probe(`select m.contract_id as id, m.since from contract_matters m
                  where m.lane = $1 and m.account_id = $2 and m.matter = $3 and m.since <= now()
                  order by m.since, m.contract_id`),
    values: [lane, accountId, matter],
  }
}

/** Verifications that wait for a person, but for those whose makers the member is among, by themselves or by a key that they made. */
export function reviewsWaiting({ lane, accountId }: AccountKey, memberId: string): Statement {
  return {
    name: 'reviews_waiting',
    text: probe(`select v.id, v.created_at as since from verifications v
                  where v.lane = $1 and v.account_id = $2 and v.status = 'review'
                    and not exists (
                      select 1
                        from (select v.document ->> 'requestedBy' as maker
                               union all
                              select m.maker
                                from contract_versions h
                               cross join lateral (select json_array_elements_text(coalesce(h.document -> 'by', '[]'))
                                                    union all
                                                   select json_array_elements_text(coalesce(h.document -> 'folded_by', '[]'))) m (maker)
                               where h.lane = $1 and h.account_id = v.account_id and h.contract_id = v.contract_id
                                 and h.version > 0) n
                        left join api_keys k on k.lane = $1 and k.account_id = v.account_id and k.key_id = n.maker
                       where n.maker = $3 or k.made_by_member::text = $3)
                  order by v.id`),
    values: [lane, accountId, memberId],
  }
}

/** Endpoints that get nothing: paused, or disabled by the gateway. */
export function endpointsStopped({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'endpoints_stopped',
    text: probe(`select e.id, e.updated_at as since from webhook_endpoints e
                  where e.lane = $1 and e.account_id = $2
                    and (e.status = 'paused' or e.disabled_because in ('gone', 'failing'))
                  order by e.updated_at, e.id`),
    values: [lane, accountId],
  }
}

/** Endpoints whose last calls failed. */
export function endpointsFailing({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'endpoints_failing',
    text: probe(`select p.endpoint_id as id, p.failing_since as since
                   from webhook_progress p
                   join webhook_endpoints e on e.lane = p.lane and e.account_id = p.account_id and e.id = p.endpoint_id
                  where p.lane = $1 and p.account_id = $2 and p.failing_since is not null and e.status = 'enabled'
                  order by p.failing_since, p.endpoint_id`),
    values: [lane, accountId],
  }
}

/** Events that were given up, or put aside while their endpoint was stopped. */
export function deliveriesUnsent({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'deliveries_unsent',
    text: `select count(*)::int as count, ${ms('min(r.since)')} as since, (array_agg(distinct r.id::text))[1:${SHOWN}] as ids
             from (select d.endpoint_id as id, d.created_at as since
                     from webhook_endpoints e
                     join deliveries d on d.lane = e.lane and d.account_id = e.account_id and d.endpoint_id = e.id
                      and d.status in ('held', 'dead')
                    where e.lane = $1 and e.account_id = $2 and e.status <> 'deleted'
                    limit ${COUNT_MAX + 1}) r`,
    values: [lane, accountId],
  }
}

export function walletsLow({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'wallets_low',
    text: `select count(*)::int as count, ${ms('now()')} as since, (array_agg(r.id::text order by r.id))[1:${SHOWN}] as ids
             from (select w.id from wallets w
                    where w.lane = $1 and w.account_id = $2 and w.is_low and w.status = 'open'
                    limit ${COUNT_MAX + 1}) r`,
    values: [lane, accountId],
  }
}

/** Keys that end within days from now, those that end first before others. `since` is the end. */
export function keysEnding({ lane, accountId }: AccountKey, withinDays: number): Statement {
  return {
    name: 'keys_ending',
    text: probe(`select k.key_id as id, k.expires_at as since from api_keys k
                  where k.lane = $1 and k.account_id = $2 and k.member_id is null and k.revoked_at is null
                    and k.expires_at > now() and k.expires_at <= now() + make_interval(days => $3)
                  order by k.expires_at`),
    values: [lane, accountId, withinDays],
  }
}

/** Money that rails have accepted and not delivered, by currency. */
export function moneyInTransit({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'money_in_transit',
    text: `select w.currency, sum(w.in_transit_minor)::text as minor, sum(w.held_minor)::text as held_minor
             from wallets w where w.lane = $1 and w.account_id = $2
            group by w.currency order by w.currency`,
    values: [lane, accountId],
  }
}

export function underwayFrom(row: Row): Underway {
  return {
    currency: row['currency'] as string,
    inTransitMinor: BigInt(row['minor'] as string),
    heldMinor: BigInt(row['held_minor'] as string),
  }
}
