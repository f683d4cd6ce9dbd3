// What the simulation says of the payments that a run of the costs measured, beside what they were: the costs come from the
// same run, its batches of one and its processor time; how many a second came out of full batches is predicted. Pure.
import type { Bench, Figure } from '../measure.ts'
import { medianOf } from '../report.ts'
import { severalName } from '../scenarios.ts'
import { simulate } from './batching.ts'
import { simulatedPays } from './tables.ts'

/** What a window also says here; null where nothing was measured. */
export type CostFigure = Figure & {
  /** Commands in a batch; null where none was formed, as for reads. */
  readonly batch_size: number | null
  /** Written to the log of the server that is asked, by each unit. */
  readonly wal_bytes: number
}

/** Payments of one wallet, and of 64 accounts. */
export const PAY_ONE = 'cost-pay-one'
export const PAY_MANY = 'cost-pay'

const CASES = [
  { what: 'one wallet', scenario: PAY_ONE, accounts: 1 },
  { what: '64 accounts', scenario: PAY_MANY, accounts: 64 },
]

/** A line for each that was measured; none where processor time was not. */
export function predictionsOf(
  costs: readonly CostFigure[],
  { connections: callers, processes: several }: Pick<Bench, 'connections' | 'processes'>,
): string[] {
  const payUnbatched = measuredPays(costs, `${PAY_ONE}-unbatched`)
  const lines: string[] = []
  for (const processes of new Set([1, several]))
    for (const { what, scenario, accounts } of CASES) {
      // What a batch and a payment cost is that of one process: what several do with it is what is predicted.
      const pay = measuredPays(costs, scenario)
      const measured = processes > 1 ? measuredPays(costs, severalName(scenario, { processes })) : pay
      if (!payUnbatched || !pay || !measured) continue
      const given = simulatedPays({ pay, payUnbatched, callerUs: pay.callerUs }, { callers, accounts, processes })
      const found = simulate(given)
      const by = processes > 1 ? `, ${processes} processes` : ''
      const ratio = (found.perSecond / measured.perSecond).toFixed(2)
      lines.push(
        `payments of ${what}${by}: simulated ${saidOf(found, 'in batches of')}, measured ${saidOf(measured, 'in')}: ${ratio}`,
      )
    }
  return lines
}

const saidOf = (of: { readonly perSecond: number; readonly batchSize: number }, words: string) =>
  `${of.perSecond.toFixed(0)}/s ${words} ${of.batchSize.toFixed(1)}`

/** Medians over the rounds; null where one is missing. */
function measuredPays(costs: readonly CostFigure[], scenario: string) {
  const own = costs.filter((cost) => cost.scenario === scenario)
  const middle = (of: (cost: CostFigure) => number | null): number => {
    const values = own.flatMap((cost) => of(cost) ?? [])
    return values.length === 0 ? NaN : medianOf(values)
  }
  const found = {
    gatewayUs: middle(({ cpu_us }) => cpu_us.server),
    postgresUs: middle(({ cpu_us }) => cpu_us.postgres),
    callerUs: middle(({ cpu_us }) => cpu_us.load),
    batchSize: middle(({ batch_size }) => batch_size),
    perSecond: middle(({ per_second }) => per_second),
  }
  return Object.values(found).some(Number.isNaN) ? null : found
}
