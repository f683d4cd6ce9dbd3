// gateway approvals, and verifications pass and fail, against a real gateway: a member signs in for one command, sees what it is
// about, says their word, and is out again.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createGateway, type Gateway } from '../../../sdk/src/index.ts'
import { totpAt } from '../../../src/platform/totp.ts'
import { type GatewayProcess, openGatewayProcess, ownerConnection } from '../../rig/gateway-process.ts'

// Some commands are processes of their own, and many share few processors.
vi.setConfig({ testTimeout: 120_000 })
const folder = mkdtempSync(join(tmpdir(), 'approvals-'))
let process: GatewayProcess
let gateway: Gateway

beforeAll(async () => {
  process = await openGatewayProcess({}, { LOG_LEVEL: 'warn' })
  process.launch()
  await process.ready()
  gateway = createGateway({ url: process.url, apiKey: process.dev().api_key })
}, 120_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await process.remove()
})

function asOwner(words: readonly string[], changed: Readonly<Record<string, string>> = {}) {
  const login = process.dev().console_login
  if (!login) throw new Error('nobody signs in')
  const env = {
    GATEWAY_URL: process.url,
    XDG_CONFIG_HOME: folder,
    GATEWAY_MEMBER_EMAIL: login.email,
    GATEWAY_MEMBER_PASSWORD: login.password,
    ...changed,
  }
  return process.thread().run({ words, env })
}
/** A code is good once. That it was used is forgotten here, so that nobody waits for the next. */
async function withCode(...words: string[]) {
  const owner = new pg.Client(ownerConnection(process.dataDir))
  await owner.connect()
  await owner.query('update members set totp_step = 0')
  await owner.end()
  const GATEWAY_MEMBER_CODE = totpAt(process.dev().console_login?.totp_secret ?? '', Date.now())
  return asOwner(words, { GATEWAY_MEMBER_CODE })
}

async function held(amount: number) {
  const recipient = { name: 'Ana Cruz', wallet: '0012345678' }
  const draft = await gateway.transfers.create({ amount, currency: 'PHP', channel: 'sandbox', recipient })
  return gateway.transfers.issue(draft)
}

test('a member approves what was shown, rejects another, and leaves no session behind', async () => {
  const when = [{ field: 'amount', op: 'above', value: 1000, currency: 'PHP' }] as const
  await gateway.policies.create({
    name: 'Large',
    when: [...when],
    then: { kind: 'approvals', count: 1, role: 'owner' },
  })
  const [first, second] = [await held(2000), await held(3000)]
  await expect(gateway.transfers.pay(first)).rejects.toMatchObject({ code: 'approval_required' })

  const approved = await withCode('approvals', 'approve', first.id, '--yes')
  expect(approved.stderr).toContain('PHP 2,000.00')
  expect(approved.stderr).toContain(first.approval?.terms_hash ?? 'no hash')
  expect(approved.stdout).toMatch(/approved +it can be paid/)
  expect(approved.status).toBe(0)
  expect((await gateway.transfers.pay(first)).paid_at).toMatch(/^20/)

  expect((await withCode('approvals', 'list')).stdout).toContain(second.id)
  const rejected = await withCode('approvals', 'reject', second.id, '--reason', 'wrong account', '--yes')
  expect(rejected.stdout).toContain('is rejected: cancelled')
  const audit = await gateway.call<{ entries: { action: string }[] }>({ method: 'GET', path: '/audit' })
  expect(audit.entries.filter(({ action }) => action === 'session.ended')).toHaveLength(3)
})

test('transfers send names what waits for an approval, and goes on with it by its key', async () => {
  const to = ['--channel', 'sandbox', '--to-name', 'Ana Cruz', '--to-wallet', '0012345678', '--yes']
  const words = ['transfers', 'send', '--amount', '4000', '--currency', 'PHP', ...to]
  const refused = process.inThread(...words, '--json')
  const { error } = JSON.parse(refused.stdout) as { error: Readonly<Record<string, string>> }
  expect([refused.status, error['code']]).toEqual([1, 'approval_required'])
  const { contract_id: id = '', idempotency_key: key = '' } = error
  const again = process.inThread(...words, '--idempotency-key', key)
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining(`gateway approvals approve ${id}`)])
  expect(again.stderr).toContain(`--idempotency-key ${key}`)
  expect((await withCode('approvals', 'approve', id, '--yes')).status).toBe(0)
  const sent = process.inThread(...words, '--idempotency-key', key, '--json')
  expect((JSON.parse(sent.stdout) as { contract: object }).contract).toMatchObject({ id, status: 'paid' })
})

test('who does not sign in approves nothing, and a secret is never asked of a script', async () => {
  const { id } = await held(5000)
  const wrong = asOwner(['approvals', 'approve', id, '--yes'], { GATEWAY_MEMBER_PASSWORD: 'four other plain words' })
  expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining('sign_in_failed')])
  const silent = asOwner(['approvals', 'approve', id, '--yes'], { GATEWAY_MEMBER_PASSWORD: '' })
  expect([silent.status, silent.stderr]).toEqual([2, expect.stringContaining('GATEWAY_MEMBER_PASSWORD')])
  const codeless = asOwner(['approvals', 'approve', id, '--yes'])
  expect([codeless.status, codeless.stderr]).toEqual([2, expect.stringContaining('GATEWAY_MEMBER_CODE')])
  expect(asOwner(['approvals', 'approve', id]).stderr).toContain('Give --yes')
  expect((await gateway.transfers.get(id)).approval?.status).toBe('waiting')
})

test('a member ends a review with a word that is kept, and nobody who gives no reason or does not sign in', async () => {
  const recipient = { name: 'J. dela Cruz', wallet: '000123456780' }
  const reviewed = async () => {
    const { id } = await gateway.verifications.create({ kind: 'name', channel: 'sandbox', recipient })
    await expect.poll(async () => (await gateway.verifications.get(id)).status, { timeout: 60_000 }).toBe('review')
    return id
  }
  const id = await reviewed()
  const silent = asOwner(['verifications', 'pass', id, '--reason', 'seen', '--yes'])
  expect([silent.status, silent.stderr]).toEqual([2, expect.stringContaining('GATEWAY_MEMBER_CODE')])
  expect(asOwner(['verifications', 'pass', id, '--yes']).stderr).toContain('--reason')
  expect((await gateway.verifications.get(id)).status).toBe('review')

  const passed = await withCode('verifications', 'pass', id, '--reason', 'seen with his passport', '--yes')
  expect(passed.stderr).toContain('J. dela Cruz, close, 89 of 100')
  expect(await gateway.verifications.get(id)).toMatchObject({ status: 'pass', reason: 'seen with his passport' })
  const again = await withCode('verifications', 'fail', id, '--reason', 'changed my mind', '--yes')
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('verification_not_in_review')])
})
