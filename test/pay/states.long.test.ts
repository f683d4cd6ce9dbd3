// Every point of the payment page in a real browser: accessible in both themes and languages, whole on a phone and a desk,
// and small.
import { readFileSync } from 'node:fs'
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCheckoutFiles } from '../../src/http/checkout/assets.ts'
import { buildScripts, CHROMIUM, launch } from './browser.ts'
import { type Gallery, openGallery } from './gallery.ts'
import { BRAND, BRANDS, NOW, STATES } from './planted.ts'

const PAGES = [...Object.keys(STATES), 'redirect/return', 'choose?problem=1', 'qr?choose=1', 'not-found', 'fault']
/** Many pages: on a busy machine they take their time. */
const LONG_MS = 120_000
const PHONE = { width: 320, height: 640 }
const DESK = { width: 1280, height: 800 }

test('scripts and style are small', () => {
  buildScripts()
  const { assets, at } = readCheckoutFiles()
  const sizeOf = (url: string) => at(url.replace('/pay/assets/', ''))?.gzipped.length ?? Number.NaN
  const scripts = assets.scripts.map(sizeOf).reduce((sum, each) => sum + each, 0)
  console.log(`the payment page's scripts: ${scripts} bytes gzipped; its style: ${sizeOf(assets.style)}`)
  expect(scripts).toBeLessThan(6_000)
  expect(scripts + sizeOf(assets.style)).toBeLessThan(15_000)
})

