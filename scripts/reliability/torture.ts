// npm run torture -- --payouts 10000 --races 5000 --outage-seconds 600: the long forms of test/simulation/rails-*.test.ts,
// --permutations 10000 --payment-races 1000 --event-kills 500: those of payments-*.test.ts, and --command-rows 100000
// --command-kills 20 --kill-rows 100000: those of commands-*.test.ts.
// Each runs on a database of its own, durable as an installation's; what is 0 is left out. Ends with 1 when it finds something.
import { mkdtempSync, chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { ownedDatabase } from '../../src/main/database/database.ts'
import { ensureLogin } from '../../src/main/database/logins.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { startPostgres } from '../../src/platform/postgres/postgres.ts'
import { bulkKillReport, runBulkKills } from '../../test/rig/commands/bulk-kills.ts'
import { bulkSizeReport, runBulkSize } from '../../test/rig/commands/bulk-size.ts'
import { newSeed } from '../../test/rig/dice.ts'
import { runAmounts } from '../../test/rig/rails/rails-amounts.ts'
import { runForgotten, runHidden } from '../../test/rig/rails/rails-lies.ts'
import { CHANNELS, PRICES, REAL_STORIES } from '../../test/rig/payments/payments-channels.ts'
import { eventKillReport, runEventKills } from '../../test/rig/payments/payments-kills.ts'
import {
  type PermutationFigures,
  permutationReport,
  runPermutations,
} from '../../test/rig/payments/payments-permutations.ts'
import { paymentRaceReport, runPaymentRaces } from '../../test/rig/payments/payments-races.ts'
import { openReal } from '../../test/rig/payments/payments-real.ts'
import { openPaymentStage } from '../../test/rig/payments/payments-stage.ts'
import { outageReport, runOutage } from '../../test/rig/rails/rails-outage.ts'
import { payoutReport, runPayouts } from '../../test/rig/rails/rails-payouts.ts'
import { raceReport, runRaces } from '../../test/rig/rails/rails-races.ts'

const MINUTE_MS = 60_000
/** The calls' own deadline, as an installation has it. */
const CALL_TIMEOUT_MS = 5000

/** Nobody helps: inquiries come by their own ladder. */
const LEFT_ALONE = {
  callTimeoutMs: CALL_TIMEOUT_MS,
  inquiryOffMs: 2 * MINUTE_MS,
  firstInquiry: 'by its ladder',
  endWithinMs: 10 * MINUTE_MS,
} as const

const { values } = parseArgs({
  options: {
    payouts: { type: 'string', default: '10000' },
    races: { type: 'string', default: '5000' },
    'outage-seconds': { type: 'string', default: '600' },
    lies: { type: 'string', default: '500' },
    permutations: { type: 'string', default: '10000' },
    'payment-races': { type: 'string', default: '1000' },
    'event-kills': { type: 'string', default: '500' },
    'command-rows': { type: 'string', default: '100000' },
    'command-kills': { type: 'string', default: '20' },
    'kill-rows': { type: 'string', default: '0' },
    seed: { type: 'string' },
  },
})
const outageSeconds = Number(values['outage-seconds'])
const [payouts, races, lies, seed] = [values.payouts, values.races, values.lies, values.seed ?? newSeed()].map(Number)
const [permutations, paymentRaces, eventKills, commandRows, commandKills, killRows] = [
  Number(values.permutations),
  Number(values['payment-races']),
  Number(values['event-kills']),
  Number(values['command-rows']),
  Number(values['command-kills']),
  Number(values['kill-rows']),
]
const counts = [payouts, races, lies, seed, outageSeconds, permutations, paymentRaces, eventKills]
if (![...counts, commandRows, commandKills, killRows].every(isCount)) {
  console.error(
    'usage: npm run torture -- [--payouts 10000] [--races 5000] [--outage-seconds 600] [--lies 500] [--permutations 10000] [--payment-races 1000] [--event-kills 500] [--command-rows 100000] [--command-kills 20] [--kill-rows 100000] [--seed 7]',
  )
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

// The gateways that are started are this very build: nothing is compiled anew for each run.
process.env['TEST_BUILD'] ??= process.cwd()
const folder = mkdtempSync('/tmp/gateway-torture-')
// The server's unprivileged user must be able to come through.
chmodSync(folder, 0o755)
const server = await startPostgres({ dataDir: join(folder, 'data'), log: () => undefined, maxConnections: 100 })
let databases = 0
let findings = 0
try {
  if (payouts) await tell(payoutReport, async (owner) => runPayouts({ owner, count: payouts, ...LEFT_ALONE }))
  if (outageSeconds) await tell(outageReport, async (owner) => runOutage({ owner, ...outageOf(outageSeconds) }))
  if (lies) {
    const report = (what: string) => (figures: { findings: readonly string[] }) => `${what}: ${JSON.stringify(figures)}`
    await tell(report('hidden for a while'), (owner) => runHidden({ owner, count: lies, seconds: 30 }))
    await tell(report('forgotten'), (owner) => runForgotten({ owner, count: lies, seconds: 30 }))
    await tell(report('amounts'), (owner) => runAmounts({ owner }))
  }
  if (races && seed !== undefined) await tell(raceReport, (owner) => runRaces({ owner, contracts: races, seed }))
  if (permutations && seed !== undefined)
    await tell(
      (figures: PermutationFigures) => permutationReport('over HTTP', figures),
      (owner) => permute(owner, permutations, seed),
    )
  if (paymentRaces && seed !== undefined)
    await tell(paymentRaceReport, (owner) => runPaymentRaces({ owner, contracts: paymentRaces, seed }))
  if (eventKills)
    await tell(eventKillReport, (owner) => runEventKills({ owner, kills: 0, answered: eventKills, atOnce: 12 }))
  if (commandRows) await tell(bulkSizeReport, (owner) => runBulkSize({ owner, rows: commandRows }))
  if (commandKills && seed !== undefined)
    for (const gateways of [1, 2]) await tell(bulkKillReport, (owner) => runBulkKills(killsOf(owner, gateways, seed)))
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = findings === 0 ? 0 : 1

async function permute(owner: pg.ClientConfig, count: number, dice: number) {
  const stage = await openPaymentStage(owner, CHANNELS)
  try {
    const open = (story: Parameters<typeof openReal>[1]) => openReal(stage, story)
    const figures = await runPermutations({
      count,
      seed: dice,
      prices: PRICES,
      stories: REAL_STORIES,
      open,
      atOnce: 24,
    })
    return { ...figures, findings: [...figures.findings, ...(await stage.unsound())] }
  } finally {
    await stage.stop()
  }
}

/** Of one command; without --kill-rows enough that there is work at the last kill, too. */
function killsOf(owner: pg.ClientConfig, gateways: number, dice: number) {
  const rows = killRows || 1000 * commandKills * gateways
  const tellHow = (words: string) => console.error(`${gateways} gateways, ${words}`)
  return { owner, rows, kills: commandKills, gateways, seed: dice, leasesEnd: 'at once', tell: tellHow } as const
}

function outageOf(seconds: number) {
  const pace = { seconds, othersPerSecond: 40, count: 500, cancels: 50 }
  return { ...pace, callTimeoutMs: CALL_TIMEOUT_MS, heal: 'left alone', drainWithinMs: 5 * MINUTE_MS } as const
}

async function tell<T extends { readonly findings: readonly string[] }>(
  report: (figures: T) => string,
  run: (owner: pg.ClientConfig) => Promise<T>,
): Promise<void> {
  const figures = await run(await newDatabase())
  findings += figures.findings.length
  console.log(report(figures))
}

async function newDatabase(): Promise<pg.ClientConfig> {
  const database = `torture_${++databases}`
  const client = new pg.Client(server.connection)
  await client.connect()
  await client.query(`create database ${database}`)
  await client.end()
  const connection = { ...server.connection, database }
  await migrate({ connection, directory: 'db/migrations', log: () => undefined, mode: 'apply' })
  const { login, operator } = ownedDatabase(connection)
  for (const each of [login, operator]) await ensureLogin(server.connection, each)
  return connection
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0
}
