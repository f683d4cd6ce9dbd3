// A rehearsal says what the write path does: histories of chance are rehearsed, and then tried with the policies in force from a
// moment on, through the rules of the engine itself; both decide the very same about every payment.
import { expect, test } from 'vitest'
import type { Judgement } from '../../src/domain/policy/judge.ts'
import type { Meter } from '../../src/domain/policy/meters.ts'
import type { Policy } from '../../src/domain/policy/policy.ts'
import { type CountedMeter, openReplay, type PastStep } from '../../src/domain/policy/replay.ts'
import type { Transfer } from '../../src/domain/transfer/transfer.ts'
import { noChecks } from '../../src/engine/approvals.ts'
import { type BatchState, noChanges, rowKey } from '../../src/engine/batch-state.ts'
import type { CommandRequest } from '../../src/engine/command-request.ts'
import { count, rulesFor } from '../../src/engine/rules.ts'
import { clockIn } from '../../src/platform/days.ts'
import { metersOf } from '../../src/domain/policy/circumstances.ts'
import { meterId } from '../../src/store/policies/meters.ts'
import { NO_MONEY } from '../../src/domain/wallet/wallet.ts'
import { PLAIN_WALLET } from '../rig/wallet-settings.ts'
import { diceOf, newSeed } from '../rig/dice.ts'
import {
  ACCOUNT,
  type Attempted,
  attemptsOf,
  BEGIN_MS,
  destinationsOf,
  LANE,
  policiesOf,
  TIME_ZONES,
  WALLETS,
} from '../rig/policies/histories.ts'

const HISTORIES = 10_000
const DAY_MS = 86_400_000

type Story = {
  readonly timeZone: string
  readonly policies: readonly Policy[]
  readonly attempts: readonly Attempted[]
  /** The policies hold from this moment on. */
  readonly fromMs: number
}

/** What was decided about each payment: its contract, and what was said of it. */
type Said = readonly (readonly [id: string, said: ReturnType<typeof saidOf>])[]

const saidOf = ({ denied, approvals, verifications, delaySeconds, traces }: Judgement) => ({
  denied,
  approvals,
  verifications,
  delaySeconds,
  applies: traces.map(({ policyId, applies, conditions }) => [policyId, applies, conditions.map(({ found }) => found)]),
})

/** Everything that was tried went through, as it does without policies. */
function withoutPolicies({ attempts }: Story): PastStep[] {
  const paid = new Map<string, Transfer>()
  return attempts.flatMap((attempt): PastStep[] => {
    if (attempt.kind === 'refund') {
      const transfer = paid.get(attempt.id)
      paid.delete(attempt.id)
      return transfer ? [{ kind: 'given back', transfer: cancelled(transfer), atMs: attempt.atMs }] : []
    }
    const transfer = paidBy(attempt)
    paid.set(transfer.id, transfer)
    return [{ kind: 'paid', transfer, atMs: attempt.atMs }]
  })
}

function paidBy({ transfer, atMs, by }: Extract<Attempted, { kind: 'pay' }>): Transfer {
  const line = { type: 'paid', at: atMs, actor: 'account', data: null, proxy: by } as const
  const walletId = walletFor(transfer)
  return { ...transfer, status: 'paid', paidAt: atMs, walletId, activities: [...transfer.activities, line] }
}

const walletFor = ({ terms }: Transfer) => WALLETS[terms.amountMinor % 200n === 0n ? 0 : 1] as string
const cancelled = (transfer: Transfer): Transfer => ({ ...transfer, status: 'cancelled' })

const destinationSince = (transfer: Transfer) =>
  destinationsOf(transfer).get(transfer.terms.recipientProfile?.destination ?? '') ?? null

function rehearsed({ policies, timeZone, fromMs }: Story, steps: readonly PastStep[]): Said {
  const past = { localOf: (atMs: number) => clockIn(atMs, timeZone), destinationSince, lineOf: () => null }
  const replay = openReplay(policies, fromMs, past)
  return steps.flatMap((step) => {
    const judgement = replay.take(step)
    return judgement ? [[step.transfer.id, saidOf(judgement)] as const] : []
  })
}

