// The tools against a real gateway: money moves in two calls and never in one, a confirmation fits what was shown, once, in
// its own session and for a while, and what the gateway refuses is said as it says it.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { CONFIRMATION_MS } from '../../../src/cli/mcp/confirmations.ts'
import { openHttpDoor } from '../../../src/cli/mcp/http-door.ts'
import { make } from '../../http/accounts/key-stage.ts'
import { openWorld } from '../../world.ts'
import { contractIdOf, DRAFT, overHttp, type ToolClient } from './client.ts'
import { paidPayment } from './paid-payment.ts'

const world = await openWorld({ workers: 'resting' })
const baseUrl = await world.listen()
let now = Date.now()
const door = await openHttpDoor({ host: '127.0.0.1', port: 0 }, { baseUrl, allowsAnyKey: false, nowMs: () => now })
const open: ToolClient[] = []
const connect = async (apiKey = world.caller.apiKey) => {
  const client = await overHttp(door.url, apiKey)
  open.push(client)
  return client
}
const agent = await connect()
afterAll(async () => {
  for (const client of open) await client.close()
  await door.close()
  await world.stop()
})

const statusOf = async (id: string) => (await world.caller.get(id)).status

async function issued(): Promise<string> {
  const id = contractIdOf(await agent.use('draft_transfer', DRAFT))
  const { data } = await agent.use('issue_transfer', { id })
  await agent.use('issue_transfer', { id, confirmation: data.confirmation })
  return id
}

test('every tool says what it does, and takes nothing that it does not name', async () => {
  const { tools } = await agent.client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'draft_transfer',
    'update_draft',
    'compare_channels',
    'preview_transfer',
    'get_contract',
    'explain_contract',
    'search',
    'list_wallets',
    'issue_transfer',
    'pay_transfer',
    'refund_payment',
    'cancel_transfer',
  ])
  for (const { inputSchema, annotations, description } of tools) {
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(annotations?.readOnlyHint).toBeTypeOf('boolean')
    expect(description).toMatch(/\.$/)
  }
  expect(await agent.use('draft_transfer', { ...DRAFT, amuont: 1 })).toMatchObject({
    isError: true,
    data: { error: { code: 'unknown_parameter', message: expect.stringContaining('Did you mean amount?') as string } },
  })
  await expect(agent.use('pay_everybody')).rejects.toThrow('There is no tool pay_everybody.')
  const { messages } = await agent.client.getPrompt({
    name: 'pay_somebody',
    arguments: { who: 'Ana', amount: 'PHP 5' },
  })
  expect(JSON.stringify(messages)).toContain('Pay PHP 5 to Ana.')
})

test('a transfer is drafted, mended, priced, issued and paid, each binding step in two calls', async () => {
  const { recipient, ...without } = DRAFT
  const lacking = await agent.use('draft_transfer', without)
  const id = contractIdOf(lacking)
  expect(await agent.use('issue_transfer', { id })).toMatchObject({
    isError: true,
    data: { error: { code: 'requirements_not_met' } },
  })
  await agent.use('update_draft', { id, recipient, reference_id: 'invoice-7' })
  expect((await agent.use('compare_channels', DRAFT)).text).toContain('- sandbox: the payer pays PHP 110.50')
  const toIssue = await agent.use('issue_transfer', { id })
  expect(await statusOf(id)).toBe('draft')
  await agent.use('issue_transfer', { id, confirmation: toIssue.data.confirmation })
  expect(await statusOf(id)).toBe('issued')

  const before = await world.caller.balance('PHP')
  const toPay = await agent.use('pay_transfer', { id })
  expect(toPay.data).toMatchObject({
    done: false,
    preview: {
      to: { name: 'Ana Reyes' },
      leaves: 110.5,
      fee: 10.5,
      wallet: { available: before, available_after: before - 110.5 },
    },
  })
  expect(toPay.text).toContain('Nothing has happened yet.')
  expect(await world.caller.balance('PHP')).toBe(before)
  const paid = await agent.use('pay_transfer', { id, confirmation: toPay.data.confirmation })
  expect(paid.data).toMatchObject({ done: true, contract: { status: 'paid' } })
  expect(await world.caller.balance('PHP')).toBe(before - 110.5)
  const again = await agent.use('pay_transfer', { id, confirmation: toPay.data.confirmation })
  expect(again).toMatchObject({ isError: true, data: { error: { code: 'wrong_state' } } })
  expect(await world.caller.balance('PHP')).toBe(before - 110.5)

  expect((await agent.use('get_contract', { id })).text).toContain('is paid')
  expect((await agent.use('explain_contract', { id })).isError).toBe(false)
  expect((await agent.use('search', { query: 'invoice-7' })).text).toContain(id)
  expect((await agent.use('list_wallets')).text).toContain('available, the default')

  const toCancel = await agent.use('cancel_transfer', { id })
  expect(await statusOf(id)).toBe('paid')
  await agent.use('cancel_transfer', { id, confirmation: toCancel.data.confirmation })
  expect(await statusOf(id)).toBe('cancelled')
  expect(await world.caller.balance('PHP')).toBe(before)
  await world.ledgerHolds()
})