describe.skipIf(CHROMIUM === null)('in a browser', () => {
  let browser: Browser
  let gallery: Gallery
  beforeAll(async () => {
    buildScripts()
    gallery = await openGallery()
    browser = await launch()
  })
  afterAll(async () => {
    await browser.close()
    gallery.close()
  })

  const open = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<[Page, BrowserContext]> => {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
    const page = await context.newPage()
    await page.clock.install({ time: NOW })
    return [page, context]
  }
  const address = (name: string, language: string) =>
    `${gallery.url}/pay/${name}${name.includes('?') ? '&' : '?'}lang=${language}`

  test.each([
    ['en', DESK],
    ['fil', PHONE],
  ] as const)(
    '%s: axe finds nothing, light and dark; all is inside, can be pressed, and says whom to ask by which number',
    async (language, viewport) => {
      const context = await browser.newContext({ reducedMotion: 'reduce', viewport, hasTouch: viewport === PHONE })
      await context.addInitScript(axe.source)
      const page = await context.newPage()
      for (const name of PAGES) {
        await page.emulateMedia({ colorScheme: 'light' })
        await page.goto(address(name, language), { waitUntil: 'domcontentloaded' })
        await page.evaluate(OPEN_ALL)
        expect(await page.evaluate(axeRun(`{ resultTypes: ['violations'] }`)), `${name} light`).toEqual([])
        await page.emulateMedia({ colorScheme: 'dark' })
        expect(await page.evaluate(axeRun(`{ runOnly: ['color-contrast'] }`)), `${name} dark`).toEqual([])
        expect(await page.evaluate(OUTSIDE), `${name} at ${viewport.width}`).toEqual([])
        expect(await page.evaluate(UNSEEN_LOGOS), `${name}: the logo`).toEqual([])
        expect(viewport === PHONE ? await page.evaluate(SMALL) : [], `${name}: too low for a finger`).toEqual([])
        const { name: merchant } = BRANDS[name] ?? BRAND
        const helped = [...SAYS[language](merchant), '01932c07-4b5e-7c31-9d0a-6f2b8e4a1c55']
        expect(await page.evaluate(WHOM_TO_ASK), `${name}: whom to ask`).toEqual(isPlain(name) ? [] : helped)
      }
      await context.close()
    },
    LONG_MS,
  )

  test('nobody is asked for a rest that is on its way, and what was too much is called so', async () => {
    const [page, context] = await open({ viewport: PHONE })
    const said = async (name: string) => {
      await page.goto(address(name, 'en'))
      return page.locator('main').innerText()
    }
    expect(await said('part')).toContain('₱760.00 is still missing')
    const confirming = await said('confirming-rest')
    expect(confirming).toContain('1 of 12 confirmations')
    expect(confirming).not.toContain('still missing')
    expect(await said('held-excess')).toContain(
      'You paid ₱100.00 too much. It is safe, but it cannot go back by itself',
    )
    await context.close()
  })

  test('a code is large enough to be scanned', async () => {
    const [page, context] = await open({ viewport: PHONE })
    for (const name of ['qr', 'address']) {
      await page.goto(address(name, 'en'))
      const box = await page.locator('.code svg').boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(240)
    }
    await context.close()
  })

  test('the code is saved as a picture that says the same', async () => {
    const [page, context] = await open({ viewport: PHONE, acceptDownloads: true })
    await page.goto(address('qr', 'en'))
    const text = await page.locator('#code-text').textContent()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the QR code' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('qr.png')
    const picture = readFileSync(await download.path()).toString('base64')
    const reader = await context.newPage()
    await reader.addScriptTag({ path: 'node_modules/jsqr/dist/jsQR.js' })
    expect(await reader.evaluate(codeIn(picture))).toBe(text)
    await context.close()
  })

  test('the time runs by the server’s clock, and is said at a few minutes only', async () => {
    const [page, context] = await open()
    // Time does not go on in the gallery: what it says later is not asked for.
    await context.route('**/status', (route) => route.abort())
    // The payer's own clock is an hour slow.
    await page.clock.setSystemTime(NOW - 3_600_000)
    await page.goto(address('choose', 'en'))
    await expect.poll(() => page.locator('#timer').innerText()).toBe('Time left\n20:00')
    await page.clock.runFor(5000)
    expect(await page.locator('#timer strong').innerText()).toBe('19:55')
    expect(await page.locator('#said').textContent()).toBe('')
    await page.clock.fastForward(10 * 60_000)
    expect(await page.locator('#said').textContent()).toBe('10 minutes left to pay')
    await page.clock.fastForward(9 * 60_000)
    expect(await page.locator('#timer').getAttribute('class')).toContain('soon')
    expect(await page.locator('#said').textContent()).toBe('1 minute left to pay')
    await context.close()
  })

  test('what is to be copied is on the clipboard', async () => {
    const [page, context] = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(address('address', 'en'))
    await page.getByRole('button', { name: 'Copy: Address' }).click()
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toBe('0x52908400098527886E0F7030069857D2E4169EE7')
    await expect.poll(() => page.locator('#said').textContent()).toBe('Copied')
    await context.close()
  })

  test('a code says what the payer’s app will show, as the code itself has it', async () => {
    const [page, context] = await open({ viewport: PHONE })
    await page.goto(address('qr', 'en'))
    expect(await page.locator('.payee').innerText()).toBe('Your app will show: Bangka Express Inc')
    await page.goto(address('qr', 'fil'))
    expect(await page.locator('.payee').innerText()).toBe('Lalabas sa app mo: Bangka Express Inc')
    await context.close()
  })

  test('a click writes or calls; a brand’s colour is on its button, and never on the mark of a test', async () => {
    const [page, context] = await open({ viewport: PHONE })
    await page.goto(address('expired', 'en'))
    expect(await page.evaluate(HREFS)).toEqual([
      'mailto:help@bangka.example?subject=Payment%20number%2001932c07-4b5e-7c31-9d0a-6f2b8e4a1c55',
      'tel:+63281234567',
    ])
    await page.goto(address('qr', 'en'))
    expect(await page.evaluate(coloursOf('.keep .button'))).toEqual(['rgb(255, 212, 0)', 'rgb(0, 0, 0)'])
    expect(await page.evaluate(coloursOf('.test'))).toEqual(['rgb(20, 32, 47)', 'rgb(255, 217, 119)'])
    await context.close()
  })

  test('where every way costs the same the price is said once, and else with each', async () => {
    const [page, context] = await open({ viewport: PHONE })
    const prices = async (name: string) => {
      await page.goto(address(name, 'en'))
      return [await page.locator('.way .price').count(), await page.locator('.card > .soft').allInnerTexts()]
    }
    expect(await prices('choose-same')).toEqual([0, ['No fee is added, whichever you choose.']])
    expect(await prices('choose-fee')).toEqual([0, ['You pay ₱1,260.00, with ₱10.00 fee, whichever you choose.']])
    expect(await prices('choose-wallet')).toEqual([1, []])
    expect(await prices('choose')).toEqual([5, []])
    await context.close()
  })

  test('back to the merchant by itself after a return from the rail, unless that is stopped', async () => {
    const [page, context] = await open()
    await context.route('https://shop.example.com/**', (route) => route.fulfill({ body: 'the shop' }))
    await page.goto(`${gallery.url}/pay/paid/return?lang=en`)
    await page.clock.runFor(2000)
    expect(await page.locator('#leaving span').innerText()).toBe('Returning to Bangka Express & Sons in 3…')
    await page.getByRole('button', { name: 'Stay on this page' }).click()
    await page.clock.runFor(10_000)
    expect(page.url()).toContain('/pay/paid/return')
    await page.reload()
    await page.clock.runFor(6000)
    await page.waitForURL('https://shop.example.com/orders/42')
    // Who only looks at the receipt later stays.
    await page.goto(address('paid', 'en'))
    await page.clock.runFor(10_000)
    expect(await page.locator('#leaving').isVisible()).toBe(false)
    await context.close()
  })

  test.each(['excess', 'refunded'])('%s: whom a notice tells of money stays, and goes back by hand', async (name) => {
    const [page, context] = await open()
    await context.route('https://shop.example.com/**', (route) => route.fulfill({ body: 'the shop' }))
    await page.goto(`${gallery.url}/pay/${name}/return?lang=en`)
    await page.clock.runFor(10_000)
    expect(page.url()).toContain(`/pay/${name}/return`)
    await page.getByRole('link', { name: 'Return to Bangka Express & Sons' }).click()
    await page.waitForURL('https://shop.example.com/orders/42')
    await context.close()
  })

  test('who chose to stay stays, whatever the page shows next', async () => {
    const [page, context] = await open()
    await context.route('https://shop.example.com/**', (route) => route.fulfill({ body: 'the shop' }))
    let stamps = 0
    await context.route('**/pay/excess/return?**', async (route) => {
      // Seen as paid while its money was still followed, and then anew.
      const body = await (await route.fetch({ url: `${gallery.url}/pay/paid/return?lang=en` })).text()
      const open = body
        .replace(/ data-final(="[^"]*")?/, '')
        .replace(/data-stamp="[^"]*"/, `data-stamp="${(stamps += 1)}"`)
      await route.fulfill({
        body: open.replaceAll('/pay/paid', '/pay/excess'),
        contentType: 'text/html; charset=utf-8',
      })
    })
    await page.goto(`${gallery.url}/pay/excess/return?lang=en`)
    await page.clock.runFor(1000)
    await page.getByRole('button', { name: 'Stay on this page' }).click()
    await page.clock.runFor(20_000)
    await expect.poll(() => stamps).toBeGreaterThan(1)
    await page.clock.runFor(10_000)
    expect(page.url()).toContain('/pay/excess/return')
    await context.close()
  })

  test('on paper there is the receipt and nothing to press', async () => {
    const [page, context] = await open()
    await page.goto(address('paid-card', 'en'))
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByText('01932c07-4b5e-7c31-9d0a-6f2b8e4a1c55').isVisible()).toBe(true)
    expect(await page.getByText('Visa •••• 4242').isVisible()).toBe(true)
    expect(await page.locator('.button, button:visible, nav:visible').filter({ visible: true }).count()).toBe(0)
    await context.close()
  })
})

