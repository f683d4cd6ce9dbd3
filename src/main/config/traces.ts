// Where traces go and how many, by the names that OpenTelemetry gives such settings. What the exporter reads by itself
// (headers, certificates, compression: OTEL_EXPORTER_OTLP_*) is not repeated here.
import type { Env, Reader } from './environment.ts'
import { textOf } from './settings.ts'

export type TracesConfig = {
  /** The collector's own address for traces. */
  readonly url: string
  /** The share of traces that is taken, between 0 and 1. */
  readonly ratio: number
  /** What else each span says about where it is from. */
  readonly resource: Readonly<Record<string, string>>
  readonly delayMs: number
  readonly queueMax: number
  readonly batchMax: number
  readonly timeoutMs: number
}

const COLLECTOR = 'http://localhost:4318'
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
]
const PROTOCOLS = ['http/json', 'http/protobuf']

/** Null where nothing is traced: nothing says where to. */
export function tracesOf(env: Env, { whole }: Reader, faults: string[]): TracesConfig | null {
  const base = env['OTEL_EXPORTER_OTLP_ENDPOINT']
  const own = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  const exporter = env['OTEL_TRACES_EXPORTER'] || (base || own ? 'otlp' : 'none')
  if (exporter === 'none' || env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return null
  if (exporter !== 'otlp') faults.push(`OTEL_TRACES_EXPORTER must be otlp or none, not "${exporter}"`)
  const protocol = env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || env['OTEL_EXPORTER_OTLP_PROTOCOL']
  if (protocol && !PROTOCOLS.includes(protocol))
    faults.push(`OTEL_EXPORTER_OTLP_PROTOCOL must be http/json or left out, not "${protocol}": traces leave over HTTP`)
  const url = own || `${(base || COLLECTOR).replace(/\/$/, '')}/v1/traces`
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    faults.push(`OTEL_EXPORTER_OTLP_ENDPOINT must be a whole URL of http or https, not "${base ?? own ?? ''}"`)
  const queueMax = whole('OTEL_BSP_MAX_QUEUE_SIZE', 8192, 1, 1_000_000)
  return {
    url,
    ratio: ratioOf(env, faults),
    resource: resourceOf(env),
    delayMs: whole('OTEL_BSP_SCHEDULE_DELAY', 1000, 1, 600_000),
    queueMax,
    batchMax: Math.min(queueMax, whole('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, 1, 100_000)),
    timeoutMs: whole('OTEL_BSP_EXPORT_TIMEOUT', 10_000, 100, 600_000),
  }
}

/** A caller's own decision is not followed: whoever calls could have everything traced, or nothing. */
function ratioOf(env: Env, faults: string[]): number {
  const sampler = env['OTEL_TRACES_SAMPLER'] || (env['OTEL_TRACES_SAMPLER_ARG'] ? 'traceidratio' : 'always_on')
  if (!SAMPLERS.includes(sampler))
    faults.push(`OTEL_TRACES_SAMPLER must be one of ${SAMPLERS.join(', ')}, not "${sampler}"`)
  if (sampler.endsWith('always_off')) return 0
  if (!sampler.endsWith('traceidratio')) return 1
  const text = env['OTEL_TRACES_SAMPLER_ARG'] || '1'
  const ratio = Number(text)
  if (ratio >= 0 && ratio <= 1) return ratio
  faults.push(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${text}"`)
  return 1
}

/** "name=value,name=value", each percent-encoded (W3C Baggage). */
function resourceOf(env: Env): Readonly<Record<string, string>> {
  const pairs = (env['OTEL_RESOURCE_ATTRIBUTES'] ?? '').split(',').flatMap((pair): [string, string][] => {
    const equals = pair.indexOf('=')
    return equals < 1 ? [] : [[plain(pair.slice(0, equals)), plain(pair.slice(equals + 1))]]
  })
  return { 'service.name': textOf(env, 'OTEL_SERVICE_NAME'), ...Object.fromEntries(pairs) }
}

function plain(text: string): string {
  try {
    return decodeURIComponent(text.trim())
  } catch {
    return text.trim()
  }
}
