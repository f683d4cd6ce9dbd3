// Proofs about each transfer contract's money: what it holds, delivered and refunded, and the attempts to send it. One
// lane at a time; each statement answers with the first offending row of each proof.
import { LIVE_EXECUTIONS } from '../domain/transfer/moves.ts'
import { textArray } from '../platform/db.ts'

/**
 * The ledger rows of a contract fit its status: all of the debit is held while it is paid, delivered once it is
 * completed, refunded once it is cancelled, and never two of these. `came_back` is what a bounce returned; its fee
 * stays earned. Each retry refunded the hold and took it again; `again` is what that comes to, and the rest is judged
 * without it.
 */
const MONEY = `
  with flows as (
    select g.account_id, g.contract_id, min(g.wallet_id::text) as wallet_first, max(g.wallet_id::text) as wallet_last,
           sum(case when g.debit in ('available', 'pending', 'suspense') and g.credit = 'held' then g.amount_minor else 0 end) as taken,
           sum(case when g.debit = 'held' and g.credit in ('available', 'pending', 'suspense') then g.amount_minor else 0 end) as refunded,
           sum(case when g.debit in ('held', 'in_transit') and g.credit ~ '^(clearing:|fee_revenue$)' then g.amount_minor else 0 end) as delivered,
           sum(case when g.debit in ('held', 'in_transit') and g.credit = 'fee_revenue' then g.amount_minor else 0 end) as fee,
           sum(case when g.debit ~ '^clearing:' and g.credit = 'held' then g.amount_minor else 0 end) as came_back,
           sum(case when g.credit in ('held', 'in_transit') then g.amount_minor else 0 end
               - case when g.debit in ('held', 'in_transit') then g.amount_minor else 0 end) as held
      from ledger g
      left join contracts k on k.lane = $1 and k.account_id = g.account_id and k.id = g.contract_id
     where g.lane = $1 and g.contract_id is not null and k.kind is distinct from 'payment'
     group by g.account_id, g.contract_id
  ), heads as (
    select c.account_id, c.id as contract_id, c.status, c.held_minor, d.*
      from contracts c
      left join contract_versions h on h.lane = $1 and h.account_id = c.account_id and h.position = c.position
      left join lateral json_to_record(case json_typeof(h.document) when 'object' then h.document end)
        as d (debit_minor text, fee_minor text, paid_at text, wallet_id text, refund json, activities json) on true
     where c.lane = $1 and c.kind = 'transfer'
  ), netted as (
    select account_id, contract_id, h.status, h.held_minor, h.debit_minor, h.fee_minor, h.paid_at, h.wallet_id, h.refund,
           f.wallet_first, f.wallet_last, f.taken - r.again as taken, f.refunded - r.again as refunded, f.delivered, f.fee,
           f.came_back, f.held
      from heads h full join flows f using (account_id, contract_id)
      left join lateral (
             select count(*) * case when h.debit_minor ~ '^[0-9]{1,18}$' then h.debit_minor::numeric else 0 end as again
               from json_array_elements(
                      case when f.refunded > 0 and json_typeof(h.activities) = 'array' then h.activities else '[]' end) t
              where t ->> 0 = 'transfer_retried') r on true
  ), judged as (
    select case
             when n.status is null then 'ledger.contract exists'
             when n.refunded > n.taken then 'contract.refunded at most what was paid'
             when coalesce(n.held, 0) <> n.held_minor then 'contract.held = ledger'
             when n.status in ('draft', 'issued', 'expired') or n.paid_at is null then
               case when n.taken is not null then 'contract.unpaid moved no money' end
             when n.taken is null or n.taken::text is distinct from n.debit_minor then 'contract.taken = debit'
             when n.wallet_first <> n.wallet_last or n.wallet_first is distinct from n.wallet_id then 'contract.wallet = ledger'
             when n.refunded > 0 and n.delivered > n.came_back + n.fee then 'contract.never delivered and refunded'
             when n.status = 'paid' and (n.delivered > 0 or n.refunded > 0) then 'contract.paid = all of it held'
             when n.status in ('completed', 'returned')
                  and (n.delivered <> n.taken or n.fee::text <> coalesce(n.fee_minor, '0') or n.refunded > 0)
               then 'contract.completed = all of it delivered'
             when n.status = 'completed' and n.came_back > 0 or n.status = 'returned' and n.came_back <> n.delivered - n.fee
               then 'contract.returned = what came back'
             when n.status = 'cancelled'
                  and (n.refunded <> n.taken - n.delivered + n.came_back or n.refunded::text is distinct from n.refund ->> 0)
               then 'contract.refund = hold'
           end as proof,
           account_id, contract_id,
           format('%s: debit %s, held %s; its rows took %s, delivered %s (fee %s), brought back %s, refunded %s and hold %s',
                  coalesce(n.status, 'no such contract'), n.debit_minor, n.held_minor, coalesce(n.taken, 0), coalesce(n.delivered, 0),
                  coalesce(n.fee, 0), coalesce(n.came_back, 0), coalesce(n.refunded, 0), coalesce(n.held, 0)) as problem
      from netted n
  )
  select distinct on (proof) proof, account_id, 'contract ' || contract_id as row, problem
    from judged where proof is not null order by proof, account_id, contract_id`

