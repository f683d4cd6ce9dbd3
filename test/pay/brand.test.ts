// What an account shows of itself to its payers: set over HTTP, on the payment page a moment later, on nobody else's.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LOGO_BYTES_MAX } from '../../src/formats/logo-image.ts'
import { dataUri, png, pngChunk } from '../formats/logo-samples.ts'
import { buildScripts } from './browser.ts'
import { type CheckoutWorld, openCheckoutWorld, type Payable } from './checkout-world.ts'

const PATH = '/accounts/me'
const SOON = { timeout: 30_000, interval: 50 }
const LOGO = dataUri('image/png', png(64, 64))

let world: CheckoutWorld
let payment: Payable
beforeAll(async () => {
  buildScripts()
  world = await openCheckoutWorld()
  payment = await world.payable()
})
afterAll(() => world.stop())

const patch = (body: unknown) => world.caller.ask('PATCH', PATH, { body })
const pageOf = async (url: string) => (await fetch(url)).text()
const events = async () =>
  (await world.caller.all('/events', 'events')).filter((each) => (each as { type: string }).type === 'account.updated')

test('without one there is the account’s name and nothing else', async () => {
  const { data } = await world.caller.ask('GET', PATH)
  expect(data['account']).toMatchObject({
    id: world.caller.account.accountId,
    brand: { name: null, logo: null, colour: null, shown: { name: 'Test', button: null, links: null } },
    support: { email: null, phone: null, url: null },
  })
  const page = await pageOf(payment.checkout_url)
  expect(page).toContain('Ask Test.')
  expect(page).not.toMatch(/<img|mailto:|tel:|assets\/accent/)
})

test('a change is on the page within a moment, in the audit list and in an event; and never on another account’s page', async () => {
  const theirs = await world.other.ask('POST', '/contracts/payment', { body: { amount: 10, currency: 'PHP' } })
  const theirUrl = (theirs.data['contract'] as Payable).checkout_url
  const theirPage = await pageOf(theirUrl)
  const brand = { name: '<b>Reyes & Sons</b> "Trading"', logo: LOGO, colour: '#0A7D55' }
  const support = { email: 'help@reyes.example', phone: '0917 123 4567', url: 'https://reyes.example/help' }
  const changed = await patch({ brand, support })
  expect(changed.status).toBe(200)
  expect(changed.data['account']).toMatchObject({
    brand: {
      ...brand,
      colour: '#0a7d55',
      shown: {
        name: brand.name,
        button: { background: '#0a7d55', text: '#ffffff' },
        links: { light: expect.stringMatching(/^#/), dark: expect.stringMatching(/^#/) },
      },
    },
    support: { ...support, phone: '+639171234567' },
  })
  await expect.poll(() => pageOf(payment.checkout_url), SOON).toContain('Reyes')
  const page = await pageOf(payment.checkout_url)
  expect(page).toContain('Pay &lt;b&gt;Reyes &amp; Sons&lt;/b&gt; &quot;Trading&quot;</h1>')
  expect(page).not.toContain('<b>Reyes')
  expect(page).toContain(`<img src="${LOGO}" alt="">`)
  expect(page).toContain('href="tel:+639171234567"')
  expect(page).toContain('<a href="https://reyes.example/help" rel="noreferrer">reyes.example</a>')
  const style = /href="(\/pay\/assets\/accent\/[^"]+)"/.exec(page)?.[1] ?? ''
  expect(await (await fetch(world.url + style)).text()).toContain('--button:#0a7d55;--ink-button:#ffffff')
  const status = (await (await fetch(`${payment.checkout_url}/status`)).json()) as { merchant: string }
  expect(status.merchant).toBe(brand.name)
  expect((await pageOf(theirUrl)).replace(/data-now="\d+"/, '')).toBe(theirPage.replace(/data-now="\d+"/, ''))
  expect((await world.other.ask('GET', PATH)).data['account']).toMatchObject({ brand: { logo: null, name: null } })

  const [entry] = await world.sql(`select action, object_id, before, after from audit_entries where account_id = $1`, [
    world.caller.account.accountId,
  ])
  expect(entry).toMatchObject({
    action: 'account.updated',
    object_id: world.caller.account.accountId,
    before: { brand_name: null, support_phone: null },
    after: { brand_name: brand.name, brand_logo: expect.stringMatching(/^sha256:/), support_phone: '+639171234567' },
  })
  expect(JSON.stringify(entry)).not.toContain('base64')
  expect(await events()).toEqual([
    expect.objectContaining({ data: { object: (await world.caller.ask('GET', PATH)).data['account'] } }),
  ])
})

