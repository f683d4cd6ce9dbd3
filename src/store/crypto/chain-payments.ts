// What arrived at our addresses on chains. A payment goes from seen to final to reported; one whose block was undone
// before is dropped and may come back; a recovery sets what was reported back to final. What is final goes into the books with the cursor, in one statement.
import type { BlockName, ChainAsset, FinalChainPayment, ReadChainPayment } from '../../domain/payment/chain-payments.ts'
import { laneDigits } from '../../domain/contract/ids.ts'
import type { Hex } from '../../domain/transfer/chain-sends.ts'
import { ms } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement } from '../../platform/db.ts'

/** The unread part of a chain as it stands: what is read for good from now on, and all payments above the old cursor. */
export type ChainView = ChainAsset & {
  readonly from: BlockName
  readonly to: BlockName
  /** The newest block that was read. */
  readonly top: bigint
  /** Those up to the block `to` are final. */
  readonly payments: readonly ReadChainPayment[]
}

/**
 * Moves the cursor and writes what is above its old place, both or neither: where another process was faster nothing
 * happens, and `moved` is 0. What was seen up to the top and is not there any more is dropped; what is above it is left. A payment was there
 * when its block was made, however much later that is read: `created_at`, by which a price holds. No clock of a chain makes it later than when it
 * was first read there; in another block after a re-org it came with that one.
 */
export function recordChainView({ network, asset, from, to, top, payments }: ChainView): Statement {
  return {
    name: 'record_chain_view',
    text: `with moved as (
             update chain_cursors c set block = $5, block_hash = $6, updated_at = now()
              where c.network = $1 and c.asset = $2 and c.block = $3 and c.block_hash = $4
          returning c.block
           ), given as (
             select g.id, g.reference, g.units, g.transaction, g.block, g.block_hash,
                    least(now(), to_timestamp(g.time_ms / 1000)) as created_at,
                    case when g.block <= $5 then 'final' else 'seen' end as status
               from unnest($8::text[], $9::text[], $10::numeric[], $11::text[], $12::bigint[], $13::text[], $14::float8[])
                    g (id, reference, units, transaction, block, block_hash, time_ms)
              where exists (select from moved)
                -- Of before the token was in the id: it is told once, whatever it is called.
                and not exists (select from chain_payments o
                                 where o.id = regexp_replace(g.id, '/0x[0-9a-f]{40}/', '/') and o.id <> g.id
                                   and o.asset = $2 and o.reference = g.reference and o.status in ('final', 'reported'))
           ), dropped as (
             update chain_payments p set status = 'dropped', updated_at = now()
              where p.network = $1 and p.asset = $2 and p.status = 'seen' and p.block <= $7
                and exists (select from moved) and not exists (select from given g where g.id = p.id)
          returning p.reference
           ), kept as (
             insert into chain_payments as p (id, network, asset, reference, units, transaction, block, block_hash, status, created_at)
             select g.id, $1, $2, g.reference, g.units, g.transaction, g.block, g.block_hash, g.status, g.created_at from given g
                 on conflict (id) do update
                set units = excluded.units, block = excluded.block, block_hash = excluded.block_hash,
                    status = excluded.status, updated_at = now(),
                    created_at = case when p.block_hash = excluded.block_hash then p.created_at else excluded.created_at end
              where p.status in ('seen', 'dropped') and p.asset = excluded.asset
                and (p.status, p.block_hash) is distinct from (excluded.status, excluded.block_hash)
           )
           select (select count(*)::int from moved) as moved, array(select distinct d.reference from dropped d) as dropped`,
    values: [
      network,
      asset,
      from.number,
      from.hash,
      to.number,
      to.hash,
      top,
      plainArray(payments.map(({ id }) => id)),
      plainArray(payments.map(({ reference }) => reference)),
      plainArray(payments.map(({ units }) => units)),
      plainArray(payments.map(({ transaction }) => transaction)),
      plainArray(payments.map(({ block }) => block.number)),
      plainArray(payments.map(({ block }) => block.hash)),
      plainArray(payments.map(({ timeMs }) => timeMs)),
    ],
  }
}

export type CoinCount = {
  readonly network: string
  readonly reference: string
  /** Of the payment that the count may bring to light. */
  readonly id: string
  /** The final block that the chain is read to. */
  readonly cursor: BlockName
  /** At which was counted: the same, or an older one. */
  readonly block: BlockName
  /** In wei; null where the address has spent something, so that no count shows any more what came in. */
  readonly units: bigint | null
  /** When what is new was there, in milliseconds since the epoch; null where nothing is. */
  readonly seenAt: number | null
}

/**
 * What an address holds beyond the payments that are known by the block came in by a contract, and becomes a payment. The
 * cursor is locked, so that no payment becomes final meanwhile; where it has moved on, or was counted at a later block,
 * nothing happens.
 */
