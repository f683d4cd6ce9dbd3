// What gateways say of a worker's standby once they have looked at it, as the log has it that they share.
import { readFileSync } from 'node:fs'
import type { Outage } from './node-faults.ts'

const SAYS = 'another server took over, and has all that this gateway knows of'

/** How long after the standby was there each gateway said so, in milliseconds: 0 for one that met it before the rig knew. */
export function noticedAfterMs(logPath: string, { addresses, fromMs, untilMs }: Outage): number[] {
  const found: number[] = []
  for (const line of readFileSync(logPath, 'utf8').split('\n')) {
    if (!line.includes(SAYS)) continue
    const said = JSON.parse(line) as { readonly time: number; readonly node?: string }
    const atMs = said.time - performance.timeOrigin
    if (said.node !== undefined && addresses.includes(said.node) && atMs >= fromMs)
      found.push(Math.max(0, atMs - untilMs))
  }
  return found
}
