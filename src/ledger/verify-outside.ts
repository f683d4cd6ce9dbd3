// Proofs about money from outside of any contract, and the list of all of it that is live: what an auditor reads first.
import type { Row, Statement } from '../platform/db.ts'

/** A live credit without the record of the two who vouch for it, and any credit without what stands behind it. */
const RECORDED = `
  with judged as (
    select g.account_id, g.wallet_id, g.sequence, g.debit, g.amount_minor,
           case
             when m.livemode and (c.action_id is null or o.id is null or o.approved_by is null) then 'ledger.live credit recorded'
             when c.livemode is distinct from m.livemode and g.outside is not null then 'ledger.credit of its mode'
           end as proof
      from ledger g
      join account_modes m on m.lane = $1 and m.account_id = g.account_id
      left join outside_credits c on c.lane = $1 and c.account_id = g.account_id and c.wallet_id = g.wallet_id
                                 and c.sequence = g.outside
      left join operator_actions o on o.id = c.action_id and o.action = 'fund wallet' and o.target = c.wallet_id::text
     where g.lane = $1 and g.position is null and g.debit <> 'clearing:wallet'
  )
  select distinct on (proof) proof, account_id, format('ledger row %s of wallet %s', sequence, wallet_id) as row,
         format('%s -> available, %s minor units, and no record of who did it and who approved it', debit, amount_minor) as problem
    from judged where proof is not null order by proof, account_id, wallet_id, sequence`

export const OUTSIDE_PROOFS: readonly (readonly [name: string, text: string, values: readonly unknown[]])[] = [
  ['verify_outside', RECORDED, []],
]

/** One row of the ledger that brought money into a live wallet without a contract. */
export type LiveCredit = {
  /** `<wallet>/<sequence>`: the ledger's row. */
  readonly row: string
  readonly accountId: string
  readonly walletId: string
  readonly currency: string
  readonly amountMinor: bigint
  readonly reference: string | null
  /** Without "clearing:". */
  readonly from: string
  /** Null where the record is missing, which a proof names as well. */
  readonly operator: string | null
  readonly approvedBy: string | null
  readonly evidence: string | null
  readonly at: string
}

/** Every such row of a lane, oldest first. */
export function listLiveCredits(lane: number): Statement {
  return {
    name: 'list_live_credits',
    text: `select g.account_id, g.wallet_id, g.sequence, w.currency, g.amount_minor, g.reference, g.debit, o.operator,
                  o.approved_by, o.evidence, g.at
             from ledger g
             join account_modes m on m.lane = $1 and m.account_id = g.account_id and m.livemode
             join wallets w on w.lane = $1 and w.account_id = g.account_id and w.id = g.wallet_id
             left join outside_credits c on c.lane = $1 and c.account_id = g.account_id and c.wallet_id = g.wallet_id
                                        and c.sequence = g.outside
             left join operator_actions o on o.id = c.action_id
            where g.lane = $1 and g.position is null and g.debit <> 'clearing:wallet'
            order by g.at, g.wallet_id, g.sequence`,
    values: [lane],
  }
}

export function liveCreditFrom(row: Row): LiveCredit {
  return {
    row: `${row['wallet_id'] as string}/${row['sequence'] as string}`,
    accountId: row['account_id'] as string,
    walletId: row['wallet_id'] as string,
    currency: row['currency'] as string,
    amountMinor: BigInt(row['amount_minor'] as string),
    reference: row['reference'] as string | null,
    from: (row['debit'] as string).replace(/^clearing:/, ''),
    operator: row['operator'] as string | null,
    approvedBy: row['approved_by'] as string | null,
    evidence: row['evidence'] as string | null,
    at: (row['at'] as Date).toISOString(),
  }
}
