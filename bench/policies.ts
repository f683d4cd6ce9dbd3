// What policies cost a pay: for an account that has none, with one limit, and with ten policies, each on a wallet of its own, on a
// gateway and a database of their own. That the code of policies is there at all costs an account without any less than two runs
// differ by: so the calls of one pay into it are made a million times in this process, and set against the processor time of a pay.
import { MANY_LANES } from '../src/platform/scope.ts'
import type { Transfer } from '../src/domain/transfer/transfer.ts'
import type { BatchState } from '../src/engine/batch-state.ts'
import type { CommandRequest } from '../src/engine/command-request.ts'
import { loadRules, priceFor, rulesFor } from '../src/engine/rules.ts'
import { noRules } from '../src/engine/rules-state.ts'
import { call } from './deliveries/backlog.ts'
import { type Bench, type Figure, measureCalls } from './measure.ts'
import { BATCHED_PER_SECOND_MAX, payStep, type Record } from './scenarios.ts'
import type { Databases } from './stage/databases.ts'
import { openRig, type Payer, type Rig } from './stage/rig.ts'
import { stopChild } from './stage/stage.ts'

export const POLICIES = 'policies'
/** What the code of policies does for a pay that none concerns. */
export const POLICIES_ABSENT = 'policies-absent'
export const PAY_WITHOUT = 'pay-without-policies'
export const PAY_ONE_LIMIT = 'pay-one-limit'
export const PAY_TEN_POLICIES = 'pay-ten-policies'

/** No pay of the bench comes near it. */
const NEVER_REACHED = 1_000_000_000

/** All of it, each round back to back. */
export async function runPolicies(bench: Bench, databases: Databases, record: Record): Promise<void> {
  const rig = await openRig(bench.stage, databases, { name: 'policies', undoSeconds: 3600, batchMax: 256 })
  const [limited, ruled] = rig.many
  if (!limited || !ruled) throw new Error('no payers were made')
  await call(rig, limited, 'POST', '/policies', TEN[0])
  for (const policy of TEN) await call(rig, ruled, 'POST', '/policies', policy)
  const steps = [stepOf(bench, rig, PAY_WITHOUT, rig.big), stepOf(bench, rig, PAY_ONE_LIMIT, limited)]
  steps.push(stepOf(bench, rig, PAY_TEN_POLICIES, ruled))
  // Once for the compiler.
  callsWithout()
  for (let round = 1; round <= bench.effort.rounds; round++) {
    record(callsWithout(), round)
    for (const step of steps) await step(round, record)
  }
  await stopChild(rig.server.child)
}

function stepOf(bench: Bench, rig: Rig, scenario: string, payer: Payer) {
  const { connections } = bench
  const paying = { scenario, server: rig.server, payers: [payer], connections, perSecondMax: BATCHED_PER_SECOND_MAX }
  return payStep(bench, rig, paying)
}

type Shown = { readonly name: string; readonly when: readonly object[]; readonly then: object }

const sumOf = (by: string, window: string) =>
  ({ field: 'sum', by, window, op: 'above', value: NEVER_REACHED, currency: 'PHP' }) as const
const denied = (name: string, ...when: readonly object[]): Shown => ({
  name,
  when,
  then: { kind: 'deny', words: name },
})

/** Of each kind something that looks, and lets the bench's pays through. The first is a limit of the day. */
const TEN: readonly [Shown, ...Shown[]] = [
  denied('Limit of the day', sumOf('account', 'day')),
  denied('Limit of the hour', sumOf('account', 'hour')),
  denied('Limit of 30 days', sumOf('account', '30_days')),
  denied('Limit of a recipient', sumOf('recipient', 'day')),
  denied('Limit of a key', sumOf('key', 'day')),
  denied('Limit of a wallet', sumOf('wallet', 'hour')),
  denied('Too often', { field: 'count', by: 'recipient', window: 'hour', op: 'above', value: 1_000_000 }),
  denied('Too much at a time', { field: 'amount', op: 'above', value: NEVER_REACHED, currency: 'PHP' }),
  denied('Another country', { field: 'recipient.country', op: 'in', values: ['SG'] }),
  {
    name: 'Two of us above an amount',
    when: [{ field: 'amount', op: 'above', value: NEVER_REACHED, currency: 'PHP' }],
    then: { kind: 'approvals', count: 2 },
  },
]

/** A pay of an account that has no policies: all that it asks of them, alone in its batch. */
function callsWithout(): Figure {
  const accountId = crypto.randomUUID()
  const request: CommandRequest = {
    lane: 0,
    accountId,
    keyId: null,
    idempotency: null,
    command: { verb: 'pay', id: crypto.randomUUID(), walletId: null, preview: null },
  }
  const accounts = new Map([[accountId, { policiesAt: null, policiesLookAt: null }]])
  const state = { accounts, contracts: new Map(), rules: noRules() } as unknown as BatchState
  const contract = { origin: null } as unknown as Transfer
  let asked = 0
  const figure = measureCalls(POLICIES_ABSENT, (calls) => {
    for (let call = 0; call < calls; call++) {
      if (loadRules(MANY_LANES, state, [request]) !== null) asked += 1
      if (priceFor(state, request) !== undefined) asked += 1
      if (rulesFor(state, request, contract) !== null) asked += 1
    }
  })
  return { ...figure, fault: asked === 0 ? null : 'something was asked of policies that are not there' }
}
