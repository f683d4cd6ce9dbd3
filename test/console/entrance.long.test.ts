// How somebody comes into the console: signed in by password and code, refused, invited, out again; and what the frame does for
// everybody.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { totpAt } from '../../src/platform/totp.ts'
import { invitation, newEmail, PASSWORD, type Person } from '../http/members/people.ts'
import { CHROMIUM } from '../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../rig/console/console-world.ts'
import { look } from '../rig/console/look.ts'

describe.skipIf(CHROMIUM === null)('the console', () => {
  let world: ConsoleWorld
  beforeAll(async () => {
    world = await openConsoleWorld()
  })
  afterAll(() => world.close())

  test('signs in by password and code, says what is wrong, and signs out', async () => {
    const owner = await world.person('owner')
    const page = await world.open(null, '/')
    await page.getByRole('button', { name: 'Continue' }).waitFor()
    await look(page, 'sign-in')
    await page.getByLabel('E-mail address').fill(owner.email)
    await page.locator('input[type=password]').fill('not the right words at all')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('sign_in_failed')
    await page.locator('input[type=password]').fill(owner.password)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Code').fill(owner.recoveryCodes.pop() ?? '')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('navigation').waitFor()
    await page.getByRole('button', { name: `You: ${owner.email}` }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Continue' }).waitFor()
  })

  test('a session that could not be ended says so, shows nothing more, and is ended when it can be', async () => {
    const owner = await world.person('owner')
    const page = await world.open(owner, '/you')
    await page.getByText('contracts:read').waitFor()
    let isAway = true
    await page.route('**/sessions/current', (route) =>
      route.request().method() === 'DELETE' && isAway
        ? route.fulfill({ status: 403, json: { error: { code: 'scope_missing', message: 'Not now.' } } })
        : route.continue(),
    )
    await page.getByRole('button', { name: `You: ${owner.email}` }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByText('You are still signed in').waitFor()
    await page.getByText('Not now.').waitFor()
    expect(await page.getByText('contracts:read').count()).toBe(0)
    expect(await page.getByRole('navigation').count()).toBe(0)
    await look(page, 'not-signed-out')
    isAway = false
    await page.getByRole('alert').getByRole('button').first().click()
    await page.getByRole('button', { name: 'Continue' }).waitFor()
  })

  test('an invited person comes in by the link, and keeps the recovery codes', async () => {
    const email = newEmail()
    const token = await invitation(world, world.caller, 'viewer', email)
    const page = await world.open(null, `/invitations/${token}`)
    await page.getByLabel('Your name').fill('Ben Reyes')
    await look(page, 'invitation')
    await page.locator('input[type=password]').fill(PASSWORD)
    await page.getByRole('button', { name: 'Accept' }).click()
    const secret = await secretOn(page)
    await look(page, 'second-factor')
    await page.getByLabel('Code').fill(totpAt(secret, Date.now()))
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('button', { name: 'I have kept them' }).waitFor()
    expect(await page.locator('code.id').count()).toBe(10)
    await look(page, 'recovery-codes')
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('button', { name: `You: ${email}` }).waitFor()
  })

  test('who lost the answer, or left the page before the code, comes in by the same link', async () => {
    const email = newEmail()
    const token = await invitation(world, world.caller, 'viewer', email)
    const page = await world.open(null, `/invitations/${token}`)
    // The gateway answers, and the network loses it.
    await page.route('**/accept', async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.getByLabel('Your name').fill('Ben Reyes')
    await page.locator('input[type=password]').fill('the words of a first start')
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('alert').waitFor()
    await page.unroute('**/accept')
    await page.getByRole('button', { name: 'Accept' }).click()
    const first = await secretOn(page)
    const elsewhere = await world.open(null, `/invitations/${token}`)

    await page.reload()
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ben Reyes')
    await page.locator('input[type=password]').fill(PASSWORD)
    await page.getByRole('button', { name: 'Accept' }).click()
    const second = await secretOn(page)
    expect(second).not.toBe(first)

    await elsewhere.locator('input[type=password]').fill(PASSWORD)
    await elsewhere.getByRole('button', { name: 'Accept' }).click()
    await secretOn(elsewhere)
    await page.getByLabel('Code').fill(totpAt(second, Date.now()))
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('The invitation was begun anew since', { exact: false }).waitFor()
    await look(page, 'second-factor-over')
    await page.getByRole('button', { name: 'Begin anew' }).click()

    await page.locator('input[type=password]').fill(PASSWORD)
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByLabel('Code').fill(totpAt(await secretOn(page), Date.now()))
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('button', { name: `You: ${email}` }).waitFor()

    await elsewhere.reload()
    await elsewhere.getByText('The invitation was used, replaced or has expired', { exact: false }).waitFor()
    await elsewhere.getByRole('link', { name: 'Joined already? Sign in' }).click()
    await elsewhere.getByRole('button', { name: 'Continue' }).waitFor()
  })

  test('one’s own page shows what the role may, and ends another session', async () => {
    const viewer = await world.person('viewer')
    const page = await world.open(viewer, '/you')
    await page.getByText('contracts:read').waitFor()
    expect(await page.getByText('transfers:pay').count()).toBe(0)
    await look(page, 'you')
    await page.getByRole('button', { name: 'Change password' }).click()
    await look(page, 'you-password')
  })

  test('speaks Filipino to whoever’s browser does, and by choice', async () => {
    const page = await world.open(null, '/', { language: 'fil' })
    await page.getByRole('button', { name: 'Magpatuloy' }).waitFor()
    await look(page, 'sign-in-fil')
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('button', { name: 'Continue' }).waitFor()
  })

  test('is driven by keys: search, where to go, help', async () => {
    const owner = await world.person('owner')
    const page = await world.open(owner, '/you')
    await page.getByText('contracts:read').waitFor()
    await page.keyboard.press('/')
    await page.getByRole('combobox').waitFor()
    await look(page, 'palette')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await look(page, 'keyboard')
  })

  test('a session that has ended leads to the sign-in', async () => {
    const owner = await world.person('owner')
    const page = await world.open(owner, '/you')
    await page.getByText('contracts:read').waitFor()
    await owner.ask('DELETE', '/sessions/current')
    await page.reload()
    await page.getByRole('button', { name: 'Continue' }).waitFor()
  })

  test('a session that ends while a form is filled takes nothing of it; another member sees nothing of it', async () => {
    const owner = await world.person('owner')
    const page = await world.open(owner, '/transfers/new')
    await page.getByText('every channel is priced here').waitFor()
    await page.getByLabel('Amount').fill('100')
    await page.getByLabel('Your reference').fill('half a form')
    await owner.ask('DELETE', '/sessions/current')
    // The next price that is asked for is refused.
    await page.getByLabel('Amount').fill('120')
    await page.getByText('Your session has ended').waitFor()
    await look(page, 'session-ended')
    const isCovered = `document.elementFromPoint(innerWidth / 2, 10).closest('dialog.ended') !== null`
    expect(await page.evaluate(isCovered)).toBe(true)
    for (let n = 0; n < 3; n++) await page.keyboard.press('Escape')
    expect(await page.evaluate(isCovered)).toBe(true)

    await signIn(page, owner)
    await page.getByText('Your session has ended').waitFor({ state: 'detached' })
    expect(await page.getByLabel('Amount').inputValue()).toBe('120')
    expect(await page.getByLabel('Your reference').inputValue()).toBe('half a form')
    await page.getByRole('radio', { name: /Sandbox/ }).waitFor()

    expect(await page.evaluate(`fetch('/sessions/current', { method: 'DELETE' }).then((reply) => reply.status)`)).toBe(
      200,
    )
    await page.getByLabel('Amount').fill('130')
    await page.getByText('Your session has ended').waitFor()
    await signIn(page, await world.person('viewer'))
    await page.getByText('Your session has ended').waitFor({ state: 'detached' })
    expect(await page.getByText('half a form').count()).toBe(0)
    await page.getByLabel('Your reference').waitFor()
    expect(await page.getByLabel('Your reference').inputValue()).toBe('')
    expect(await page.getByLabel('Amount').inputValue()).toBe('')
  })
})

/** Of the authenticator that is to be enrolled. */
const secretOn = async (page: Page) => (await page.locator('code.id').first().textContent())?.trim() ?? ''

async function signIn(page: Page, { email, password, recoveryCodes }: Person): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.locator('input[type=password]').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Code').fill(recoveryCodes.pop() ?? '')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
