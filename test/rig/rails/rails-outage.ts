// A rail that takes connections and says nothing, while the others work: its holds stay, what has not left can be
// cancelled, its calls stay under the cap, nobody else is slower, and once it answers again everything leaves.
import { setTimeout as sleep } from 'node:timers/promises'
import { asked, type Heal, type Logged, match, paid, untilEnded } from './rails-orders.ts'
import { forAll, openRails, quantile, type RailName, type Rails, type RailsOptions, untilNone } from './rails.ts'

export type OutageOptions = Pick<RailsOptions, 'owner' | 'callTimeoutMs' | 'promises'> & {
  /** Payouts on the rail that is out. */
  readonly count: number
  readonly cancels: number
  readonly seconds: number
  /** Payouts on the other rails; the load before the outage is that of the outage. */
  readonly othersPerSecond: number
  readonly heal: Heal
  readonly drainWithinMs: number
}

export type OutageFigures = {
  readonly inFlightMax: number
  readonly cap: number
  readonly others: Readonly<Record<'before' | 'during', { payouts: number; p50Ms: number; p99Ms: number }>>
  readonly p99Ratio: number
  readonly cancelMsMax: number
  readonly drainedMs: number
  readonly findings: readonly string[]
}

const OUT: RailName = 'instapay'
const OTHERS = ['gcash', 'maya', 'sandbox'] as const
const AMOUNT = '100.00'
const CALLERS = 8
const LOOK_MS = 10

/** Holds what belongs to one run while it lasts. */
type Run = {
  readonly rails: Rails
  readonly log: Logged[]
  readonly findings: string[]
  readonly options: OutageOptions
}

export async function runOutage(options: OutageOptions): Promise<OutageFigures> {
  const rails = await openRails(options)
  const run: Run = { rails, log: [], findings: [], options }
  let inFlightMax = 0
  const watch = setInterval(() => {
    for (const channel of [OUT, ...OTHERS]) inFlightMax = Math.max(inFlightMax, rails.scheduler.state(channel).inFlight)
  }, LOOK_MS)
  try {
    // The first ones open connections and warm the code.
    await othersFor(run, 1)
    const [before] = await Promise.all([othersFor(run, options.seconds), payOnTheOneOut(run)])
    run.findings.push(...(await untilEnded(rails, options.heal, options.drainWithinMs)))
    const end = await rails.script({ rail: OUT, outage: 'hang' })
    const [during] = await Promise.all([othersFor(run, options.seconds), payOnTheOneOut(run)])
    await holdsStand(run, options.count)
    const cancelMsMax = await cancelQueued(run)
    await holdsStand(run, options.count - options.cancels)
    const healed = performance.now()
    await end()
    const drained = await untilNone(() => queuedOn(rails), options.drainWithinMs)
    const drainedMs = performance.now() - healed
    if (drained.length > 0) run.findings.push(`${drained.length} were not sent after the outage`)
    run.findings.push(...(await untilEnded(rails, options.heal, options.drainWithinMs)))
    const matched = await match(rails, run.log)
    return {
      inFlightMax,
      cap: rails.cap,
      others: { before, during },
      p99Ratio: during.p99Ms / before.p99Ms,
      cancelMsMax,
      drainedMs,
      findings: [...run.findings, ...matched.findings],
    }
  } finally {
    clearInterval(watch)
    await rails.stop()
  }
}

/** More than the cap at once, so that the first calls that hang could take everything there is. */
async function payOnTheOneOut({ rails, log, options }: Run): Promise<void> {
  const numbers = Array.from({ length: options.count }, (_, index) => 1_000_000 + index)
  await forAll(numbers, CALLERS, async (number) => {
    log.push(await paid(rails, { number, channel: OUT, amount: AMOUNT }))
  })
}

