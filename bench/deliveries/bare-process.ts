// The bar for deliveries: the gateway's own outbound client in a process of its own, posting one body again and again. No
// database, no signatures, no books. It ends with its parent.
import { openAddressGuard } from '../../src/platform/addresses.ts'
import { openOutbound } from '../../src/platform/outbound.ts'
import { openCounting } from '../load/load-tally.ts'
import type { LoadReport } from '../plan.ts'

export type BarePlan = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** How many at once. */
  readonly calls: number
  readonly warmupMs: number
  readonly measureMs: number
}

const TIMEOUT_MS = 15_000
const REPLY_BYTES_MAX = 65_536

const report = (message: LoadReport) => void process.send?.(message)

async function carryOut({ url, headers, body, calls, warmupMs, measureMs }: BarePlan): Promise<void> {
  const counting = openCounting()
  const outbound = openOutbound({ guard: openAddressGuard({ allow: ['127.0.0.1/32'] }) })
  const ask = { method: 'POST', url, headers, body: Buffer.from(body), timeoutMs: TIMEOUT_MS } as const
  const caller = async () => {
    while (!counting.isOver()) {
      const startedAt = performance.now()
      const reply = await outbound.request({ ...ask, bodyBytesMax: REPLY_BYTES_MAX })
      if (reply.kind !== 'response') throw new Error(`a call ended as ${reply.kind}: ${reply.reason}`)
      counting.response(reply.status, reply.body)
      counting.unit(startedAt)
    }
  }
  setTimeout(() => {
    counting.measure()
    report({ kind: 'measuring' })
  }, warmupMs)
  setTimeout(() => {
    counting.finish()
    report({ kind: 'over' })
  }, warmupMs + measureMs)
  await Promise.all(Array.from({ length: calls }, caller))
  report({ kind: 'done', tally: counting.result(0) })
  await outbound.close()
}

process.once('disconnect', () => process.exit(0))
process.once('message', (plan) => {
  carryOut(plan as BarePlan).catch((fault: unknown) =>
    report({ kind: 'fault', message: fault instanceof Error ? fault.message : String(fault) }),
  )
})
