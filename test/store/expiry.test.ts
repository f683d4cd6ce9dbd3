// The pages of a sweep: every contract that time can end is on one of them, once, in the order of its time, wherever in its lane the
// sweep has come to; and none that waits for its own job. Rows are made at random; the seed of a failure is printed, SEED repeats it.
import { randomInt } from 'node:crypto'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { expiredContracts, type Reached, reachedBy } from '../../src/store/contracts/expiry.ts'
import { diceOf } from '../rig/dice.ts'
import { planByKey, playedPlanOf } from '../rig/plans/keyed-plans.ts'
import { randomRows } from '../rig/plans/random-rows.ts'

const db = randomRows()

const LANES = [0, 7, 8, 255]

async function begin(): Promise<void> {
  await db.begin()
  await db.client.query(`update lanes set swept_until = now() - interval '5 minutes'`)
}

const CONTRACTS = `insert into contracts (lane, account_id, id, kind, status, version, position, currency, amount_minor, held_minor, expires_at)`
const JOBS = `insert into jobs (lane, account_id, contract_id, kind, livemode, channel_id, status, due_at, number, reference)`
const id = (n: number) => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`

type Rolled = ReturnType<typeof diceOf>

/** A contract of any kind; whether the sweep is to end it. */
async function contract(n: number, { pick, chance }: Rolled): Promise<boolean> {
  const [lane, kind] = [pick([...LANES, 9]), pick(['transfer', 'payment'])]
  const status = pick(['issued', 'issued', 'draft', 'paid', 'expired'])
  const ago = pick(['0 s', '1 microsecond', '2 microseconds', '3 s', '4 minutes', '7 minutes', '-1 hour'])
  await db.client.query(`${CONTRACTS} values ($1, $2, $3, $4, $5, 1, 1, 'PHP', 1, 0, now() - $6::interval)`, [
    lane,
    id(0),
    id(n),
    kind,
    status,
    ago,
  ])
  const job = pick(['none', 'due', 'later', 'at no time', 'of a payout'])
  const due = job === 'at no time' ? 'null' : `now() ${job === 'later' ? '+' : '-'} interval '1 minute'`
  const of = job === 'of a payout' ? [`'payout'`, 1, `'r'`] : [`'collection'`, 'null', 'null']
  if (job !== 'none')
    await db.client.query(
      `${JOBS} values ($1, $2, $3, ${of[0]}, ${chance(0.5)}, 'sandbox', 'queued', ${due}, ${of[1]}, ${of[2]})`,
      [lane, id(0), id(n)],
    )
  const waits = job === 'due' || job === 'later'
  const isPast = ago !== '-1 hour' && ago !== '7 minutes'
  return lane !== 9 && ['issued', 'draft'].includes(status) && isPast && !waits
}

test('page by page each of them comes once, the longest expired first', async () => {
  const seed = Number(process.env['SEED'] ?? randomInt(1 << 30))
  const dice = diceOf(seed)
  for (let round = 0; round < 20; round++) {
    await begin()
    const wanted: string[] = []
    for (let n = 1; n <= 60; n++) if (await contract(n, dice)) wanted.push(id(n))
    const limit = dice.whole(1, 9)
    const reached = new Map<number, Reached>()
    const met: Reached[] = []
    for (let rows: pg.QueryResultRow[] | null = null; rows === null || rows.length === limit; ) {
      const { text, values } = expiredContracts(LANES, reached, limit)
      rows = (await db.client.query(text, [...values])).rows
      for (const row of rows) reached.set(row['lane'] as number, reachedBy(row))
      met.push(...rows.map(reachedBy))
    }
    const where = `seed ${seed}, round ${round}`
    expect(met.map((each) => each.id).toSorted(), where).toEqual(wanted.toSorted())
    const order = await db.client.query<{ id: string }>(
      'select id from contracts where id = any($1) order by expires_at, id',
      [wanted],
    )
    expect(
      met.map((each) => each.id),
      where,
    ).toEqual(order.rows.map((row) => row.id))
    await db.client.query('rollback')
  }
})

test('a lane is gone on with where its own sweep has come to', async () => {
  await begin()
  for (const [n, lane] of [7, 8, 7, 8].entries())
    await db.client.query(
      `${CONTRACTS} values ($1, $2, $3, 'transfer', 'issued', 1, 1, 'PHP', 1, 0, now() - $4::interval)`,
      [lane, id(0), id(n), `${10 - n} s`],
    )
  const { rows } = await db.client.query(`select id, expires_at::text as expires_at from contracts where id = $1`, [
    id(2),
  ])
  const { text, values } = expiredContracts([7, 8], new Map([[7, reachedBy(rows[0])]]), 10)
  expect((await db.client.query(text, [...values])).rows.map((row) => row['id'] as string)).toEqual([id(1), id(3)])
})

test('it steps down indexes only, and not over what is past the mark, however the planner knows the tables', async () => {
  for (const known of ['nothing', 'all'] as const) {
    await begin()
    // One day's before the mark, and one day's that are still to come.
    for (const [lane, ago] of [
      [7, '1 day'],
      [7, '-1 day'],
      [8, '1 day'],
    ])
      await db.client.query(
        `${CONTRACTS} select $1, $2, gen_random_uuid(), 'payment', 'issued', 1, 1, 'PHP', 1, 0, now() - $3::interval from generate_series(1, 5000)`,
        [lane, id(0), ago],
      )
    await db.client.query(
      `${JOBS} select lane, account_id, id, 'collection', false, 'sandbox', 'open', now(), null, null from contracts`,
    )
    await db.client.query(`${CONTRACTS} values (7, $1, $2, 'payment', 'issued', 1, 1, 'PHP', 1, 0, now())`, [
      id(0),
      id(1),
    ])
    if (known === 'all') await db.client.query('analyze contracts, jobs')
    for (const session of ['planned', 'keyed'] as const) {
      if (session === 'keyed') await planByKey(db.client, 'transaction')
      const statement = expiredContracts(
        Array.from({ length: 256 }, (_, lane) => lane),
        new Map(),
        500,
      )
      const plan = await playedPlanOf(db.client, statement)
      const where = `${known}, ${session}\n${plan}`
      expect(plan, where).not.toMatch(/Seq Scan on (contracts|jobs)/)
      expect(plan, where).toMatch(
        /using contracts_expiry on contracts t .*\n *Index Cond: .*expires_at > \(l\.swept_until/,
      )
      expect(plan, where).not.toMatch(/Rows Removed by Filter: \d{3,}/)
    }
    await db.client.query('rollback')
  }
})