/** Pays on the other rails at an even pace; how long each took from paid to completed, by the books. */
async function othersFor(run: Run, seconds: number): Promise<{ payouts: number; p50Ms: number; p99Ms: number }> {
  const { rails, log, findings, options } = run
  const from = performance.now()
  const ids: string[] = []
  const calls = Array.from({ length: Math.ceil(seconds * options.othersPerSecond) }, async (_, index) => {
    await sleep((index * 1000) / options.othersPerSecond)
    const channel = OTHERS[index % OTHERS.length] ?? 'sandbox'
    const logged = await paid(rails, { number: index, channel, amount: AMOUNT })
    log.push(logged)
    ids.push(logged.id)
  })
  await Promise.all(calls)
  await sleep(Math.max(0, seconds * 1000 - (performance.now() - from)))
  const open = async () =>
    (
      await rails.sql<{ id: string }>(`select id from contracts where id = any($1) and status <> 'completed'`, [ids])
    ).map(({ id }) => id)
  const left = await untilNone(open, 10_000)
  if (left.length > 0) findings.push(`${left.length} payouts on the other rails did not complete`)
  const tooks = await rails.sql<{ ms: number }>(
    `select extract(epoch from max(at) filter (where event = 'contract.completed')
                               - max(at) filter (where event = 'contract.paid'))::float8 * 1000 as ms
       from contract_versions where contract_id = any($1) group by contract_id`,
    [ids],
  )
  const times = tooks.map(({ ms }) => ms)
  return { payouts: ids.length, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) }
}

/** What was paid on the rail that is out is held, all of it: no clock gives it back, and no clock spends it. */
async function holdsStand({ rails, findings }: Run, count: number): Promise<void> {
  const [row] = await rails.sql<{ contracts: number; whole: number }>(
    `select count(*)::int as contracts, count(*) filter (where c.held_minor = 11500)::int as whole
       from contracts c where c.channel_id = $1 and c.status = 'paid'`,
    [OUT],
  )
  if (row?.contracts !== count || row.whole !== count)
    findings.push(`of ${count} paid contracts ${row?.contracts} are still paid, and ${row?.whole} hold their money`)
}

/** Cancels some that have not left; each must be refunded by the answer already. */
async function cancelQueued({ rails, log, findings, options }: Run): Promise<number> {
  const queued = new Set(await queuedOn(rails))
  const chosen = log.filter(({ id }) => queued.has(id)).slice(-options.cancels)
  if (chosen.length < options.cancels) findings.push(`only ${chosen.length} were still queued`)
  let slowestMs = 0
  for (const logged of chosen) {
    const from = performance.now()
    const { status, refund } = await asked(rails, 'DELETE', `/${logged.id}`, { reason: 'waited too long' })
    slowestMs = Math.max(slowestMs, performance.now() - from)
    if (status === 'cancelled' && refund?.amount === 115) logged.isCancelled = true
    else findings.push(`${logged.id} was queued and its cancel was answered with ${status}`)
  }
  return slowestMs
}

async function queuedOn({ sql }: Rails): Promise<string[]> {
  const rows = await sql<{ id: string }>(
    `select contract_id as id from jobs where channel_id = $1 and status in ('queued', 'submitting')`,
    [OUT],
  )
  return rows.map(({ id }) => id)
}

/** The figures as a person reads them. */
export function outageReport({ others, findings, ...rest }: OutageFigures): string {
  const line = ({ payouts, p50Ms, p99Ms }: OutageFigures['others']['before']) =>
    `${payouts} payouts, p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`
  return [
    `outage of ${OUT}: at most ${rest.inFlightMax} calls in flight (cap ${rest.cap}); cancels at most ${rest.cancelMsMax.toFixed(0)} ms; sent after it in ${(rest.drainedMs / 1000).toFixed(1)} s`,
    `  other rails, paid to completed: before ${line(others.before)}; during ${line(others.during)}; p99 ratio ${rest.p99Ratio.toFixed(2)}`,
    `  findings: ${findings.length}`,
    ...findings.slice(0, 40).map((finding) => `    ${finding}`),
  ].join('\n')
}
