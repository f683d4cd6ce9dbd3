// The run of promotions: under load the server that is written is killed with all of its processes, and its synchronous standby
// promoted, again and again. All that was acknowledged must be there, and every gateway must go on by itself, in no recovery.
import { chmodSync, mkdtempSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dice } from '../dice.ts'
import type { GatewayChild } from '../gateway-child.ts'
import {
  type Disturbed,
  disturbedReport,
  type DisturbedOptions,
  type LoadFigures,
  runDisturbed,
} from '../sagas/disturbed.ts'
import { openPair, type Pair } from './pair.ts'

export type PromotionsOptions = Pick<DisturbedOptions, 'seed' | 'callers' | 'gateways'> & {
  readonly promotions: number
}
type Measured = { readonly promotions: number; readonly backMs: readonly number[] }

const HEAL_WITHIN_MS = 5 * 60_000
const BACK_WITHIN_MS = 60_000
const POLL_MS = 20

/** Throws only where servers or gateways could not be run at all. */
export async function runPromotions(options: PromotionsOptions): Promise<LoadFigures & Measured> {
  const folder = mkdtempSync('/tmp/gateway-promotions-')
  // The servers' unprivileged user must be able to come through.
  chmodSync(folder, 0o755)
  const pair = await openPair(folder, 'synchronous')
  try {
    const settings = { DATABASE_URL: pair.url }
    const heal = { heal: 'left alone', healWithinMs: HEAL_WITHIN_MS, owner: pair.owner } as const
    return await runDisturbed({ ...options, settings, ...heal }, (gateway, dice, _load, beside) =>
      promoteAgain(pair, [gateway.child, ...beside], dice, options.promotions),
    )
  } finally {
    await pair.remove()
  }
}

async function promoteAgain(
  pair: Pair,
  gateways: readonly GatewayChild[],
  dice: Dice,
  promotions: number,
): Promise<Disturbed<Measured>> {
  const backMs: number[] = []
  const findings: string[] = []
  for (let number = 1; number <= promotions && findings.length === 0; number++) {
    await sleep(dice.whole(1000, 4000))
    pair.killPrimary()
    await sleep(dice.whole(0, 300))
    await pair.promote()
    const from = performance.now()
    const states = await Promise.all(gateways.map((each) => backAs(each)))
    backMs.push(Math.round(performance.now() - from))
    for (const state of states)
      if (state !== 'ok') findings.push(`after promotion ${number} a gateway was not at work: ${state}`)
    await pair.addStandby()
  }
  for (const each of gateways) if (!each.isUp()) findings.push('a gateway has ended')
  return { figures: { promotions: backMs.length, backMs }, findings }
}

/** What a gateway says once it is ready again. */
async function backAs({ url }: GatewayChild): Promise<string> {
  for (const until = performance.now() + BACK_WITHIN_MS; performance.now() < until; await sleep(POLL_MS)) {
    const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => null)
    if (reply?.ok) return reply.headers.get('gateway-state') ?? 'ok'
  }
  return `not ready within ${BACK_WITHIN_MS / 1000} s`
}

/** The figures as a person reads them. */
export function promotionsReport(figures: LoadFigures & Measured): string {
  const { seed, promotions, backMs, seconds } = figures
  const sorted = backMs.toSorted((a, b) => a - b)
  const first = `run of promotions, seed ${seed}: ${promotions} promotions, ${seconds.toFixed(1)} s`
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0
  return disturbedReport(first, `at work ${middle} ms after a promotion, ${sorted.at(-1) ?? 0} at most`, figures)
}
