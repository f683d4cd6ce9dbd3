// What gateways say of a worker in whose place its standby is, as the log has it that they share.
import { readFileSync } from 'node:fs'
import { isSamePlace, type ServerPlace } from '../../../src/platform/postgres/standing.ts'
import type { Outage } from './node-faults.ts'

const SAYS = 'another server took the place of a node'

/** How long after the standby was there each gateway said so, in milliseconds: 0 for one that met it before the rig knew. */
export function noticedAfterMs(logPath: string, { node, fromMs, untilMs }: Outage): number[] {
  const found: number[] = []
  for (const line of readFileSync(logPath, 'utf8').split('\n')) {
    if (!line.includes(SAYS)) continue
    const said = JSON.parse(line) as Said
    const atMs = said.time - performance.timeOrigin
    if (said.node === node && atMs >= fromMs && isNextHistory(said)) found.push(Math.max(0, atMs - untilMs))
  }
  return found
}

type Said = { readonly time: number; readonly node: string; readonly before: ServerPlace; readonly now: ServerPlace }

/** A standby's: the same server by PostgreSQL's number of it, one promotion later. */
const isNextHistory = ({ before, now }: Said) => isSamePlace({ ...before, timeline: before.timeline + 1 }, now)
