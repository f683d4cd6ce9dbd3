// The crash run: a real gateway under load, its processes killed -9 and frozen at random moments (disturbed.ts has what comes
// before and after). One runner for the test and for `npm run crash`.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dice } from '../dice.ts'
import type { GatewayProcess, Victim } from '../gateway-process.ts'
import { type Disturbed, type DisturbedOptions, disturbedReport, type LoadFigures, runDisturbed } from './disturbed.ts'

export type CrashOptions = DisturbedOptions & {
  readonly kills: number
  /** Stops and continuations of one process, in between. */
  readonly freezes: number
}

export type CrashFigures = LoadFigures & {
  readonly kills: Readonly<Record<Victim, number>>
  readonly freezes: number
  readonly killedWhileStarting: number
  readonly readyMsMax: number
  readonly recoveredMsMax: number
}

const VICTIMS: readonly Victim[] = ['gateway', 'gateway', 'provider', 'postgres']
/** Up to twice as long as a worker's lease: some come back after another took over. */
const FROZEN_MS_MAX = 5000

/** Runs load and kills, heals, and compares. Throws only where the gateway could not be run at all. */
export function runCrashes(options: CrashOptions): Promise<CrashFigures> {
  return runDisturbed(options, (gateway, dice) => killAtRandom(gateway, dice, options))
}

async function killAtRandom(
  gateway: GatewayProcess,
  dice: Dice,
  { kills, freezes }: CrashOptions,
): Promise<Disturbed<Omit<CrashFigures, keyof LoadFigures>>> {
  const count: Record<Victim, number> = { gateway: 0, provider: 0, postgres: 0 }
  const killed = { kills: count, freezes: 0, killedWhileStarting: 0, readyMsMax: 0, recoveredMsMax: 0 }
  const bringBack = async () => {
    gateway.launch()
    // Some of the kills come while it recovers from the one before.
    while (total(count) < kills && dice.chance(0.2)) {
      await sleep(dice.whole(0, 700))
      if (!(await gateway.kill('gateway'))) break
      count.gateway += 1
      killed.killedWhileStarting += 1
      gateway.launch()
    }
    killed.readyMsMax = Math.max(killed.readyMsMax, await gateway.ready())
  }
  const freeze = async () => {
    if (!(await gateway.freeze(dice.pick(VICTIMS), dice.whole(50, FROZEN_MS_MAX)))) return
    killed.freezes += 1
    killed.recoveredMsMax = Math.max(killed.recoveredMsMax, await gateway.ready())
  }
  while (total(count) < kills || killed.freezes < freezes) {
    await sleep(dice.whole(50, 900))
    const left = [kills - total(count), freezes - killed.freezes] as const
    if (dice.chance(left[1] / (left[0] + left[1]))) {
      await freeze()
      continue
    }
    const victim = dice.pick(VICTIMS)
    if (!(await gateway.kill(victim))) continue
    count[victim] += 1
    if (victim === 'postgres') await sleep(dice.whole(0, 400))
    // A gateway that lost its database must come back by itself, unless it dies as well.
    if (victim === 'gateway' || (victim === 'postgres' && dice.chance(0.3))) {
      if (victim === 'postgres' && (await gateway.kill('gateway'))) count.gateway += 1
      await bringBack()
    } else killed.recoveredMsMax = Math.max(killed.recoveredMsMax, await gateway.ready())
  }
  return { figures: killed, findings: [] }
}

const total = (count: Readonly<Record<Victim, number>>) => count.gateway + count.provider + count.postgres

/** The figures as a person reads them. */
export function crashReport(figures: CrashFigures): string {
  const { kills, freezes } = figures
  return disturbedReport(
    `crash run, seed ${figures.seed}: ${total(kills)} kills and ${freezes} freezes in ${figures.seconds.toFixed(1)} s (gateway ${kills.gateway}, of them ${figures.killedWhileStarting} while starting; provider ${kills.provider}; PostgreSQL ${kills.postgres})`,
    `slowest start ${Math.round(figures.readyMsMax)} ms, slowest recovery without a start ${Math.round(figures.recoveredMsMax)} ms`,
    figures,
  )
}
