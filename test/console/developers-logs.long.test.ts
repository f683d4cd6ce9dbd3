// Events and requests in the console: they come by themselves, hold still, are filtered, and one of them is looked into.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from '../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../rig/console/console-world.ts'
import { look } from '../rig/console/look.ts'

describe.skipIf(CHROMIUM === null)('logs', () => {
  let world: ConsoleWorld
  beforeAll(async () => {
    world = await openConsoleWorld()
  })
  afterAll(() => world.close())

  test('events come as they happen, hold still while they are paused, and one is looked into', async () => {
    const { caller } = world
    const first = await caller.issued()
    const page = await world.open(await world.person('developer'), '/developers/events')
    const table = page.getByRole('table', { name: 'Events' })
    await table.getByText('contract.issued').first().waitFor()
    await page.getByText('Live', { exact: true }).first().waitFor()
    await caller.pay(first.id)
    await table.getByText('contract.paid').first().waitFor({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Pause' }).click()
    // What came before it holds still is shown.
    await page.getByText('Paused', { exact: true }).first().waitFor()
    const shown = await table.locator('tbody tr').count()
    await caller.issued()
    await page.getByRole('button', { name: /new: show them/ }).waitFor({ timeout: 30_000 })
    expect(await table.locator('tbody tr').count()).toBe(shown)
    await page.getByRole('button', { name: /new: show them/ }).click()
    await expect.poll(() => table.locator('tbody tr').count(), { timeout: 30_000 }).toBeGreaterThan(shown)
    await table.getByText('contract.paid').first().click()
    await page.getByRole('link', { name: 'Open the transfer' }).waitFor()
    expect(await page.getByRole('link', { name: 'Open the transfer' }).getAttribute('href')).toContain(first.id)
    expect(await page.locator('pre.json').textContent()).toContain('"type": "contract.paid"')
    await look(page, 'events')
    await page.getByRole('button', { name: 'Send it to an endpoint' }).click()
    await page.getByText('There is no endpoint to send it to.').waitFor()
    await page.keyboard.press('Escape')
  })

  test('events are filtered by their kind; another account’s are not there', async () => {
    await world.other.issued()
    const theirs = await world.other.issued()
    const page = await world.open(await world.person('viewer'), '/developers/events?type=contract.issued')
    const table = page.getByRole('table', { name: 'Events' })
    await table.getByText('contract.issued').first().waitFor()
    expect(await table.getByText('contract.paid').count()).toBe(0)
    expect(await page.content()).not.toContain(theirs.id)
    await table.getByText('contract.issued').first().click()
    await page.getByRole('link', { name: 'Open the transfer' }).waitFor()
    // A viewer sends nothing again.
    expect(await page.getByRole('button', { name: 'Send it to an endpoint' }).count()).toBe(0)
    await page.goto(`${world.url}/console/developers/events?id=evt_${theirs.id.replaceAll('-', '')}0001`)
    await page.getByText('This event is not among those that you may see.').waitFor()
  })

  test('an account where nothing has happened is told how it will look', async () => {
    const quiet = await world.newCaller()
    const page = await world.open(await world.person('developer', quiet), '/developers/requests', { language: 'fil' })
    await page.getByText('Wala pang request').waitFor()
    await look(page, 'requests-empty-fil')
  })

  test('requests come as they are answered, errors by their code, each with what helps', async () => {
    const { caller } = world
    const page = await world.open(await world.person('developer'), '/developers/requests')
    const table = page.getByRole('table', { name: 'Requests' })
    await table.getByText('transfers.create').first().waitFor()
    const { id } = await caller.draft()
    await caller.ask('PUT', `/contracts/transfer/${id}/pay`)
    await caller.ask('POST', '/contracts/transfer', { body: { amont: 1 } })
    await table.getByText('contract_not_issued').first().waitFor({ timeout: 30_000 })
    const errors = page.getByRole('table', { name: 'Errors, by code' })
    await errors.getByText('unknown_parameter').waitFor({ timeout: 30_000 })
    await table.getByText('contract_not_issued').first().click()
    await page.getByText('Only an issued contract can be paid').last().waitFor()
    // What the console itself reads is not among them.
    expect(await table.getByText('sessions.current').count()).toBe(0)
    await look(page, 'requests')
    await errors.getByRole('button', { name: 'unknown_parameter' }).click()
    await expect.poll(() => table.getByText('contract_not_issued').count(), { timeout: 30_000 }).toBe(0)
    expect(new URL(page.url()).searchParams.get('code')).toBe('unknown_parameter')
    await page.getByRole('combobox', { name: 'Method' }).click()
    await page.getByRole('option', { name: 'DELETE' }).click()
    await page.getByText('No request fits').waitFor()
    await look(page, 'requests-none')
  })

  test('who may not read the audit list has no such screen, and the API refuses', async () => {
    const viewer = await world.person('viewer')
    const page = await world.open(viewer, '/developers/requests')
    await page.getByRole('heading', { name: 'There is no such screen' }).waitFor()
    const refused = await viewer.ask('GET', '/requests')
    expect([refused.status, refused.error.code]).toEqual([403, 'scope_missing'])
  })
})
