// The pages of the sandbox provider, used as a browser uses them: by their own forms.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance, call, control, type Json, openProvider } from './rails.ts'
import {
  card,
  cardIntent,
  codeFor,
  gcashPayment,
  mayaCheckout,
  openCard,
  openGcash,
  openMaya,
  press,
} from './payers.ts'

let provider: Awaited<ReturnType<typeof openProvider>>
let url: string

beforeAll(async () => {
  provider = await openProvider()
  url = provider.url
})
afterAll(() => provider.close())

let count = 0
const next = () => `p-${(count += 1)}`

/** Opens a payment on a rail; its page, and what it has become later. */
async function opened(rail: string, minor = 10000): Promise<{ page: string; status(): Promise<unknown> }> {
  const reference = next()
  const pageOf: Record<string, () => Promise<unknown>> = {
    gcash: async () => (await openGcash(url, gcashPayment(reference, String(minor)))).body['checkoutUrl'],
    maya: async () => (await openMaya(url, mayaCheckout(reference, String(minor / 100)))).body['redirectUrl'],
    card: async () => {
      const { body } = await openCard(url, cardIntent(reference, 'tok_3ds', { amount: minor }))
      return ((body['next_action'] as Json)['redirect_to_url'] as Json)['url']
    },
  }
  const status = async () => (await control(url, 'GET', `/${rail}/collections/${reference}`))['status']
  return { page: String(await pageOf[rail]?.()), status }
}

/** What a form of the page can send: the names and values of its buttons. */
const buttonsOf = (html: string) =>
  [...html.matchAll(/<button name="action" value="(\w+)"[^>]*>(\w+)</g)].map(([, value, label]) => [label, value])

test.each([
  ['gcash', 'Sandbox GCash', 'Pay'],
  ['maya', 'Sandbox Maya', 'Pay'],
  ['card', 'Sandbox card bank', 'Confirm'],
])('the page of %s says who asks for what, and every button leads on', async (rail, label, pay) => {
  const { page } = await opened(rail)
  const response = await fetch(page)
  const html = await response.text()
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(html).toContain(`<h1>${label}</h1>`)
  expect(html).toContain('PHP 100.00')
  expect(html).toMatch(/<html lang="en">/)
  expect(buttonsOf(html)).toEqual([
    [pay, 'pay'],
    ['Decline', 'decline'],
    ['Cancel', 'cancel'],
  ])
  for (const [action, place, status] of [
    ['pay', 'https://shop.example/ok', 'succeeded'],
    ['decline', 'https://shop.example/no', 'failed'],
    ['cancel', 'https://shop.example/back', 'failed'],
  ] as const) {
    const each = await opened(rail)
    const answer = await press(each.page, action, { code: '123456' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, place])
    expect(await each.status()).toBe(status)
  }
})

test.each([
  ['gcash', 10021, 'https://shop.example/no'],
  ['maya', 10011, 'https://shop.example/ok'],
  ['card', 10021, 'https://shop.example/no'],
])('%s over %s leads to %s', async (rail, minor, place) => {
  const { page } = await opened(rail, minor)
  expect((await press(page, 'pay')).headers.get('location')).toBe(place)
})

test('a code of 000 does not pass the challenge of a bank', async () => {
  const { page, status } = await opened('card')
  const html = await (await fetch(page)).text()
  expect(html).toContain('<label for="code">Code from your bank</label>')
  expect((await press(page, 'pay', { code: ' 000 ' })).headers.get('location')).toBe('https://shop.example/no')
  expect(await status()).toBe('failed')
  const id = page.split('/').at(-1)
  const { body } = await card(url, 'GET', `/card/v1/payment_intents/${id}`)
  expect(body).toMatchObject({ status: 'requires_payment_method', last_error: { code: 'authentication_failed' } })
})

