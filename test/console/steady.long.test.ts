// Screens stand still while they load: what is shown first is not pushed away by what comes (Web Vitals, Cumulative Layout Shift).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from '../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld, PHONE } from '../rig/console/console-world.ts'

/** What Web Vitals calls good. */
const SHIFT_MAX = 0.1
/** How much has moved so far, by nobody's doing. */
const SHIFTED = `new Promise((resolve) => {
  let sum = 0
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) sum += each.value
  }).observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => resolve(sum), 500)
})`

describe.skipIf(CHROMIUM === null)('screens while they load', () => {
  let world: ConsoleWorld
  let transfer = ''
  beforeAll(async () => {
    world = await openConsoleWorld()
    for (let each = 0; each < 12; each += 1) transfer = (await world.caller.paid({ amount: 100 + each })).id
    await world.settle(transfer)
  }, 300_000)
  afterAll(() => world.close())

  const screens = [
    '/',
    '/transfers',
    '/transfers/{id}',
    '/payments',
    '/wallets',
    '/profiles',
    '/developers/events',
    '/audit',
  ]

  test.each(screens)('%s stands still', async (path) => {
    const owner = await world.person('owner')
    for (const viewport of [undefined, PHONE]) {
      const page = await world.open(owner, path.replace('{id}', transfer), viewport ? { viewport } : {})
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expect.poll(() => page.locator('[role="status"][aria-label]').count()).toBe(0)
      expect(await page.evaluate(SHIFTED), viewport ? 'phone' : 'desktop').toBeLessThan(SHIFT_MAX)
      await page.close()
    }
  })
})
