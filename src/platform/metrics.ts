// Counters, gauges and times at the edges, in the text format of Prometheus. Each gateway has a registry of its own, for a
// process may hold several gateways. Business functions know nothing of metrics.
import {
  AggregatorRegistry,
  Counter,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'

export type Metrics = ReturnType<typeof openMetrics>

const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

export function openMetrics() {
  const registry = new Registry()
  const registers = [registry]
  return {
    counter: <Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
      new Counter({ name, help, labelNames, registers }),
    /** A value that is read at each scrape. */
    gauge: (name: string, help: string, read: () => number): void => {
      const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read()) })
    },
    /** What never changes while the process runs, in labels; its value is 1. */
    info: (name: string, help: string, labels: Readonly<Record<string, string>>): void =>
      new Gauge({ name, help, labelNames: Object.keys(labels), registers }).set(labels, 1),
    /** The same for each channel. */
    channelGauge: (
      name: string,
      help: string,
      channels: readonly string[],
      read: (channel: string) => number,
    ): void => {
      const collect = () => {
        for (const channel of channels) gauge.set({ channel }, read(channel))
      }
      const gauge: Gauge = new Gauge({ name, help, labelNames: ['channel'], registers, collect })
    },
    /** How long something took, in seconds: counted into buckets. */
    times: <Label extends string>(name: string, help: string, ...labelNames: Label[]): Histogram<Label> =>
      new Histogram({ name, help, labelNames, buckets: BUCKETS_SECONDS, registers }),
    histogram: (name: string, help: string, buckets: number[]): Histogram =>
      new Histogram({ name, help, buckets, registers }),
    text: (): Promise<string> => registry.metrics(),
    figures: (): Promise<Figures> => registry.getMetricsAsJSON(),
  }
}

/** The same as values, for another process. */
export type Figures = readonly MetricObjectWithValues<MetricValue<string>>[]
type Figure = Figures[number]

/** Whether it only grows: it may be added to that of another process, and stays when the process ends. */
export const isCounted = ({ type }: Figure): boolean => String(type) === 'counter' || String(type) === 'histogram'

/** With a label on everything that is not counted. */
export const withLabel = (figures: Figures, label: string, value: string): Figures =>
  figures.map((figure) =>
    isCounted(figure)
      ? figure
      : { ...figure, values: figure.values.map((each) => ({ ...each, labels: { ...each.labels, [label]: value } })) },
  )

/** Those of several processes: values of one name and the same labels are added. */
export function sumOf(parts: readonly Figures[]): {
  readonly text: () => Promise<string>
  readonly figures: () => Promise<Figures>
} {
  const summed = AggregatorRegistry.aggregate([...parts])
  return { text: () => summed.metrics(), figures: () => summed.getMetricsAsJSON() }
}
