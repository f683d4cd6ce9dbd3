// The look for work: it names every lane in which a worker would find something, whatever rows there are, and steps down indexes only.
// Rows are made at random; the seed of a failure is printed, and SEED repeats it.
import { randomInt } from 'node:crypto'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { type Statement } from '../../src/platform/db.ts'
import { leaseCommand } from '../../src/store/commands/commands.ts'
import { expiredContracts } from '../../src/store/contracts/expiry.ts'
import { dueJobs, dueJobsElsewhere } from '../../src/store/jobs/jobs.ts'
import { LOOK_AHEAD_MS, lookAtLanes, URGENT_KINDS, type WorkKind, waitingWorkFrom } from '../../src/store/jobs/look.ts'
import { dueEvents } from '../../src/store/payments/payment-events.ts'
import { dueSchedules, leaseRuns } from '../../src/store/schedules/schedules.ts'
import { leaseCalled, leaseVerifications } from '../../src/store/verifiers/verifications.ts'
import { claimEndpoints } from '../../src/store/webhooks/progress.ts'
import { diceOf } from '../rig/dice.ts'
import { planByKey } from '../rig/plans/keyed-plans.ts'
import { randomRows } from '../rig/plans/random-rows.ts'

const db = randomRows()

const LANES = [0, 7, 8, 254, 255]
const PAGE = 100

/** What a worker takes of each kind. */
const CLAIMS: Readonly<Record<WorkKind, readonly Statement[]>> = {
  jobs: [
    dueJobs('sandbox', [true, false], 'all', { lanes: LANES, notOf: [], limit: PAGE }),
    dueJobs('sandbox', [true], 'started', { lanes: LANES, notOf: [], limit: PAGE }),
    dueJobs('sandbox', [false], 'not_paid_out', { lanes: LANES, notOf: [], limit: PAGE }),
    dueJobsElsewhere(['sandbox'], { lanes: LANES, notOf: [], limit: PAGE }),
  ],
  commands: [leaseCommand(LANES, 1000)],
  verifications: [
    leaseVerifications(LANES, 1000, PAGE),
    leaseCalled(LANES, 1000, { limit: PAGE, ofEach: PAGE, busy: [] }),
  ],
  schedules: [dueSchedules(LANES, [], PAGE), leaseRuns(LANES, PAGE, 1000)],
  events: [dueEvents(LANES, PAGE)],
  expiry: [expiredContracts(LANES, new Map(), PAGE)],
  endpoints: [claimEndpoints(LANES, PAGE, { leaseMs: 1000, leasedBy: '00000000-0000-4000-8000-000000000001' })],
}

type Chance = (below: number) => number

function chanceFrom(seed: number): Chance {
  const { whole } = diceOf(seed)
  return (below) => whole(0, below - 1)
}

const id = (lane: number, n: number) => `00000000-0000-7000-8000-${(lane * 1000 + n).toString(16).padStart(12, '0')}`
const oneOf = <T>(chance: Chance, all: readonly T[]): T => all[chance(all.length)] as T

/** A moment as SQL: past, just past, soon, far, or none. */
const moment = (chance: Chance) =>
  oneOf(chance, [`now() - interval '2 hours'`, `now() - interval '1 millisecond'`, `now() + interval '1 hour'`, 'null'])
const someMoment = (chance: Chance) => oneOf(chance, [`now() - interval '3 seconds'`, `now() + interval '2 hours'`])

