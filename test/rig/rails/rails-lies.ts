// Rails that lie about what they did: one whose inquiries find nothing for a while, and one that forgets its references,
// so that sending again would pay again. Neither may be paid twice, nor refunded what was paid.
import { setTimeout as sleep } from 'node:timers/promises'
import { askAtOnce, asked, type Logged, match, paid, untilEnded } from './rails-orders.ts'
import { forAll, openRails, type RailName, type Rails, type RailsOptions, untilNone } from './rails.ts'

export type LieOptions = Pick<RailsOptions, 'owner'> & {
  readonly count: number
  /** How long the rail hides what it did, or is left alone after it forgot it. */
  readonly seconds: number
}

export type LieFigures = { readonly executions: number; readonly findings: readonly string[] }

const CALLERS = 16
const END_WITHIN_MS = 60_000
const LOOK_MS = 300
const CALL_TIMEOUT_MS = 400
const HOUR_MS = 3_600_000

/** Executed and hung; inquiries say "not found", and later the truth. */
export async function runHidden({ owner, count, seconds }: LieOptions): Promise<LieFigures> {
  // Far shorter than the lie: the order goes again under its reference, which the rail knows.
  const promises = { notFoundFinalAfterMs: 500 }
  const rails = await openRails({ owner, callTimeoutMs: CALL_TIMEOUT_MS, promises })
  try {
    await rails.script({ times: count, wire: 'hang_after', inquiry: { not_found_for_seconds: seconds } })
    const log = await payAll(rails, ['instapay', 'gcash', 'maya', 'sandbox'], count)
    const late = await untilEnded(rails, 'asked at once', END_WITHIN_MS)
    const { contracts, executions, findings } = await match(rails, log)
    const refused = [...contracts.values()].filter(({ status }) => status !== 'completed')
    return { executions, findings: [...late, ...refused.map(({ id, status }) => `${id} is ${status}`), ...findings] }
  } finally {
    await rails.stop()
  }
}

/** Executed and hung; then the rail does not know the reference any more, and would execute it again. */
export async function runForgotten({ owner, count, seconds }: LieOptions): Promise<LieFigures> {
  const promises = { notFoundFinalAfterMs: 300, dedupeLifetimeMs: 1000 }
  const rails = await openRails({ owner, callTimeoutMs: CALL_TIMEOUT_MS, promises })
  try {
    const remember = await rails.script({ forget_references_after_seconds: 0.5 })
    await rails.script({ times: count, wire: 'hang_after' })
    const log = await payAll(rails, ['gcash', 'maya'], count)
    // A rail that hangs is tried less and less often: on a slow machine some have not gone yet.
    const queued = async () =>
      (await rails.sql<{ id: string }>(`select contract_id as id from jobs where status = 'queued'`)).map(
        ({ id }) => id,
      )
    await untilNone(queued, END_WITHIN_MS)
    // Only after the lifetime it is asked: until then the same reference could have gone again.
    await sleep(CALL_TIMEOUT_MS + promises.dedupeLifetimeMs)
    for (const until = performance.now() + seconds * 1000; performance.now() < until; await sleep(LOOK_MS))
      await askAtOnce(rails)
    const findings = await leftToPeople(rails, log)
    // What an operator would do: find the statement, or have the rail look again.
    await remember()
    findings.push(...(await untilEnded(rails, 'asked at once', END_WITHIN_MS)))
    const matched = await match(rails, log)
    return { executions: matched.executions, findings: [...findings, ...matched.findings] }
  } finally {
    await rails.stop()
  }
}

async function payAll(rails: Rails, channels: readonly RailName[], count: number): Promise<Logged[]> {
  const log: Logged[] = []
  const numbers = Array.from({ length: count }, (_, number) => number)
  await forAll(numbers, CALLERS, async (number) => {
    const channel = channels[number % channels.length] ?? 'sandbox'
    log.push(await paid(rails, { number, channel, amount: '250.00' }))
  })
  return log
}

/**
 * Each is still unknown for whoever looks, holds its money, is asked about within the hour, and was sent once: the rail
 * would have executed a second one. */
async function leftToPeople(rails: Rails, log: readonly Logged[]): Promise<string[]> {
  const found: string[] = []
  const attempts = await rails.sql<{ id: string; status: string; wait: number | null }>(
    `select contract_id as id, status, (extract(epoch from due_at - now()) * 1000)::float8 as wait from jobs`,
  )
  for (const { id, status, wait } of attempts)
    if (status !== 'unknown' || wait === null || wait > HOUR_MS) found.push(`${id} is ${status}, and due in ${wait} ms`)
  for (const { id } of log) {
    const { status, transfer, refund } = await asked(rails, 'GET', `/${id}`)
    if (status !== 'paid' || transfer.status !== 'unknown' || transfer.attempts !== 1 || refund !== null)
      found.push(`${id} is ${status}, its transfer ${transfer.status} after ${transfer.attempts} attempts`)
  }
  for (const rail of ['gcash', 'maya'] as const)
    for (const { reference, executions } of (await rails.booksOf(rail)).orders)
      if (executions !== 1) found.push(`${reference} was executed ${executions} times`)
  return found
}