test('when it arrives is counted from now, not from its issue, and is said only of what is paid', async () => {
  const bank = { name: 'Ana Reyes', wallet: '000123456789', tag: 'BOPIPHMM' }
  const { id, preview } = await world.caller.issued({ channel: 'instapay', recipient: bank })
  await sleep(20)
  const toPay = await agent.use('pay_transfer', { id })
  const { arrives_at: arrivesAt } = toPay.data['preview'] as unknown as { arrives_at: string }
  expect(Date.parse(arrivesAt)).toBeGreaterThan(Date.parse(preview.arrives_at ?? ''))
  expect(toPay.text).toContain(`Paid now, it arrives by ${arrivesAt}.`)
  // A payment says there when it settled, and a paid transfer when it arrives.
  const toRefund = await agent.use('refund_payment', { id: await paidPayment(world) })
  const toCancel = await agent.use('cancel_transfer', { id: (await world.caller.pay(id)).id })
  for (const { text, data } of [toRefund, toCancel]) {
    expect(text).not.toContain('arrives by')
    expect(data).toMatchObject({ done: false, preview: { arrives_at: null } })
  }
})

test('two calls with one confirmation at the same time pay once', async () => {
  const id = await issued()
  const before = await world.caller.balance('PHP')
  const { data } = await agent.use('pay_transfer', { id })
  const all = await Promise.all(
    Array.from({ length: 8 }, () => agent.use('pay_transfer', { id, confirmation: data.confirmation })),
  )
  expect(all.filter(({ isError }) => !isError)).toHaveLength(1)
  expect(await world.caller.balance('PHP')).toBe(before - 110.5)
})

test.each<[string, string, (id: string, confirmation: string) => Promise<object>]>([
  ['made up', 'confirmation_unknown', async (_, given) => ({ confirmation: `${given.slice(0, -2)}AA` })],
  [
    'of another tool',
    'confirmation_unknown',
    async (id) => {
      const { data } = await agent.use('cancel_transfer', { id: await paidId() })
      return { id, confirmation: data.confirmation }
    },
  ],
  [
    'of another session',
    'confirmation_unknown',
    async (id) => {
      const { data } = await (await connect()).use('pay_transfer', { id })
      return { confirmation: data.confirmation }
    },
  ],
  ['of another contract', 'confirmation_changed', async () => ({ id: await issued() })],
  ['for another wallet', 'confirmation_changed', async () => ({ wallet: await secondWallet() })],
  [
    'too old',
    'confirmation_expired',
    async () => {
      now += CONFIRMATION_MS
      return {}
    },
  ],
])('a confirmation that is %s moves nothing', async (_why, code, changed) => {
  const id = await issued()
  const { data } = await agent.use('pay_transfer', { id })
  const input = { id, confirmation: data.confirmation, ...(await changed(id, data.confirmation ?? '')) }
  const before = await world.caller.balance('PHP')
  const answer = await agent.use('pay_transfer', input)
  expect(answer).toMatchObject({ isError: true, data: { error: { code } } })
  expect(await world.caller.balance('PHP')).toBe(before)
  expect(await statusOf(input.id)).toBe('issued')
})

