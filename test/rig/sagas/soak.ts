// The soak: a real gateway at work for as long as is asked, with one small fault a minute, and what it holds on to measured in
// between: memory, descriptors, connections, rows that are dead. All of it has to be flat.
import { setTimeout as sleep } from 'node:timers/promises'
import { readdirSync, readFileSync } from 'node:fs'
import type { Dice } from '../dice.ts'
import { type GatewayProcess, ownerConnection, rowsFrom } from '../gateway-process.ts'
import { type DisturbedOptions, disturbedReport, type LoadFigures, runDisturbed } from './disturbed.ts'
import type { Load } from './stories.ts'

export type SoakOptions = DisturbedOptions & { readonly minutes: number }

/** How it stands at one moment. Bytes and counts; null where the system does not tell. */
type Sample = {
  readonly atSeconds: number
  readonly rssBytes: number | null
  readonly descriptors: number | null
  readonly connections: number
  readonly deadRows: number
  readonly databaseBytes: number
  readonly stories: number
}

export type SoakFigures = LoadFigures & {
  readonly minutes: number
  readonly faults: Readonly<Record<string, number>>
  readonly samples: readonly Sample[]
}

const MINUTE_MS = 60_000
const SAMPLE_MS = 5000
const SAMPLE_WITHIN_MS = 60_000
const RETRY_MS = 100
const FROZEN_MS = 3000
/** Autovacuum clears them as it goes; this many mean that it does not keep up. */
const DEAD_ROWS_MAX = 20_000
const RSS_GROWTH_BYTES_MAX = 40 * 1024 * 1024
const RSS_GROWTH_MAX = 0.15
const DESCRIPTORS_GROWTH_MAX = 12
const CONNECTIONS_GROWTH_MAX = 4

/** Runs load and faults for so many minutes, heals, and compares. Throws only where the gateway could not be run at all. */
export function runSoak(options: SoakOptions): Promise<SoakFigures> {
  return runDisturbed(options, (gateway, dice, load) => disturb(gateway, dice, load, options))
}

/** None of them ends the gateway's process: its memory is what is measured. */
const FAULTS: readonly (readonly [string, (gateway: GatewayProcess) => Promise<boolean>])[] = [
  ['provider killed', (gateway) => gateway.kill('provider')],
  ['PostgreSQL killed', (gateway) => gateway.kill('postgres')],
  ['provider frozen', (gateway) => gateway.freeze('provider', FROZEN_MS)],
  ['PostgreSQL frozen', (gateway) => gateway.freeze('postgres', FROZEN_MS)],
  ['gateway frozen', (gateway) => gateway.freeze('gateway', FROZEN_MS)],
]

async function disturb(gateway: GatewayProcess, dice: Dice, load: Load, { minutes }: SoakOptions) {
  const faults: Record<string, number> = {}
  const samples: Sample[] = []
  const from = performance.now()
  const passedMs = () => performance.now() - from
  let nextFaultMs = dice.whole(0, MINUTE_MS)
  while (passedMs() < minutes * MINUTE_MS) {
    await sleep(SAMPLE_MS)
    if (passedMs() >= nextFaultMs) {
      const [name, fault] = dice.pick(FAULTS)
      if (await fault(gateway)) faults[name] = (faults[name] ?? 0) + 1
      await gateway.ready()
      nextFaultMs += MINUTE_MS
    }
    samples.push(await sampleWithin(SAMPLE_WITHIN_MS, () => sampleOf(gateway, passedMs() / 1000, load.stories.length)))
  }
  return { figures: { minutes, faults, samples }, findings: growthIn(samples) }
}

/**
 * Takes a sample as soon as there is one to take: a PostgreSQL that was killed refuses new connections for a while in which the
 * gateway, by the connections that it has, still says that it is ready.
 */
