// Contracts by the ten thousand, written by the database itself: copies of one that went through the API, with the same
// rows in the same stored form, so that `gateway verify` finds nothing wrong with them. Each transaction writes one lane and
// each statement names it, with ids and what is copied as values: so it works where lanes lie on several nodes, too.
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { LANE_COUNT, laneUuid } from '../../src/domain/contract/ids.ts'
import { groupedBy } from '../../src/domain/grouped.ts'
import { sqlStateOf } from '../../src/platform/db.ts'

/** An account that contracts are written for. */
export type Owner = { readonly lane: number; readonly accountId: string }
export type Seeded = { readonly id: string; readonly accountId: string }
/** One that was drawn from the books, with what it is found by. */
export type Drawn = Seeded & { readonly reference: string }

/** The contract that is copied, found by its id. It has been written once for each of its versions, and never paid. */
export type Original = Owner & { readonly contractId: string; readonly referenceId: string }

// Their ids and numbers are in memory, and one statement's memory grows with the contracts it writes.
const CHUNK = 50_000

const HEADS = `
insert into contracts (lane, account_id, id, kind, status, version, position, currency, amount_minor, held_minor,
                       channel_id, reference_id, expires_at)
select l.lane, x.account_id, x.id, c.kind, c.status, c.version, x.position, c.currency, c.amount_minor, c.held_minor,
       c.channel_id, x.reference_id, c.expires_at
  from lanes l
 cross join unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::text[]) x (account_id, id, position, reference_id)
 cross join jsonb_to_recordset($6::jsonb) c (kind text, status text, version int, currency text, amount_minor bigint,
                                          held_minor bigint, channel_id text, expires_at timestamptz)
 where l.lane = $1`

const VERSIONS = `
insert into contract_versions (lane, account_id, position, contract_id, version, sequence, event, at, document)
select l.lane, x.account_id, x.position - $6 + v.version, x.id, v.version, v.sequence, v.event, v.at,
       replace(v.document, $7, x.reference_id)::json
  from lanes l
 cross join unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::text[]) x (account_id, id, position, reference_id)
 cross join jsonb_to_recordset($8::jsonb) v (version int, sequence int, event text, at timestamptz, document text)
 where l.lane = $1`

const ADVANCED = `
update accounts set position = position + $3 where lane = $1 and account_id = any($2::uuid[])
returning account_id as "accountId", position`

/** Writes at least `count` contracts, the same number for each owner, and returns them in turns. */
export async function seedIssued(
  client: pg.Client,
  original: Original,
  owners: readonly Owner[],
  count: number,
): Promise<Seeded[]> {
  const copied = await readOriginal(client, original)
  const seeded: Seeded[] = []
  while (seeded.length < count) {
    const each = Math.ceil(Math.min(CHUNK, count - seeded.length) / owners.length)
    const written: Seeded[][] = []
    for (const [lane, accountIds] of byLane(owners))
      await transaction(client, async () => {
        written.push(...(await copyInLane(client, copied, { lane, accountIds, each })))
      })
    for (let k = 0; k < each; k++) for (const ofOwner of written) seeded.push(ofOwner[k] as Seeded)
  }
  return seeded
}

type Copied = {
  readonly head: Readonly<Record<string, unknown>>
  readonly versions: readonly Readonly<Record<string, unknown>>[]
  readonly referenceId: string
}

async function readOriginal(client: pg.Client, original: Original): Promise<Copied> {
  const { lane, accountId, contractId, referenceId } = original
  const key = [lane, accountId, contractId]
  const heads = await client.query<{ head: Copied['head'] }>(
    'select to_jsonb(c) as head from contracts c where c.lane = $1 and c.account_id = $2 and c.id = $3',
    key,
  )
  // As text: JSON of another form would not be what the gateway stores.
  const versions = await client.query<Record<string, unknown>>(
    `select version, sequence, event, at::text, document::text
       from contract_versions where lane = $1 and account_id = $2 and contract_id = $3`,
    key,
  )
  const head = heads.rows[0]?.head
  if (!head || versions.rows.length === 0) throw new Error('the contract to copy is not there')
  return { head, versions: versions.rows, referenceId }
}

type InLane = { readonly lane: number; readonly accountIds: readonly string[]; readonly each: number }

/** So many copies for each account of a lane, at the account's next positions; a list for each account. */
async function copyInLane(
  client: pg.Client,
  { head, versions, referenceId }: Copied,
  { lane, accountIds, each }: InLane,
): Promise<Seeded[][]> {
  const steps = versions.length
  const { rows } = await client.query<{ accountId: string; position: string }>(ADVANCED, [
    lane,
    accountIds,
    each * steps,
  ])
  const copies = rows.flatMap(({ accountId, position }) =>
    Array.from({ length: each }, (_, k) => ({
      id: newId(lane),
      accountId,
      position: Number(position) - steps * (each - 1 - k),
    })),
  )
  const columns = [
    lane,
    copies.map((copy) => copy.accountId),
    copies.map((copy) => copy.id),
    copies.map((copy) => copy.position),
    copies.map((copy) => referenceAt(copy.position)),
  ]
  await client.query(HEADS, [...columns, JSON.stringify([head])])
  await client.query(VERSIONS, [...columns, steps, referenceId, JSON.stringify(versions)])
  return rows.map((_, nth) =>
    copies.slice(nth * each, (nth + 1) * each).map(({ id, accountId }) => ({ id, accountId })),
  )
}

/** What a copy is called: of the same length wherever it stands, for requests that name it are filled in place. */
const referenceAt = (position: number) => `bench-${position.toString().padStart(9, '0')}`

