// The door of the tools over HTTP: who may come in, whose a session is, what is bounded, and what broken messages get.
import { request } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { openHttpDoor } from '../../../src/cli/mcp/http-door.ts'
import { openWorld } from '../../world.ts'
import { make } from '../../http/accounts/key-stage.ts'
import { overHttp } from './client.ts'

const world = await openWorld({ workers: 'resting' })
const baseUrl = await world.listen()
let now = 0
const settings = { baseUrl, allowsAnyKey: false, nowMs: () => now }
const door = await openHttpDoor({ host: '127.0.0.1', port: 0 }, settings)
afterAll(async () => {
  await door.close()
  await world.stop()
})

type Got = { readonly status: number; readonly session: string | null; readonly body: string }

/** Sends headers that fetch would not let pass. */
function send(headers: Readonly<Record<string, string>>, body: string, method = 'POST', path = '/mcp'): Promise<Got> {
  const { hostname, port } = new URL(door.url)
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, method, headers: { ...BASE, ...headers } }, (reply) => {
      const parts: Buffer[] = []
      reply.on('data', (part: Buffer) => parts.push(part))
      reply.on('error', reject)
      reply.on('end', () => {
        const session = reply.headers['mcp-session-id']
        const text = Buffer.concat(parts).toString()
        resolve({ status: reply.statusCode ?? 0, session: session === undefined ? null : String(session), body: text })
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

const BASE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const OWN = { 'x-api-key': world.caller.apiKey }
const message = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
const INITIALIZE = message('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
})

test.each<[string, Readonly<Record<string, string>>, number]>([
  ['no key', {}, 401],
  ['a key that no gateway knows', { 'x-api-key': 'gck_test_0000000000_x' }, 401],
  ['two keys', { ...OWN, authorization: `Bearer ${world.other.apiKey}` }, 401],
  ['the name of another host', { ...OWN, host: 'evil.example' }, 403],
  ['another port', { ...OWN, host: '127.0.0.1:1' }, 403],
  ['a page of elsewhere', { ...OWN, origin: 'http://evil.example' }, 403],
  ['a page without an origin', { ...OWN, origin: 'null' }, 403],
])('%s does not come in', async (_who, headers, status) => {
  expect(await send(headers, INITIALIZE)).toMatchObject({ status, session: null })
})

test.each<[string, string, number]>([
  ['no JSON', '{"jsonrpc"', 400],
  ['a list of messages', `[${message('ping')}]`, 400],
  ['a number', '7', 400],
  ['no message of the protocol', '{"hello":1}', 400],
  ['a call before a session', message('tools/list'), 400],
  ['a body without an end', ' '.repeat(300_000), 413],
])('%s is refused, and the door stays open', async (_what, body, status) => {
  expect((await send(OWN, body)).status).toBe(status)
  expect((await send(OWN, INITIALIZE)).status).toBe(200)
})

test('a bearer key comes in; other paths and methods do not', async () => {
  expect((await send({ authorization: `Bearer ${world.caller.apiKey}` }, INITIALIZE)).status).toBe(200)
  expect((await send(OWN, INITIALIZE, 'POST', '/')).status).toBe(404)
  expect((await send(OWN, '', 'GET')).status).toBe(405)
})

test('a session is of the key that opened it, until it is ended or idle', async () => {
  const { session } = await send(OWN, INITIALIZE)
  const within = { 'mcp-session-id': session ?? '' }
  const listing = message('tools/list')
  expect((await send({ ...OWN, ...within }, listing)).status).toBe(200)
  const foreign = await send({ 'x-api-key': world.other.apiKey, ...within }, listing)
  const unknown = await send({ ...OWN, 'mcp-session-id': 'none' }, listing)
  expect([foreign.status, foreign.body]).toEqual([404, unknown.body])
  expect((await send({ 'x-api-key': world.other.apiKey, ...within }, '', 'DELETE')).status).toBe(404)
  expect((await send({ ...OWN, ...within }, '', 'DELETE')).status).toBe(200)
  expect((await send({ ...OWN, ...within }, listing)).status).toBe(404)
})

test('two keys side by side see each its own account', async () => {
  const [mine, theirs] = [await overHttp(door.url, world.caller.apiKey), await overHttp(door.url, world.other.apiKey)]
  const wallets = async (of: typeof mine) => (await of.use('list_wallets')).text
  expect(await wallets(mine)).toContain((await world.caller.wallet('PHP')).id)
  expect(await wallets(mine)).not.toContain((await world.other.wallet('PHP')).id)
  expect(await wallets(theirs)).toContain((await world.other.wallet('PHP')).id)
  await mine.close()
  await theirs.close()
})

test('a live key that nothing bounds is refused, but where that is said', async () => {
  const live = await world.newCaller({ livemode: true })
  const headers = { 'x-api-key': live.apiKey }
  expect(await send(headers, INITIALIZE)).toMatchObject({ status: 403, body: expect.stringMatching('--allow-any-key') })
  const mandate = { limits: [{ currency: 'PHP', total: 100 }] }
  const bounded = await make(live, { scopes: ['contracts:read'], mandate })
  expect((await send({ 'x-api-key': bounded.apiKey }, INITIALIZE)).status).toBe(200)
})

test('sessions are bounded, and idle ones make room', async () => {
  let last = await send(OWN, INITIALIZE)
  for (let count = 0; count < 70 && last.status === 200; count += 1) last = await send(OWN, INITIALIZE)
  expect(last.status).toBe(503)
  now += 31 * 60_000
  expect((await send(OWN, INITIALIZE)).status).toBe(200)
})
