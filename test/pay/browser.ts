// A real browser for the payment page, and the page's scripts as they are now. Where there is no Chromium the tests that
// need one are left out, with a line that says so.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const PLACES = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Where the browser is, or null. */
export const CHROMIUM = PLACES.find((path) => path !== undefined && path !== '' && existsSync(path)) ?? null

if (CHROMIUM === null)
  console.warn('SKIPPED: no Chromium at CHROMIUM_PATH or /usr/bin/chromium, so no page is tried in a browser')

export function launch(): Promise<Browser> {
  if (CHROMIUM === null) throw new Error('there is no browser')
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  })
}

/** Compiles pay/ where its sources are newer than the build. */
export function buildScripts(): void {
  const newest = (folder: string) =>
    existsSync(folder) ? Math.max(...readdirSync(folder).map((name) => statSync(join(folder, name)).mtimeMs)) : 0
  if (newest('pay/src') > newest('dist/pay/src')) execFileSync('node_modules/.bin/tsc', ['-p', 'pay/tsconfig.json'])
}