const newId = (lane: number) => laneUuid(lane, Date.now(), randomBytes(10).toString('hex'))

/** The owners' accounts, lane by lane. */
function byLane(owners: readonly Owner[]): (readonly [lane: number, accountIds: readonly string[]])[] {
  const lanes = groupedBy(owners, ({ lane }) => lane)
  return Array.from(lanes, ([lane, own]) => [lane, own.map(({ accountId }) => accountId)] as const)
}

async function transaction(client: pg.Client, write: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await write()
    await client.query('commit')
  } catch (fault) {
    await client.query('rollback')
    throw fault
  }
}

/** Issued contracts of these owners from all over their books, in an order of chance: at most `count`. */
export async function drawIssued(client: pg.Client, owners: readonly Owner[], count: number): Promise<Drawn[]> {
  const { rows } = await client.query<Drawn>(
    `select c.id, c.account_id as "accountId", c.reference_id as reference
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
  await client.query('checkpoint').catch((fault: unknown) => {
    // The owner of a database that is given need not be allowed to: then one may fall into a window.
    if (sqlStateOf(fault) !== INSUFFICIENT_PRIVILEGE) throw fault
  })
}

/**
 * Reads what a contract is found and answered by once from end to end, what is asked for most last: so it is in memory, as far as that
 * reaches.
 */
export async function readTables(client: pg.Client): Promise<void> {
  await transaction(client, async () => {
    await client.query(
      'set local enable_bitmapscan = off; set local enable_indexonlyscan = off; set local enable_indexscan = off',
    )
    await client.query('select count(*) from contract_versions')
    await client.query('select count(*) from contracts')
    await client.query(
      'set local enable_seqscan = off; set local enable_indexonlyscan = on; set local enable_indexscan = on',
    )
    for (const [rows, key] of READ_BY_KEY)
      await client.query(`select count(*) from (select ${key} from ${rows} order by ${key} offset 0) x`)
  })
}

/** Indexes that contracts are read and paid by. */
const READ_BY_KEY = [
  ['contract_versions where version > 0', 'lane, account_id, contract_id, version'],
  ['contract_versions', 'lane, account_id, position'],
  ['contracts', 'lane, account_id, id'],
] as const

const INSUFFICIENT_PRIVILEGE = '42501'

/** Accounts without keys, each with a wallet: those that contracts merely belong to. */
export async function seedAccounts(client: pg.Client, count: number): Promise<Owner[]> {
  const owners = Array.from({ length: count }, (_, k) => {
    const lane = k % LANE_COUNT
    return { lane, accountId: newId(lane) }
  })
  for (const [lane, accountIds] of byLane(owners))
    await transaction(client, async () => {
      const own = () => accountIds.map(() => newId(lane))
      for (const [text, ...more] of [[MODES], [ACCOUNTS, own()], [WALLETS, own()]] as const)
        await client.query(text, [lane, accountIds, ...more])
    })
  return owners
}

const MODES = `
insert into account_modes (lane, account_id, livemode)
select l.lane, x.account_id, false from lanes l cross join unnest($2::uuid[]) x (account_id) where l.lane = $1`
const ACCOUNTS = `
insert into accounts (lane, account_id, profile_id, name, livemode)
select l.lane, x.account_id, x.profile_id, 'Bench ' || x.account_id, false
  from lanes l cross join unnest($2::uuid[], $3::uuid[]) x (account_id, profile_id) where l.lane = $1`
const WALLETS = `
insert into wallets (lane, account_id, id, currency, livemode)
select l.lane, x.account_id, x.id, 'PHP', false
  from lanes l cross join unnest($2::uuid[], $3::uuid[]) x (account_id, id) where l.lane = $1`

/** Money for the accounts' wallets, with its ledger row. Minor units. */
export async function fundWallets(client: pg.Client, owners: readonly Owner[], amountMinor: bigint): Promise<void> {
  const amount = amountMinor.toString()
  for (const [lane, accountIds] of byLane(owners))
    await transaction(client, async () => {
      const { rows } = await client.query<Funded>(FUNDED, [lane, accountIds, amount])
      const columns = [
        lane,
        rows.map((row) => row.accountId),
        rows.map((row) => row.id),
        rows.map((row) => row.sequence),
        rows.map((row) => row.available),
        amount,
      ]
      await client.query(CREDITS, columns)
      await client.query(LEDGER, columns)
    })
}

type Funded = {
  readonly accountId: string
  readonly id: string
  readonly sequence: string
  readonly available: string
}

const FUNDED = `
update wallets set available_minor = available_minor + $3, sequence = sequence + 1
 where lane = $1 and account_id = any($2::uuid[])
returning account_id as "accountId", id, sequence, available_minor as available`

const FUNDED_ROWS = `
  from lanes l
 cross join unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[]) x (account_id, wallet_id, sequence, available)
 where l.lane = $1`

const CREDITS = `
insert into outside_credits (lane, account_id, wallet_id, sequence, reference, amount_minor, debit, livemode)
select l.lane, x.account_id, x.wallet_id, x.sequence, 'opening ' || x.wallet_id, $6::bigint, 'external', false
       ${FUNDED_ROWS}`
const LEDGER = `
insert into ledger (lane, account_id, wallet_id, sequence, debit, credit, amount_minor, available_after_minor, reference,
                    at, outside)
select l.lane, x.account_id, x.wallet_id, x.sequence, 'external', 'available', $6::bigint, x.available,
       'opening ' || x.wallet_id, now(), x.sequence ${FUNDED_ROWS}`
