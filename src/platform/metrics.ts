// Counters, gauges and times at the edges, in the text format of Prometheus. Business functions know nothing of them.

export type Labels = Readonly<Record<string, string>>

export type Metrics = {
  readonly add: (name: string, by: number) => void
  /** A series of a counter, told apart by its labels: made once, added to often. */
  readonly counter: (name: string, labels: Labels) => (by: number) => void
  /** Something took so long, in seconds: counted into buckets. */
  readonly time: (name: string, seconds: number) => void
  /** A value that is asked for when somebody looks. */
  readonly gauge: (name: string, read: () => number, labels?: Labels) => void
  readonly text: () => string
}

const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15] as const

type Times = { readonly counts: number[]; sum: number; count: number }

export function openMetrics(): Metrics {
  const counters = new Map<string, Map<string, number>>()
  const times = new Map<string, Times>()
  const gauges = new Map<string, Map<string, () => number>>()
  const add = (name: string, series: string, by: number) => {
    const counted = counters.get(name) ?? new Map<string, number>()
    counters.set(name, counted.set(series, (counted.get(series) ?? 0) + by))
  }
  return {
    add: (name, by) => add(name, '', by),
    counter: (name, labels) => {
      const series = labelText(labels)
      return (by) => add(name, series, by)
    },
    time: (name, seconds) => {
      const known = times.get(name) ?? { counts: BUCKETS_SECONDS.map(() => 0), sum: 0, count: 0 }
      times.set(name, known)
      known.sum += seconds
      known.count += 1
      const bucket = BUCKETS_SECONDS.findIndex((limit) => seconds <= limit)
      if (bucket !== -1) known.counts[bucket] = (known.counts[bucket] ?? 0) + 1
    },
    gauge: (name, read, labels) => {
      const known = gauges.get(name) ?? new Map<string, () => number>()
      gauges.set(name, known.set(labels ? labelText(labels) : '', read))
    },
    text: () =>
      [
        ...[...counters].map(([name, counted]) => counterText(name, counted)),
        ...[...times].map(([name, known]) => timeText(name, known)),
        ...[...gauges].map(([name, known]) => gaugeText(name, known)),
      ].join(''),
  }
}

function labelText(labels: Labels): string {
  return `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, '_')}"`)
    .join(',')}}`
}

function counterText(name: string, counted: ReadonlyMap<string, number>): string {
  const lines = [...counted].map(([series, value]) => `${name}${series} ${value}\n`)
  return `# TYPE ${name} counter\n${lines.join('')}`
}

function gaugeText(name: string, known: ReadonlyMap<string, () => number>): string {
  const lines = [...known].map(([series, read]) => `${name}${series} ${read()}\n`)
  return `# TYPE ${name} gauge\n${lines.join('')}`
}

function timeText(name: string, { counts, sum, count }: Times): string {
  let below = 0
  const lines = BUCKETS_SECONDS.map((limit, i) => {
    below += counts[i] ?? 0
    return `${name}_bucket{le="${limit}"} ${below}\n`
  })
  const rest = `${name}_bucket{le="+Inf"} ${count}\n${name}_sum ${sum}\n${name}_count ${count}\n`
  return `# TYPE ${name} histogram\n${lines.join('')}${rest}`
}
