// Proofs about what happened: heads against their history, and history against itself. One lane at a time; each statement
// answers with the first offending row of each proof. What documents say is compared as text: a row that was tampered
// with may hold anything.
import { TRANSFER_MOVES } from '../domain/transfer/move-table.ts'
import { PAYMENT_MOVES } from '../domain/payment/move-table.ts'
import { textArray } from '../platform/db.ts'

/** The head of a contract is what its newest history row says. */
const HEADS = `
  with judged as (
    select case
             when h.position is null then 'contract.version in history'
             when h.position <> c.position then 'contract.position = history'
             when d.status is distinct from c.status then 'contract.status = document'
             when d.amount_minor is distinct from c.amount_minor::text or d.currency is distinct from c.currency
               then 'contract.amount = document'
             when coalesce(d.held_minor, '0') <> c.held_minor::text then 'contract.held = document'
             when d.channel ->> 0 is distinct from c.channel_id then 'contract.channel = document'
             when d.expires_at is distinct from round(extract(epoch from c.expires_at) * 1000)::text
               then 'contract.expires_at = document'
             when coalesce(d.livemode, 'false') <> m.livemode::text then 'contract.mode = account'
           end as proof,
           c.account_id, c.id,
           format('the head says %s, version %s at position %s, %s %s, held %s; history says %s at position %s, %s %s, held %s',
                  c.status, c.version, c.position, c.currency, c.amount_minor, c.held_minor, coalesce(d.status, 'nothing'),
                  coalesce(h.position::text, 'none'), d.currency, d.amount_minor, coalesce(d.held_minor, '0')) as problem
      from contracts c
      join account_modes m on m.lane = $1 and m.account_id = c.account_id
      left join contract_versions h on h.lane = $1 and h.account_id = c.account_id and h.contract_id = c.id and h.version = c.version
      left join lateral json_to_record(case json_typeof(h.document) when 'object' then h.document end)
        as d (status text, amount_minor text, currency text, held_minor text, channel json, expires_at text, livemode text) on true
     where c.lane = $1
  )
  select distinct on (proof) proof, account_id, 'contract ' || id as row, problem
    from judged where proof is not null order by proof, account_id, id`

/** Versions and events are numbered without a gap, and each step from one version to the next is on the table of moves; of a document that has left the status stays. */
const VERSIONS = `
  with read as (
    select h.account_id, h.contract_id, h.version, h.position, h.sequence, h.event, d.status,
           d.kind, d.version as document_version, d.sequence as document_sequence, d.removed is not null as is_removed,
           row_number() over versions as place, count(h.sequence) over versions as events,
           lag(d.status) over versions as status_before, lag(h.position) over versions as position_before
      from contract_versions h
      left join lateral json_to_record(case json_typeof(h.document) when 'object' then h.document end)
        as d (kind text, status text, version text, sequence text, removed text) on true
     where h.lane = $1
    window versions as (partition by h.account_id, h.contract_id order by h.version)
  ), stepped as (
    select r.*, concat(coalesce(kind, 'transfer'), ': ', coalesce(status_before, 'none'), ' -> ', coalesce(status, 'none'), ', ', coalesce(event, 'no event')) as step
      from read r
  ), judged as (
    select case
             when s.version <> s.place then 'history.version gapless'
             when s.document_version is distinct from s.version::text and not s.is_removed then 'history.version = document'
             when s.position < s.position_before then 'history.position rises'
             when s.sequence <> s.events then 'event.sequence gapless'
             when s.document_sequence is distinct from s.events::text and not s.is_removed then 'event.sequence = document'
             when s.step <> all ($2::text[]) then 'history.move on the table'
           end as proof, s.*
      from stepped s
  )
  select distinct on (proof) proof, account_id, format('version %s of contract %s', version, contract_id) as row,
         format('place %s, document version %s, event number %s of %s, step %s', place, coalesce(document_version, 'none'),
                coalesce(sequence::text, 'none'), coalesce(document_sequence, 'none'), step) as problem
    from judged where proof is not null order by proof, account_id, contract_id, version`

/** The newest version in history is the contract's, and every contract of history is there. */
const NEWEST = `
  with newest as (
    select h.account_id, h.contract_id, max(h.version) as version
      from contract_versions h where h.lane = $1 group by h.account_id, h.contract_id
  )
  select 'contract.version = newest history' as proof, n.account_id, 'contract ' || n.contract_id as row,
         format('the head is at version %s and its history at %s', coalesce(c.version::text, 'none (no such contract)'), n.version) as problem
    from newest n
    left join contracts c on c.lane = $1 and c.account_id = n.account_id and c.id = n.contract_id
   where c.version is distinct from n.version
   order by n.account_id, n.contract_id
   limit 1`

/** An account's history is numbered without a gap up to the position it has counted to: the feed has lost nothing. */
const POSITIONS = `
  with placed as (
    select h.account_id, h.position, row_number() over (partition by h.account_id order by h.position) as place
      from account_steps h where h.lane = $1
  ), newest as (
    select p.account_id, max(p.position) as position from placed p group by p.account_id
  ), counted as (
    select a.account_id, a.position from accounts a where a.lane = $1
  ), judged as (
    select 'history.position gapless' as proof, p.account_id, p.position,
           format('position %s stands where %s belongs', p.position, p.place) as problem
      from placed p where p.position <> p.place
    union all
    select 'account.position = newest history', account_id, n.position,
           format('the account is at position %s, its history at %s', coalesce(c.position::text, 'none (no such account)'), coalesce(n.position, 0))
      from newest n full join counted c using (account_id)
     where coalesce(n.position, 0) is distinct from c.position
  )
  select distinct on (proof) proof, account_id, format('history at position %s', coalesce(position, 0)) as row, problem
    from judged order by proof, account_id, position`

/** What an idempotency key answers with is there. */
const ANSWERS = `
  select 'idempotency.position in history' as proof, i.account_id, 'idempotency key ' || i.key_hash as row,
         format('it points to position %s, which holds nothing', i.position) as problem
    from idempotency_keys i
   where i.lane = $1 and i.position is not null
     and not exists (select 1 from contract_versions h where h.lane = $1 and h.account_id = i.account_id and h.position = i.position)
   order by i.account_id, i.key_hash
   limit 1`

const stepOf = (kind: string, from: string | null, to: string, event: string | null) =>
  `${kind}: ${from ?? 'none'} -> ${to}, ${event ?? 'no event'}`
const STEPS = [
  ...new Set([
    ...TRANSFER_MOVES.map(({ from, to, event }) => stepOf('transfer', from, to, event)),
    ...PAYMENT_MOVES.map(({ from, to, event }) => stepOf('payment', from, to, event)),
  ]),
]

/** Name, text, and the parameters after the lane. */
export const HISTORY_PROOFS: readonly (readonly [name: string, text: string, values: readonly unknown[]])[] = [
  ['verify_heads', HEADS, []],
  ['verify_versions', VERSIONS, [textArray(STEPS)]],
  ['verify_newest', NEWEST, []],
  ['verify_positions', POSITIONS, []],
  ['verify_answers', ANSWERS, []],
]
