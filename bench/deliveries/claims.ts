// What it costs the worker to find its work: the same endpoints claimed and a page of theirs read, where little waits, where
// a million deliveries wait, and beside an endpoint with half a million that is not called. No gateway runs meanwhile.
import { randomUUID } from 'node:crypto'
import { ALL_LANES } from '../../src/domain/contract/ids.ts'
import { openKeyedSession, ownedDatabase } from '../../src/main/database/database.ts'
import type { Session } from '../../src/platform/db.ts'
import { loadDueDeliveries, loadHistory } from '../../src/store/webhooks/deliveries.ts'
import { type ClaimedEndpoint, claimedEndpointFrom, claimEndpoints } from '../../src/store/webhooks/progress.ts'
import { MANY_LANES } from '../../src/platform/scope.ts'
import { type Latencies, openLatencies } from '../load/latencies.ts'
import type { Bench, Figure } from '../measure.ts'
import type { Rig } from '../stage/rig.ts'
import { settleTables } from '../stage/seed.ts'

const ENDPOINTS = 16
const LITTLE_ROWS_EACH = 128
const PAGE = { history: 32, due: 64 }
const LEASE_MS = 30_000
const TURNS = 200
const WARMUP_TURNS = 20
/** What each statement of the seeding writes at most. */
const CHUNK = 100_000

/** Figures claim-little, claim-waiting and claim-blocked; a unit is one claim with its page read. */
export async function runClaims({ say, effort }: Bench, rig: Rig, record: (figure: Figure) => void): Promise<void> {
  const { client, many, wish } = rig
  await client.query(`update webhook_endpoints set status = 'paused'`)
  const accounts = many.slice(0, ENDPOINTS + 1)
  const ids: string[] = []
  for (const { lane, accountId } of accounts) ids.push(await addEndpoint(rig, lane, accountId))
  const blocked = ids.pop() as string
  await client.query(`update webhook_progress set open_until = now() + interval '1 hour' where endpoint_id = $1`, [
    blocked,
  ])
  const connectionString = wish.databaseUrl
  const session = openKeyedSession(ownedDatabase({ connectionString }))
  try {
    await addWaiting(rig, ids, LITTLE_ROWS_EACH, 1)
    for (const figure of await timed(session, 'little')) record(figure)
    say(`writing ${effort.waitingRows} deliveries that wait`)
    await addWaiting(rig, ids, Math.ceil(effort.waitingRows / ENDPOINTS), 1000)
    for (const figure of await timed(session, 'waiting')) record(figure)
    say(`writing ${effort.blockedRows} of one endpoint`)
    await addWaiting(rig, [blocked], effort.blockedRows, 1000)
    for (const figure of await timed(session, 'blocked')) record(figure)
  } finally {
    await session.close()
  }
}

/** An endpoint that is never called, half way through its account's history. */
async function addEndpoint({ client }: Rig, lane: number, accountId: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `with made as (
       insert into webhook_endpoints (lane, account_id, id, url, events, api_version, in_flight_max, status, secrets_sealed,
                                      bearer_sealed, sealing_key_id, since_position, livemode)
       values ($1, $2, gen_random_uuid(), 'https://receiver.example/', '{*}', '2026-11-01', 4, 'enabled', '[]', '', '', 0, false)
       returning lane, account_id, id)
     insert into webhook_progress (lane, account_id, endpoint_id, position)
     select m.lane, m.account_id, m.id, a.position / 2
       from made m join accounts a on a.lane = m.lane and a.account_id = m.account_id
     returning endpoint_id as id`,
    [lane, accountId],
  )
  return rows[0]?.id as string
}

/** So many due deliveries of each, of events from all over the first half of the account's history. */
async function addWaiting({ client }: Rig, ids: readonly string[], each: number, replayFrom: number): Promise<void> {
  for (const id of ids)
    for (let from = 0; from < each; from += CHUNK)
      await client.query(
        `insert into deliveries (lane, account_id, endpoint_id, position, replay, status, tries, due_at, created_at,
                                 updated_at)
         select p.lane, p.account_id, p.endpoint_id, 1 + i % p.position, $2 + i / p.position, 'pending', 1,
                now() - interval '1 s', now(), now()
           from webhook_progress p cross join generate_series($3::int, $4::int - 1) i
          where p.endpoint_id = $1`,
        [id, replayFrom, from, Math.min(from + CHUNK, each)],
      )
  await client.query(`update webhook_progress set next_due_at = now() where endpoint_id = any($1)`, [ids])
  await client.query('vacuum (analyze) deliveries, webhook_progress, webhook_endpoints')
  await settleTables(client)
}

async function timed(session: Session, what: string): Promise<Figure[]> {
  const [claims, reads] = [openLatencies(), openLatencies()]
  for (let turn = -WARMUP_TURNS; turn < TURNS; turn++) {
    const from = performance.now()
    const claimed = await claim(session)
    const between = performance.now()
    if (claimed.length !== ENDPOINTS) throw new Error(`${what}: ${claimed.length} of ${ENDPOINTS} were claimed`)
    await session.send([
      loadHistory(
        MANY_LANES,
        claimed.map((each) => ({ ...each, limit: PAGE.history })),
      ),
      loadDueDeliveries(
        MANY_LANES,
        claimed.map((each) => ({ ...each, limit: PAGE.due })),
      ),
    ])
    if (turn < 0) continue
    claims.add(between - from)
    reads.add(performance.now() - between)
  }
  return [figureOf(`claim-${what}`, claims), figureOf(`read-${what}`, reads)]
}

function figureOf(scenario: string, latencies: Latencies): Figure {
  return {
    scenario,
    units: latencies.count(),
    seconds: (latencies.count() * latencies.meanMs()) / 1000,
    per_second: 1000 / latencies.meanMs(),
    mean_ms: latencies.meanMs(),
    p50_ms: latencies.quantileMs(0.5),
    p99_ms: latencies.quantileMs(0.99),
    statuses: {},
    cpu_us: { server: null, postgres: null, load: null },
    server_peak_rss_bytes: null,
    fault: null,
  }
}

const PROCESS = randomUUID()

/** Claims the endpoints and releases them at once. */
async function claim(session: Session): Promise<ClaimedEndpoint[]> {
  const lanes = ALL_LANES
  return session.transaction(
    [claimEndpoints(lanes, ENDPOINTS, { leaseMs: LEASE_MS, leasedBy: PROCESS })],
    ([result]) => ({
      // Nothing to store rolls the claim back.
      statements: [],
      value: (result?.rows ?? []).map(claimedEndpointFrom),
    }),
  )
}
