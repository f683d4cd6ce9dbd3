// What every screen is looked at for: axe in both themes, nothing that reaches beyond a phone's width, nothing that a name is
// missing of. With CONSOLE_PICTURES=<folder> it leaves a picture of each look there, for people.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { DESKTOP, PHONE } from './console-world.ts'

const PICTURES = process.env['CONSOLE_PICTURES'] ?? null

/** What of axe's rules the screen breaks, each with the element. */
const AXE = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 4).map((each) => each.html.slice(0, 200) + ' ' + each.failureSummary).join(' | ')))`
/** How far the page is wider than its window. */
const BEYOND = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
const QUIET_MS = 300

/** Looks at a screen that is there: light and dark, desktop and phone. Leaves it light, at its own size. */
export async function look(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() ?? DESKTOP
  for (const [viewport, at] of [[DESKTOP, 'desktop'] as const, [PHONE, 'phone'] as const]) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await settled(page)
      await picture(page, `${name}-${at}-${colorScheme}`)
      expect(await page.evaluate(AXE), `${name}, ${at}, ${colorScheme}`).toEqual([])
      expect(await page.evaluate(BEYOND), `${name}, ${at}: reaches beyond the window`).toBe(0)
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize(size)
}

/** Nothing loads any more. */
async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.locator('[role="status"][aria-label]').count()).toBe(0)
  await page.waitForTimeout(QUIET_MS)
}

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === null) return
  mkdirSync(PICTURES, { recursive: true })
  // A dialog covers the window, and not what is below it.
  const fullPage = (await page.getByRole('dialog').count()) === 0
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage })
}
