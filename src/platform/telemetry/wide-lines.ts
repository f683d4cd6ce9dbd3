// One line of the log for each request, job and delivery: ids, codes and times, so that one search finds all of a contract.
// Never a body, a header, a path or a query: nothing of a recipient, and no secret.
import type { Log } from '../log.ts'
import type { RequestRecord } from './request-log.ts'

/** Which of them are written: none, those that failed by the gateway or a channel, or all. */
export const LINES = ['off', 'failures', 'all'] as const
export type Lines = (typeof LINES)[number]

export type JobRecord = {
  readonly kind: string
  readonly contractId: string
  readonly accountId: string
  readonly channel: string
  readonly attempt: number | null
  /** What the channel answered, or why it was not asked. */
  readonly outcome: string
  readonly failed: boolean
  readonly lateMs: number
  readonly durationMs: number
  readonly callMs: number | null
  readonly traceId: string | null
}

export type DeliveryRecord = {
  readonly eventId: string
  readonly endpointId: string
  readonly accountId: string
  readonly contractId: string | null
  readonly attempt: number
  readonly outcome: string
  readonly status: number | null
  readonly durationMs: number
  readonly traceId: string | null
}

export type WideLines = {
  readonly request: (record: RequestRecord) => void
  readonly job: (record: JobRecord) => void
  readonly delivery: (record: DeliveryRecord) => void
}

/** Null where none are wanted. */
export function openWideLines(log: Log, lines: Lines): WideLines | null {
  if (lines === 'off') return null
  if (lines === 'failures') return failureLines(log)
  // Whatever LOG_LEVEL says: who asks for all lines gets them.
  const all = log.isLevelEnabled('info') ? log : log.child({}, { level: 'info' })
  return {
    request: (record) => all.info(requestFacts(record), 'request'),
    job: (record) => all.info(jobFacts(record), 'job'),
    delivery: (record) => all.info(deliveryFacts(record), 'delivery'),
  }
}

/** What lasts is written once a minute with a count. What a receiver does wrong is its own affair (its deliveries show it). */
function failureLines(log: Log): WideLines {
  return {
    request: (record) => {
      if (record.status < 500) return
      const lasting = record.status === 503 ? { lasting: `requests get 503 ${record.code}` } : {}
      log.warn({ ...requestFacts(record), ...lasting }, 'request')
    },
    job: (record) => {
      if (record.failed)
        log.warn({ ...jobFacts(record), lasting: `jobs of ${record.channel} end as ${record.outcome}` }, 'job')
    },
    delivery: () => undefined,
  }
}

const rounded = (ms: number) => Math.round(ms * 10) / 10

function requestFacts(record: RequestRecord) {
  const { id, operation, route, method, status, code, durationMs, accountId, keyId, memberId, livemode } = record
  const { contractId, verb, batchSize, queuedMs, batchMs, replayed, traceId } = record
  const written =
    verb === null ? {} : { verb, batch_size: batchSize, queued_ms: rounded(queuedMs), batch_ms: rounded(batchMs) }
  return {
    request_id: id,
    operation,
    method,
    route,
    status,
    ...(code === null ? {} : { code }),
    duration_ms: rounded(durationMs),
    ...(accountId === null ? {} : { account: accountId, key: keyId, livemode }),
    ...(memberId === null ? {} : { member: memberId }),
    ...(contractId === null ? {} : { contract: contractId }),
    ...written,
    ...(replayed ? { replayed } : {}),
    ...(traceId === null ? {} : { trace_id: traceId }),
  }
}

function jobFacts({ kind, contractId, accountId, channel, attempt, outcome, lateMs, ...record }: JobRecord) {
  const { durationMs, callMs, traceId } = record
  return {
    job: kind,
    contract: contractId,
    account: accountId,
    channel,
    ...(attempt === null ? {} : { attempt }),
    outcome,
    late_ms: rounded(lateMs),
    duration_ms: rounded(durationMs),
    ...(callMs === null ? {} : { call_ms: rounded(callMs) }),
    ...(traceId === null ? {} : { trace_id: traceId }),
  }
}

function deliveryFacts({ eventId, endpointId, accountId, contractId, attempt, outcome, ...record }: DeliveryRecord) {
  const { status, durationMs, traceId } = record
  return {
    event: eventId,
    endpoint: endpointId,
    account: accountId,
    ...(contractId === null ? {} : { contract: contractId }),
    attempt,
    outcome,
    ...(status === null ? {} : { status }),
    duration_ms: rounded(durationMs),
    ...(traceId === null ? {} : { trace_id: traceId }),
  }
}
