// A process dies by SIGKILL at each named point of each kind of saga that passes it, another one goes on with the same
// data, and every contract comes to the end that it would have had: the money moved once, and the books hold.
// CRASH_POINTS=all plays the whole matrix; else each point, and each stage of each kind, is played once.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CRASH_POINTS } from '../../src/engine/crash-points.ts'
import { compileGateway } from '../rig/built.ts'
import { startChain } from '../rig/chain.ts'
import { type CrashCase, crashMatrix, crashSample, type Dying } from '../rig/sagas/crash-cases.ts'
import { PAYMENT_SAGA_KINDS, type PaymentSagaKind } from '../rig/sagas/payment-saga-kinds.ts'
import { openPaymentSagaStage } from '../rig/sagas/payment-saga-stage.ts'
import { chainGround, type Ground, RAILS_GROUND } from '../rig/sagas/saga-grounds.ts'
import { SAGA_KINDS, type SagaKind } from '../rig/sagas/saga-kinds.ts'
import { openSagaStage } from '../rig/sagas/saga-stage.ts'
import type { CrashStage } from '../rig/sagas/victims.ts'

/** On each stage one process dies after the other, and goes on with what the one before left. */
type Stages = {
  readonly rails: readonly CrashStage<SagaKind>[]
  readonly chain: CrashStage<SagaKind>
  readonly payments: CrashStage<PaymentSagaKind>
}

const isOnChain = ({ kind }: CrashCase<SagaKind>) => kind.channel === 'chain'

let stages: Stages
const endings: (() => Promise<void>)[] = []
beforeAll(async () => {
  // Each process that is started is ended with this one, should it end before its time.
  process.setMaxListeners(0)
  const folder = mkdtempSync('/tmp/gateway-points-')
  endings.push(async () => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const program = compileGateway(folder)
  const chain = await startChain()
  endings.push(chain.close)
  const kept = async <Stage extends { readonly close: () => Promise<void> }>(opening: Promise<Stage>) => {
    const stage = await opening
    endings.push(stage.close)
    return stage
  }
  const open = (ground: Ground) => kept(openSagaStage(program, ground))
  stages = {
    rails: [await open(RAILS_GROUND), await open(RAILS_GROUND)],
    chain: await open(await chainGround(chain)),
    payments: await kept(openPaymentSagaStage(program)),
  }
})
afterAll(async () => {
  for (const end of endings.toReversed()) await end()
})

test('each point is passed by a kind of saga', () => {
  const passed = new Set([...crashMatrix(SAGA_KINDS), ...crashMatrix(PAYMENT_SAGA_KINDS)].map(({ point }) => point))
  expect(CRASH_POINTS.filter((point) => !passed.has(point))).toEqual([])
})

test('whoever dies where, each contract comes to its end and the money moved once', { timeout: 360_000 }, async () => {
  const isWhole = process.env['CRASH_POINTS'] === 'all'
  const payouts = isWhole ? crashMatrix(SAGA_KINDS) : crashSample(SAGA_KINDS)
  const ofPayouts = new Set(crashMatrix(SAGA_KINDS).map(({ point }) => point))
  const others = CRASH_POINTS.filter((point) => !ofPayouts.has(point))
  const payments = isWhole ? crashMatrix(PAYMENT_SAGA_KINDS) : crashSample(PAYMENT_SAGA_KINDS, others)
  const count = payouts.length + payments.length
  const findings: string[] = []
  const from = performance.now()
  const perform = async <Kind extends Dying>(stage: CrashStage<Kind>, own: CrashCase<Kind>[]) => {
    for (let next = own.shift(); next; next = own.shift()) findings.push(...(await stage.play(next)))
    findings.push(...(await stage.heal()))
  }
  const [onChain, onRails] = [payouts.filter(isOnChain), payouts.filter((each) => !isOnChain(each))]
  await Promise.all([
    ...stages.rails.map((stage) => perform(stage, onRails)),
    perform(stages.chain, onChain),
    perform(stages.payments, [...payments]),
  ])
  console.log(`${count} deaths at ${CRASH_POINTS.length} points in ${((performance.now() - from) / 1000).toFixed(1)} s`)
  expect(findings).toEqual([])
})
