// Contracts by the ten thousand, written by the database itself: copies of one that went through the API, with the same
// rows in the same stored form, so that `gateway verify` finds nothing wrong with them.
import type pg from 'pg'

/** An account that contracts are written for. */
export type Owner = { readonly lane: number; readonly accountId: string }
export type Seeded = { readonly id: string; readonly accountId: string }

/** The contract that is copied: issued, and found by its id. */
export type Original = Owner & { readonly contractId: string; readonly referenceId: string }

// One statement: its memory grows with the contracts it writes.
const CHUNK = 50_000

// Every account gets the same number of contracts, each two activities (draft, issued) at the account's next positions.
const COPIES = `
with owners as (
  select a.lane, a.account_id, a.position
    from unnest($1::int[], $2::uuid[]) o (lane, account_id)
    join accounts a on a.lane = o.lane and a.account_id = o.account_id
     for update of a
), fresh as (
  select o.*, k, pg_temp.gateway_bench_id(o.lane, k) as id, 'bench-' || o.position + 2 * k as reference
    from generate_series(1, $3::int) k cross join owners o
), versions as (
  select h.version, h.sequence, h.event, h.at, h.document::text as document
    from contract_versions h where h.lane = $4 and h.account_id = $5 and h.contract_id = $6
), heads as (
  insert into contracts (lane, account_id, id, kind, status, version, position, currency, amount_minor, held_minor,
                         channel_id, reference_id, expires_at)
  select f.lane, f.account_id, f.id, c.kind, c.status, c.version, f.position + 2 * f.k, c.currency, c.amount_minor,
         c.held_minor, c.channel_id, f.reference, c.expires_at
    from fresh f cross join contracts c where c.lane = $4 and c.account_id = $5 and c.id = $6
), written as (
  insert into contract_versions (lane, account_id, position, contract_id, version, sequence, event, at, document)
  select f.lane, f.account_id, f.position + 2 * f.k - 2 + v.version, f.id, v.version, v.sequence, v.event, v.at,
         replace(v.document, $7, f.reference)::json
    from fresh f cross join versions v
), advanced as (
  update accounts a set position = a.position + 2 * $3 from owners o where a.lane = o.lane and a.account_id = o.account_id
)
select id, account_id as "accountId" from fresh order by k`

// The same bits as domain/ids.ts: time, version 7, the lane, chance.
const ID_FUNCTION = `
create function pg_temp.gateway_bench_id(lane int, k bigint) returns uuid language sql volatile as $$
  select (lpad(to_hex(floor(extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7' || substr(r, 1, 1)
          || lpad(to_hex(lane), 2, '0') || substr('89ab', 1 + (k % 4)::int, 1) || substr(r, 2, 15))::uuid
    from (select md5(random()::text || k::text) as r) as chance
$$`

/** Once for each connection, before anything is written with it. */
export async function prepareSeeding(client: pg.Client): Promise<void> {
  await client.query(ID_FUNCTION)
}

/** Writes at least `count` issued contracts, the same number for each owner, and returns them in turns. */
export async function seedIssued(
  client: pg.Client,
  original: Original,
  owners: readonly Owner[],
  count: number,
): Promise<Seeded[]> {
  const seeded: Seeded[] = []
  const lanes = owners.map((owner) => owner.lane)
  const accounts = owners.map((owner) => owner.accountId)
  const { lane, accountId, contractId, referenceId } = original
  while (seeded.length < count) {
    const each = Math.ceil(Math.min(CHUNK, count - seeded.length) / owners.length)
    const { rows } = await client.query<Seeded>(COPIES, [
      lanes,
      accounts,
      each,
      lane,
      accountId,
      contractId,
      referenceId,
    ])
    for (const row of rows) seeded.push(row)
  }
  return seeded
}

/** Issued contracts of these owners from all over their books, in an order of chance: at most `count`. */
export async function drawIssued(client: pg.Client, owners: readonly Owner[], count: number): Promise<Seeded[]> {
  const { rows } = await client.query<Seeded>(
    `select c.id, c.account_id as "accountId"
       from unnest($1::int[], $2::uuid[]) o (lane, account_id)
       join contracts c on c.lane = o.lane and c.account_id = o.account_id
      where c.status = 'issued'
      order by random()
      limit $3`,
    [owners.map((owner) => owner.lane), owners.map((owner) => owner.accountId), count],
  )
  return rows
}

/** Lets what was written settle, so that the next measurement does not pay for it. */
export async function settleTables(client: pg.Client): Promise<void> {
  await client.query('vacuum (analyze) accounts, wallets, contracts, contract_versions, ledger')
  await client.query('checkpoint')
}

/** Accounts without keys, each with a wallet: those that contracts merely belong to. */
export async function seedAccounts(client: pg.Client, count: number): Promise<Owner[]> {
  const { rows } = await client.query<Owner>(
    `with modes as (
       insert into account_modes (lane, account_id, livemode)
       select k % 256, pg_temp.gateway_bench_id(k % 256, k), false from generate_series(1, $1::int) k
       returning lane, account_id
     ), made as (
       insert into accounts (lane, account_id, profile_id, name, livemode)
       select lane, account_id, pg_temp.gateway_bench_id(lane, 0), 'Bench ' || account_id, false from modes
       returning lane, account_id
     ), purses as (
       insert into wallets (lane, account_id, id, currency, livemode)
       select lane, account_id, pg_temp.gateway_bench_id(lane, 0), 'PHP', false from made
     )
     select lane, account_id as "accountId" from made`,
    [count],
  )
  return rows
}

/** Money for the accounts' wallets, with its ledger row. Minor units. */
export async function fundWallets(client: pg.Client, owners: readonly Owner[], amountMinor: bigint): Promise<void> {
  await client.query(
    `with funded as (
       update wallets w set available_minor = available_minor + $3, sequence = sequence + 1
         from unnest($1::int[], $2::uuid[]) o (lane, account_id)
        where w.lane = o.lane and w.account_id = o.account_id
       returning w.lane, w.account_id, w.id, w.sequence, w.available_minor
     ), behind as (
       insert into outside_credits (lane, account_id, wallet_id, sequence, reference, amount_minor, debit, livemode)
       select lane, account_id, id, sequence, 'opening ' || id, $3, 'external', false from funded
     )
     insert into ledger (lane, account_id, wallet_id, sequence, debit, credit, amount_minor, available_after_minor,
                         reference, at, outside)
     select lane, account_id, id, sequence, 'external', 'available', $3, available_minor, 'opening ' || id, now(), sequence
       from funded`,
    [owners.map((owner) => owner.lane), owners.map((owner) => owner.accountId), amountMinor.toString()],
  )
}
