// What the simulation says of the payments that a run of the costs measured, beside what they were: the costs come from the
// same run, its batches of one and its processor time; how many a second came out of full batches is predicted. Pure.
import type { Figure } from '../measure.ts'
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

type Run = { readonly connections: number; readonly processes: number }

/** A line for each that was measured; none where processor time was not. */
export function predictionsOf(costs: readonly CostFigure[], { connections, processes }: Run): string[] {
  const payUnbatched = measuredPays(costs, `${PAY_ONE}-unbatched`)
  if (!payUnbatched) return []
  const cases = [
    ['one wallet', PAY_ONE, 1],
    ['64 accounts', PAY_MANY, 64],
  ] as const
  return [1, ...(processes > 1 ? [processes] : [])].flatMap((several) =>
    cases.flatMap(([what, scenario, accounts]) => {
      // What a batch and a payment cost is that of one process: what several do with it is what is predicted.
      const pay = measuredPays(costs, scenario)
      const measured = several > 1 ? measuredPays(costs, severalName(scenario, { processes })) : pay
      if (!pay || !measured) return []
      const more = { callers: connections, accounts, processes: several }
      const found = simulate(simulatedPays({ pay, payUnbatched, callerUs: pay.callerUs }, more))
      const by = several > 1 ? `, ${several} processes` : ''
      return [
        `payments of ${what}${by}: simulated ${found.perSecond.toFixed(0)}/s in batches of ${found.batchSize.toFixed(1)}, measured ${measured.perSecond.toFixed(0)}/s in ${measured.batchSize.toFixed(1)}: ${(found.perSecond / measured.perSecond).toFixed(2)}`,
      ]
    }),
  )
}

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