/** The state of a batch of one command, at its moment, with the meters as they are stored. */
function stateAt(
  story: Story,
  atMs: number,
  transfer: Transfer,
  by: string | null,
  stored: Map<string, Meter>,
): BatchState {
  const owned = { ...PLAIN_WALLET, ...NO_MONEY, sequence: 1 }
  const wallet = { ...owned, lane: LANE, accountId: ACCOUNT, id: walletFor(transfer), currency: 'PHP' }
  const head = {
    lane: LANE,
    accountId: ACCOUNT,
    position: 1,
    epoch: 1,
    livemode: false,
    refundsAtOnce: true,
    retries: 0,
  }
  const settings = {
    fallbackChannels: [],
    returnsAtOnce: true,
    transferExpirySeconds: null,
    paymentExpirySeconds: null,
  }
  const { recipientProfile: used } = transfer.terms
  const names = metersOf(transfer, { keyId: by, keyLine: null, memberId: null, walletId: walletFor(transfer) })
  const loaded = names.map((name) => [rowKey(ACCOUNT, meterId(name)), stored.get(meterId(name)) ?? null] as const)
  return {
    nowMs: atMs,
    accounts: new Map([
      [ACCOUNT, { ...head, ...settings, policiesAt: 1, policiesLookAt: null, timeZone: story.timeZone }],
    ]),
    held: new Set(),
    contracts: new Map(),
    wallets: new Map([[rowKey(ACCOUNT, wallet.id), wallet]]),
    jobs: new Map(),
    liveKeys: new Map(),
    adopted: new Map(),
    adoptedReturns: new Map(),
    spending: new Map(),
    known: new Map(),
    credited: new Set(),
    events: new Map(),
    receipts: new Map(),
    rules: {
      policies: new Map([[ACCOUNT, story.policies.filter(({ status }) => status === 'active')]]),
      meters: new Map(loaded),
      keyLines: new Map(by === null ? [] : [[rowKey(ACCOUNT, by), { originId: by, madeBy: [] }]]),
      destinations: new Map(
        used ? [[`${ACCOUNT}/${used.profile}/${used.profileVersion}`, destinationsOf(transfer)] as const] : [],
      ),
      roles: new Map(),
      verifications: new Map(),
      ended: new Map(),
      verifiers: new Map(),
      checks: noChecks(),
    },
    changes: noChanges(),
  }
}

const requestOf = (transfer: Transfer, by: string | null): CommandRequest => ({
  lane: LANE,
  accountId: ACCOUNT,
  keyId: by === null ? null : by.length === 36 ? 'a session' : by,
  memberId: by?.length === 36 ? by : null,
  idempotency: null,
  command: { verb: 'pay', id: transfer.id, walletId: walletFor(transfer), preview: null },
})

/** The same tries with the policies in force: decided and counted by the engine's rules. Meters begin with what is filled in. */
function tried(story: Story, filled: readonly CountedMeter[]): Said {
  const stored = new Map(filled.map(({ name, meter }) => [meterId(name), meter]))
  const paid = new Map<string, { readonly transfer: Transfer; readonly by: string | null }>()
  const said: [string, ReturnType<typeof saidOf>][] = []
  const keep = (state: BatchState) => {
    for (const { meter, steps } of state.changes.meters.values()) stored.set(meter, steps)
  }
  for (const attempt of story.attempts) {
    if (attempt.kind === 'refund') {
      const known = paid.get(attempt.id)
      paid.delete(attempt.id)
      if (!known || attempt.atMs < story.fromMs) continue
      const state = stateAt(story, attempt.atMs, known.transfer, known.by, stored)
      count(state, requestOf(known.transfer, known.by), known.transfer, cancelled(known.transfer))
      keep(state)
      continue
    }
    const { atMs, transfer, by } = attempt
    const after = paidBy(attempt)
    if (atMs >= story.fromMs) {
      const state = stateAt(story, atMs, transfer, by, stored)
      const judgement = rulesFor(state, requestOf(transfer, by), transfer)?.judge(transfer, walletFor(transfer))
      if (!judgement) throw new Error('an account with policies is judged')
      said.push([transfer.id, saidOf(judgement)])
      if (judgement.denied) continue
      count(state, requestOf(transfer, by), transfer, after)
      keep(state)
    }
    paid.set(after.id, { transfer: after, by })
  }
  return said
}

/** What is counted of the time before the policies hold: the backfill. */
function filledIn({ policies, timeZone, fromMs }: Story, steps: readonly PastStep[]): readonly CountedMeter[] {
  const past = { localOf: (atMs: number) => clockIn(atMs, timeZone), destinationSince, lineOf: () => null }
  const active = policies.filter(({ status }) => status === 'active')
  const replay = openReplay(active, Number.POSITIVE_INFINITY, past)
  for (const step of steps) if (step.atMs < fromMs) replay.take(step)
  return replay.meters()
}

test('what a rehearsal says of each payment is what the write path decides', () => {
  const seed = newSeed()
  let denied = 0
  for (let number = 0; number < HISTORIES; number++) {
    const dice = diceOf(seed).part(String(number))
    const attempts = attemptsOf(dice, dice.whole(2, 14))
    const fromMs = BEGIN_MS + dice.pick([0, 0, DAY_MS, 5 * DAY_MS, 20 * DAY_MS])
    const story = { timeZone: dice.pick(TIME_ZONES), policies: policiesOf(dice), attempts, fromMs }
    const steps = withoutPolicies(story)
    const said = rehearsed(story, steps)
    expect(said, `seed ${seed}, history ${number}`).toEqual(tried(story, filledIn(story, steps)))
    denied += said.filter(([, judged]) => judged.denied !== null).length
  }
  // Otherwise the histories would prove nothing.
  expect(denied).toBeGreaterThan(HISTORIES / 10)
}, 300_000)
