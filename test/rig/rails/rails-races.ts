// Contracts on every rail that are paid, paid again, cancelled, and expire at the same moments, while the provider tells
// late words, forged ones and copies in disorder: each must come to one legal end, and the books must fit.
import { setTimeout as sleep } from 'node:timers/promises'
import { diceOf, type Dice } from '../dice.ts'
import { issued, type Logged, match, type Payout, untilEnded } from './rails-orders.ts'
import { forAll, openRails, type Rails, RAILS, type RailsOptions, untilNone } from './rails.ts'

export type RaceOptions = Pick<RailsOptions, 'owner'> & { readonly contracts: number; readonly seed: number }

export type RaceFigures = {
  readonly seed: number
  readonly byStatus: Readonly<Record<string, number>>
  /** How the requests were answered: a status, or the code of a refusal. */
  readonly answers: Readonly<Record<string, number>>
  readonly executions: number
  readonly findings: readonly string[]
}

const ENDINGS = ['.00', '.00', '.11', '.21', '.31', '.41', '.43', '.51', '.52', '.53'] as const
const AT_ONCE = 48
const EXPIRES_IN_SECONDS = 2
const PAY_WITHIN_MS = 3500
const CANCEL_WITHIN_MS = 4500
/** What a race may be answered with; anything else, a fault above all, is a finding. */
const LEGAL = ['200', 'contract_expired', 'contract_cancelled', 'contract_completed', 'contract_not_issued']
const DAY_SECONDS = 86_400
const END_WITHIN_MS = 120_000

export async function runRaces({ owner, contracts, seed }: RaceOptions): Promise<RaceFigures> {
  // A second to change one's mind in: some are cancelled before they leave, some while they do.
  const promises = { notFoundFinalAfterMs: 500 }
  const rails = await openRails({ owner, undoSeconds: 1, callTimeoutMs: 500, promises, callbacks: 'posted' })
  try {
    await rails.script({ rail: 'pesonet', settle_after_seconds: 1 })
    await rails.script({ callbacks: { duplicates: 2, forged: 1, shuffle: true } })
    const answers = new Map<string, number>()
    const log: Logged[] = []
    const dice = diceOf(seed)
    const numbers = Array.from({ length: contracts }, (_, number) => number)
    await forAll(numbers, AT_ONCE, async (number) => {
      log.push(await race(rails, dice.part(`race ${number}`), number, answers))
    })
    const expired = await untilNone(() => unswept(rails), END_WITHIN_MS)
    // What the provider does by itself, it does now: late completions, bounces, and those that are stuck for a day.
    await rails.advance(DAY_SECONDS + 60)
    const late = await untilEnded(rails, 'asked at once', END_WITHIN_MS)
    const { contracts: ended, executions, findings } = await match(rails, log)
    const byStatus: Record<string, number> = {}
    for (const { status } of ended.values()) byStatus[status] = (byStatus[status] ?? 0) + 1
    const strange = [...answers.keys()].filter((answer) => !LEGAL.includes(answer))
    return {
      seed,
      byStatus,
      answers: Object.fromEntries(answers),
      executions,
      findings: [
        ...strange.map((answer) => `answered with ${answer}, ${answers.get(answer)} times`),
        ...(expired.length > 0 ? [`${expired.length} are past their time and not expired`] : []),
        ...late,
        ...findings,
      ],
    }
  } finally {
    await rails.stop()
  }
}

/** One contract, asked for all that can be asked of it at moments of chance around its expiry and its leaving. */
async function race(rails: Rails, dice: Dice, number: number, answers: Map<string, number>): Promise<Logged> {
  const payout: Payout = {
    number,
    channel: dice.pick(RAILS),
    amount: `${dice.whole(20, 900)}${dice.pick(ENDINGS)}`,
    ...(dice.chance(0.7) ? { expiresInSeconds: EXPIRES_IN_SECONDS } : {}),
  }
  const logged = await issued(rails, payout)
  const ask = async (method: 'PUT' | 'DELETE', path: string, afterMs: number) => {
    await sleep(afterMs)
    const { status, code } = await rails.payer.caller.ask(method, `/contracts/transfer/${logged.id}${path}`)
    const answer = code ?? String(status)
    answers.set(answer, (answers.get(answer) ?? 0) + 1)
    return status === 200
  }
  const [first, second, ...cancels] = await Promise.all([
    ask('PUT', '/pay', dice.whole(0, PAY_WITHIN_MS)),
    ask('PUT', '/pay', dice.whole(0, PAY_WITHIN_MS)),
    ...(dice.chance(0.5)
      ? [ask('DELETE', '', dice.whole(0, CANCEL_WITHIN_MS)), ask('DELETE', '', dice.whole(0, CANCEL_WITHIN_MS))]
      : []),
  ])
  return { ...logged, isPaid: first || second, isCancelled: cancels.includes(true) }
}

async function unswept({ sql }: Rails): Promise<string[]> {
  const rows = await sql<{ id: string }>(`select id from contracts where status = 'issued' and expires_at < now()`)
  return rows.map(({ id }) => id)
}

/** The figures as a person reads them. */
export function raceReport({ seed, byStatus, answers, executions, findings }: RaceFigures): string {
  return [
    `races, seed ${seed}: ${JSON.stringify(byStatus)}, answers ${JSON.stringify(answers)}; the provider executed ${executions}`,
    `  findings: ${findings.length}`,
    ...findings.slice(0, 40).map((finding) => `    ${finding}`),
  ].join('\n')
}
