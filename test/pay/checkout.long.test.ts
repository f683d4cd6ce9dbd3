// The payment page as a payer meets it: a real gateway, the sandbox provider's own pages, and a real browser.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildScripts, CHROMIUM, launch } from './browser.ts'
import { type CheckoutWorld, openCheckoutWorld, type Payable } from './checkout-world.ts'

const SOON = { timeout: 30_000 }

describe.skipIf(CHROMIUM === null)('a payer with a browser', () => {
  let world: CheckoutWorld
  let browser: Browser
  beforeAll(async () => {
    buildScripts()
    world = await openCheckoutWorld()
    browser = await launch()
  })
  afterAll(async () => {
    await browser.close()
    await world.ledgerHolds()
    await world.stop()
  })

  /** A page that says its errors, and breaks no policy of its own. */
  async function open(payment: Payable, options: Parameters<Browser['newContext']>[0] = {}): Promise<[Page, string[]]> {
    const context = await browser.newContext({ locale: 'en-PH', reducedMotion: 'reduce', ...options })
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (fault) => faults.push(fault.message))
    page.on('console', (line) => line.type() === 'error' && faults.push(line.text()))
    await page.goto(payment.checkout_url)
    return [page, faults]
  }

  const heading = (page: Page) => page.locator('h2').first()
  const headingIs = (page: Page, text: string) => expect.poll(() => heading(page).innerText(), SOON).toBe(text)

  test('pays with GCash: on to the wallet, back, and the receipt without a reload', async () => {
    const payment = await world.payable({ return_url: 'https://shop.example.com/done' })
    const [page, faults] = await open(payment)
    expect(await page.getByText('No fee is added, whichever you choose.').isVisible()).toBe(true)
    await page.getByRole('button', { name: /GCash/ }).click()
    await page.waitForURL(`${world.sandboxUrl}/payer/gcash/**`)
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.waitForURL('**/return?**')
    await headingIs(page, 'Paid. Thank you!')
    expect(await page.getByText(payment.id).isVisible()).toBe(true)
    expect(await page.getByRole('link', { name: 'Return to Test' }).getAttribute('href')).toBe(
      'https://shop.example.com/done',
    )
    expect(await page.locator('#leaving').isVisible()).toBe(true)
    expect((await world.paymentOf(payment.id)).status).toBe('paid')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('pays by QR: the page turns to paid by itself, in the payer’s language', async () => {
    const payment = await world.payable()
    const [page, faults] = await open(payment, { locale: 'fil-PH' })
    await page.getByRole('button', { name: /QR Ph/ }).click()
    await headingIs(page, 'I-scan para magbayad')
    await page.evaluate('window.sameDocument = true')
    const code = await page.locator('#code-text').innerText()
    expect(code).toBe((await world.paymentOf(payment.id)).next_action?.data)
    await world.scan(code)
    await headingIs(page, 'Bayad na. Salamat!')
    expect(await page.evaluate('window.sameDocument')).toBe(true)
    expect(await page.locator('#said').textContent()).toBe('Bayad na. Salamat!')
    expect(await page.locator('html').getAttribute('lang')).toBe('fil')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a card is typed at its provider: a declined one leads to another, by the keyboard alone, past the bank’s question', async () => {
    const payment = await world.payable()
    const [page, faults] = await open(payment)
    const tabTo = async (match: RegExp) => {
      for (let presses = 0; presses < 30; presses++) {
        await page.keyboard.press('Tab')
        if (
          match.test(String(await page.evaluate('document.activeElement.textContent + document.activeElement.value')))
        )
          return
      }
      throw new Error(`nothing that can be reached by the keyboard says ${match}`)
    }
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.className')).toBe('skip')
    await tabTo(/^\s*Card/)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${world.sandboxUrl}/payer/card/**`)
    const typeCard = async (number: string) => {
      await page.getByLabel('Card number').fill(number)
      await page.getByLabel('Expires (MM/YY)').fill('12/34')
      await page.getByLabel('Code on the back (CVC)').fill('123')
      await page.getByRole('button', { name: 'Pay' }).click()
    }
    await typeCard('4000 0000 0000 0003')
    await page.getByRole('alert').getByText('Check the number').waitFor()
    await typeCard('4000 0000 0000 0002')
    await expect.poll(() => page.locator('.note.bad').innerText(), SOON).toContain('It was declined')
    await page.getByRole('button', { name: /^Card/ }).click()
    await page.waitForURL(`${world.sandboxUrl}/payer/card/**`)
    await typeCard('4000 0000 0000 3220')
    await page.getByLabel('Code from your bank').fill('123')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await headingIs(page, 'Paid. Thank you!')
    // The number was seen by the provider's page alone: nothing of ours has it.
    expect(JSON.stringify(await world.paymentOf(payment.id))).not.toMatch(/4000 ?0000 ?0000|0000 ?0000 ?3220/)
    // The provider's own answer to the number that was mistyped.
    expect(faults).toEqual([expect.stringContaining('400 (Bad Request)')])
    await page.context().close()
  })

  test('changes the mind: another way, while the first stays open until it is closed', async () => {
    const payment = await world.payable()
    const [page] = await open(payment)
    await page.getByRole('button', { name: /Maya/ }).click()
    await page.waitForURL(`${world.sandboxUrl}/payer/maya/**`)
    await page.goto(payment.checkout_url)
    await headingIs(page, 'Pay with Maya')
    await page.getByRole('link', { name: 'Choose another way to pay' }).click()
    await headingIs(page, 'Choose how to pay')
    expect(await page.locator('.resume').innerText()).toContain('You started to pay with Maya.')
    await page.getByRole('button', { name: /QR Ph/ }).click()
    await headingIs(page, 'Scan to pay')
    await page.context().close()
  })

  test('pays without a script', async () => {
    const payment = await world.payable()
    const [page] = await open(payment, { javaScriptEnabled: false })
    expect(await page.getByText(/^Pay before \w{3} \d{1,2}, \d{4}, \d{1,2}:\d\d [AP]M \(Manila\)$/).isVisible()).toBe(
      true,
    )
    expect(await page.locator('[data-copy]:visible').count()).toBe(0)
    await page.getByRole('button', { name: /GCash/ }).click()
    await page.waitForURL(`${world.sandboxUrl}/payer/gcash/**`)
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.waitForURL('**/return?**')
    // The browser looks again by itself; so does whoever does not wait.
    await expect.poll(async () => (await world.paymentOf(payment.id)).status, SOON).toBe('paid')
    await page.goto(payment.checkout_url)
    expect(await heading(page).innerText()).toBe('Paid. Thank you!')
    const other = await world.payable()
    await page.goto(other.checkout_url)
    await page.getByRole('button', { name: /QR Ph/ }).click()
    expect(await page.locator('.code svg').isVisible()).toBe(true)
    expect(await page.locator('noscript meta, meta[http-equiv]').first().getAttribute('content')).toMatch(/^15;url=/)
    await page.context().close()
  })

  test('what the merchant cancels, and what expires, turns by itself', async () => {
    const cancelled = await world.payable()
    const [page, faults] = await open(cancelled)
    await headingIs(page, 'Choose how to pay')
    await world.cancel(cancelled.id)
    await headingIs(page, 'This payment was cancelled')
    await page.goto((await world.payable({ expires_in: 2 })).checkout_url)
    await headingIs(page, 'This payment has expired')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('is shown in no frame', async () => {
    const { checkout_url } = await world.payable()
    const page = await (await browser.newContext()).newPage()
    const refused = page.waitForEvent('console', (line) => line.text().includes('frame-ancestors'))
    await page.setContent(`<iframe src="${checkout_url}"></iframe>`)
    expect((await refused).text()).toContain("frame-ancestors 'none'")
    await page.context().close()
  })
})
