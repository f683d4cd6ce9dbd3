// Secrets and card numbers go in everywhere and come out nowhere: not in the log at its most talkative, not in any table, not
// in a figure, not in an error. Account numbers that look like cards come through as they are.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { keptText } from '../../../src/domain/payment/provider-events.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { draftOf } from '../../../src/app/contracts/draft.ts'
import type { DevFile } from '../../../src/main/development.ts'
import { compileGateway } from '../../rig/built.ts'
import { diceOf } from '../../rig/dice.ts'
import { type BesideProcess, startBeside } from '../../rig/gateway-beside.ts'
import {
  bodyWith,
  CARD_NUMBERS,
  type Document,
  hitsIn,
  type Route,
  routesOf,
  writings,
} from '../../rig/payments/payments-canaries.ts'
import { eventOf } from '../../rig/payments/payments-events.ts'
import { genuine } from '../../webhooks/receiver-corpus.ts'

const ACCOUNT_NUMBERS = 10_000
const SEALING_KEY = Buffer.alloc(32, 'canary sealing key').toString('base64')
const RAIL_KEYS = {
  GATEWAY_MAYA_API_KEY: 'canary-maya-key',
  GATEWAY_GCASH_SECRET: 'canary-gcash-secret',
  GATEWAY_CARD_API_KEY: 'canary-card-key',
}
const XPUB = `xpub6CANARY${'D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x'}`
const CARD_TOKEN = 'tok_canaryOfTheCard'
const IDEMPOTENCY_KEY = 'canary idempotency key'

const SHOWN_MAX = 8

const folder = mkdtempSync('/tmp/gateway-canaries-')
let gateway: BesideProcess
let owner: pg.Client
let dev: DevFile
const replies: string[] = []
const made = { transfer: '', payment: '', endpoint: '', token: '', checkout: '', secrets: [] as string[] }

beforeAll(async () => {
  chmodSync(folder, 0o755)
  const connection = (await (await fetch(inject('databaseDesk'))).json()) as pg.ClientConfig
  owner = new pg.Client(connection)
  await owner.connect()
  const settings = {
    LOG_LEVEL: 'trace',
    GATEWAY_RATE_LIMIT: '0',
    GATEWAY_SEALING_KEYS: SEALING_KEY,
    GATEWAY_CRYPTO_XPUB: XPUB,
    ...RAIL_KEYS,
  }
  gateway = await startBeside(compileGateway(folder), folder, 'canaries', connection, settings)
  dev = JSON.parse(readFileSync(join(folder, 'canaries', 'dev.json'), 'utf8')) as DevFile
  await prepare()
}, 120_000)
afterAll(async () => {
  gateway?.signal('SIGKILL')
  await gateway?.ended
  await owner?.end()
  rmSync(folder, { recursive: true, force: true })
})

type Asked = { readonly headers?: Record<string, string>; readonly body?: unknown }

/** One request with the account's key; every answer is kept, to be searched. */
async function ask(method: string, path: string, { headers = {}, body }: Asked = {}) {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(gateway.url + path, {
    method,
    headers: { 'x-api-key': dev.api_key, ...type, ...headers },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    redirect: 'manual',
  })
  const text = await answer.text()
  return { status: answer.status, text }
}

async function search(method: string, path: string, asked: Asked = {}): Promise<number> {
  const { status, text } = await ask(method, path, asked)
  replies.push(`${method} ${path.split('?')[0]}: ${status} ${text}`)
  return status
}

type Made = { readonly data: { readonly contract: { readonly id: string; readonly checkout_url?: string } } }

async function prepare(): Promise<void> {
  const idOf = async (path: string, body: object) =>
    (JSON.parse((await ask('POST', path, { body })).text) as Made).data.contract
  made.transfer = (await idOf('/contracts/transfer', DRAFT)).id
  const payment = await idOf('/contracts/payment', PAYMENT)
  made.payment = payment.id
  made.checkout = payment.checkout_url?.split('/').at(-1) ?? ''
  const endpoint = JSON.parse(
    (await ask('POST', '/webhook-endpoints', { body: { url: 'https://shop.example/hook' } })).text,
  ) as {
    data: { endpoint?: { id: string } } & Record<string, unknown>
  }
  made.endpoint = endpoint.data.endpoint?.id ?? ''
  made.secrets = JSON.stringify(endpoint).match(/(?:whsec_|whbt_|gcb_)[A-Za-z0-9+/=_-]+/g) ?? []
  for (const [name, value] of Object.entries(endpoint.data))
    if (typeof value === 'string' && /secret|token/.test(name)) made.secrets.push(value)
  const [clientId, secret] = [dev.api_key.split('_').slice(0, 3).join('_'), dev.api_key]
  const token = await ask('POST', '/oauth/token', {
    body: { grant_type: 'client_credentials', client_id: clientId, client_secret: secret },
  })
  made.token = (JSON.parse(token.text) as { access_token?: string }).access_token ?? ''
}

