import { chmodSync, mkdtempSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compileGateway } from '../rig/built.ts'
import { crashMatrix, crashSample } from '../rig/crash-cases.ts'
import { PAYMENT_SAGA_KINDS } from '../rig/payment-saga-kinds.ts'
import { openPaymentSagaStage } from '../rig/payment-saga-stage.ts'
test('x', { timeout: 500_000 }, async () => {
  process.setMaxListeners(0)
  const folder = mkdtempSync('/tmp/gateway-points-')
  chmodSync(folder, 0o755)
  const stage = await openPaymentSagaStage(compileGateway(folder))
  const findings: string[] = []
  const all = process.env['ALL'] ? crashMatrix(PAYMENT_SAGA_KINDS) : crashSample(PAYMENT_SAGA_KINDS, ['before a rail is asked to collect','after a rail was asked to collect','before a rail is asked to close','after a rail was asked to close','before a collection is recorded','after a collection is recorded','before a wallet pays a contract','after a wallet paid a contract'])
  for (const each of all) { const from = performance.now(); const f = await stage.play(each); findings.push(...f); console.log(each.kind.name, '|', each.leg.from, '|', each.point, Math.round(performance.now()-from), f) }
  const h = await stage.heal()
  console.log('HEAL', h)
  await stage.close()
  expect([...findings, ...h]).toEqual([])
})
