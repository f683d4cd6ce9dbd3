// What stories of the console share: a gateway on a port of its own, people in roles, and a browser in which each is signed in.
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Role } from '../../../src/domain/account/roles.ts'
import type { Config } from '../../../src/main/config/config.ts'
import { joined, type Person } from '../../http/members/people.ts'
import { launch } from '../../pay/browser.ts'
import { type Caller, openWorld, type World } from '../../world.ts'
import { freePort } from '../gateway-child.ts'
import { builtConsole } from './built-console.ts'

export const DESKTOP = { width: 1280, height: 860 }
export const PHONE = { width: 390, height: 844 }

export type View = {
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly language?: 'en' | 'fil'
  readonly scheme?: 'light' | 'dark'
}

export type ConsoleWorld = World & {
  readonly url: string
  readonly browser: Browser
  /** Somebody of the first account, or of the other. */
  readonly person: (role: Role, account?: Caller) => Promise<Person>
  /** A browser of its own in which the person is signed in; in which nobody is, for null. Faults of its pages are thrown at the end. */
  readonly open: (person: Person | null, path: string, view?: View) => Promise<Page>
  readonly close: () => Promise<void>
}

/** Faults that a page itself reports; none is ever right. */
const faults: string[] = []

/** `host`: what the browser calls this machine. */
export async function openConsoleWorld(
  config: Partial<Config> = {},
  host = '127.0.0.1',
  workers: 'running' | 'resting' = 'running',
): Promise<ConsoleWorld> {
  builtConsole()
  const port = await freePort()
  const url = `http://${host}:${port}`
  const world = await openWorld({ config: { publicUrl: url, ...config }, workers })
  await world.gateway.app.listen({ host: '127.0.0.1', port })
  const browser = await launch()
  const contexts: BrowserContext[] = []
  return {
    ...world,
    url,
    browser,
    person: (role, account = world.caller) => joined(world, account, role),
    open: async (person, path, view = {}) => {
      const context = await contextFor(browser, url, person, view)
      contexts.push(context)
      const page = await context.newPage()
      page.on('pageerror', (fault) => faults.push(`${path}: ${fault.message}`))
      page.on('console', (said) => {
        // A refusal is answered with 4xx, which the browser notes, too.
        if (said.type() === 'error' && !said.text().startsWith('Failed to load resource'))
          faults.push(`${path}: ${said.text()}`)
      })
      await page.goto(`${url}/console${path}`)
      return page
    },
    close: async () => {
      for (const context of contexts) await context.close()
      await browser.close()
      await world.stop()
      const found = faults.splice(0)
      if (found.length > 0) throw new Error(`the console's pages broke: ${found.join('; ')}`)
    },
  }
}

async function contextFor(browser: Browser, url: string, person: Person | null, view: View): Promise<BrowserContext> {
  const { viewport = DESKTOP, language = 'en', scheme = 'light' } = view
  const context = await browser.newContext({
    viewport,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale: language === 'fil' ? 'fil-PH' : 'en-PH',
    timezoneId: 'Asia/Manila',
    permissions: ['clipboard-read', 'clipboard-write'],
    hasTouch: viewport.width < 600,
  })
  await context.addInitScript(axe.source)
  if (person === null) return context
  const [name = '', value = ''] = person.cookie.split('=')
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }])
  return context
}
