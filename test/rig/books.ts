// The proofs that the books hold, in SQL written for the tests: a second opinion beside the gateway's own `verify`.
import pg from 'pg'
import { storedMoveFaults } from './stored-moves.ts'

/** Each statement finds what must not be: rows are counted, and the first are shown. */
const PROOFS: readonly (readonly [what: string, sql: string])[] = [
  [
    'a wallet is the sum of its ledger rows',
    `select w.id from wallets w left join ledger l on l.lane = w.lane and l.account_id = w.account_id and l.wallet_id = w.id
      group by w.lane, w.account_id, w.id
     having w.available_minor <> coalesce(sum(case 'available' when l.credit then l.amount_minor when l.debit then -l.amount_minor else 0 end), 0)
         or w.held_minor <> coalesce(sum(case 'held' when l.credit then l.amount_minor when l.debit then -l.amount_minor else 0 end), 0)
         or w.in_transit_minor <> coalesce(sum(case 'in_transit' when l.credit then l.amount_minor when l.debit then -l.amount_minor else 0 end), 0)
         or w.sequence <> count(l.sequence) or w.sequence <> coalesce(max(l.sequence), 0)`,
  ],
  [
    'what a wallet holds is what its contracts hold',
    `select w.id from wallets w
      where w.held_minor + w.in_transit_minor <> (select coalesce(sum(c.held_minor), 0) from contracts c
              where c.lane = w.lane and c.account_id = w.account_id and c.currency = w.currency)`,
  ],
  [
    'the balance after each row is the balance before it and the row',
    `select l.wallet_id from (
       select wallet_id, available_after_minor, lag(available_after_minor, 1, 0::bigint) over (partition by lane, account_id, wallet_id order by sequence) as before,
              case 'available' when credit then amount_minor when debit then -amount_minor else 0 end as moved from ledger) l
      where l.available_after_minor <> l.before + l.moved`,
  ],
  [
    'the history of an account and of each contract has no gap, and the head is its newest row',
    `select c.id from contracts c join contract_versions h on h.lane = c.lane and h.account_id = c.account_id and h.contract_id = c.id
      group by c.lane, c.account_id, c.id
     having count(*) <> c.version or max(h.version) <> c.version or max(h.position) <> c.position or count(h.sequence) <> max(h.sequence)
      union all
     select a.account_id from accounts a left join account_history h on h.lane = a.lane and h.account_id = a.account_id
      group by a.lane, a.account_id having count(h.position) <> a.position or coalesce(max(h.position), 0) <> a.position`,
  ],
  [
    'each attempt is paid once and refunded once at most, and a contract never gets back more than it paid',
    `select l.contract_id from ledger l
       left join jobs a on a.lane = l.lane and a.account_id = l.account_id and a.contract_id = l.contract_id
       join contracts c on c.lane = l.lane and c.account_id = l.account_id and c.id = l.contract_id
      where c.kind = 'transfer' and c.parent_id is null group by l.lane, l.account_id, l.contract_id
     having count(*) filter (where l.debit = 'available') > coalesce(max(a.number), 1)
         or count(*) filter (where l.credit = 'available') > coalesce(max(a.number), 1)
         or sum(case when l.credit = 'available' then l.amount_minor when l.debit = 'available' then -l.amount_minor else 0 end) > 0`,
  ],
  [
    'what is pending and in suspense is the sum of its ledger rows, and of its contracts and receipts',
    `select w.id from wallets w
      where (w.pending_minor, w.suspense_minor) <> (
              select coalesce(sum(case 'pending' when l.credit then l.amount_minor when l.debit then -l.amount_minor else 0 end), 0),
                     coalesce(sum(case 'suspense' when l.credit then l.amount_minor when l.debit then -l.amount_minor else 0 end), 0)
                from ledger l where l.lane = w.lane and l.account_id = w.account_id and l.wallet_id = w.id)
         or w.pending_minor <> (select coalesce(sum(c.pending_minor), 0) from contracts c
              where c.lane = w.lane and c.account_id = w.account_id and c.currency = w.currency)
         or w.suspense_minor <> (select coalesce(sum(e.suspense_minor), 0) from payment_events e
              where e.lane = w.lane and e.account_id = w.account_id and e.currency = w.currency)`,
  ],
  [
    'money that arrived is booked once for each object of its provider',
    `select object_id from payment_events where object_id is not null group by lane, account_id, object_id having count(*) > 1`,
  ],
  [
    'the events completed, cancelled and returned come once at most',
    `select contract_id from contract_versions where event in ('contract.paid', 'contract.completed', 'contract.cancelled', 'contract.returned')
      group by lane, account_id, contract_id, event having count(*) > 1`,
  ],
  [
    'what waits is due some day, and what is settled waits no more',
    `select contract_id from jobs where kind = 'payout' and (due_at is null) <> (status in ('delivered', 'failed', 'voided', 'returned'))
        and not (status = 'returned' and due_at is not null)`,
  ],
]

/** All that does not hold, in words; empty where the books are sound. */
export async function unsoundness(connection: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const found: string[] = []
    for (const [what, sql] of PROOFS) {
      const { rows } = await client.query<Record<string, unknown>>(sql)
      if (rows.length > 0)
        found.push(`not true that ${what}: ${rows.length}, such as ${JSON.stringify(rows.slice(0, 3))}`)
    }
    return [...found, ...(await moneyFromNowhere(client)), ...(await storedMoveFaults(client))]
  } finally {
    await client.end()
  }
}

/**
 * Money credited from another wallet left that wallet, or is on its way out of it. The two may be in lanes apart, so each is read by itself,
 * the credits first: what they came from was there before them.
 */
async function moneyFromNowhere(client: pg.Client): Promise<string[]> {
  const credits = await client.query<{ reference: string; minor: string }>(
    `select l.reference, l.amount_minor as minor from ledger l where l.debit = 'clearing:wallet' and l.reference is not null`,
  )
  const left = await client.query<{ reference: string; status: string; minor: string | null }>(
    `select a.reference, a.status, s.amount_minor as minor from jobs a
       left join ledger s on s.lane = a.lane and s.account_id = a.account_id and s.contract_id = a.contract_id and s.credit = 'clearing:wallet'
      where a.reference is not null`,
  )
  const underWay = new Set(left.rows.filter(({ status }) => ['submitting', 'unknown'].includes(status)).map(nameOf))
  const gone = new Set(left.rows.map(({ reference, minor }) => `${reference} ${minor}`))
  const found = credits.rows.filter(
    (credit) => !underWay.has(nameOf(credit)) && !gone.has(`${credit.reference} ${credit.minor}`),
  )
  return found.length === 0
    ? []
    : [
        `not true that money credited from another wallet left it: ${found.length}, such as ${JSON.stringify(found.slice(0, 3))}`,
      ]
}

const nameOf = ({ reference }: { readonly reference: string }) => reference
