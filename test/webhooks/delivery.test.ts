// The way of an event to its receiver: what arrives, in which order, how soon, and what the books say of it.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyServiceSignature } from '../../sdk/src/signature.ts'
import { STEPS } from '../rig/receiver/endpoints.ts'
import { openWorld, type World } from '../world.ts'

type Arrived = { readonly headers: IncomingHttpHeaders; readonly body: string; readonly at: number }

let world: World
let receiver: Server
let url = ''
const arrived: Arrived[] = []

beforeAll(async () => {
  world = await openWorld()
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      arrived.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8'), at: Date.now() })
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterAll(async () => {
  await world.stop()
  receiver.close()
})

async function registered(
  fields: Record<string, unknown> = {},
): Promise<{ id: string; secret: string; bearer_token: string }> {
  const reply = await world.caller.ask('POST', '/webhook-endpoints', { body: { url, events: STEPS, ...fields } })
  expect(reply.status, reply.text).toBe(200)
  return reply.data['webhook_endpoint'] as { id: string; secret: string; bearer_token: string }
}

async function until<T>(read: () => T | Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  for (const end = Date.now() + 10_000; ; await sleep(10)) {
    const value = await read()
    if (isDone(value)) return value
    if (Date.now() > end) throw new Error(`it did not come about: ${JSON.stringify(value)}`)
  }
}

test('a contract on its way is told in four signed events, in order, and the books say so', async () => {
  const endpoint = await registered()
  const contract = await world.caller.paid()
  await world.settle(contract.id)
  const mine = await until(
    () => arrived.filter(({ body }) => body.includes(contract.id)),
    (all) => all.length >= 3,
  )
  const events = mine.map(({ body }) => JSON.parse(body) as { id: string; type: string; sequence: number })
  expect(events.map((event) => event.type)).toEqual(['contract.issued', 'contract.paid', 'contract.completed'])
  for (const { headers, body } of mine) {
    expect(headers.authorization).toBe(`Bearer ${endpoint.bearer_token}`)
    expect(() => new Webhook(endpoint.secret).verify(body, headers as Record<string, string>)).not.toThrow()
    const now = { nowSeconds: Math.floor(Date.now() / 1000) }
    const header = headers['service-signature'] as string
    expect(verifyServiceSignature(Buffer.from(body), header, [endpoint.secret], now)).toMatchObject({ ok: true })
  }
  const rows = await until(
    () =>
      world.sql<{ status: string; tries: number }>('select status, tries from deliveries where endpoint_id = $1', [
        endpoint.id,
      ]),
    (all) => all.length === 3,
  )
  expect(rows).toEqual(Array(3).fill({ status: 'delivered', tries: 1 }))
  const [progress] = await until(
    () =>
      world.sql<{ behind: string; leased: boolean }>(
        `select a.position - p.position as behind, p.leased_until is not null as leased
         from webhook_progress p join accounts a using (lane, account_id) where p.endpoint_id = $1`,
        [endpoint.id],
      ),
    ([row]) => row?.behind === '0' && !row.leased,
  )
  expect(progress).toEqual({ behind: '0', leased: false })
})