const DRAFT = { amount: 100, currency: 'PHP', channel: 'sandbox', recipient: { name: 'Ana', wallet: '000123456789' } }
const PAYMENT = { amount: 100, currency: 'PHP' }
const BASES: Readonly<Record<string, object>> = {
  'POST /contracts/transfer': DRAFT,
  'PATCH /contracts/transfer/{id}': {},
  'POST /channels/compare': DRAFT,
  'POST /contracts/payment': PAYMENT,
  'PUT /contracts/payment/{id}/pay': { type: 'gcash', gcash: {} },
  'POST /webhook-endpoints': { url: 'https://shop.example/hook' },
  'POST /oauth/token': { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'nothing' },
}

/** Of the ids that were made the one that the route is about. */
function pathOf({ path }: Route): string {
  const id = path.startsWith('/contracts/payment')
    ? made.payment
    : path.startsWith('/webhook-endpoints')
      ? made.endpoint
      : made.transfer
  return path.replace('{id}', path.startsWith('/channels') ? 'sandbox' : id).replace('{delivery}', '1')
}

const dump = async () => {
  const tables = await owner.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  const texts: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await owner.query<{ row: string }>(`select t::text as row from ${name} t`)
    texts.push(...rows.map(({ row }) => `${name}: ${row}`))
  }
  return texts.join('\n')
}

/** Where any of them is: in the log, in a table, among the figures, in an answer. */
async function foundIn(needles: readonly string[]): Promise<Record<string, string[]>> {
  const places = {
    log: readFileSync(join(folder, 'canaries.log'), 'utf8'),
    tables: await dump(),
    figures: (await ask('GET', '/metrics')).text,
    answers: replies.join('\n'),
  }
  const found = Object.entries(places).map(([name, text]) => [name, hitsIn(text, needles).slice(0, SHOWN_MAX)] as const)
  return Object.fromEntries(found.filter(([, hits]) => hits.length > 0))
}

