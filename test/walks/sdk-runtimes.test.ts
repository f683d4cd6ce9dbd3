// The same suite of the SDK against a real gateway in Node and in Chromium: on the gateway's own origin with a key, as a
// console does, and on a shop's with a token.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGateway } from '../../sdk/src/index.ts'
import { newSecret } from '../../sdk/src/signature.ts'
import { CHROMIUM, launch } from '../pay/browser.ts'
import { asAccount, asPayer, asReceiver, type Place } from '../rig/sdk-suite.ts'
import { openWorld } from '../world.ts'

const ACCOUNT = {
  statuses: ['draft', 'issued', 'paid', 'completed'],
  amount: 1500.5,
  heard: ['contract.created', 'contract.issued', 'contract.paid', 'contract.completed'],
  different: 4,
  disappointed: 'status_unreachable',
  listed: [true, true],
  unknown: 'contract_not_found',
  ended: 'ended',
  late: 'wait_timeout',
}
const RECEIVER = { forged: 'mismatch', event: { id: 'evt_1', data: { object: { name: 'Ñiño 😀' } } } }

const world = await openWorld()
const url = await world.listen()
const merchant = createGateway({ url, apiKey: world.caller.apiKey })
const shop = createServer((_, reply) =>
  reply.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title>'),
)
await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
const secret = newSecret()
afterAll(async () => {
  shop.close()
  await world.stop()
})

async function newPayment(): Promise<{ id: string; token: string }> {
  const { id, checkout_url: page } = await merchant.payments.create({ amount: 500, currency: 'PHP' })
  return { id, token: page?.split('/').at(-1) ?? '' }
}

test('in Node', async () => {
  const { apiKey } = await world.newCaller()
  expect(await asAccount({ url, apiKey })).toEqual(ACCOUNT)
  const { id, token } = await newPayment()
  expect(await asPayer({ url, token }, id)).toMatchObject({ before: 'issued', after: 'paid' })
  expect(await asReceiver(secret)).toMatchObject(RECEIVER)
})

describe.skipIf(CHROMIUM === null)('in Chromium', () => {
  let browser: Browser
  let script = ''
  beforeAll(async () => {
    await merchant.accounts.update({ cors_origins: [shopUrl] })
    const made = await build({
      entryPoints: ['test/rig/sdk-suite.ts'],
      bundle: true,
      format: 'iife',
      globalName: 'suite',
      platform: 'browser',
      write: false,
    })
    script = made.outputFiles[0]?.text ?? ''
    browser = await launch()
  })
  afterAll(() => browser?.close())

  async function pageAt(address: string): Promise<Page> {
    const page = await browser.newPage()
    await page.route(`${url}/suite`, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
    await page.goto(address)
    await page.addScriptTag({ content: `${script};globalThis.suite = suite` })
    return page
  }
  const run = (page: Page, name: string, words: readonly unknown[]): Promise<unknown> =>
    page.evaluate(([suite, args]) => (globalThis as unknown as Suite).suite[suite]?.(...args), [name, words] as const)
  type Suite = { readonly suite: Readonly<Record<string, (...words: readonly unknown[]) => Promise<unknown>>> }

  test('with a key, on the gateway’s own origin', async () => {
    const { apiKey } = await world.newCaller()
    const page = await pageAt(`${url}/suite`)
    expect(await run(page, 'asAccount', [{ url, apiKey } satisfies Place])).toEqual(ACCOUNT)
    const here = await asReceiver(secret)
    expect(await run(page, 'asReceiver', [secret])).toEqual(here)
  })

  test('with a payer’s token, on a shop’s origin that the account lists', async () => {
    const page = await pageAt(shopUrl)
    const { id, token } = await newPayment()
    expect(await run(page, 'asPayer', [{ url, token } satisfies Place, id])).toMatchObject({
      before: 'issued',
      after: 'paid',
      foreign: 'no_answer',
    })
  })
})
