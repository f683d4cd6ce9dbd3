// The payment page on the wire: what it says to whom, and what it refuses. No browser is needed.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildScripts } from './browser.ts'
import { type CheckoutWorld, openCheckoutWorld, type Payable } from './checkout-world.ts'

let world: CheckoutWorld
let payment: Payable
beforeAll(async () => {
  buildScripts()
  world = await openCheckoutWorld({ rateLimit: 5, rateBurst: 60 })
  payment = await world.payable({
    description: `</section><script>alert("1")</script>&'`,
    recipient: { email: 'secret@example.com' },
    issued_to: 'also-secret',
  })
})
afterAll(() => world.stop())

const get = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers, redirect: 'manual' })
const post = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' })

test('nothing of a stranger is let in, and nothing is kept', async () => {
  const { headers } = await get(payment.checkout_url)
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  )
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
  })
  expect(headers.get('permissions-policy')).toContain('camera=()')
  expect(headers.has('set-cookie')).toBe(false)
})

test('words of the merchant stay words, and what is not for payers is not there', async () => {
  const page = await (await get(payment.checkout_url)).text()
  expect(page).toContain('&lt;/section&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;')
  expect(page).not.toContain('<script>')
  expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  expect(page).not.toMatch(/\son\w+=|\sstyle=/)
  const status = await get(`${payment.checkout_url}/status`)
  const text = await status.text()
  expect(JSON.parse(text)).toMatchObject({
    id: payment.id,
    status: 'issued',
    amount: 1250,
    merchant: 'Test',
    final: false,
  })
  for (const said of [page, text]) {
    expect(said).not.toContain('secret')
    expect(said).not.toContain(world.caller.account.accountId)
  }
})

test('every token that is wrong gets the same page', async () => {
  const token = payment.checkout_url.split('/').at(-1) ?? ''
  const forged = token.replace(/(?<=\.)./, (first) => (first === 'A' ? 'B' : 'A'))
  const absent = world.gateway.deps.payments.checkout.tokenOf('01932c07-4b5e-7c31-9d0a-6f2b8e4a1c55')
  const replies = await Promise.all(
    [forged, absent, 'x', 'assets', '..%2f'].map(async (each) => {
      const reply = await get(`${world.url}/pay/${each}`)
      return { status: reply.status, text: await reply.text() }
    }),
  )
  expect(replies[0]?.status).toBe(404)
  expect(replies[0]?.text).toContain('There is no payment here')
  expect(new Set(replies.map((each) => JSON.stringify(each))).size).toBe(1)
  for (const path of ['status', 'events']) expect((await get(`${world.url}/pay/${forged}/${path}`)).status).toBe(404)
})

test('the language is that of the address, else the one that the reader likes best', async () => {
  const langOf = async (query: string, accepts: string) =>
    /<html lang="(\w+)"/.exec(
      await (await get(payment.checkout_url + query, { 'accept-language': accepts })).text(),
    )?.[1]
  expect(await langOf('', 'fil-PH, en;q=0.8')).toBe('fil')
  expect(await langOf('', 'tl')).toBe('fil')
  expect(await langOf('', 'de, en;q=0.5, fil;q=0.2')).toBe('en')
  expect(await langOf('', 'de')).toBe('en')
  expect(await langOf('?lang=fil', 'en')).toBe('fil')
  expect(await langOf('?lang=xx', 'fil')).toBe('fil')
})

test('a choice leads on through a page of ours, for a policy on forms binds where they lead', async () => {
  const chosen = await world.payable()
  const reply = await post(`${chosen.checkout_url}?lang=fil`, { type: 'gcash' })
  expect(reply.status).toBe(303)
  const location = reply.headers.get('location') ?? ''
  expect(location).toMatch(/^\/pay\/[\w.-]+\?lang=fil&go=1$/)
  const page = await (await get(world.url + location)).text()
  const { next_action } = await world.paymentOf(chosen.id)
  expect(page).toContain(`<meta http-equiv="refresh" content="0;url=${next_action?.url?.replaceAll('&', '&amp;')}">`)
  // The same choice again is the same attempt.
  expect((await post(chosen.checkout_url, { type: 'gcash' })).status).toBe(303)
  expect((await world.paymentOf(chosen.id)).next_action?.url).toBe(next_action?.url)
})

test.each([
  ['a way that is none', { type: 'barter' }, 400, 'This way to pay cannot be used now'],
  ['a wallet, which pays with its own key', { type: 'wallet' }, 400, 'This way to pay cannot be used now'],
  ['an asset that no channel takes', { type: 'crypto', asset: 'DOGE', network: 'eip155:1' }, 400, 'cannot be used now'],
  [
    'a wrong address',
    { type: 'crypto', asset: 'USDC', network: 'eip155:1', refund_address: '0x12' },
    400,
    'money that comes back is not right',
  ],
  ['nothing', {}, 400, 'This way to pay cannot be used now'],
])('%s is refused in words', async (_name, fields, status, words) => {
  const reply = await post(payment.checkout_url, fields as Record<string, string>)
  const text = await reply.text()
  expect(reply.status).toBe(status)
  expect(text).toContain('role="alert"')
  expect(text).toContain(words)
})

