// Proofs about money that comes in: what each payment contract was paid, settled and refunded, and what waits. One lane
// at a time; each statement answers with the first offending row of each proof. They read; they repair nothing.

/**
 * What was paid on a payment contract came in once, fee and all; what is left of it is pending or was settled, and will
 * be; what was refunded is what its transfers carry; and what arrived at all is what its receipts add up to.
 */
const PAYMENTS = `
  with flows as (
    select g.account_id, g.contract_id,
           sum(case when g.credit = 'pending' then g.amount_minor else 0 end) as accepted,
           sum(case when g.credit = 'fee_revenue' then g.amount_minor else 0 end) as fee,
           sum(case when g.debit = 'pending' then g.amount_minor else 0 end) as settled,
           sum(case when g.debit ~ '^clearing:' then g.amount_minor else 0 end) as arrived
      from ledger g
      join contracts k on k.lane = $1 and k.account_id = g.account_id and k.id = g.contract_id and k.kind = 'payment'
     where g.lane = $1
     group by g.account_id, g.contract_id
  ), receipts as (
    select e.account_id, e.contract_id, sum(e.amount_minor) filter (where e.id !~ '^return:') as arrived,
           sum(e.amount_minor) filter (where e.currency = k.currency and e.id !~ '^return:') as received,
           sum(e.suspense_minor) filter (where e.currency = k.currency) as suspense
      from payment_events e
      join contracts k on k.lane = $1 and k.account_id = e.account_id and k.id = e.contract_id
     where e.lane = $1 and e.amount_minor is not null
     group by e.account_id, e.contract_id
  ), children as (
    select c.account_id, c.parent_id as contract_id, sum(c.amount_minor) as refunded
      from contracts c
      join contract_versions h on h.lane = $1 and h.account_id = c.account_id and h.position = c.position
     where c.lane = $1 and c.parent_id is not null and c.status <> 'cancelled'
       and h.document -> 'origin' ->> 'from' = 'payment'
     group by c.account_id, c.parent_id
  ), taken as (
    select c.account_id, c.parent_id as contract_id,
           sum(case when g.debit = 'pending' then g.amount_minor when g.credit = 'pending' then -g.amount_minor else 0 end) as pending
      from contracts c
      join ledger g on g.lane = $1 and g.account_id = c.account_id and g.contract_id = c.id
     where c.lane = $1 and c.parent_id is not null
     group by c.account_id, c.parent_id
  ), judged as (
    select case
             when c.paid_minor = 0 and (coalesce(f.accepted, 0) > 0 or c.status in ('paid', 'completed')) then 'payment.paid = ledger'
             when c.paid_minor > 0 and (coalesce(f.accepted, 0) + coalesce(f.fee, 0) <> c.paid_minor or c.status not in ('paid', 'completed'))
               then 'payment.paid = ledger'
             when c.status = 'completed' and c.pending_minor > 0 then 'payment.settled has nothing pending'
             when c.pending_minor <> coalesce(f.accepted, 0) - coalesce(f.settled, 0) - coalesce(t.pending, 0)
               then 'payment.pending = ledger'
             when coalesce(r.arrived, 0) <> coalesce(f.arrived, 0) then 'payment.receipts = ledger'
             when coalesce(r.received, 0)::text <> coalesce(d.received_minor, '0') then 'payment.received = receipts'
             when coalesce(r.suspense, 0)::text <> coalesce(d.suspense_minor, '0') then 'payment.suspense = receipts'
             when coalesce(k.refunded, 0) <> c.refunded_minor then 'payment.refunded = its transfers'
             when c.paid_minor::text <> coalesce(d.paid_minor, '0') or c.refunded_minor::text <> coalesce(d.refunded_minor, '0')
                  or c.pending_minor::text <> coalesce(d.pending_minor, '0')
               then 'payment.head = document'
             when c.status = 'paid' and j.due_at is null then 'payment.unsettled is due'
           end as proof,
           c.account_id, c.id,
           format('%s: paid %s, pending %s, refunded %s; the ledger accepted %s with a fee of %s and settled %s; %s arrived, by receipts %s; in suspense %s, by its document %s; its transfers carry %s',
                  c.status, c.paid_minor, c.pending_minor, c.refunded_minor, coalesce(f.accepted, 0), coalesce(f.fee, 0),
                  coalesce(f.settled, 0), coalesce(f.arrived, 0), coalesce(r.arrived, 0), coalesce(r.suspense, 0), coalesce(d.suspense_minor, '0'),
                  coalesce(k.refunded, 0)) as problem
      from contracts c
      left join contract_versions h on h.lane = $1 and h.account_id = c.account_id and h.position = c.position
      left join lateral json_to_record(case json_typeof(h.document) when 'object' then h.document end)
        as d (received_minor text, suspense_minor text, paid_minor text, refunded_minor text, pending_minor text) on true
      left join flows f on f.account_id = c.account_id and f.contract_id = c.id
      left join receipts r on r.account_id = c.account_id and r.contract_id = c.id
      left join taken t on t.account_id = c.account_id and t.contract_id = c.id
      left join jobs j on j.lane = $1 and j.account_id = c.account_id and j.contract_id = c.id
      left join children k on k.account_id = c.account_id and k.contract_id = c.id
     where c.lane = $1 and c.kind = 'payment'
  )
  select distinct on (proof) proof, account_id, 'payment contract ' || id as row, problem
    from judged where proof is not null order by proof, account_id, id`

/** One balance of all wallets of an account in a currency. */
const wallets = (balance: 'pending_minor' | 'suspense_minor'): string =>
  `select w.account_id, w.currency, sum(w.${balance}) as ${balance} from wallets w where w.lane = $1 group by w.account_id, w.currency`

/** What an account's payment contracts have that is not settled is what its wallets have pending. */
const PENDING = `
  with waiting as (
    select c.account_id, c.currency, sum(c.pending_minor) as pending from contracts c where c.lane = $1 group by c.account_id, c.currency
  )
  select 'wallet.pending = its contracts' as proof, account_id, format('the %s wallets of the account', currency) as row,
         format('they have %s pending, the contracts %s', coalesce(w.pending_minor, 0), coalesce(p.pending, 0)) as problem
    from waiting p full join (${wallets('pending_minor')}) w using (account_id, currency)
   where coalesce(p.pending, 0) <> coalesce(w.pending_minor, 0)
   order by account_id, currency
   limit 1`

/** What arrived and fits no contract is what the wallets have in suspense; every amount that arrived is in the ledger once. */
const SUSPENSE = `
  with waiting as (
    select e.account_id, e.currency, sum(e.suspense_minor) as suspense from payment_events e
     where e.lane = $1 and e.amount_minor is not null group by e.account_id, e.currency
  )
  select 'wallet.suspense = its receipts' as proof, account_id, format('the %s wallets of the account', currency) as row,
         format('they have %s in suspense, the receipts %s', coalesce(w.suspense_minor, 0), coalesce(p.suspense, 0)) as problem
    from waiting p full join (${wallets('suspense_minor')}) w using (account_id, currency)
   where coalesce(p.suspense, 0) <> coalesce(w.suspense_minor, 0)
   order by account_id, currency
   limit 1`

/** Name, text, and the parameters after the lane. */
export const PAYMENT_PROOFS: readonly (readonly [name: string, text: string, values: readonly unknown[]])[] = [
  ['verify_payments', PAYMENTS, []],
  ['verify_pending', PENDING, []],
  ['verify_suspense', SUSPENSE, []],
]