test('what was read can be sent back, and what changes nothing is no event', async () => {
  const { account } = (await world.caller.ask('GET', PATH)).data as { account: { brand: object; support: object } }
  const { brand, support } = account
  expect((await patch({ brand, support })).data['account']).toEqual(account)
  expect((await patch({})).data['account']).toEqual(account)
  expect(await events()).toHaveLength(1)
})

test('every fault is named at once, and nothing is half done', async () => {
  const before = (await world.caller.ask('GET', PATH)).data['account']
  const svg = dataUri('image/svg+xml', Buffer.from('<svg onload="alert(1)"/>'))
  const brand = { name: 'New', logo: svg, colour: 'url(x)' }
  const reply = await patch({ brand, support: { url: 'javascript:alert(1)', phone: null } })
  expect(reply.status).toBe(400)
  expect(reply.error).toMatchObject({ code: 'invalid_brand_logo', param: 'brand.logo' })
  expect(reply.error.errors?.map(({ param }) => param)).toEqual(['brand.logo', 'brand.colour', 'support.url'])
  expect((await patch({ brand: { color: '#000000' } })).error).toMatchObject({
    code: 'unknown_parameter',
    param: 'brand.color',
    message: expect.stringContaining('colour'),
  })
  expect((await world.caller.ask('GET', PATH)).data['account']).toEqual(before)
})

test('the largest logo goes through the body limit, and a little more is refused with its size', async () => {
  const padded = (bytes: number) => {
    const bare = png(16, 16)
    return dataUri('image/png', png(16, 16, [pngChunk('tRNS', Buffer.alloc(bytes - bare.length - 12))]))
  }
  expect((await patch({ brand: { logo: padded(LOGO_BYTES_MAX) } })).status).toBe(200)
  expect((await patch({ brand: { logo: padded(LOGO_BYTES_MAX + 1) } })).error).toMatchObject({
    message: expect.stringContaining('at most 32 KiB'),
  })
  const most = (await world.caller.ask('GET', PATH)).data['account'] as { brand: { logo: string } }
  expect(most.brand.logo).toHaveLength(padded(LOGO_BYTES_MAX).length)
})

test('a live account’s key takes away what payers trust, and gives it nothing new: a person does', async () => {
  const live = await world.newCaller({ funds: {}, livemode: true })
  const change = (body: unknown) => live.ask('PATCH', PATH, { body })
  for (const [body, param] of [
    [{ brand: { name: 'Another bank' } }, 'brand.name'],
    [{ brand: { logo: LOGO } }, 'brand.logo'],
    [{ support: { phone: '+639170000000' } }, 'support.phone'],
    [{ support: { email: 'thief@elsewhere.example' } }, 'support.email'],
    [{ support: { url: 'https://elsewhere.example' } }, 'support.url'],
  ] as const)
    expect((await change(body)).error).toMatchObject({ code: 'person_required', param })
  expect((await change({ brand: { colour: '#0a7d55', logo: null }, support: { phone: null } })).status).toBe(200)
})

test('null takes it away again', async () => {
  await patch({ brand: null, support: null })
  expect((await world.caller.ask('GET', PATH)).data['account']).toMatchObject({ brand: { name: null, logo: null } })
  await expect.poll(() => pageOf(payment.checkout_url), SOON).toContain('Ask Test.')
  expect(await pageOf(payment.checkout_url)).not.toMatch(/<img|mailto:|tel:|assets\/accent/)
})