async function sampleWithin(withinMs: number, take: () => Promise<Sample>): Promise<Sample> {
  for (const until = performance.now() + withinMs; ; await sleep(RETRY_MS)) {
    try {
      return await take()
    } catch (fault) {
      if (performance.now() > until) throw fault
    }
  }
}

async function sampleOf(gateway: GatewayProcess, atSeconds: number, stories: number): Promise<Sample> {
  const [found] = await rowsFrom<DatabaseFigures>(
    ownerConnection(gateway.dataDir),
    `select (select count(*)::int from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()) as connections,
            (select coalesce(max(n_dead_tup), 0)::float8 from pg_stat_user_tables) as dead,
            pg_database_size(current_database())::float8 as bytes`,
  )
  if (!found) throw new Error('the database gave no figures')
  const pid = gateway.pid('gateway')
  return {
    atSeconds,
    rssBytes: pid === undefined ? null : residentBytes(pid),
    descriptors: pid === undefined ? null : descriptorsOf(pid),
    connections: found.connections,
    deadRows: found.dead,
    databaseBytes: found.bytes,
    stories,
  }
}

type DatabaseFigures = { readonly connections: number; readonly dead: number; readonly bytes: number }

function residentBytes(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) * 1024
  } catch {
    return null
  }
}

function descriptorsOf(pid: number): number | null {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return null
  }
}

/** The second quarter, when it is warm, against the last one. */
function growthIn(samples: readonly Sample[]): string[] {
  const quarter = Math.max(1, Math.floor(samples.length / 4))
  const [early, late] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)]
  const medians = (of: (sample: Sample) => number | null) => [median(early, of), median(late, of)] as const
  const findings: string[] = []
  const [rssBefore, rssAfter] = medians(({ rssBytes }) => rssBytes)
  if (rssAfter - rssBefore > Math.max(RSS_GROWTH_BYTES_MAX, rssBefore * RSS_GROWTH_MAX))
    findings.push(`memory grew from ${megabytes(rssBefore)} to ${megabytes(rssAfter)} MB`)
  const [filesBefore, filesAfter] = medians(({ descriptors }) => descriptors)
  if (filesAfter - filesBefore > DESCRIPTORS_GROWTH_MAX)
    findings.push(`open descriptors grew from ${filesBefore} to ${filesAfter}`)
  // Right after PostgreSQL has died there are none: what is too many is more than there ever were before.
  const before = Math.max(0, ...samples.slice(0, 2 * quarter).map(({ connections }) => connections))
  const after = median(late, ({ connections }) => connections)
  if (after - before > CONNECTIONS_GROWTH_MAX) findings.push(`connections grew from ${before} to ${after}`)
  const [, dead] = medians(({ deadRows }) => deadRows)
  if (dead > DEAD_ROWS_MAX) findings.push(`a table has ${dead} dead rows`)
  return findings
}

function median(samples: readonly Sample[], of: (sample: Sample) => number | null): number {
  const sorted = samples.flatMap((sample) => of(sample) ?? []).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024)

/** The figures as a person reads them. */
export function soakReport(figures: SoakFigures): string {
  const { samples, minutes, faults } = figures
  const quarter = Math.max(1, Math.floor(samples.length / 4))
  const [early, late] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)]
  const change = (what: string, of: (sample: Sample) => number | null, unit = (value: number) => value) =>
    `${what} ${unit(median(early, of))} → ${unit(median(late, of))}`
  const measured = [
    change('memory MB', ({ rssBytes }) => rssBytes, megabytes),
    change('descriptors', ({ descriptors }) => descriptors),
    change('connections', ({ connections }) => connections),
    change('dead rows of a table', ({ deadRows }) => deadRows),
    change('database MB', ({ databaseBytes }) => databaseBytes, megabytes),
  ].join(', ')
  const first = `soak, seed ${figures.seed}: ${minutes} minutes, faults ${JSON.stringify(faults)}`
  return disturbedReport(first, `second quarter → last quarter: ${measured}`, figures)
}