/** Inserts a row of each kind, or none, into a lane. */
function rowsOf(lane: number, n: number, chance: Chance): string[] {
  const key = `${lane}, '${id(lane, n)}'`
  const due = moment(chance)
  const pending = due !== 'null'
  const [account, contract] = [id(lane, n), id(lane, n + 500)]
  const all = [
    chance(2) === 0
      ? `insert into jobs (lane, account_id, contract_id, kind, livemode, channel_id, status, due_at, number, reference)
         values (${key}, '${contract}', 'payout', ${chance(2) === 0}, 'sandbox', '${oneOf(chance, ['queued', 'accepted'])}', ${due}, 1, 'r')`
      : `insert into jobs (lane, account_id, contract_id, kind, livemode, channel_id, status, due_at)
         values (${key}, '${contract}', 'collection', ${chance(2) === 0}, ${oneOf(chance, [`'sandbox'`, `'gone'`, 'null'])}, 'queued', ${due})`,
    `insert into commands (lane, account_id, livemode, id, type, status, dry_run, key_id, due_at, leased_until)
     values (${key}, false, '${contract}', 'transfers.payout', 'queued', false, 'k', ${due}, ${moment(chance)})`,
    `insert into verifications (lane, account_id, livemode, id, kind, verifier_id, subject, status, due_at, created_at, ended_at, document)
     values (${key}, false, '${contract}', '${oneOf(chance, ['name', 'otp', 'http'])}', '${account}', '${account}', '${pending ? 'pending' : 'pass'}', ${due}, now(), ${pending ? 'null' : 'now()'}, '{}')`,
    `insert into schedules (lane, account_id, livemode, id, version, status, next_at, document)
     values (${key}, false, '${contract}', 1, '${pending ? 'active' : 'paused'}', ${due}, '{}')`,
    `insert into schedule_runs (lane, account_id, schedule_id, number, due_at, started_at, contract_id, status, leased_until)
     values (${key}, '${contract}', 1, now(), now(), '${contract}', '${pending ? 'running' : 'paid'}', ${due})`,
    `insert into payment_events (lane, account_id, id, type, at, status, due_at)
     values (${key}, 'e', 'payment', now(), '${pending ? 'unmatched' : 'applied'}', ${due})`,
    `insert into contracts (lane, account_id, id, kind, status, version, position, currency, amount_minor, held_minor, expires_at)
     values (${key}, '${contract}', 'transfer', '${oneOf(chance, ['draft', 'issued', 'completed'])}', 1, 1, 'PHP', 1, 0, ${someMoment(chance)})`,
  ]
  const endpoint = [
    `insert into accounts (lane, account_id, name, livemode, profile_id, position) values (${key}, 'a', false, '${account}', ${chance(3)})`,
    `insert into webhook_endpoints (lane, account_id, livemode, id, url, events, api_version, in_flight_max, status, disabled_because, secrets_sealed, bearer_sealed, sealing_key_id, since_position)
     values (${key}, false, '${contract}', 'http://127.0.0.1:1', '{*}', '1', 1, '${oneOf(chance, ['enabled', 'enabled', 'paused'])}', null, '[]', 's', 'k', 0)`,
    `insert into webhook_progress (lane, account_id, endpoint_id, position, leased_until, open_until, next_due_at)
     values (${key}, '${contract}', ${chance(2)}, ${oneOf(chance, ['null', 'null', moment(chance)])}, ${oneOf(chance, ['null', moment(chance)])}, ${moment(chance)})`,
  ]
  return [...all, ...(chance(2) === 0 ? [] : [endpoint.join(';')])].filter(() => chance(6) === 0)
}

/** An account in a lane: where there is none there is no work, and none is looked for. */
const accountIn = (lane: number) =>
  `insert into accounts (lane, account_id, name, livemode, profile_id) values (${lane}, '${id(lane, 900)}', 'a', false, '${id(lane, 901)}')`

/** What the statement finds, and nothing done. */
async function tried({ text, values }: Statement): Promise<pg.QueryResultRow[]> {
  await db.client.query('savepoint trial')
  const { rows } = await db.client.query(text, [...values])
  await db.client.query('rollback to savepoint trial')
  return rows
}

