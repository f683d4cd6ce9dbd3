// Coming in by a company's own provider, in a real browser: who is refused sees why on the sign-in of the console, and no JSON.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newEmail } from '../../http/members/people.ts'
import { CHROMIUM } from '../../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../../rig/console/console-world.ts'
import { look } from '../../rig/console/look.ts'
import { type Answer, CLIENT, type OpenidProvider, startOpenidProvider } from '../../rig/members/openid-provider.ts'

const BUTTON = 'Sign in with your company’s account'

describe.skipIf(CHROMIUM === null)('the console and an OpenID provider', () => {
  let provider: OpenidProvider
  let world: ConsoleWorld
  beforeAll(async () => {
    provider = await startOpenidProvider()
    world = await openConsoleWorld({ oidc: { issuer: provider.issuer, ...CLIENT } })
  }, 300_000)
  afterAll(async () => {
    await world.close()
    await provider.stop()
  })

  /** Where the provider's own page is, somebody signs in at once. */
  const signsInAs = (page: Page, answer: Answer) =>
    page.route(`${provider.issuer}/authorize**`, (route) =>
      route.fulfill({ status: 302, headers: { location: provider.signIn(route.request().url(), answer).href } }),
    )

  test('who is refused reads why, in words, and comes in by another way', async () => {
    const page = await world.open(null, '/')
    await signsInAs(page, { email: newEmail() })
    await page.getByRole('button', { name: BUTTON }).click()
    await page.getByText('Your company’s account did not sign you in', { exact: false }).waitFor()
    await look(page, 'sign-in-refused')
    expect(new URL(page.url()).search).toBe('')
    const viewer = await world.person('viewer')
    await page.unroute(`${provider.issuer}/authorize**`)
    await signsInAs(page, { email: viewer.email })
    await page.getByRole('button', { name: BUTTON }).click()
    await page.getByRole('button', { name: `You: ${viewer.email}` }).waitFor()
  })

  test('what an address says that nobody knows is not repeated', async () => {
    const page = await world.open(null, '/?refused=Call+this+number')
    await page.getByText('cannot sign you in at the moment', { exact: false }).waitFor()
    expect(await page.getByText('Call this number').count()).toBe(0)
    await page.reload()
    await page.getByRole('button', { name: 'Continue' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
