// gateway logs and gateway explain, against a real gateway: what somebody sees who asks what became of what they sent.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type GatewayProcess, openGatewayProcess } from '../rig/gateway-process.ts'
import { programOf, runBeside } from './background.ts'

vi.setConfig({ testTimeout: 120_000 })
let gateway: GatewayProcess

beforeAll(async () => {
  gateway = await openGatewayProcess({}, { LOG_LEVEL: 'warn', GATEWAY_LOG_REQUESTS: 'all' })
  gateway.launch()
  await gateway.ready()
}, 120_000)
afterAll(() => gateway.remove())

const known = () => ({ GATEWAY_URL: gateway.url, GATEWAY_API_KEY: gateway.dev().api_key ?? '' })

async function run(...words: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const { status, stdout, stderr } = await gateway.thread().runBeside({ words, env: known() })
  return { code: status, out: stdout, err: stderr }
}

/** What the gateway has logged. */
const said = () => readFileSync(gateway.logPath, 'utf8')

/** A transfer that was tried to be paid too early. */
async function refused(): Promise<{ id: string; request: string }> {
  const headers = { 'x-api-key': known().GATEWAY_API_KEY, 'content-type': 'application/json' }
  const body = JSON.stringify({
    amount: 12,
    currency: 'PHP',
    description: 'CANARYTEXT',
    recipient: { name: 'CANARYNAME' },
  })
  const made = await fetch(`${gateway.url}/contracts/transfer?`, { method: 'POST', headers, body })
  const { data } = (await made.json()) as { data: { contract: { id: string } } }
  const paid = await fetch(`${gateway.url}/contracts/transfer/${data.contract.id}/pay`, {
    method: 'PUT',
    headers,
    body: '{}',
  })
  expect(paid.status).toBe(409)
  return { id: data.contract.id, request: paid.headers.get('request-id') ?? '' }
}

test('logs list shows what was refused, and explain tells the story behind any of its ids', async () => {
  const { id, request } = await refused()
  const listed = await run('logs', 'list', '--status', '4xx', '--contract', id)
  expect(listed.code, listed.err).toBe(0)
  expect(listed.out).toContain('transfers.pay')
  expect(listed.out).toContain('contract_not_issued')
  for (const named of [id, request, `evt_${id.replaceAll('-', '')}0001`]) {
    const told = await run('explain', named)
    expect(told.code, told.err).toBe(0)
    for (const part of [
      id,
      id.replaceAll('-', ''),
      'draft',
      'transfers.create',
      'transfers.pay',
      request,
      'activity',
      'event',
    ])
      expect(told.out, named).toContain(part)
  }
  const story = JSON.parse((await run('explain', id, '--json')).out) as { trace: string; requests: unknown[] }
  expect(story).toMatchObject({ trace: id.replaceAll('-', ''), withheld: [], contract: { id, kind: 'transfer' } })
  expect(story.requests.length).toBeGreaterThanOrEqual(2)
  const absent = await run('explain', 'req_nothing')
  expect([absent.code, absent.err]).toEqual([1, expect.stringContaining('No request req_nothing is known')])
  const strange = await run('explain', 'what')
  expect([strange.code, strange.err]).toEqual([
    1,
    expect.stringContaining('Give that of a contract, of a request (req_…)'),
  ])
})

test('logs tail prints each request as it is answered', async () => {
  const tail = runBeside(programOf(gateway), known(), ['logs', 'tail', '--status', '4xx', '--json'])
  await tail.says('Following requests')
  const { request } = await refused()
  await tail.says(request)
  expect(tail.lines()).toMatchObject([{ id: request, operation: 'transfers.pay', code: 'contract_not_issued' }])
  expect(await tail.interrupt()).toBe(0)
})

test('the log of the gateway has a line for each request, with ids and without what was sent', async () => {
  const { id, request } = await refused()
  const key = known().GATEWAY_API_KEY
  await vi.waitFor(() => expect(said()).toContain(request), { timeout: 30_000, interval: 50 })
  const lines = said()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines.find((line) => line['request_id'] === request)).toMatchObject({
    operation: 'transfers.pay',
    route: '/contracts/transfer/{id}/pay',
    status: 409,
    code: 'contract_not_issued',
    contract: id,
    verb: 'pay',
    livemode: false,
  })
  for (const secret of ['CANARY', key, key.slice(-20), gateway.dev().webhook_secret ?? 'whsec_'])
    expect(said()).not.toContain(secret)
})
