// What the code of tracing costs while nothing is traced, of what a creation costs. Two runs of the whole would differ by more
// than that: so the calls that one creation makes into it are made a million times in this process, and set against the
// processor time of a creation, which is measured right after.
import type { Traces } from '../src/platform/telemetry/traces.ts'
import { sampledTraceOf } from '../src/platform/telemetry/traces.ts'
import type { RequestRecord } from '../src/platform/telemetry/request-log.ts'
import { addRequestSpan, traceOfRequest } from '../src/http/telemetry/request-trace.ts'
import { type Bench, type Figure, measureCalls } from './measure.ts'
import { createStep, type Record } from './scenarios.ts'
import type { Rig } from './stage/rig.ts'

export const TRACING_OFF = 'tracing-off'
/** The creations that its calls are compared with. */
export const UNTRACED = 'create-untraced'

const IDS = 1024

export async function runTracingOff(bench: Bench, rig: Rig, record: Record): Promise<void> {
  const create = createStep(bench, rig, UNTRACED)
  // Once for the compiler.
  callsOff(null)
  for (let round = 1; round <= bench.effort.rounds; round++) {
    record(callsOff(null), round)
    await create(round, record)
  }
}

/** A creation, its job and the webhook of its event: what each of them asks of traces that are off. */
function callsOff(traces: Traces | null): Figure {
  const ids = Array.from({ length: IDS }, () => crypto.randomUUID())
  const request = { headers: {} }
  const records = ids.map(createdRecord)
  let traced = 0
  const figure = measureCalls(TRACING_OFF, (calls) => {
    for (let call = 0; call < calls; call++) {
      const id = ids[call % IDS] as string
      if (traceOfRequest(traces, id, 200) !== null) traced += 1
      addRequestSpan(traces, request, records[call % IDS] as RequestRecord)
      if (sampledTraceOf(traces, id) !== null) traced += 1
      if (sampledTraceOf(traces, id) !== null) traced += 1
    }
  })
  return { ...figure, fault: traced === 0 ? null : 'something was traced' }
}

const createdRecord = (contractId: string): RequestRecord => ({
  id: `req_${contractId}`,
  at: 0,
  method: 'POST',
  operation: 'transfers.create',
  route: '/contracts/transfer',
  status: 200,
  code: null,
  durationMs: 1,
  accountId: contractId,
  livemode: false,
  keyId: contractId,
  memberId: null,
  contractId,
  verb: 'create_transfer',
  batchSize: 1,
  queuedMs: 0,
  batchMs: 0,
  replayed: false,
  traceId: null,
})
