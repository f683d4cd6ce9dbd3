// Traces leave by OpenTelemetry, whose packages are optional: they are looked for only where a collector is configured. Spans are
// handed to its batches as they are, without a tracer of its own: ids and the choice of traces are ours (docs/adr/0041).
import { readFileSync } from 'node:fs'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import type { Log } from '../../platform/log.ts'
import { samplerOf, type Span, type Traces } from '../../platform/telemetry/traces.ts'
import type { TracesConfig } from '../config/traces.ts'
import { packageFile } from '../package-file.ts'

/** The packages of traces, which are in no install by themselves, in the versions that the gateway is tried with. */
const loadPackages = async () => {
  const [api, exporter, resources, sdk] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
  ])
  return { api, exporter, resources, sdk }
}
type Packages = Awaited<ReturnType<typeof loadPackages>>

const STOP_WITHIN_MS = 3000

/**
 * Null where no collector is configured, and where the packages are not installed, which is said once: what watches the gateway
 * must not keep it from starting.
 */
export async function openTraces(
  config: TracesConfig | null,
  log: Log,
  load: () => Promise<Packages> = loadPackages,
): Promise<Traces | null> {
  if (config === null) return null
  try {
    return tracesBy(await load(), config, log)
  } catch (fault) {
    if (!MISSING.has((fault as NodeJS.ErrnoException).code ?? '')) throw fault
    const [what, mend] = ['A collector of traces is configured, but OpenTelemetry is not installed.', installWords()]
    log.warn(`${what} ${mend}`)
    return null
  }
}

const MISSING = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])

function installWords(): string {
  const text = readFileSync(packageFile('package.json'), 'utf8')
  const { peerDependencies } = JSON.parse(text) as { readonly peerDependencies: Readonly<Record<string, string>> }
  const packages = Object.entries(peerDependencies).filter(([name]) => name.startsWith('@opentelemetry/'))
  return `Run: npm install ${packages.map(([name, version]) => `${name}@${version}`).join(' ')}`
}

function tracesBy(packages: Packages, config: TracesConfig, log: Log): Traces {
  const { api, exporter, resources, sdk } = packages
  const { url, ratio, delayMs, queueMax, batchMax, timeoutMs } = config
  const otlp = new exporter.OTLPTraceExporter({ url, timeoutMillis: timeoutMs })
  const processor = new sdk.BatchSpanProcessor({
    exporter: {
      // A collector that is away is told of here; the library keeps it to itself.
      export: (spans, done) =>
        otlp.export(spans, (result) => {
          if (result.error)
            log.warn({ lasting: `traces are lost: ${result.error.message}` }, 'traces cannot be exported')
          done(result)
        }),
      shutdown: () => otlp.shutdown(),
    },
    scheduledDelayMillis: delayMs,
    maxQueueSize: queueMax,
    maxExportBatchSize: batchMax,
    exportTimeoutMillis: timeoutMs,
  })
  const ids = new sdk.RandomIdGenerator()
  const resource = resources.resourceFromAttributes(config.resource)
  const readable = readableBy(api, resource)
  return {
    isSampled: samplerOf(ratio),
    newTraceId: () => ids.generateTraceId(),
    newSpanId: () => ids.generateSpanId(),
    add: (span) => processor.onEnd(readable(span)),
    stop: async () => {
      const late = new Promise((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref())
      // What the collector does not take in time is lost: nobody waits for it.
      const flushed = processor
        .shutdown()
        .catch((fault: unknown) => log.warn({ err: fault }, 'the last traces are lost'))
      await Promise.race([flushed, late])
    },
  }
}

/** A span as the exporter reads it. */
function readableBy(
  { SpanKind, SpanStatusCode, TraceFlags }: Packages['api'],
  resource: ReadableSpan['resource'],
): (span: Span) => ReadableSpan {
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, worker: SpanKind.CONSUMER }
  const nothing = { droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0, events: [] }
  const instrumentationScope = { name: 'gateway-contracts' }
  const contextOf = (traceId: string, spanId: string) => ({ traceId, spanId, traceFlags: TraceFlags.SAMPLED })
  return ({ traceId, spanId, parentId, name, kind, beganAt, endedAt, attributes, failed, link }) => {
    const own = contextOf(traceId, spanId)
    const links = link === null ? [] : [{ context: { ...contextOf(link.traceId, link.spanId), isRemote: true } }]
    return {
      name,
      kind: kinds[kind],
      spanContext: () => own,
      ...(parentId === null ? {} : { parentSpanContext: contextOf(traceId, parentId) }),
      startTime: secondsOf(beganAt),
      endTime: secondsOf(endedAt),
      duration: secondsOf(endedAt - beganAt),
      status: { code: failed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
      attributes,
      links,
      ended: true,
      resource,
      instrumentationScope,
      ...nothing,
    }
  }
}

/** Whole seconds, and nanoseconds. */
function secondsOf(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1000)
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)]
}
