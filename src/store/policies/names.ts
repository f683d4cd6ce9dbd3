// What people call the keys, members, profiles and verifiers that policies name by their ids: read with a policy in its own
// statement, and looked for before one is written, so that none names what is not there.
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'

export const REFERENT_KINDS = ['key', 'member', 'profile', 'verifier'] as const
export type ReferentKind = (typeof REFERENT_KINDS)[number]

/** Something of the account that an id names. */
export type Referent = {
  readonly id: string
  readonly kind: ReferentKind
  readonly name: string
  /** Of a verifier what it verifies; null of others, and of a verifier that is archived. */
  readonly verifies: string | null
  /** Of a key the first of those that were rolled into one another to it, where it is another; null of others. */
  readonly origin: string | null
}

/** Out of the ids of a row `o` with account_id, keys and ids, on the lane in $1: rows of {@link Referent}. */
const REFERENTS = `select k.key_id as id, 'key' as kind, k.name, null::text as verifies, nullif(k.origin_key_id, k.key_id) as origin
                     from api_keys k
                    where k.lane = $1::int and k.account_id = o.account_id and k.key_id = any(o.keys) and k.member_id is null
                    union all
                   select m.id::text, 'member', coalesce(m.name, m.email), null, null
                     from members m
                    where m.lane = $1::int and m.account_id = o.account_id and m.id = any(o.ids)
                    union all
                   select v.profile_id::text, 'profile', coalesce(v.document ->> 'name', v.document ->> 'email', ''), null, null
                     from profiles p
                     join profile_versions v on v.lane = p.lane and v.account_id = p.account_id and v.profile_id = p.id
                                            and v.version = p.version
                    where p.lane = $1::int and p.account_id = o.account_id and p.id = any(o.ids)
                    union all
                   select v.verifier_id::text, 'verifier', v.document ->> 'name',
                          case when f.status = 'active' then f.kind end, null
                     from verifiers f
                     join verifier_versions v on v.lane = f.lane and v.account_id = f.account_id and v.verifier_id = f.id
                                             and v.version = f.version
                    where f.lane = $1::int and f.account_id = o.account_id and f.id = any(o.ids)`

/** Of a version `v` of a policy, whatever names the ids in it have now; null where it has none. */
export const POLICY_NAMES = `(
             select json_object_agg(r.id, r.name)
               from (select v.account_id,
                            array(select jsonb_path_query(v.document::jsonb, '$.when[*] ? (@.field == "key").values[*]') #>> '{}') as keys,
                            array(select (jsonb_path_query(v.document::jsonb,
                                    '$.when[*] ? (@.field == "member" || @.field == "recipient.profile").values[*]') #>> '{}')::uuid
                                  union all
                                  select (v.document #>> '{then,verifierId}')::uuid
                                   where v.document #>> '{then,verifierId}' is not null) as ids) o
              cross join lateral (${REFERENTS}) r)`

/** What of the account these ids name. */
export function findReferents(
  { lane, accountId }: AccountKey,
  { keys, ids }: { readonly keys: readonly string[]; readonly ids: readonly string[] },
): Statement {
  return {
    name: 'find_policy_referents',
    text: `select r.* from (select $2::uuid as account_id, $3::text[] as keys, $4::uuid[] as ids) o
            cross join lateral (${REFERENTS}) r`,
    values: [lane, accountId, textArray(keys), plainArray(ids)],
  }
}

export function referentFrom(row: Row): Referent {
  return {
    id: row['id'] as string,
    kind: row['kind'] as ReferentKind,
    name: row['name'] as string,
    verifies: row['verifies'] as string | null,
    origin: row['origin'] as string | null,
  }
}
