// Spans as the gateway makes them: each when what it tells of is over, so that nothing is made, passed on or wrapped while work
// is done, and whether it is wanted is decided before. The trace of a contract is its own id (docs/adr/0041): call, job, channel
// and webhook meet in it, in whichever process they happen, with nothing stored.

export type Span = {
  readonly traceId: string
  readonly spanId: string
  /** The span that it belongs to; null for the first of a trace. */
  readonly parentId: string | null
  readonly name: string
  readonly kind: 'server' | 'client' | 'worker'
  /** Milliseconds since the epoch. */
  readonly beganAt: number
  readonly endedAt: number
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  readonly failed: boolean
  /** Another trace that led to it. */
  readonly link: TraceParent | null
}

export type Traces = {
  /** By the digits of chance in the id, so that every process decides alike. */
  readonly isSampled: (traceId: string) => boolean
  readonly newTraceId: () => string
  readonly newSpanId: () => string
  /** Hands a span over to be exported. Never waits, never throws. */
  readonly add: (span: Span) => void
  /** Exports what is left, within a bound. */
  readonly stop: () => Promise<void>
}

export type TraceParent = { readonly traceId: string; readonly spanId: string }

/** The trace of everything that happens to a contract. */
export const traceOf = (contractId: string): string => contractId.replaceAll('-', '')

/** The span of the request that made the contract, to which all others of its trace belong. */
export const firstSpanOf = (contractId: string): string => traceOf(contractId).slice(16)

/** The trace of what happens to a contract, where that is one which is taken; null elsewhere, and where nothing is traced. */
export function sampledTraceOf(traces: Traces | null, contractId: string | null): string | null {
  if (traces === null || contractId === null) return null
  const traceId = traceOf(contractId)
  return traces.isSampled(traceId) ? traceId : null
}

const CHANCE_DIGITS = 8
const CHANCES = 16 ** CHANCE_DIGITS

/** Takes this share of all traces, between 0 and 1. */
export function samplerOf(ratio: number): Traces['isSampled'] {
  if (ratio >= 1) return () => true
  return (traceId) => Number.parseInt(traceId.slice(-CHANCE_DIGITS), 16) < ratio * CHANCES
}

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(?:-|$)/

/** The span that a caller names (W3C Trace Context); null where it names none. */
export function traceParentFrom(header: string | readonly string[] | undefined): TraceParent | null {
  if (typeof header !== 'string') return null
  const [, traceId, spanId] = TRACEPARENT.exec(header) ?? []
  return traceId === undefined || spanId === undefined ? null : { traceId, spanId }
}

/** The header that names a span to whoever is called. */
export const traceParentText = ({ traceId, spanId }: TraceParent, isSampled: boolean): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