const paidId = async () => (await world.caller.paid()).id

async function secondWallet(): Promise<string> {
  const { data } = (await world.caller.ask('POST', '/wallets', { body: { currency: 'PHP', label: 'second' } })).body
  return (data as unknown as { wallet: { id: string } }).wallet.id
}

test('a draft that changed in between is not issued by what was shown before', async () => {
  const id = contractIdOf(await agent.use('draft_transfer', DRAFT))
  const { data } = await agent.use('issue_transfer', { id })
  await world.caller.update(id, { recipient: { name: 'Mallory', wallet: '999' } })
  const answer = await agent.use('issue_transfer', { id, confirmation: data.confirmation })
  expect(answer).toMatchObject({ isError: true, data: { error: { code: 'confirmation_changed' } } })
  expect(await statusOf(id)).toBe('draft')
})

test('a confirmation is used by a refusal, too', async () => {
  const dear = { ...DRAFT, amount: '45000', recipient: { name: 'Ana Reyes', wallet: '000123456789' } }
  const poor = await world.newCaller({ funds: { PHP: 1_00n } })
  const client = await connect(poor.apiKey)
  const id = contractIdOf(await client.use('draft_transfer', dear))
  const toIssue = await client.use('issue_transfer', { id })
  await client.use('issue_transfer', { id, confirmation: toIssue.data.confirmation })
  const { data } = await client.use('pay_transfer', { id })
  const pay = () => client.use('pay_transfer', { id, confirmation: data.confirmation })
  expect(await pay()).toMatchObject({ isError: true, data: { error: { code: 'insufficient_funds' } } })
  expect(await pay()).toMatchObject({ isError: true, data: { error: { code: 'confirmation_used' } } })
})

test('what is left of the mandate is shown, and the gateway holds it', async () => {
  const scopes = ['contracts:read', 'contracts:write', 'transfers:issue', 'transfers:pay', 'wallets:read']
  const bounded = await make(world.caller, { scopes, mandate: { limits: [{ currency: 'PHP', total: 150 }] } })
  const client = await connect(bounded.apiKey)
  const pay = async () => {
    const id = await issued()
    const asked = await client.use('pay_transfer', { id })
    return { asked, answer: await client.use('pay_transfer', { id, confirmation: asked.data.confirmation }) }
  }
  const first = await pay()
  expect(first.asked.data).toMatchObject({ preview: { mandate: { remaining: 150, remaining_after: 39.5 } } })
  expect(first.answer.data.done).toBe(true)
  const second = await pay()
  expect(second.asked.text).toContain('PHP 39.50 remain: not enough.')
  expect(second.answer).toMatchObject({ isError: true, data: { error: { code: 'mandate_exceeded' } } })
})

test('what the key may not do is refused by the gateway, in its words', async () => {
  const reader = await world.withKey(world.caller, { scopes: ['contracts:read'] })
  const client = await connect(reader.apiKey)
  const id = await issued()
  const { data, text } = await client.use('pay_transfer', { id })
  // It may not read wallets: what it may not see is left out.
  expect(data).toMatchObject({ preview: { wallet: null } })
  expect(text).not.toContain('From wallet')
  const answer = await client.use('pay_transfer', { id, confirmation: data.confirmation })
  expect(answer).toMatchObject({ isError: true, data: { error: { code: 'scope_missing' } } })
  expect(await statusOf(id)).toBe('issued')
  const foreign = await (await connect(world.other.apiKey)).use('get_contract', { id })
  expect(foreign).toMatchObject({ isError: true, data: { error: { code: 'contract_not_found' } } })
})