/** A paid contract has the attempt that its document names; only a paid one has a live attempt, one, and it is due. */
const ATTEMPTS = `
  with newest as (
    select distinct on (a.account_id, a.contract_id) a.account_id, a.contract_id, a.number, a.status, a.reference, a.due_at,
           count(*) filter (where a.status = any ($2::text[])) over (partition by a.account_id, a.contract_id) as live
      from jobs a
     where a.lane = $1 and a.kind = 'payout'
     order by a.account_id, a.contract_id, a.number desc
  ), heads as (
    select c.account_id, c.id as contract_id, c.status, d.execution
      from contracts c
      left join contract_versions h on h.lane = $1 and h.account_id = c.account_id and h.position = c.position
      left join lateral json_to_record(case json_typeof(h.document) when 'object' then h.document end)
        as d (execution json) on true
     where c.lane = $1 and c.kind = 'transfer'
  ), judged as (
    select case
             when h.status is null then 'attempt.contract exists'
             when n.live > 1 then 'attempt.one live'
             when n.live > 0 and h.status <> 'paid' then 'attempt.live only while paid'
             when n.number is null and h.status in ('paid', 'completed', 'returned') then 'attempt.of every paid contract'
             when coalesce(n.status, 'none') <> coalesce(h.execution ->> 'status', 'none') then 'attempt.status = document'
             when n.number::text is distinct from h.execution ->> 'number' or n.reference is distinct from h.execution ->> 'reference'
               then 'attempt.number and reference = document'
             -- An order at a rail that takes no inquiry waits for its events, or for an operator.
             when n.status in ('queued', 'submitting') and n.due_at is null then 'attempt.waiting is due'
           end as proof,
           account_id, contract_id, n.number,
           format('the contract is %s, its document says attempt %s %s; the newest of its attempts is %s, due %s, and %s live',
                  coalesce(h.status, 'not there'), h.execution ->> 'number', coalesce(h.execution ->> 'status', 'none'),
                  coalesce(n.status, 'none'), coalesce(n.due_at::text, 'never'), coalesce(n.live, 0)) as problem
      from heads h full join newest n using (account_id, contract_id)
  )
  select distinct on (proof) proof, account_id, format('attempt %s of contract %s', coalesce(number, 0), contract_id) as row, problem
    from judged where proof is not null order by proof, account_id, contract_id`

/** Name, text, and the parameters after the lane. */
export const CONTRACT_PROOFS: readonly (readonly [name: string, text: string, values: readonly unknown[]])[] = [
  ['verify_money', MONEY, []],
  ['verify_attempts', ATTEMPTS, [textArray(LIVE_EXECUTIONS)]],
]
