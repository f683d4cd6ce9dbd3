// Rows that brought money into a wallet from another wallet of this gateway, and the attempts that did. The rows name no contract of their
// own account: the other wallet may be in another lane, and only the reference says whose money it is.
import { tagIn } from '../domain/contract/ids.ts'
import { plainArray, type Row, type Statement, textArray } from '../platform/db.ts'

export type CreditBetween = {
  readonly accountId: string
  readonly walletId: string
  readonly sequence: number
  readonly currency: string
  readonly livemode: boolean
  readonly amountMinor: bigint
  readonly reference: string
}

/** The row that the page before ended with. */
export type PlaceBetween = Pick<CreditBetween, 'accountId' | 'reference'>

/** The id before all others. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** So many of a lane after one of them, by the index of references: most rows of a ledger have none. */
export function creditsBetween(lane: number, after: PlaceBetween | null, limit: number): Statement {
  return {
    name: 'verify_credits_between',
    text: `select g.account_id, g.wallet_id, g.sequence, w.currency, w.livemode, g.amount_minor, g.reference
             from (select l.* from ledger l
                    where l.lane = $1 and l.reference is not null and l.position is null and l.debit = 'clearing:wallet'
                      and (l.account_id, l.reference) > ($2::uuid, $3::text)
                    order by l.account_id, l.reference limit $4) g
             join wallets w on w.lane = $1 and w.account_id = g.account_id and w.id = g.wallet_id
            where g.lane = $1
            order by g.account_id, g.reference`,
    values: [lane, after?.accountId ?? NOBODY, after?.reference ?? '', limit],
  }
}

export const creditBetweenFrom = (row: Row): CreditBetween => ({
  accountId: row['account_id'] as string,
  walletId: row['wallet_id'] as string,
  sequence: Number(row['sequence']),
  currency: row['currency'] as string,
  livemode: row['livemode'] as boolean,
  amountMinor: BigInt(row['amount_minor'] as string),
  reference: row['reference'] as string,
})

/** What the books of the one that paid say of a transfer, as far as a credit can be judged by it. */
export type Sender = {
  readonly id: string
  readonly kind: string
  readonly currency: string
  readonly livemode: boolean
  /** Which wallet it is to; null where it was adopted on the terms of the credit itself. */
  readonly walletId: string | null
  readonly isAdopted: boolean
  readonly paysContract: boolean
  /** What arrives; null where nothing was agreed on. */
  readonly amountMinor: bigint | null
  /** Its newest attempt. */
  readonly number: number
  readonly status: string
}

/** Of a document `d`: whether it was adopted on the terms of the credit itself. */
const IS_ADOPTED = `coalesce(d.activities::text like '%"terms":"unknown"%', false)`

/**
 * The contracts of a lane with these ids, whosever they are. `tag`: only under accounts that the ids themselves point to, of which there
 * are few; ids that are older than tags point to none, and are looked for under all accounts of the lane.
 */
export function sendersNamed(lane: number, ids: readonly string[], by: 'tag' | 'lane'): Statement {
  return {
    name: `verify_senders_by_${by}`,
    text: `select c.id, c.kind, c.currency, a.livemode, d.debit_minor, d.fee_minor, d.pays is not null as pays_contract,
                  d.recipient ->> 'wallet' as wallet_id, d.execution ->> 'number' as number, d.execution ->> 'status' as status,
                  ${IS_ADOPTED} as is_adopted
             from unnest($2::uuid[], $3::text[]) x (id, tag)
             join accounts a on a.lane = $1${by === 'tag' ? ' and right(a.account_id::text, 4) = x.tag' : ''}
             join contracts c on c.lane = $1 and c.account_id = a.account_id and c.id = x.id
             join contract_versions h on h.lane = $1 and h.account_id = c.account_id and h.position = c.position
            cross join lateral json_to_record(case json_typeof(h.document) when 'object' then h.document end)
               as d (debit_minor text, fee_minor text, pays text, recipient json, execution json, activities json)`,
    values: [lane, plainArray(ids), textArray(ids.map(tagIn))],
  }
}

export const senderFrom = (row: Row): Sender => ({
  id: row['id'] as string,
  kind: row['kind'] as string,
  currency: row['currency'] as string,
  livemode: row['livemode'] as boolean,
  walletId: (row['wallet_id'] as string | null)?.toLowerCase() ?? null,
  isAdopted: row['is_adopted'] === true,
  paysContract: row['pays_contract'] === true,
  amountMinor: minorOf(row['debit_minor'] as string | null, row['fee_minor'] as string | null),
  number: Number(row['number'] ?? 0),
  status: (row['status'] as string | null) ?? 'none',
})

/** A document that somebody else wrote may say anything. */
const minorOf = (debit: string | null, fee: string | null): bigint | null =>
  [debit ?? '', fee ?? '0'].every((each) => /^\d+$/.test(each)) ? BigInt(debit ?? '') - BigInt(fee ?? '0') : null

/** An attempt that its payer's books have as delivered by a channel between wallets of this gateway. */
export type DeliveryBetween = {
  readonly accountId: string
  readonly contractId: string
  readonly number: number
  readonly reference: string
  /** To which wallet. */
  readonly walletId: string | null
  /** Which payment contract it paid instead; null for none. */
  readonly pays: string | null
  readonly isAdopted: boolean
}

/** The attempt that the page before ended with. */
export type PlaceDelivered = Pick<DeliveryBetween, 'accountId' | 'contractId'>

/** So many of a lane after one of them, in the order of their contracts. One without its contract is among them. */
export function deliveriesBetween(lane: number, after: PlaceDelivered | null, limit: number): Statement {
  return {
    name: 'verify_deliveries_between',
    text: `select j.account_id, j.contract_id, j.number, j.reference, d.pays, d.recipient ->> 'wallet' as wallet_id,
                  ${IS_ADOPTED} as is_adopted
             from (select p.* from jobs p
                    where p.lane = $1 and p.kind = 'payout' and p.status = 'delivered'
                      and p.channel_id in (select m.channel_id from channel_modes m where m.internal)
                      and (p.account_id, p.contract_id) > ($2::uuid, $3::uuid)
                    order by p.account_id, p.contract_id limit $4) j
             left join contracts c on c.lane = $1 and c.account_id = j.account_id and c.id = j.contract_id
             left join contract_versions h on h.lane = $1 and h.account_id = c.account_id and h.position = c.position
             left join lateral json_to_record(case json_typeof(h.document) when 'object' then h.document end)
               as d (pays text, recipient json, activities json) on true
            where j.lane = $1
            order by j.account_id, j.contract_id`,
    values: [lane, after?.accountId ?? NOBODY, after?.contractId ?? NOBODY, limit],
  }
}

export const deliveryBetweenFrom = (row: Row): DeliveryBetween => ({
  accountId: row['account_id'] as string,
  contractId: row['contract_id'] as string,
  number: row['number'] as number,
  reference: row['reference'] as string,
  walletId: row['wallet_id'] as string | null,
  pays: row['pays'] as string | null,
  isAdopted: row['is_adopted'] === true,
})
