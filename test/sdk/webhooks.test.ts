// Webhooks as receivers verify them: against what the gateway signs, what a library signs and what nobody should believe;
// and through the frameworks that people use, with deliveries of a real gateway.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, test } from 'vitest'
import { webhookHandler as forExpress } from '../../sdk/src/adapters/express.ts'
import { webhookPlugin } from '../../sdk/src/adapters/fastify.ts'
import { webhookHandler as forHono } from '../../sdk/src/adapters/hono.ts'
import { webhookRoute } from '../../sdk/src/adapters/next.ts'
import type { ReceiverOptions } from '../../sdk/src/adapters/receiver.ts'
import { createGateway, type GatewayEvent } from '../../sdk/src/index.ts'
import { type HeaderValues, newSecret, sign as signAtOnce, verifyServiceSignature } from '../../sdk/src/signature.ts'
import { sign, verdictOn, verify, WebhookRefused } from '../../sdk/src/webhooks.ts'
import { openWorld } from '../world.ts'
import { brokenServiceSignatures, brokenStandardHeaders } from '../webhooks/signature-corpus.ts'

const SECRET = newSecret()
const ID = 'evt_0198c0de00007a2b80000123456789ab0004'
const BODY = JSON.stringify({ id: ID, type: 'contract.paid', data: { object: { name: 'Ñiño 😀' } } })
const NOW = 1_795_000_000
const message = { id: ID, timestampSeconds: NOW, body: BODY, secrets: [SECRET] }
const bytes = new TextEncoder().encode(BODY)
const window = { nowSeconds: NOW }

test('both ways of signing make the same headers', async () => {
  for (const body of [BODY, bytes, new Uint8Array()]) {
    const secrets = [SECRET, newSecret()]
    expect(await sign({ ...message, body, secrets })).toEqual(signAtOnce({ ...message, body, secrets }))
  }
})

test('whoever signed it so, by either family, it is believed; and no other way', async () => {
  const headers = signAtOnce(message)
  const standard = new Webhook(SECRET).sign(ID, new Date(NOW * 1000), BODY)
  const alone = { 'webhook-id': ID, 'webhook-timestamp': String(NOW), 'webhook-signature': standard }
  for (const given of [headers, new Headers(headers), { 'SERVICE-SIGNATURE': headers['service-signature'] }, alone])
    expect(await verify(BODY, given, [newSecret(), SECRET], window)).toMatchObject({ id: ID })
  const reasonOf = async (body: string, given: Record<string, string>, secret = SECRET, nowSeconds = NOW) => {
    const fault = await verify(body, given, secret, { nowSeconds }).catch((each: unknown) => each)
    return fault instanceof WebhookRefused ? fault.reason : fault
  }
  expect(await reasonOf(`${BODY} `, { ...headers })).toBe('mismatch')
  expect(await reasonOf(BODY, { ...headers }, newSecret())).toBe('mismatch')
  expect(await reasonOf(BODY, {})).toBe('missing')
  expect(await reasonOf(BODY, { ...headers }, SECRET, NOW + 301)).toBe('stale')
  expect(await reasonOf(BODY, { ...headers }, SECRET, NOW - 301)).toBe('future')
  await expect(verify(BODY, { ...headers }, '')).rejects.toThrow('empty')
  await expect(verify(BODY, alone, 'whsec_?', window)).rejects.toThrow('base64')
})

test('what proves nothing to the gateway proves nothing here, for the same reason', async () => {
  const signed = signAtOnce(message)
  const hex = /v1=(\w+)/.exec(signed['service-signature'])?.[1] ?? ''
  for (const [why, header] of brokenServiceSignatures(NOW, hex)) {
    const here = await verdictOn(bytes, { 'service-signature': header }, [SECRET], window)
    const there = verifyServiceSignature(bytes, header, [SECRET], window)
    // Where there is none at all, the other family is looked for.
    expect(here, why).toEqual(there)
    expect(here.ok, why).toBe(false)
  }
  for (const [why, headers] of brokenStandardHeaders({
    id: ID,
    time: String(NOW),
    signature: signed['webhook-signature'],
  }))
    expect((await verdictOn(bytes, headers as HeaderValues, [SECRET], window)).ok, why).toBe(false)
})

