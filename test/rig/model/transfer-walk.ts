// Everything that one transfer in memory can come to: all commands in every state that they lead to, each state once.
import type { AdoptTransfer } from '../../../src/domain/transfer/commands.ts'
import type { Transfer } from '../../../src/domain/transfer/transfer.ts'
import { ask, type OneContract, type TransferStep } from './one-contract.ts'
import { commandsOf, TRANSFER_VERBS } from './transfer-commands.ts'

const HOUR_MS = 3_600_000
const ATTEMPTS_MAX = 2

/** Each step that was taken from these contracts on. */
export const stepsFrom = (beginnings: readonly OneContract[]): TransferStep[] => walkFrom(beginnings).steps

/** Each state that these contracts come to, once, and each step on the way. */
export function walkFrom(beginnings: readonly OneContract[]): { steps: TransferStep[]; states: OneContract[] } {
  const states: OneContract[] = []
  const steps = beginnings.flatMap((one) => one.steps)
  const seen = new Set<string>()
  const open = [...beginnings]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const name = stateOf(one)
    if (seen.has(name)) continue
    seen.add(name)
    states.push(one)
    for (const next of followersOf(one)) {
      steps.push(...next.steps)
      if ((next.attempt?.number ?? 0) <= ATTEMPTS_MAX) open.push(next)
    }
  }
  return { steps, states }
}

function followersOf(one: OneContract): OneContract[] {
  const later = { ...copyOf(one), nowMs: one.nowMs + HOUR_MS }
  const asked = TRANSFER_VERBS.flatMap((verb) =>
    commandsOf(verb, one).flatMap((command) => {
      const next = copyOf(one)
      ask(next, command)
      return next.steps.length > 0 ? [next] : []
    }),
  )
  return [later, ...asked]
}

export const copyOf = (one: OneContract): OneContract => ({
  ...one,
  balances: new Map(one.balances),
  events: [],
  steps: [],
})

/** All that a decision goes by, without the numbers that only grow. */
function stateOf({ contract, attempt, nowMs, refundsAtOnce, onFailure, parent }: OneContract): string {
  const { status, terms, execution, cancellation, origin, activities, expiresAt, requirements } = contract
  const told = ['outcome_disputed', 'failure_disputed', 'cancel_refused'].map((type) =>
    activities.findLastIndex((line) => line.type === type) < 0 ? 0 : 1,
  )
  const isDue = attempt === null || attempt.dueAt === null ? 'never' : attempt.dueAt <= nowMs
  const submitted = activities.findLast(({ type }) => type !== 'verified')?.type === 'transfer_submitted'
  const of = attempt && [attempt.status, attempt.number, attempt.channelId, attempt.absentSince !== null, isDue]
  return JSON.stringify([
    [status, terms.channelId, execution.status, execution.number, execution.reported?.as, cancellation?.status],
    [origin?.from, String(origin?.pendingMinor), parent?.status, refundsAtOnce, onFailure],
    [told, submitted, of, expiresAt <= nowMs, requirements?.given.length],
  ])
}

/** What a provider's list says of an attempt at the contract, as the books would take it in. */
export function orderOf({ id, terms, debitMinor, feeMinor }: Transfer, number: number): AdoptTransfer {
  const { currency, channelId } = terms
  const money = { amountMinor: debitMinor - feeMinor, currency, channelId: channelId ?? 'rail' }
  return { verb: 'adopt', id, livemode: false, number, ...money, isKnown: true, operator: 'ana', epoch: 2 }
}