describe('a card that the payer types here', () => {
  const opens = async () => {
    const reference = next()
    const { body } = await openCard(url, { ...cardIntent(reference), token: undefined, hosted: true })
    const page = String(((body['next_action'] as Json)['redirect_to_url'] as Json)['url'])
    const intent = async () => (await card(url, 'GET', `/card/v1/payment_intents/${page.split('/').at(-1)}`)).body
    return { body, page, reference, intent }
  }
  const typed = (number: string) => ({ number, expiry: '12/34', cvc: '123' })

  test('is paid with, and only what a merchant may know of it is shown', async () => {
    const { body, page, reference, intent } = await opens()
    expect(body).toMatchObject({ status: 'requires_action', card: null })
    const html = await (await fetch(page)).text()
    expect(html).toContain('<label for="number">Card number</label>')
    expect((await press(page, 'pay', typed('5555 5555 5555 4444'))).headers.get('location')).toBe(
      'https://shop.example/ok',
    )
    expect(await intent()).toMatchObject({ status: 'succeeded', card: { brand: 'mastercard', last4: '4444' } })
    // Asked for again under its reference, it is the same payment and no other.
    const again = await openCard(url, { ...cardIntent(reference), token: undefined, hosted: true })
    expect(again.body).toEqual(await intent())
    expect(JSON.stringify(await control(url, 'GET', `/card/collections/${reference}`))).not.toContain('5555')
  })

  test.each([
    ['4000 0000 0000 0002', 'card_declined'],
    ['4000 0000 0000 9995', 'insufficient_funds'],
  ])('%s is refused by its bank: %s', async (number, code) => {
    const { page, intent } = await opens()
    expect((await press(page, 'pay', typed(number))).headers.get('location')).toBe('https://shop.example/no')
    expect(await intent()).toMatchObject({ status: 'requires_payment_method', last_error: { code } })
  })

  test('is asked for its bank’s code where the bank wants to see the payer', async () => {
    const { page, intent } = await opens()
    const html = await (await press(page, 'pay', typed('4000 0000 0000 3220'))).text()
    const [, token = ''] = /name="token" value="(\w+)"/.exec(html) ?? []
    expect(html).toContain('Code from your bank')
    expect(html).not.toContain('3220')
    expect(await intent()).toMatchObject({ status: 'requires_action' })
    expect((await press(page, 'pay', { token, code: '000' })).headers.get('location')).toBe('https://shop.example/no')
    expect(await intent()).toMatchObject({ last_error: { code: 'authentication_failed' } })
  })

  test.each([
    ['no number', typed('')],
    ['a number that is none', typed('4000 0000 0000 0003')],
    ['no date', { ...typed('4242424242424242'), expiry: '13' }],
    ['a month that is none', { ...typed('4242424242424242'), expiry: '13/34' }],
    ['no code', { ...typed('4242424242424242'), cvc: '' }],
  ])('%s is said, and the payment goes on waiting', async (_, fields) => {
    const { page, intent } = await opens()
    const reply = await press(page, 'pay', fields)
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('role="alert"')])
    expect(await intent()).toMatchObject({ status: 'requires_action' })
  })
})

test('what was said before cannot be said again', async () => {
  const { page, status } = await opened('gcash')
  await press(page, 'decline')
  const again = await press(page, 'pay')
  expect([again.status, await again.text()]).toEqual([200, expect.stringContaining('was not made')])
  expect(await status()).toBe('failed')
  expect(await (await fetch(page)).text()).toContain('href="https://shop.example/no"')
})

test('nobody pays what expired', async () => {
  const expiresAt = new Date(Date.now() + 60_000).toISOString()
  const { body } = await openGcash(url, gcashPayment(next(), '10000', { expiresAt }))
  await advance(url, 61)
  expect(await (await press(body['checkoutUrl'], 'pay')).text()).toContain('can no longer be made')
})

test('what the merchant says is text, whatever it looks like', async () => {
  const { page } = await opened('gcash')
  const html = await (await fetch(page)).text()
  expect(html).toContain('Rice &lt;b&gt;5 kg&lt;/b&gt;')
  expect(html).not.toContain('<b>')
})

test('a button that there is not, and pages that there are not', async () => {
  const { page, status } = await opened('gcash')
  expect((await press(page, 'steal')).status).toBe(400)
  expect(await status()).toBe('pending')
  const id = page.split('/').at(-1)
  for (const path of [`/payer/maya/${id}`, '/payer/gcash/nobody', '/payer/gcash', '/payer', `/payer/gcash/${id}/x`])
    expect((await call(url, 'GET', path)).status, path).toBe(404)
})

test('a code is paid by its text', async () => {
  const page = `${url}/payer/qrph`
  const html = await (await fetch(page)).text()
  expect([...html.matchAll(/ name="(\w+)"/g)].map(([, name]) => name)).toEqual(['viewport', 'code', 'amount', 'wallet'])
  const pay = (form: Record<string, string>) => fetch(page, { method: 'POST', body: new URLSearchParams(form) })
  const paid = await pay({ code: `\n${codeFor('page-1', '55.50')}\n`, amount: '', wallet: '777' })
  expect([paid.status, await paid.text()]).toEqual([200, expect.stringContaining('PHP 55.50 is done')])
  expect(await control(url, 'GET', '/qrph/collections/page-1')).toMatchObject({
    payments: [{ amount: '55.50', payer: { wallet: '777' } }],
  })
  const refused = await pay({ code: '<script>' })
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('role="alert"')])
})