export function recordCoinCount({ network, reference, id, cursor, block, units, seenAt }: CoinCount): Statement {
  return {
    name: 'record_coin_count',
    text: `with cursor as (
             select c.block from chain_cursors c
              where c.network = $1 and c.asset = 'coin' and c.block = $8 and c.block_hash = $9 and c.block >= $4
                for update
           ), counted as (
             update chain_addresses a set balance_block = case when $6::numeric is not null then $4 end
              where a.reference = $2 and a.balance_block < $4 and exists (select from cursor)
          returning a.reference
           ), known as (
             select coalesce(sum(p.units), 0) as units from chain_payments p
              where p.reference = $2 and p.status in ('final', 'reported') and p.block <= $4
           )
           insert into chain_payments (id, network, asset, reference, units, block, block_hash, status, created_at)
           select $3, $1, 'coin', $2, $6::numeric - k.units, $4, $5, 'final',
                  coalesce(to_timestamp($7::float8 / 1000), now())
             from known k where $6::numeric > k.units and exists (select from counted)
               on conflict (id) do nothing`,
    values: [network, reference, id, block.number, block.hash, units, seenAt, cursor.number, cursor.hash],
  }
}

const COLUMNS = `p.id, p.network, p.asset, p.reference, p.units::text as units, p.transaction, p.block, p.block_hash,
                  ${ms('p.created_at')} as seen_at`

/** A payment that was reported, by its id. */
export function findReportedChainPayment(id: string): Statement {
  return {
    name: 'find_reported_chain_payment',
    text: `select ${COLUMNS} from chain_payments p where p.id = $1 and p.status = 'reported'`,
    values: [id],
  }
}

/**
 * Payments that have their confirmations and were not reported yet. First those that became so, or were put off, since the last resume, the
 * oldest first; they leave a tenth of the places to what a recovery set back, the newest first, for that is what books most likely lack. What
 * is put off goes behind the first kind, so that nothing of either kind waits for what cannot be booked.
 */
export function finalChainPayments({ network, asset }: ChainAsset, limit: number): Statement {
  return {
    name: 'final_chain_payments',
    text: `with resumed as (select coalesce(max(e.resumed_at), 'epoch') as at from epochs e),
           anew as (
             select p.*, 1 as turn, p.updated_at - r.at as away from chain_payments p, resumed r
              where p.network = $1 and p.asset = $2 and p.status = 'final' and p.updated_at > r.at
              order by p.updated_at, p.id limit $3::int - $3::int / 10
           ), again as (
             select p.*, 2 as turn, r.at - p.updated_at as away from chain_payments p, resumed r
              where p.network = $1 and p.asset = $2 and p.status = 'final' and p.updated_at <= r.at
              order by p.updated_at desc, p.id limit $3::int
           )
           select ${COLUMNS} from (select * from anew union all select * from again) p
            order by p.turn, p.away, p.id limit $3::int`,
    values: [network, asset, limit],
  }
}

export function chainPaymentFrom(row: Row): FinalChainPayment {
  return {
    id: row['id'] as string,
    network: row['network'] as string,
    asset: row['asset'] as ChainAsset['asset'],
    reference: row['reference'] as string,
    units: BigInt(row['units'] as string),
    transaction: row['transaction'] as Hex | null,
    block: { number: BigInt(row['block'] as string), hash: row['block_hash'] as Hex },
    seenAt: row['seen_at'] as number,
  }
}

/** The payment is booked, and is not reported again. */
export function markChainPaymentReported(id: string): Statement {
  return {
    name: 'mark_chain_payment_reported',
    text: `update chain_payments p set status = 'reported', reported_at = now(), updated_at = now()
            where p.id = $1 and p.status = 'final'`,
    values: [id],
  }
}

/** Lanes, and a moment since which their books may have lost what was booked there. */
type Lacked = { readonly lanes: readonly number[]; readonly fromMs: number }

/**
 * What was reported since such a moment is to be reported again: it is marked here, at home, and booked where the lane is, and those books may
 * have come back without it. What they have is booked once by its id, however often it is reported. When a row was written last stays: by that it
 * is known from what is new ({@link finalChainPayments}). Looks at so many rows after an id; answers with the id of the last, or null after that.
 */
export function reportChainPaymentsAgain(lacked: readonly Lacked[], after: string, limit: number): Statement {
  const each = lacked.flatMap(({ lanes, fromMs }) => lanes.map((lane) => ({ lane: laneDigits(lane), fromMs })))
  return {
    name: 'report_chain_payments_again',
    text: `with part as (
             select p.id from chain_payments p where p.id > $1 order by p.id limit $2
           ), set_back as (
             update chain_payments p set status = 'final', reported_at = null
               from part, unnest($3::text[], $4::float8[]) l (lane, from_ms)
              where p.id = part.id and p.status = 'reported'
                and l.lane = substr(p.reference, 15, 2) and p.reported_at >= to_timestamp(l.from_ms / 1000)
           )
           select max(part.id) as last from part`,
    values: [after, limit, plainArray(each.map(({ lane }) => lane)), plainArray(each.map(({ fromMs }) => fromMs))],
  }
}

/** The payment cannot be booked now: others go first. */
export function putOffChainPayment(id: string): Statement {
  return {
    name: 'put_off_chain_payment',
    text: `update chain_payments p set updated_at = now() where p.id = $1 and p.status = 'final'`,
    values: [id],
  }
}
