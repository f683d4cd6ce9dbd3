// gateway sandbox, against a real gateway and the provider that it runs: what somebody scripts, moves and compares.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type GatewayProcess, openGatewayProcess } from '../../rig/gateway-process.ts'

vi.setConfig({ testTimeout: 120_000 })
let gateway: GatewayProcess

beforeAll(async () => {
  gateway = await openGatewayProcess({}, { LOG_LEVEL: 'warn' })
  gateway.launch()
  await gateway.ready()
}, 120_000)
afterAll(() => gateway.remove())

async function run(...words: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const env = { GATEWAY_URL: gateway.url, GATEWAY_API_KEY: gateway.dev().api_key ?? '' }
  const { status, stdout, stderr } = await gateway.thread().runBeside({ words, env })
  return { code: status, out: stdout, err: stderr }
}

test('an outage is scripted, shown and ended', async () => {
  expect((await run('sandbox', 'status')).out).toMatch(/sandbox +works +sandbox/)
  const scripted = await run('sandbox', 'script', '--rail', 'sandbox', '--outage', '503', '--seconds', '600')
  expect([scripted.code, scripted.out]).toEqual([0, expect.stringMatching(/^Scripted as scn_\d+\. It holds for every/)])
  const shown = await run('sandbox', 'status')
  expect(shown.out).toMatch(/sandbox +out \(503\), until .+ sandbox/)
  expect(shown.out).toContain('{"rail":"sandbox","outage":"503","seconds":600}')
  expect((await run('sandbox', 'script', '--reset')).out).toBe('1 ended.\n')
  expect((await run('sandbox', 'status', '--outcomes')).out).toMatch(
    /bounce +\.51 +sandbox-bounce +Completes; 5 s later/,
  )
})

test('what cannot be scripted is said in words', async () => {
  const strange = await run('sandbox', 'script', '--rail', 'paypal', '--verdict', 'refused')
  expect([strange.code, strange.err]).toEqual([1, expect.stringContaining('invalid_scenario')])
  const empty = await run('sandbox', 'script')
  expect(empty.code).toBe(1)
})

test('the clock moves, and books stand beside each other', async () => {
  expect((await run('sandbox', 'clock', '90')).out).toMatch(/ 90 s ahead of this machine/)
  const order = ['--amount', '120', '--currency', 'PHP', '--channel', 'sandbox', '--to-name', 'Ana Cruz']
  const sent = await run('transfers', 'send', ...order, '--to-wallet', '001234567890', '--wait', '--yes', '--json')
  expect(sent.code, sent.err).toBe(0)
  const { contract } = JSON.parse(sent.out) as { contract: { id: string } }
  const orders = await run('sandbox', 'orders', '--contract', contract.id)
  expect(orders.out).toMatch(/sandbox +out +PHP 120\.00 +completed +delivered +completed/)
  const csv = await run('sandbox', 'orders', '--csv')
  expect(csv.out.split('\r\n')[1]).toBe(
    `${contract.id},sandbox,out,${contract.id.replaceAll('-', '')}001,120,PHP,delivered,completed`,
  )
})