describe('what is put in everywhere', () => {
  let routes: Route[]
  const needles = CARD_NUMBERS.flatMap(writings)

  beforeAll(async () => {
    routes = routesOf(JSON.parse((await ask('GET', '/openapi.json')).text) as Document)
      .filter(({ path }) => !path.endsWith('/stream'))
      // What ends or stops something comes last.
      .toSorted((one, two) => Number(one.method === 'DELETE') - Number(two.method === 'DELETE'))
  })

  test('card numbers are masked or refused in every text of every route', { timeout: 120_000 }, async () => {
    let [asked, places] = [0, 0]
    const taken: string[] = []
    for (const route of routes) {
      const base = BASES[`${route.method} ${route.path}`] ?? {}
      for (const at of route.texts) {
        places += 1
        // Each place meets some brands, each brand every kind of place; a sentence around it, as people write.
        for (let i = 0; i < 4; i++) {
          const text = needles[(places * 7 + i * 11) % needles.length] ?? ''
          await search(route.method, pathOf(route), {
            body: bodyWith(base, at, i % 2 === 0 ? text : `Card ${text}, please`),
          })
          asked += 1
        }
        if (!(at.at(-1) ?? '').endsWith('url')) continue
        for (const text of needles)
          for (const before of ['https://shop.example/', 'https://shop.example/?order=']) {
            const url = before + encodeURIComponent(text)
            const status = await search(route.method, pathOf(route), { body: bodyWith(base, at, url) })
            if (at.join('.') === 'return_url' && status !== 400) taken.push(url)
            asked += 1
          }
      }
      for (const query of route.queries) {
        await search(
          route.method,
          `${pathOf(route)}?${query}=${encodeURIComponent(needles[asked % needles.length] ?? '')}`,
        )
        asked += 1
      }
    }
    for (const name of ['description', 'issued_to'])
      for (const text of needles)
        await search('POST', '/contracts/payment', { body: { ...PAYMENT, [name]: `Paid with ${text}` } })
    for (const text of needles)
      await search('POST', '/contracts/transfer', { body: { ...DRAFT, [`my ${text}`]: text } })
    for (const [i, text] of needles.entries())
      await told(
        { failure: { code: text, message: `The card ${text} was declined.` }, note: text, deep: [{ words: text }] },
        `pan_${i}`,
      )
    const found = await foundIn(needles)
    console.log(
      `canaries: ${needles.length} writings of ${CARD_NUMBERS.length} card numbers in ${places} texts of ${routes.length} routes, ${asked} requests; found in ${JSON.stringify(found)}`,
    )
    expect(places).toBeGreaterThan(60)
    expect(taken).toEqual([])
    expect(found).toEqual({})
  })

  test('secrets are nowhere but with whom they belong', { timeout: 120_000 }, async () => {
    const secrets: Record<string, string> = {
      'API key': dev.api_key,
      "another account's API key": dev.other_account.api_key,
      "receiver's key": dev.webhook_key,
      "receiver's secret": dev.webhook_secret,
      'bearer token': made.token,
      'checkout token': made.checkout,
      'card token': CARD_TOKEN,
      'sealing key': SEALING_KEY,
      'extended public key': XPUB,
      'idempotency key': IDEMPOTENCY_KEY,
      'password of the database': owner.password ?? '',
      ...RAIL_KEYS,
      ...Object.fromEntries(made.secrets.map((secret, i) => [`secret ${i} of an endpoint`, secret])),
    }
    const needles = Object.values(secrets)
    expect(needles.filter((secret) => secret.length < 8)).toEqual([])
    for (const secret of needles) {
      for (const [name, value] of [
        ['x-api-key', secret],
        ['authorization', `Bearer ${secret}`],
        ['service-signature', secret],
        ['idempotency-key', secret],
      ] as const)
        for (const [method, path] of [
          ['GET', `/contracts/payment/${made.payment}`],
          ['POST', '/contracts/payment'],
          ['POST', '/webhooks'],
        ] as const)
          await ask(method, path, { headers: { [name]: value }, ...(method === 'POST' ? { body: PAYMENT } : {}) }).then(
            ({ text, status }) => status >= 400 && replies.push(text),
          )
      // Under names that no route knows, and where a number or another word belongs.
      for (const body of [
        { ...PAYMENT, api_key: secret, secret, token: { value: secret } },
        { ...PAYMENT, amount: secret },
        { ...PAYMENT, currency: secret },
        `{"amount":1,"currency":"PHP","x":"${secret}`,
      ])
        await search('POST', '/contracts/transfer', { body })
    }
    await search('POST', '/contracts/payment', { body: PAYMENT, headers: { 'idempotency-key': IDEMPOTENCY_KEY } })
    for (const method of [
      { type: 'card', card: { token: CARD_TOKEN } },
      { type: 'maya', maya: {} },
      { type: 'gcash', gcash: {} },
    ])
      await search('PUT', `/contracts/payment/${made.payment}/pay`, { body: method })
    await told({}, 'secrets')
    replies.splice(0, replies.length, ...replies.map((reply) => reply.replaceAll(/"checkout_url":"[^"]*"/g, '')))
    const found = await foundIn(needles)
    console.log(
      `canaries: ${needles.length} secrets in headers, bodies and settings; found in ${JSON.stringify(found)}`,
    )
    expect(needles.length).toBeGreaterThanOrEqual(12)
    expect(found).toEqual({})
  })
})

/** Tells an event with a genuine signature. */
async function told(object: object, name: string): Promise<void> {
  const ids = { eventId: `evt_${name}`, objectId: `pi_${name}` }
  const event = eventOf(
    {
      ...ids,
      says: 'failed',
      attempt: 1,
      kind: 'gcash',
      amountMinor: 100n,
      currency: 'PHP',
      hasPayer: false,
      atRail: 'unknown',
    },
    made.payment,
  )
  const body = Buffer.from(JSON.stringify({ ...event, data: { object: { ...event.data.object, ...object } } }))
  const headers = genuine({ key: dev.webhook_key, secret: dev.webhook_secret }, body)
  expect(await search('POST', '/webhooks', { headers, body: body.toString() })).toBe(200)
}

test(`${ACCOUNT_NUMBERS} account numbers of 13 to 19 digits come through as they were sent`, async () => {
  const dice = diceOf(36)
  const rules = { currencies: new Set(['PHP']), livemode: false }
  const numbers = Array.from({ length: ACCOUNT_NUMBERS }, () =>
    Array.from({ length: dice.whole(13, 19) }, () => dice.whole(0, 9)).join(''),
  )
  const cardlike = numbers.filter(
    (number) => keptText(`{"note":"${number}"}`, { note: number }) !== `{"note":"${number}"}`,
  )
  for (const wallet of [...numbers, ...CARD_NUMBERS]) {
    const draft = draftOf(
      { ...DRAFT, recipient: { name: 'Ana', wallet, tag: wallet }, deliverable: { reference_id: wallet } },
      rules,
      { money: 'goes out' },
    )
    if (isRefusal(draft)) throw new Error(`${wallet} is refused: ${draft.message}`)
    const { recipient, deliverable } = draft.terms
    expect([recipient?.wallet, recipient?.tag, deliverable?.referenceId]).toEqual([wallet, wallet, wallet])
  }
  // And over the wire, those that a careless eye would take for cards.
  for (const wallet of cardlike.slice(0, 25)) {
    const { text } = await ask('POST', '/contracts/transfer', {
      body: { ...DRAFT, recipient: { name: 'Ana', wallet } },
    })
    const { id } = (JSON.parse(text) as Made).data.contract
    const { rows } = await owner.query<{ row: string }>(
      'select h::text as row from contract_versions h where contract_id = $1',
      [id],
    )
    expect(rows[0]?.row).toContain(wallet)
  }
  console.log(
    `canaries: ${numbers.length} account numbers taken as they are, ${cardlike.length} of them with the look of a card number`,
  )
  expect(cardlike.length).toBeGreaterThan(50)
})
