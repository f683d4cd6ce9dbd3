// Proofs about money: wallets against their ledger rows, and ledger rows against each other. One lane at a time; each
// statement answers with the first offending row of each proof. They read; they repair nothing.

/** Each wallet's balances are what its rows come to, it has counted every row, and every row has its wallet. */
const BALANCES = `
  with sums as (
    select g.account_id, g.wallet_id, count(*) as entries,
           sum(case when g.credit = 'available' then g.amount_minor when g.debit = 'available' then -g.amount_minor else 0 end) as available,
           sum(case when g.credit = 'held' then g.amount_minor when g.debit = 'held' then -g.amount_minor else 0 end) as held,
           sum(case when g.credit = 'in_transit' then g.amount_minor when g.debit = 'in_transit' then -g.amount_minor else 0 end) as in_transit,
           sum(case when g.credit = 'pending' then g.amount_minor when g.debit = 'pending' then -g.amount_minor else 0 end) as pending,
           sum(case when g.credit = 'suspense' then g.amount_minor when g.debit = 'suspense' then -g.amount_minor else 0 end) as suspense
      from ledger g
     where g.lane = $1
     group by g.account_id, g.wallet_id
  ), compared as (
    select account_id, wallet_id as id, w.sequence, w.available_minor, w.held_minor, w.in_transit_minor, w.pending_minor, w.suspense_minor,
           coalesce(s.entries, 0) as entries, coalesce(s.available, 0) as available,
           coalesce(s.held, 0) as held, coalesce(s.in_transit, 0) as in_transit,
           coalesce(s.pending, 0) as pending, coalesce(s.suspense, 0) as suspense
      from (select w.*, w.id as wallet_id from wallets w where w.lane = $1) w full join sums s using (account_id, wallet_id)
  ), judged as (
    select 'wallet.available = ledger' as proof, c.account_id, c.id,
           format('available_minor is %s, its rows come to %s', c.available_minor, c.available) as problem
      from compared c where c.available_minor <> c.available
    union all
    select 'wallet.held = ledger', c.account_id, c.id, format('held_minor is %s, its rows come to %s', c.held_minor, c.held)
      from compared c where c.held_minor <> c.held
    union all
    select 'wallet.in_transit = ledger', c.account_id, c.id,
           format('in_transit_minor is %s, its rows come to %s', c.in_transit_minor, c.in_transit)
      from compared c where c.in_transit_minor <> c.in_transit
    union all
    select 'wallet.pending = ledger', c.account_id, c.id, format('pending_minor is %s, its rows come to %s', c.pending_minor, c.pending)
      from compared c where c.pending_minor <> c.pending
    union all
    select 'wallet.suspense = ledger', c.account_id, c.id,
           format('suspense_minor is %s, its rows come to %s', c.suspense_minor, c.suspense)
      from compared c where c.suspense_minor <> c.suspense
    union all
    select 'wallet.sequence = count of rows', c.account_id, c.id,
           format('sequence is %s, the wallet has %s rows', c.sequence, c.entries)
      from compared c where c.sequence <> c.entries
    union all
    select 'ledger.wallet exists', c.account_id, c.id, format('the ledger has %s rows of it, and there is no such wallet', c.entries)
      from compared c where c.sequence is null
  )
  select distinct on (proof) proof, account_id, 'wallet ' || id as row, problem from judged order by proof, account_id, id`

/** What a row adds to a balance. */
const change = (balance: string): string =>
  `case when g.credit = '${balance}' then g.amount_minor when g.debit = '${balance}' then -g.amount_minor else 0 end`

