// The sandbox in the console: an outage and an outcome are scripted, the clock is moved, books stand beside each other.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from '../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../rig/console/console-world.ts'
import { look } from '../rig/console/look.ts'

describe.skipIf(CHROMIUM === null)('the sandbox', () => {
  let world: ConsoleWorld
  beforeAll(async () => {
    world = await openConsoleWorld()
  })
  afterAll(() => world.close())

  test('a rail is taken out, and what is scripted is ended', async () => {
    const page = await world.open(await world.person('developer'), '/developers/sandbox')
    await page.getByRole('heading', { name: 'Its rails' }).waitFor()
    await page.getByText('No attempt yet').waitFor()
    await page.getByRole('button', { name: 'Take it out: instapay' }).click()
    await look(page, 'sandbox-outage')
    await page.getByRole('dialog').getByRole('button', { name: 'Take it out' }).click()
    await page.getByText('Out (503)').waitFor()
    await page.getByRole('button', { name: 'End all' }).click()
    await page.getByText('Those that other accounts scripted end, too.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'End all' }).click()
    await page.getByText('Nothing is scripted').waitFor()
  })

  test('an outcome is scripted and plays; the books say so on both sides', async () => {
    const { caller, other } = world
    const page = await world.open(await world.person('developer'), '/developers/sandbox')
    await page.getByRole('button', { name: 'Script an outcome' }).click()
    await page.getByLabel('Only to this account').fill('closed-today')
    await look(page, 'sandbox-script')
    await page.getByRole('dialog').getByRole('button', { name: 'Script an outcome' }).click()
    await page.getByText('closed-today').waitFor()
    const refused = await caller.paid({ recipient: { name: 'Ana Reyes', wallet: 'closed-today' } })
    expect(await world.settle(refused.id)).toBe('cancelled')
    const bounced = await caller.paid({ amount: 120.51 })
    const theirs = await other.paid()
    await page.reload()
    const orders = page.getByRole('table', { name: 'Its books beside ours' })
    await orders.getByText('account_closed').first().waitFor({ timeout: 30_000 })
    await page.getByText('Played: 1').waitFor()
    await page.getByLabel('Move it forwards by').fill('3600')
    await page.getByRole('button', { name: 'Move the clock' }).click()
    await page.getByText('3600 s', { exact: true }).waitFor()
    await expect.poll(async () => (await caller.get(bounced.id)).status, { timeout: 60_000 }).toBe('cancelled')
    await page.reload()
    await orders.getByText('went back').waitFor({ timeout: 30_000 })
    expect(await page.content()).not.toContain(theirs.id)
    await look(page, 'sandbox')
  })

  test('in Filipino, and of payments', async () => {
    const page = await world.open(await world.person('owner'), '/developers/sandbox', { language: 'fil' })
    await page.getByText('Mga bayad').click()
    await page.getByText('Declined when it is paid.').waitFor()
    await look(page, 'sandbox-fil')
  })

  test('where the gateway runs none, the screen says so', async () => {
    const page = await world.open(null, '/')
    const [name = '', value = ''] = (await world.person('developer')).cookie.split('=')
    await page.context().addCookies([{ name, value, url: world.url, httpOnly: true, sameSite: 'Strict' }])
    const error = { type: 'not_found_error', code: 'route_not_found', param: null, message: 'No operation.' }
    await page.route(`${world.url}/sandbox`, (route) => route.fulfill({ status: 404, json: { error } }))
    await page.goto(`${world.url}/console/developers/sandbox`)
    await page.getByText('This gateway runs no sandbox').waitFor()
    await look(page, 'sandbox-absent')
  })

  test('a viewer has no such screen, a live account neither, and the API refuses both', async () => {
    const live = await world.newCaller({ livemode: true })
    const viewer = await world.person('viewer')
    const liveOwner = await world.person('owner', live)
    for (const [who, code] of [[viewer, 'scope_missing'] as const, [liveOwner, 'test_account_required'] as const]) {
      const page = await world.open(who, '/developers/sandbox')
      await page.getByRole('heading', { name: 'There is no such screen' }).waitFor()
      const refused = await who.ask('POST', '/sandbox/clock', { body: { advance_seconds: 1 } })
      expect([refused.status, refused.error.code]).toEqual([403, code])
    }
  })
})
