// The docs site in a real browser: what a page weighs, that axe finds nothing, that nothing comes from another host, that the
// search finds operations, and that the form sends them with keys of test mode alone.
import axe from 'axe-core'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, launch } from '../pay/browser.ts'
import { builtSite } from '../docs/built-site.ts'
import { openWorld, type World } from '../world.ts'

const SOON = { timeout: 60_000 }
const PAGE_BYTES_MAX = 150_000
const OPERATION = '/docs/reference/transfers-create'
const EVENT = '/docs/reference/event-contract-paid'
/** One of each kind of page. */
const KINDS = ['/docs/', '/docs/quick-start', '/docs/errors', '/docs/reference/', OPERATION, EVENT, '/docs/adr/']
const AXE = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map((each) => each.html).join(' ')))`

describe.skipIf(CHROMIUM === null)('the docs site', () => {
  let world: World
  let url: string
  let browser: Browser
  beforeAll(async () => {
    builtSite()
    world = await openWorld({ workers: 'resting' })
    url = await world.listen()
    browser = await launch()
  }, 600_000)
  afterAll(async () => {
    await browser.close()
    await world.stop()
  })

  /** A page that is loaded and drawn; what went wrong on it, and what it asked of others. */
  async function opened(path: string, look: BrowserContextOptions = {}) {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...look })
    await context.addInitScript(axe.source)
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (fault) => faults.push(fault.message))
    page.on('console', (line) => line.type() === 'error' && faults.push(line.text()))
    page.on('request', (request) => {
      if (!request.url().startsWith(`${url}/`) && !/^(data|blob):/.test(request.url())) faults.push(request.url())
    })
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    let bytes = 0
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
    await page.goto(`${url}${path}`, { waitUntil: 'networkidle', timeout: 60_000 })
    return { context, page, faults, bytes: () => bytes }
  }

  test('the page of one operation weighs little, nothing is from elsewhere, and its samples name this gateway', async () => {
    const { context, page, faults, bytes } = await opened(OPERATION)
    expect(bytes()).toBeGreaterThan(20_000)
    expect(bytes()).toBeLessThanOrEqual(PAGE_BYTES_MAX)
    expect(await page.locator('.vp-doc pre').first().innerText()).toContain(`"${url}/contracts/transfer"`)
    expect(faults).toEqual([])
    await context.close()
  })

  test('samples are in the language that was chosen last, on the next page, too', { timeout: 180_000 }, async () => {
    const { context, page } = await opened(OPERATION)
    const shown = page.locator('.vp-code-group div[class*="language-"].active')
    expect(await shown.innerText()).toContain('curl ')
    await page.locator('.vp-code-group label', { hasText: 'TypeScript' }).click(SOON)
    await shown.getByText('gateway.transfers').waitFor(SOON)
    expect(await shown.innerText()).toContain(`url: '${url}'`)
    await page.goto(`${url}/docs/reference/payments-create`, { waitUntil: 'networkidle', timeout: 60_000 })
    await shown.getByText('gateway.payments').waitFor(SOON)
    await context.close()
  })

  test.each(KINDS)('axe finds nothing on %s, light and dark, wide and narrow', { timeout: 240_000 }, async (path) => {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1280, 320]) {
        const { context, page, faults } = await opened(path, { colorScheme, viewport: { width, height: 900 } })
        expect(await page.evaluate(AXE), `${path} ${colorScheme} ${width}`).toEqual([])
        expect(faults).toEqual([])
        await context.close()
      }
  })

  test('the search finds an operation', { timeout: 180_000 }, async () => {
    const { context, page } = await opened('/docs/')
    await page.keyboard.press('Control+k')
    await page.locator('input[type=search], .search-input').first().fill('refund a payment', SOON)
    await page.locator('.VPLocalSearchBox a[href*="/reference/payments-refund"]').first().click(SOON)
    await page.waitForURL(/\/reference\/payments-refund/, SOON)
    await page
      .locator('h1', { hasText: /refund/i })
      .first()
      .waitFor(SOON)
    await context.close()
  })

  test('an operation is tried with a key of test mode, and with no other', { timeout: 180_000 }, async () => {
    const { context, page } = await opened('/docs/reference/channels-list')
    const form = page.locator('.try-it')
    await form.locator('summary').click(SOON)
    const sent: string[] = []
    page.on('request', (request) => sent.push(new URL(request.url()).pathname))
    await form.locator('input[type=password]').fill('gck_live_0000000000_x')
    await form.getByRole('button', { name: 'Send GET' }).click(SOON)
    await form.getByRole('alert').getByText('gck_test_').waitFor(SOON)
    expect(sent).toEqual([])
    await form.locator('input[type=password]').fill(world.caller.apiKey)
    await form.getByRole('button', { name: 'Send GET' }).click(SOON)
    await form.locator('.status', { hasText: '200' }).waitFor(SOON)
    expect(sent).toContain('/channels')
    expect(await form.innerText()).not.toContain(world.caller.apiKey)
    await context.close()
  })
})
