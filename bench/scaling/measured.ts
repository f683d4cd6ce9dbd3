// What a run of the bench measured, as the model takes it: the lines of its --json in a file, its medians on standard output.
//   npm run --silent bench -- --json --scenario costs --scenario lifecycle --scenario deliveries > run.jsonl
//   node dist/bench/scaling/measured.js run.jsonl "two cores, quiet" > bench/scaling/measured.json
import { readFileSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { medianOf } from '../report.ts'
import type { CostFigure } from './prediction.ts'
import type { Measured } from './model.ts'

// Of docs/growth.md: a whole contract, over more time than a window has.
const GROWTH = { walBytes: 17_000, keptBytes: 11_000 }

/** Throws where a scenario that the model needs was not run. */
export function measuredFrom(jsonLines: string, said: string): Measured {
  const lines = jsonLines.split('\n').filter((line) => line.startsWith('{'))
  const figures = lines.map((line) => JSON.parse(line) as Partial<CostFigure>)
  const middle = (scenario: string, of: (figure: Partial<CostFigure>) => number | null | undefined): number => {
    const values = figures.flatMap((figure) => (figure.scenario === scenario ? (of(figure) ?? []) : []))
    if (values.length === 0) throw new Error(`the run says nothing of ${scenario}`)
    return Number(medianOf(values).toPrecision(4))
  }
  const cost = (scenario: string) => ({
    gatewayUs: middle(scenario, ({ cpu_us }) => cpu_us?.server),
    postgresUs: middle(scenario, ({ cpu_us }) => cpu_us?.postgres),
  })
  const perSecond = (scenario: string) => middle(scenario, ({ per_second }) => per_second)
  return {
    said,
    create: cost('cost-create'),
    issue: cost('cost-issue'),
    pay: {
      ...cost('cost-pay-one'),
      batchSize: middle('cost-pay-one', ({ batch_size }) => batch_size),
      perSecond: perSecond('cost-pay-one'),
    },
    payUnbatched: { ...cost('cost-pay-one-unbatched'), perSecond: perSecond('cost-pay-one-unbatched') },
    get: cost('cost-get'),
    lifecycle: cost('lifecycle'),
    delivery: cost('deliver'),
    callerUs: middle('cost-pay-one', ({ cpu_us }) => cpu_us?.load),
    ...GROWTH,
  }
}

const entry = process.argv[1]
const [file, said] = process.argv.slice(2)
if (file && said && entry !== undefined && realpathSync(entry) === fileURLToPath(import.meta.url))
  console.log(JSON.stringify(measuredFrom(readFileSync(file, 'utf8'), said), null, 2))