test('whatever a worker would find, the look has told of its lane', async () => {
  const seed = Number(process.env['SEED'] ?? randomInt(1 << 30))
  const chance = chanceFrom(seed)
  const seen = new Set<WorkKind>()
  for (let round = 0; round < 40; round++) {
    await db.begin()
    await db.client.query(`update lanes set swept_until = now() - interval '5 minutes'`)
    for (const lane of LANES) await db.client.query(accountIn(lane))
    for (const lane of LANES)
      for (let n = 0; n < 3; n++) for (const text of rowsOf(lane, n, chance)) await db.client.query(text)
    const found = (await tried(lookAtLanes(LANES, 'all'))).map(waitingWorkFrom)
    const urgent = (await tried(lookAtLanes(LANES, 'urgent'))).map(waitingWorkFrom)
    for (const [kind, claims] of Object.entries(CLAIMS) as [WorkKind, readonly Statement[]][]) {
      const told = found.filter(({ dueInMs }) => dueInMs.get(kind) === 0).map(({ lane }) => lane)
      const taken = new Set<number>()
      for (const claim of claims) for (const row of await tried(claim)) taken.add(row['lane'] as number)
      for (const lane of taken) expect(told, `${kind}, seed ${seed}, round ${round}`).toContain(lane)
      if (taken.size > 0) seen.add(kind)
      if (!URGENT_KINDS.includes(kind)) continue
      const toldToo = urgent.filter(({ dueInMs }) => dueInMs.get(kind) === 0).map(({ lane }) => lane)
      expect(toldToo, `${kind}, seed ${seed}, round ${round}`).toEqual(told)
    }
    await db.client.query('rollback')
  }
  expect([...seen].toSorted()).toEqual(Object.keys(CLAIMS).toSorted())
})

test('what is due soon is told of with its time, and nothing is told of lanes that are not asked for', async () => {
  await db.begin()
  await db.client.query(`update lanes set swept_until = now()`)
  for (const lane of [3, 4]) await db.client.query(accountIn(lane))
  await db.client.query(
    `insert into commands (lane, account_id, livemode, id, type, status, dry_run, key_id, due_at)
     select l, $1, false, $1, 'transfers.payout', 'queued', false, 'k', now() + interval '400 milliseconds'
       from unnest('{3,4}'::int[]) l`,
    [id(3, 1)],
  )
  expect((await tried(lookAtLanes([4], 'all'))).map(waitingWorkFrom)).toEqual([
    { lane: 4, dueInMs: new Map([['commands', 400]]) },
  ])
  await db.client.query(`update commands set due_at = now() + interval '${LOOK_AHEAD_MS + 10} milliseconds'`)
  expect(await tried(lookAtLanes([3, 4], 'all'))).toEqual([])
  // The clock that went back, and marks that have grown old, are the sweep's.
  for (const mark of [`now() + interval '2 minutes'`, `now() - interval '11 minutes'`]) {
    await db.client.query(`update lanes set swept_until = case lane when 4 then ${mark} else now() end`)
    expect((await tried(lookAtLanes([3, 4], 'all'))).map(waitingWorkFrom)).toEqual([
      { lane: 4, dueInMs: new Map([['expiry', 0]]) },
    ])
  }
  await db.client.query('rollback')
})

test('it reads no table from end to end, however much is due in another lane', async () => {
  await db.begin()
  await planByKey(db.client, 'transaction')
  await db.client.query(accountIn(9))
  await db.client.query(
    `insert into jobs (lane, account_id, contract_id, kind, livemode, channel_id, status, due_at, number, reference)
     select 9, $1, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'payout', false, 'sandbox', 'queued', now(), 1, 'r'
       from generate_series(1, 10000) n`,
    [id(9, 1)],
  )
  await db.client.query('analyze jobs')
  const { text, values } = lookAtLanes(
    Array.from({ length: 256 }, (_, lane) => lane),
    'all',
  )
  const { rows } = await db.client.query(`explain (analyze, buffers, format json) ${text}`, [...values])
  const [{ Plan: plan }] = rows[0]['QUERY PLAN'] as [{ Plan: Plan }]
  const scans = nodesOf(plan).filter((node) => node['Node Type'] === 'Seq Scan')
  expect(scans.map((node) => node['Relation Name'])).toEqual([])
  const jobs = nodesOf(plan).filter((node) => node['Relation Name'] === 'jobs' && node['Actual Loops'] > 0)
  expect(jobs.length).toBeGreaterThan(0)
  for (const node of jobs) expect(node['Actual Rows']).toBeLessThanOrEqual(1)
  await db.client.query('rollback')
})

type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly Plans?: readonly Plan[]
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
