// Holds the histories that were stored against the tables of moves: each version is one of their rows, with the postings that
// stand in the ledger and the activities that it added. By which verb it came is not stored.
import type pg from 'pg'
import type { MoveOf } from '../../src/domain/contract/move.ts'
import { TRANSFER_MOVES } from '../../src/domain/transfer/move-table.ts'
import { PAYMENT_MOVES } from '../../src/domain/payment/move-table.ts'
import { textsOf } from './model/move-rows.ts'

const ANY = 'any verb'

const STEPS = `
  with read as (
    select h.lane, h.account_id, h.contract_id, h.version, h.position, h.event, h.document ->> 'kind' as kind,
           h.document ->> 'status' as status, h.document -> 'activities' as activities,
           json_array_length(h.document -> 'activities') as kept,
           json_array_length(h.document -> 'activities') + coalesce((h.document ->> 'folded')::int, 0) as count
      from contract_versions h
  ), stepped as (
    select r.*, lag(status) over versions as before, lag(count, 1, 0) over versions as count_before
      from read r
    window versions as (partition by lane, account_id, contract_id order by version)
  ), posted as materialized (
    -- Gathered once: no index of the ledger finds the rows of one step, and long histories have a hundred thousand.
    select l.lane, l.account_id, l.position, l.contract_id,
           array_agg(regexp_replace(l.debit, ':.*', '') || ' → ' || regexp_replace(l.credit, ':.*', '') order by l.wallet_id, l.sequence) as postings
      from ledger l group by 1, 2, 3, 4
  )
  select coalesce(kind, 'transfer') as kind, before as "from", status as "to", event,
         array(select each ->> 0 from json_array_elements(activities) with ordinality as line (each, place)
                where place > kept - (count - count_before) order by place) as activities,
         coalesce(p.postings, '{}') as postings,
         min(contract_id::text) as example
    from stepped s left join posted p using (lane, account_id, position, contract_id)
   group by 1, 2, 3, 4, 5, 6`

type Stored = Omit<MoveOf<string, string>, 'verb' | 'when'> & {
  readonly kind: 'transfer' | 'payment'
  readonly example: string
}

/** What is stored and is on no table, in words. */
export async function storedMoveFaults(client: Pick<pg.Client, 'query'>): Promise<string[]> {
  // By their sorting, which is by account alone, each version would be held against all postings of its account.
  await client.query('set enable_mergejoin = off; set enable_nestloop = off')
  const { rows } = await client.query<Stored>(STEPS)
  await client.query('reset enable_mergejoin; reset enable_nestloop')
  const known = { transfer: textsOfAll(TRANSFER_MOVES), payment: textsOfAll(PAYMENT_MOVES.map(withoutTransfers)) }
  return rows.flatMap(({ kind, example, ...facts }) =>
    [...textsOf({ ...facts, verb: ANY, when: '' })]
      .filter((text) => !known[kind].has(text))
      .map((text) => `no move of a ${kind} is: ${text} (such as ${example})`),
  )
}

function textsOfAll(table: readonly MoveOf<string, string>[]): ReadonlySet<string> {
  return new Set(table.flatMap((move) => [...textsOf({ ...move, verb: ANY })]))
}

/** What a payment contract gives back is posted for the transfer that it opens. */
function withoutTransfers(move: MoveOf<string, string>): MoveOf<string, string> {
  return { ...move, postings: move.postings.filter((posting) => !posting.endsWith('→ held')) }
}
