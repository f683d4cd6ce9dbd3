// Counters and gauges at the edges, in the text format of Prometheus. Business functions know nothing of them.

export type Metrics = {
  readonly add: (name: string, by: number) => void
  /** A value that is asked for when somebody looks. */
  readonly gauge: (name: string, read: () => number) => void
  readonly text: () => string
}

export function openMetrics(): Metrics {
  const counters = new Map<string, number>()
  const gauges = new Map<string, () => number>()
  return {
    add: (name, by) => void counters.set(name, (counters.get(name) ?? 0) + by),
    gauge: (name, read) => void gauges.set(name, read),
    text: () => {
      const lines = [...counters].map(([name, value]) => `# TYPE ${name} counter\n${name} ${value}\n`)
      for (const [name, read] of gauges) lines.push(`# TYPE ${name} gauge\n${name} ${read()}\n`)
      return lines.join('')
    },
  }
}
