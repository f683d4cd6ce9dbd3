// Payouts over all rails at once, half of them with a fault: executed and then hung, reset or answered 500, or told twice
// and in disorder. Inquiries are answered with errors at first; from when they are answered, how soon all is known.
import { setTimeout as sleep } from 'node:timers/promises'
import { firstInquiryNow, type Logged, match, type Payout, paid, untilEnded } from './rails-orders.ts'
import { forAll, openRails, quantile, type Rails, RAILS, type RailsOptions, untilNone } from './rails.ts'

export type PayoutOptions = Pick<RailsOptions, 'owner' | 'callTimeoutMs'> & {
  readonly count: number
  /** How long inquiries are not answered after all was sent. */
  readonly inquiryOffMs: number
  /** In the short form the first inquiry is due at once, so that it falls into that time. */
  readonly firstInquiry: 'at once' | 'by its ladder'
  readonly endWithinMs: number
}

export type PayoutFigures = {
  readonly payouts: number
  readonly seconds: number
  readonly byStatus: Readonly<Record<string, number>>
  readonly executions: number
  /** Attempts that were unknown when the provider began to answer inquiries. */
  readonly unknown: number
  readonly unknownToKnownMs: { readonly p50: number; readonly p99: number; readonly max: number }
  readonly findings: readonly string[]
}

/** Every second payout has one of these endings (docs/sandbox.md). */
const FAULTS = ['.31', '.43', '.41', '.11', '.31', '.43', '.41', '.51'] as const
const SENT_WITHIN_MS = 20 * 60_000
const CALLERS = 48

/** The n-th payout: the rails in turn, and a fault at each rail's second. */
function payoutOf(number: number): Payout {
  const turn = Math.floor(number / RAILS.length)
  const fault = turn % 2 === 0 ? '.00' : (FAULTS[Math.floor(turn / 2) % FAULTS.length] ?? '.00')
  return { number, channel: RAILS[number % RAILS.length] ?? 'sandbox', amount: `${100 + (number % 900)}${fault}` }
}

export async function runPayouts(options: PayoutOptions): Promise<PayoutFigures> {
  const from = performance.now()
  const rails = await openRails({ ...options, callbacks: 'posted' })
  try {
    const log: Logged[] = []
    await rails.script({ rail: 'pesonet', settle_after_seconds: 2 })
    await rails.script({ callbacks: { duplicates: 2, forged: 1, shuffle: true } })
    const answerInquiries = await rails.script({ inquiry: 'error' })
    const payouts = Array.from({ length: options.count }, (_, number) => payoutOf(number))
    await forAll(payouts, CALLERS, async (payout) => void log.push(await paid(rails, payout)))
    const unsent = await untilNone(() => openOf(rails, ['queued', 'submitting']), SENT_WITHIN_MS)
    if (options.firstInquiry === 'at once') await firstInquiryNow(rails)
    await sleep(options.inquiryOffMs)
    // Before they are listed: a callback may tell of one in between.
    const answeredAt = Date.now()
    const unknown = await openOf(rails, ['unknown'])
    await answerInquiries()
    const late = await untilEnded(rails, 'left alone', options.endWithinMs)
    const waits = await knownAfter(rails, unknown, answeredAt)
    const { contracts, executions, findings } = await match(rails, log)
    const byStatus: Record<string, number> = {}
    for (const { status } of contracts.values()) byStatus[status] = (byStatus[status] ?? 0) + 1
    const unheard = unsent.length === 0 ? [] : [`${unsent.length} were never sent`]
    return {
      payouts: log.length,
      seconds: (performance.now() - from) / 1000,
      byStatus,
      executions,
      unknown: unknown.length,
      unknownToKnownMs: { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99), max: quantile(waits, 1) },
      findings: [...unheard, ...late, ...findings],
    }
  } finally {
    await rails.stop()
  }
}

async function openOf({ sql }: Rails, statuses: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }>(`select contract_id as id from jobs where status = any($1)`, [statuses])
  return rows.map(({ id }) => id)
}

/** How long after that moment each of them was first known to be accepted, completed or failed. */
async function knownAfter({ sql }: Rails, ids: readonly string[], sinceMs: number): Promise<number[]> {
  const rows = await sql<{ ms: number }>(
    `select min(extract(epoch from at) * 1000)::float8 - $2 as ms from contract_versions
      where contract_id = any($1) and at > to_timestamp($2 / 1000.0) group by contract_id`,
    [ids, sinceMs],
  )
  if (rows.length !== ids.length) return [Number.POSITIVE_INFINITY]
  return rows.map(({ ms }) => ms)
}

/** The figures as a person reads them. */
export function payoutReport({ payouts, seconds, byStatus, unknownToKnownMs, ...rest }: PayoutFigures): string {
  const { p50, p99, max } = unknownToKnownMs
  return [
    `payouts: ${payouts} in ${seconds.toFixed(1)} s, ${JSON.stringify(byStatus)}; the provider executed ${rest.executions}`,
    `  unknown when inquiries were answered again: ${rest.unknown}; known after p50 ${Math.round(p50)} ms, p99 ${Math.round(p99)} ms, at most ${Math.round(max)} ms`,
    `  findings: ${rest.findings.length}`,
    ...rest.findings.slice(0, 40).map((finding) => `    ${finding}`),
  ].join('\n')
}
