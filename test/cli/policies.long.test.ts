// gateway policies against a real gateway: made of a file, shown with its sentence, tried with its trace, paused and archived.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type GatewayProcess, openGatewayProcess } from '../rig/gateway-process.ts'

// Some commands are processes of their own, and many share few processors.
vi.setConfig({ testTimeout: 120_000 })
const folder = mkdtempSync(join(tmpdir(), 'policies-'))
const file = join(folder, 'large.json')
let gateway: GatewayProcess

beforeAll(async () => {
  const when = [{ field: 'amount', op: 'above', value: 1_000, currency: 'PHP' }]
  writeFileSync(file, JSON.stringify({ name: 'Large', when, then: { kind: 'deny', words: 'Too much.' } }))
  gateway = await openGatewayProcess({}, { LOG_LEVEL: 'warn' })
  gateway.launch()
  await gateway.ready()
}, 120_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await gateway.remove()
})

const run = (line: string) => gateway.inThread(...line.split(' '))

test('a policy is made of a file, tried before and after, and archived', () => {
  const before = run(`policies test ${file} --amount 2000 --currency PHP`)
  expect([before.status, before.stdout]).toEqual([1, expect.stringMatching(/decision +denied/)])
  const made = run(`policies create ${file}`)
  expect(made.stdout).toContain('Deny transfers above PHP 1,000.00: “Too much.”')
  const id = /policy +([0-9a-f-]{36})/.exec(made.stdout)?.[1] ?? made.stderr
  const tried = run(`policies test --amount 2000 --currency PHP`)
  expect(tried.stdout).toMatch(/yes +above PHP 1,000.00 +PHP 2,000.00/)
  expect(run(`policies test ${id} --amount 5 --currency PHP`).status).toBe(0)
  expect(run('policies list --status active').stdout).toContain('Large')
  expect(run(`policies pause ${id}`).stdout).toMatch(/status +paused \(version 2\)/)
  expect(run(`policies resume ${id} --if-match 1`).stderr).toContain('it stands at version 2')
  expect(run(`policies update ${id} ${file}`).status).toBe(0)
  expect(run(`policies archive ${id}`).stdout).toMatch(/status +archived/)
  expect(run(`policies versions ${id}`).stdout).toMatch(/archived/)
  expect(run('policies create nothing.json').stderr).toContain('It cannot be read (ENOENT)')
})

test('a trial says the fee, whose it is, and what the channel asks', () => {
  const tiers = [{ up_to: null, pct: 0, add: 250, min: 0, max: 0 }]
  const then = { kind: 'fees', channel: 'sandbox', currency: 'PHP', by: 'amount', tiers }
  const prices = join(folder, 'prices.json')
  writeFileSync(prices, JSON.stringify({ name: 'Prices', then }))
  const { stdout } = run(`policies test ${prices} --amount 2000 --currency PHP --channel sandbox`)
  expect(stdout).toMatch(/fee +250, by “Prices” \(tier 1\); the channel asks \d/)
})
