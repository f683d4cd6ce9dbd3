// Proofs about documents that have left the database after their time: each is of a version that a later one has superseded, its contract
// ended a month ago or more, and an archive is noted that has both. That its hashes are what was sealed is for the proof of seals.
import { ENDED } from '../domain/contract/ended.ts'
import { textArray } from '../platform/db.ts'

// Of contracts of which a document has left, all versions: what stands for a document says its status too.
const REMOVED = `
  with archived as (
    select a.account_id, max(s.to_position) as position
      from archive_notes a
      join seals s on s.lane = $1 and s.account_id = a.account_id and s.number = a.number
                  and encode(sha256(convert_to(s.text, 'UTF8')), 'hex') = a.head
     where a.lane = $1
     group by a.account_id
  ), emptied as (
    select distinct h.account_id, h.contract_id from contract_versions h where h.lane = $1 and h.document::text like '{"removed":%'
  ), read as (
    select h.account_id, h.contract_id, h.version, h.position, h.document::text like '{"removed":%' as is_removed, d.activity,
           min(h.position) filter (where d.status = any($2::text[]) and h.at < now() - interval '30 days') over later as ended
      from emptied e
      join contract_versions h on h.lane = $1 and h.account_id = e.account_id and h.contract_id = e.contract_id
      left join lateral json_to_record(case json_typeof(h.document) when 'object' then h.document end)
        as d (status text, activity text) on true
    window later as (partition by h.account_id, h.contract_id order by h.version rows between 1 following and unbounded following)
  ), judged as (
    select case
             when r.ended is null then 'removed.contract ended'
             when a.position is null or a.position < r.ended then 'removed.document archived'
             when n.document -> 'folded' is not null
               or not exists (select from json_array_elements(n.document -> 'activities') t where t ->> 0 = r.activity)
               then 'removed.activity = newest'
           end as proof, r.*, a.position as archived
      from read r
      left join contracts c on c.lane = $1 and c.account_id = r.account_id and c.id = r.contract_id
      left join contract_versions n on n.lane = $1 and n.account_id = r.account_id and n.position = c.position
      left join archived a on a.account_id = r.account_id
     where r.is_removed
  )
  select distinct on (proof) proof, account_id, format('version %s of contract %s', version, contract_id) as row,
         format('its document at position %s has left; a later version ended it a month ago or more at position %s, an archive is noted up to %s, its activity was %s',
                position, coalesce(ended::text, 'none'), coalesce(archived::text, 'none'), coalesce(activity, 'none')) as problem
    from judged where proof is not null order by proof, account_id, contract_id, version`

export const REMOVED_PROOFS: readonly (readonly [name: string, text: string, values: readonly unknown[]])[] = [
  ['verify_removed', REMOVED, [textArray(ENDED)]],
]
