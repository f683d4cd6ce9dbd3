// A transfer is drafted with every channel priced beside the others, saved, changed, issued and paid; a payment is opened.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from '../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../rig/console/console-world.ts'
import { look } from '../rig/console/look.ts'

const LONG_MS = 30_000

describe.skipIf(CHROMIUM === null)('drafts', () => {
  let world: ConsoleWorld
  beforeAll(async () => {
    world = await openConsoleWorld()
  }, 300_000)
  afterAll(() => world.close())

  test('a transfer: priced while it is typed, what is missing beside the field, saved, changed, issued, paid', async () => {
    const page = await world.open(await world.person('owner'), '/transfers/new')
    await page.getByText('every channel is priced here').waitFor()
    await look(page, 'draft-empty')
    await page.getByLabel('Amount').fill('100')
    await page.getByLabel('Your reference').fill('order 99')
    await page.getByRole('radio', { name: /Sandbox/ }).waitFor()
    await look(page, 'draft-offers')
    await page.getByRole('radio', { name: /Sandbox/ }).check()
    await page.getByLabel('Account').fill('')
    await page.getByLabel('Account').blur()
    await page.getByLabel('Name').fill('Ana Reyes')
    await look(page, 'draft-missing')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('This draft is not ready to be issued').waitFor({ timeout: LONG_MS })
    expect(await page.getByRole('button', { name: 'Issue', exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'Edit draft' }).click()
    await page.getByLabel('Account').fill('000123456789')
    await page.getByText('Nothing is missing').waitFor({ timeout: LONG_MS })
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Issue', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Issue' }).click()
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Pay ₱110.50' }).click()
    await page.getByText('The money has arrived.').waitFor({ timeout: LONG_MS })
    await page.getByText('order 99').first().waitFor()
  })

  test('what somebody else changed of a draft meanwhile is not undone: saving it is refused', async () => {
    const { id } = await world.caller.draft({ description: 'as it was' })
    const page = await world.open(await world.person('owner'), `/transfers/${id}/edit`)
    await page.getByLabel('Your reference').fill('order 12')
    const reread = page.waitForResponse((reply) => reply.url().endsWith(`/contracts/transfer/${id}`) && reply.ok())
    const path = `/contracts/transfer/${id}`
    const changed = await world.caller.ask('PATCH', path, { body: { recipient: { wallet: '000999888777' } } })
    expect(changed.status).toBe(200)
    await reread
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('precondition_failed', { exact: false }).waitFor({ timeout: LONG_MS })
    const { data } = await world.caller.ask('GET', path)
    expect(data['contract']).toEqual(changed.data['contract'])
  })

  test('a saved draft is sent with its version, and with nothing that stands as it was', async () => {
    const { id } = await world.caller.draft({ description: 'as it was' })
    const page = await world.open(await world.person('owner'), `/transfers/${id}/edit`)
    await page.getByLabel('Your reference').fill('order 13')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.getByRole('button', { name: 'Save draft' }).click()
    const request = await sent
    expect(request.postDataJSON()).toEqual({ deliverable: { reference_id: 'order 13' } })
    expect(await request.headerValue('if-match')).toBe('"1"')
    await page.waitForURL(/\/transfers\/[0-9a-f-]{36}$/)
  })

  test('a transfer from a profile takes its way to be paid', async () => {
    const body = { name: 'Ben Santos', type: 'person' }
    const { data } = await world.caller.ask('POST', '/profiles', { body })
    const { id } = data['profile'] as { id: string }
    const way = { channel: 'sandbox', recipient: { name: 'Ben Santos', wallet: '000987654321' }, label: 'Savings' }
    expect((await world.caller.ask('POST', `/profiles/${id}/destinations`, { body: way })).status).toBe(200)
    const page = await world.open(await world.person('operator'), '/transfers/new', { language: 'fil' })
    await page.getByLabel('Halaga').fill('250.50')
    await page.getByPlaceholder('Isulat mismo').click()
    await page.getByRole('option', { name: 'Ben Santos' }).click()
    await page.getByText('Walang kulang').waitFor({ timeout: LONG_MS })
    await look(page, 'draft-profile-fil')
    await page.getByRole('button', { name: 'I-save ang draft' }).click()
    await page.getByText('000987654321').first().waitFor({ timeout: LONG_MS })
  })

  test('what the gateway refuses is said in its words, and nothing is lost', async () => {
    const page = await world.open(await world.person('owner'), '/transfers/new')
    await page.getByLabel('Amount').fill('1.2345')
    await page.getByRole('button', { name: 'Save draft' }).click()
    const amount = page.getByLabel('Amount')
    await expect.poll(() => amount.getAttribute('aria-invalid'), { timeout: LONG_MS }).toBe('true')
    await page
      .getByText(/amount .*PHP/)
      .first()
      .waitFor()
    expect(await amount.inputValue()).toBe('1.2345')
  })

  test('what is refused of a field is said beside it, once; a draft without a channel says what to choose', async () => {
    const page = await world.open(await world.person('owner'), '/transfers/new')
    await page.getByLabel('Amount').fill('20')
    await page.getByRole('radio', { name: /Sandbox/ }).waitFor({ timeout: LONG_MS })
    const name = page.getByLabel('Name')
    await name.fill('x'.repeat(500))
    const said = page.getByText(/recipient\.name/)
    await said.first().waitFor({ timeout: LONG_MS })
    expect(await name.getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByRole('radio', { name: /Sandbox/ }).count()).toBe(1)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.waitForTimeout(1_000)
    expect(await said.count()).toBe(1)
    expect(await page.evaluate(`document.activeElement?.value?.length`)).toBe(500)
    await look(page, 'draft-too-long')
    await name.fill('Ana Reyes')
    await expect.poll(() => said.count()).toBe(0)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('No channel is chosen yet.').waitFor({ timeout: LONG_MS })
    expect(await page.getByRole('listitem').filter({ hasText: 'GET /channels' }).count()).toBe(0)
  })

  test('a payment is opened, and its link is there to be sent', async () => {
    const page = await world.open(await world.person('operator'), '/payments/new')
    await page.getByLabel('Amount').fill('1500')
    await page.getByLabel('Description, which the payer sees').fill('Order 17')
    await look(page, 'payment-new')
    await page.getByRole('button', { name: 'Open payment' }).click()
    await page.getByRole('link', { name: 'Open' }).waitFor({ timeout: LONG_MS })
    expect(await page.getByRole('link', { name: 'Open' }).getAttribute('href')).toMatch(/\/pay\//)
  })

  test('a double click opens one payment', async () => {
    const page = await world.open(await world.person('operator'), '/payments/new')
    let made = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/contracts/payment')) made += 1
    })
    await page.getByLabel('Amount').fill('78.01')
    // Both before the page has drawn anything: a person's second click may come as soon.
    await page.getByRole('button', { name: 'Open payment' }).evaluate((element) => {
      const button = element as unknown as { click: () => void }
      button.click()
      button.click()
    })
    await page.getByRole('link', { name: 'Open' }).waitFor({ timeout: LONG_MS })
    expect(made).toBe(1)
  })

  test.each(['/payments/new', '/transfers/new'])('%s says of an amount that is none what is', async (path) => {
    const page = await world.open(await world.person('operator'), path)
    const amount = page.getByLabel('Amount')
    for (const text of ['-5', '0', 'abc', '1e5', '1,500.50', '9'.repeat(20)]) {
      await amount.fill(text)
      await page.getByText('A number above 0 without commas, such as 1500 or 19.99.').waitFor({ timeout: LONG_MS })
      expect(await amount.getAttribute('aria-invalid')).toBe('true')
    }
    await amount.fill('1500.50')
    await expect.poll(() => amount.getAttribute('aria-invalid')).not.toBe('true')
  })
})