const SAYS = {
  en: (merchant: string) => [`Questions about this payment? Ask ${merchant}.`],
  fil: (merchant: string) => [`May tanong tungkol sa bayad na ito? Magtanong po sa ${merchant}.`],
}
/** Of no payment. */
const isPlain = (name: string) => name === 'not-found' || name === 'fault'

/** The words of the footer, and each number of a payment on the page. */
const WHOM_TO_ASK = `[...document.querySelectorAll('.help > p:first-child, .help code, .facts code')].map((each) => each.textContent)
  .toSorted((one, other) => Number(/^0/.test(one)) - Number(/^0/.test(other)))`

const HREFS = `[...document.querySelectorAll('.help a')].map((each) => each.getAttribute('href'))`
const coloursOf = (selector: string) =>
  `[getComputedStyle(document.querySelector('${selector}'))].map(({ backgroundColor, color }) => [backgroundColor, color])[0]`

/** Text that reaches over the edge of the screen, or of the box that it stands in. */
const OUTSIDE = `[...document.querySelectorAll('main *')]
  .filter((each) => !each.closest('.away, svg, .line, .skip'))
  .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0 || each.getBoundingClientRect().right > innerWidth + 0.5)
  .map((each) => each.tagName + '.' + each.className + ' ' + each.textContent.slice(0, 40))`

/** A logo that the browser could not read is as good as none. */
const UNSEEN_LOGOS = `[...document.querySelectorAll('.logo img')]
  .filter((each) => !(each.complete && each.naturalWidth > 0 && each.clientHeight > 15)).map((each) => each.outerHTML.slice(0, 80))`

/** Every disclosure at once: by itself only one is open. */
const OPEN_ALL = `document.querySelectorAll('details').forEach((each) => { each.removeAttribute('name'); each.open = true })`

const axeRun = (options: string) =>
  `axe.run(document, ${options}).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map((each) => each.html + ' ' + each.failureSummary) })))`

/** What another reader reads from the picture of a code, in a page that has jsQR. */
const codeIn = (base64: string) => `(async () => {
  const bytes = Uint8Array.from(atob('${base64}'), (each) => each.charCodeAt(0))
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
  const pen = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
  pen.drawImage(picture, 0, 0)
  const { data, width, height } = pen.getImageData(0, 0, picture.width, picture.height)
  return jsQR(data, width, height)?.data
})()`

/** What can be pressed and is lower than a finger's width. */
const SMALL = `[...document.querySelectorAll('a:not(.skip), button, summary, input[type=text]')]
  .map((each) => [each.textContent.trim(), each.getBoundingClientRect().height])
  .filter(([, height]) => height > 0 && height < 44)`