const open: Server[] = []
const world = await openWorld()
const url = await world.listen()
const gateway = createGateway({ url, apiKey: world.caller.apiKey })
afterAll(async () => {
  for (const server of open) server.close()
  await world.stop()
})

type Serve = (options: ReceiverOptions) => Promise<string>

const listening = (server: Server) =>
  new Promise<string>((resolve) => {
    open.push(
      server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
    )
  })

const SERVERS: readonly (readonly [string, Serve])[] = [
  ['express', async (options) => listening(createServer(express().post('/hooks', forExpress(options))))],
  [
    'express, with raw bodies',
    async (options) =>
      listening(createServer(express().post('/hooks', express.raw({ type: '*/*' }), forExpress(options)))),
  ],
  [
    'node:http',
    async (options) => listening(createServer((request, reply) => void forExpress(options)(request, reply))),
  ],
  [
    'fastify',
    async (options) => {
      const app = fastify()
      await app.register(webhookPlugin(options), { prefix: '/hooks' })
      app.post('/json', async ({ body }) => ({ amount: (body as { amount: number }).amount }))
      await app.listen({ host: '127.0.0.1', port: 0 })
      open.push(app.server)
      return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    },
  ],
  ['hono', async (options) => throughFetch(new Hono().post('/hooks', forHono(options)).fetch)],
  ['a Request handler', async (options) => throughFetch(webhookRoute(options))],
]

/** A server of node:http before a handler of Requests, as the adapters of such frameworks are. */
function throughFetch(handle: (request: Request) => Response | Promise<Response>): Promise<string> {
  const answer = async (request: AsyncIterable<Uint8Array> & { url?: string | undefined; headers: object }) => {
    const parts: Uint8Array[] = []
    for await (const part of request) parts.push(part)
    const headers = request.headers as Record<string, string>
    return handle(
      new Request(`http://receiver.test${request.url ?? '/'}`, { method: 'POST', headers, body: Buffer.concat(parts) }),
    )
  }
  return listening(
    createServer((request, reply) => {
      void answer(request).then(async (response) => reply.writeHead(response.status).end(await response.text()))
    }),
  )
}

test.each(SERVERS)('deliveries of a gateway through %s', async (_name, serve) => {
  const heard: GatewayEvent[] = []
  const secrets: string[] = []
  const at = `${await serve({ secrets, onEvent: async (event) => void heard.push(event) })}/hooks`
  const { secret } = await gateway.webhookEndpoints.create({ url: at, events: ['contract.created'] })
  secrets.push(secret ?? '')
  const contract = await gateway.transfers.create({ amount: 100, currency: 'PHP' })
  for (const deadline = Date.now() + 20_000; heard.length === 0 && Date.now() < deadline; ) await sleep(20)
  expect(heard[0]).toMatchObject({ type: 'contract.created', data: { object: { id: contract.id } } })
  const forged = await fetch(at, {
    method: 'POST',
    body: BODY,
    headers: await sign({ ...message, secrets: newSecret() }),
  })
  expect([forged.status, await forged.json()]).toMatchObject([400, { error: { code: 'mismatch' } }])
})

test('a body that was parsed is named as the mistake, and an error of the receiver is no success', async () => {
  const parsed = await listening(
    createServer(
      express()
        .use(express.json())
        .post('/hooks', forExpress({ secrets: SECRET, onEvent: () => undefined }))
        .use((fault: Error, _request: unknown, reply: express.Response, _next: unknown) => {
          reply.status(500).send(fault.message)
        }),
    ),
  )
  const fresh = { ...message, timestampSeconds: Math.floor(Date.now() / 1000) }
  const headers = { ...(await sign(fresh)), 'content-type': 'application/json' }
  const reply = await fetch(`${parsed}/hooks`, { method: 'POST', body: BODY, headers })
  expect(await reply.text()).toContain('before express.json()')
  const failing = webhookRoute({ secrets: SECRET, onEvent: () => Promise.reject(new Error('the disk is full')) })
  const request = new Request('http://receiver.test/', { method: 'POST', body: BODY, headers })
  await expect(failing(request)).rejects.toThrow('the disk is full')
})
