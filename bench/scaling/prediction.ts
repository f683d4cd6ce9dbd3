// What the simulation says of the payments that a run of the costs measured, beside what they were: the costs come from the
// same run, its batches of one and its processor time; how many a second came out of full batches is predicted. Pure.
import type { Figure } from '../measure.ts'
import { medianOf } from '../report.ts'
import { simulate } from './batching.ts'
import { simulatedPays } from './tables.ts'

/** What a window also says here; null where nothing was measured. */
export type CostFigure = Figure & {
  /** Commands in a batch; null where none was formed, as for reads. */
  readonly batch_size: number | null
  /** Written to the log of the server that is asked, by each unit. */
  readonly wal_bytes: number
}

/** A line for each that can be compared; none where processor time was not measured. */
export function predictionsOf(costs: readonly CostFigure[], connections: number): string[] {
  const payUnbatched = measuredPays(costs, 'cost-pay-one-unbatched')
  const payOne = measuredPays(costs, 'cost-pay-one')
  const paySpread = measuredPays(costs, 'cost-pay')
  if (!payUnbatched || !payOne || !paySpread) return []
  const compared = (what: string, pay: Pays, more: { readonly accounts: number; readonly processes: number }) => {
    const given = simulatedPays({ pay, payUnbatched, callerUs: pay.callerUs }, { callers: connections, ...more })
    const { perSecond, batchSize } = simulate(given)
    const said = `${what}: simulated ${perSecond.toFixed(0)}/s in batches of ${batchSize.toFixed(1)}`
    // A gateway of two processes is measured elsewhere (bench --processes).
    if (more.processes > 1) return said
    const ratio = (perSecond / pay.perSecond).toFixed(2)
    return `${said}, measured ${pay.perSecond.toFixed(0)}/s in ${pay.batchSize.toFixed(1)}: ${ratio}`
  }
  return [
    compared('payments of one wallet', payOne, { accounts: 1, processes: 1 }),
    compared('payments of 64 accounts', paySpread, { accounts: 64, processes: 1 }),
    compared('payments of one wallet, two processes', payOne, { accounts: 1, processes: 2 }),
    compared('payments of 64 accounts, two processes', paySpread, { accounts: 64, processes: 2 }),
  ]
}

type Pays = NonNullable<ReturnType<typeof measuredPays>>

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
