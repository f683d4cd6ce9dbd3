// The connectors that bring money in, against the provider's own process of rails: the suite of all of them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collectConformance } from '../conformance/collect-conformance.ts'
import { openOutbound, type Outbound } from '../../src/platform/outbound.ts'
import { openProvider } from '../sandbox/rails.ts'
import { benchOf, hostedCardBench, type KindName } from './collect-bench.ts'
import { patient } from './patience.ts'

let provider: Awaited<ReturnType<typeof openProvider>>
let outbound: Outbound

beforeAll(async () => {
  provider = await openProvider()
  outbound = patient(openOutbound()).outbound
})
afterAll(async () => {
  await outbound.close()
  await provider.close()
})

describe.each<KindName>(['gcash', 'maya', 'card', 'qrph'])('%s', (name) => {
  const checks = collectConformance(() => benchOf(name, provider.url, outbound))
  // Each check throws when the connector does not hold it.
  test.each(checks.map((check) => [check.name, check] as const))('%s', async (_, check) => {
    await expect(check.run()).resolves.toBeUndefined()
  })
})

describe('card, typed on the provider’s own page', () => {
  const checks = collectConformance(() => hostedCardBench(provider.url, outbound))
  test.each(checks.map((check) => [check.name, check] as const))('%s', async (_, check) => {
    await expect(check.run()).resolves.toBeUndefined()
  })
})