test('a card number that is sent to us anyway is looked at by nobody: the payer types it at the provider', async () => {
  const chosen = await world.payable()
  expect((await post(chosen.checkout_url, { type: 'card', token: '4242 4242 4242 4242' })).status).toBe(303)
  const { next_action, attempts } = await world.paymentOf(chosen.id)
  expect(next_action?.url).toContain(`${world.sandboxUrl}/payer/card/`)
  expect(JSON.stringify(attempts)).not.toContain('4242')
})

test('a form of another site is not carried out', async () => {
  const gcash = { type: 'gcash' }
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example.com' }]) {
    const reply = await post(payment.checkout_url, gcash, headers)
    expect(reply.status).toBe(403)
    expect(await reply.text()).toContain('came from another site')
  }
  expect((await world.paymentOf(payment.id)).next_action).toBeNull()
  const own = await world.payable()
  expect((await post(own.checkout_url, gcash, { origin: 'null', 'sec-fetch-site': 'same-origin' })).status).toBe(303)
  expect((await post(own.checkout_url, gcash, { origin: world.url })).status).toBe(303)
})

test('a form that is too large, or none, is answered with a page', async () => {
  for (const [body, type] of [
    ['a'.repeat(9000), 'application/x-www-form-urlencoded'],
    ['<a/>', 'text/xml'],
  ] as const) {
    const reply = await fetch(payment.checkout_url, { method: 'POST', body, headers: { 'content-type': type } })
    expect([413, 415]).toContain(reply.status)
    expect(await reply.text()).toContain('<h1>This page is not available right now</h1>')
  }
})

test('what is paid cannot be chosen again', async () => {
  const paid = await world.payable()
  await world.payByCard(paid.id)
  await expect.poll(async () => (await world.paymentOf(paid.id)).status).toBe('paid')
  const reply = await post(paid.checkout_url, { type: 'gcash' })
  expect(reply.status).toBe(303)
  expect(await (await get(world.url + reply.headers.get('location'))).text()).toContain('Paid. Thank you!')
})

test('the command for the holder of a wallet pays', async () => {
  const owed = await world.payable({ channel: 'wallet' })
  const page = await (await get(owed.checkout_url)).text()
  const shown = /<code id="wallet-command"[^>]*>([^<]*)<\/code>/.exec(page)?.[1] ?? ''
  const { id: walletId } = await world.other.wallet('PHP')
  const command = shown
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replace('$API_KEY', world.other.apiKey)
    .replace(`'$WALLET_ID'`, walletId)
  const [, method = '', url = ''] = /^curl -X (\w+) "([^"]+)"/.exec(command) ?? []
  const headers = [...command.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, name, value]): [string, string] => [
    name!,
    value!,
  ])
  const body = /-d '([^']+)'$/.exec(command)?.[1] ?? ''
  const reply = await fetch(url, { method, headers, body })
  expect(await reply.text()).toContain('"status":200')
  await expect.poll(async () => (await world.paymentOf(owed.id)).status).toMatch(/^(paid|completed)$/)
  expect(await (await get(owed.checkout_url)).text()).toContain('Paid. Thank you!')
})

test('scripts and style may be kept for ever, for another content has another address', async () => {
  const page = await (await get(payment.checkout_url)).text()
  const urls = [...page.matchAll(/(?:src|href)="(\/pay\/assets\/[^"]+)"/g)].map(([, url]) => `${world.url}${url}`)
  expect(urls.length).toBeGreaterThan(3)
  for (const url of urls) {
    const reply = await get(url, { 'accept-encoding': 'gzip' })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(reply.headers.get('content-encoding')).toBe('gzip')
    expect(reply.headers.get('content-type')).toMatch(url.endsWith('.js') ? /^text\/javascript/ : /^text\/css/)
    const again = await get(url, { 'if-none-match': reply.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  }
  expect((await get(`${world.url}/pay/assets/0000000000000000/main.js`)).status).toBe(404)
})

test('the stream says what is new, and ends with the payment', async () => {
  const followed = await world.payable()
  const reply = await get(`${followed.checkout_url}/events`)
  expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  await world.payByCard(followed.id)
  const text = await reply.text()
  const told = [...text.matchAll(/^event: status\ndata: (.*)$/gm)].map(
    ([, data]) => JSON.parse(data ?? '') as { status: string },
  )
  expect(told[0]?.status).toBe('issued')
  expect(told.at(-1)).toMatchObject({ status: 'paid', final: true, attempt: { type: 'card', name: 'Card' } })
  expect(text).not.toContain('tok_visa')
})

test('a page that is asked for too fast is refused in words', async () => {
  const { checkout_url } = await world.payable()
  const replies = await Promise.all(Array.from({ length: 100 }, () => get(checkout_url)))
  const refused = replies.filter((each) => each.status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(await refused[0]?.text()).toContain('<h1>This page is not available right now</h1>')
  expect(refused[0]?.headers.get('ratelimit-limit')).toBe('60')
})

test('one payment is followed by so many and no more', async () => {
  const { checkout_url } = await world.payable()
  const abort = new AbortController()
  const followers = Array.from({ length: 21 }, () => fetch(`${checkout_url}/events`, { signal: abort.signal }))
  const statuses = (await Promise.all(followers)).map((each) => each.status)
  abort.abort()
  expect(statuses.filter((each) => each === 200)).toHaveLength(20)
  expect(statuses).toContain(503)
})
