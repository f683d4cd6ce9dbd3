// A passkey in a real browser, with an authenticator that the browser itself plays: made on one's own page, signed in with, removed.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from '../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../rig/console/console-world.ts'
import { look } from '../rig/console/look.ts'

/** One that is built in, knows its person, and says yes. */
async function authenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

describe.skipIf(CHROMIUM === null)('passkeys', () => {
  let world: ConsoleWorld
  beforeAll(async () => {
    // Browsers bind passkeys to a name, and take no address for one.
    world = await openConsoleWorld({}, 'localhost')
  }, 300_000)
  afterAll(() => world.close())

  test('one is made, signs its person in without a password, and is removed', async () => {
    const owner = await world.person('owner')
    const page = await world.open(owner, '/you')
    await authenticator(page)
    await page.getByLabel('What it is called here').fill('This laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Your present password').fill(owner.password)
    await page.getByRole('dialog').getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('cell', { name: 'This laptop' }).waitFor()
    await look(page, 'you-passkey')
    await page.getByRole('button', { name: `You: ${owner.email}` }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('button', { name: `You: ${owner.email}` }).waitFor()
    await page.goto(`${world.url}/console/you`)
    await page.getByRole('row').filter({ hasText: 'This laptop' }).getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No passkey yet').waitFor()
    expect(await page.getByRole('cell', { name: 'This laptop' }).count()).toBe(0)
  })
})
