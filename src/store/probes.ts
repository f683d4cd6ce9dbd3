// Probes of whether the database can be written, and what time it has. Nothing of it is kept.
import type { Result, Statement } from '../platform/db.ts'
import { ms } from '../platform/columns.ts'

/** Fills a page of its own, so that a disk without room shows. To be rolled back. */
export function writeProbe(): Statement {
  return { name: 'write_probe', text: `insert into write_probes (filler) values (repeat('x', 7000))`, values: [] }
}

/** The database's clock at this moment, in milliseconds since the epoch. */
export function clockProbe(): Statement {
  return { name: 'clock_probe', text: `select ${ms('clock_timestamp()')} as now_ms`, values: [] }
}

/** How far the database's clock is ahead of ours, which had these times before the call and after it. */
export function clockOffsetMs(probed: Result | undefined, askedAtMs: number, answeredAtMs: number): number {
  // It was read in the middle of the way there and back.
  return Math.round((probed?.rows[0]?.['now_ms'] as number) - (askedAtMs + answeredAtMs) / 2)
}