/** A wallet's rows are numbered without a gap, and each has the right balances after it; rows of before have `available` alone. */
const CHAIN = `
  with chained as (
    select g.account_id, g.wallet_id, g.sequence, g.available_after_minor, g.held_after_minor, g.in_transit_after_minor,
           g.pending_after_minor, g.suspense_after_minor,
           row_number() over chain as place,
           sum(${change('available')}) over chain as available, sum(${change('held')}) over chain as held,
           sum(${change('in_transit')}) over chain as in_transit, sum(${change('pending')}) over chain as pending,
           sum(${change('suspense')}) over chain as suspense
      from ledger g
     where g.lane = $1
    window chain as (partition by g.account_id, g.wallet_id order by g.sequence)
  ), judged as (
    select case when c.sequence <> c.place then 'ledger.sequence gapless'
                when c.available_after_minor <> c.available then 'ledger.available_after chain'
                else 'ledger.balances_after chain' end as proof,
           c.account_id, c.wallet_id, c.sequence,
           case when c.sequence <> c.place then format('number %s stands where %s belongs', c.sequence, c.place)
                when c.available_after_minor <> c.available
                  then format('available_after_minor is %s, the rows so far come to %s', c.available_after_minor, c.available)
                else format('after it held %s, in transit %s, pending %s, suspense %s; the rows so far come to %s, %s, %s, %s',
                            c.held_after_minor, c.in_transit_after_minor, c.pending_after_minor, c.suspense_after_minor,
                            c.held, c.in_transit, c.pending, c.suspense) end as problem
      from chained c
     where c.sequence <> c.place or c.available_after_minor <> c.available
        or c.held_after_minor <> c.held or c.in_transit_after_minor <> c.in_transit
        or c.pending_after_minor <> c.pending or c.suspense_after_minor <> c.suspense
        -- All four or none.
        or num_nulls(c.held_after_minor, c.in_transit_after_minor, c.pending_after_minor, c.suspense_after_minor) between 1 and 3
  )
  select distinct on (proof) proof, account_id, format('ledger row %s of wallet %s', sequence, wallet_id) as row, problem
    from judged order by proof, account_id, wallet_id, sequence`

/** Each row takes from one known account and gives as much to another, and names its origin. */
const ENTRIES = `
  with judged as (
    select case
             when g.debit = g.credit then 'ledger.debit and credit differ'
             when g.amount_minor <= 0 then 'ledger.amount above zero'
             when g.debit !~ $2 or g.credit !~ $2 then 'ledger.accounts known'
             when (g.position is null) <> (g.contract_id is null) or (g.contract_id is null and g.reference is null)
               then 'ledger.origin named'
             when g.position is not null and h.contract_id is distinct from g.contract_id then 'ledger.position = history'
           end as proof,
           g.account_id, g.wallet_id, g.sequence, g.debit, g.credit, g.amount_minor, g.position, g.contract_id
      from ledger g
      left join contract_versions h on h.lane = $1 and h.account_id = g.account_id and h.position = g.position
     where g.lane = $1
  )
  select distinct on (proof) proof, account_id, format('ledger row %s of wallet %s', sequence, wallet_id) as row,
         format('%s -> %s, %s minor units, contract %s at position %s', debit, credit, amount_minor,
                coalesce(contract_id::text, 'none'), coalesce(position::text, 'none')) as problem
    from judged where proof is not null order by proof, account_id, wallet_id, sequence`

/** What an account's contracts hold in a currency is what its wallets hold and has on the way. */
const HOLDS = `
  with holding as (
    select c.account_id, c.currency, sum(c.held_minor) as held from contracts c where c.lane = $1 group by c.account_id, c.currency
  ), waiting as (
    select w.account_id, w.currency, sum(w.held_minor + w.in_transit_minor) as held
      from wallets w where w.lane = $1 group by w.account_id, w.currency
  )
  select 'wallet.held + in_transit = its contracts' as proof, account_id, format('the %s wallets of the account', currency) as row,
         format('they hold %s, the contracts hold %s', coalesce(w.held, 0), coalesce(h.held, 0)) as problem
    from holding h full join waiting w using (account_id, currency)
   where coalesce(h.held, 0) <> coalesce(w.held, 0)
   order by account_id, currency
   limit 1`

const ACCOUNTS = '^(available|held|in_transit|pending|suspense|fee_revenue|external|clearing:.+)$'

/** Name, text, and the parameters after the lane. */
export const WALLET_PROOFS: readonly (readonly [name: string, text: string, values: readonly unknown[]])[] = [
  ['verify_balances', BALANCES, []],
  ['verify_chain', CHAIN, []],
  ['verify_entries', ENTRIES, [ACCOUNTS]],
  ['verify_holds', HOLDS, []],
]
