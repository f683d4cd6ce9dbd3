// Schedules in the console: made with the next five runs as the gateway tells them, changed, paused, resumed, run and ended; who may
// not pay sees no way to make one, and nobody sees another account's.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../http/members/people.ts'
import { makeDue, RENT, schedulesOf } from '../../http/schedules/schedule-stage.ts'
import { CHROMIUM } from '../../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../../rig/console/console-world.ts'
import { look } from '../../rig/console/look.ts'

const WAIT = { timeout: 60_000 }
const dialog = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const nextRuns = (page: Page) => page.getByRole('list', { name: 'Next runs' }).getByRole('listitem')

describe.skipIf(CHROMIUM === null)('schedules in the console', () => {
  let world: ConsoleWorld
  let owner: Person
  beforeAll(async () => {
    world = await openConsoleWorld()
    owner = await world.person('owner')
  })
  afterAll(() => world.close())

  test('begin empty; one is made, and its next five runs are shown while the rule is chosen', async () => {
    const page = await world.open(owner, '/schedules')
    await page.getByText('No schedule yet').waitFor()
    await look(page, 'schedules-none')
    await page.getByRole('link', { name: 'New schedule' }).first().click()
    await page.getByLabel('What you call it').fill('Rent')
    await page.getByLabel('Amount').fill('25000')
    await page
      .getByRole('radio', { name: /^Sandbox/ })
      .first()
      .check()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ana Cruz')
    await page.getByLabel('Account').fill('000123456789')
    await expect.poll(() => nextRuns(page).count(), WAIT).toBe(5)
    await page.getByText('Every month on day 31, or the last day of a shorter one', { exact: false }).waitFor()
    await page.getByRole('textbox', { name: 'Day of the month' }).fill('32')
    await page.locator('[aria-invalid="true"][inputmode="numeric"]').waitFor()
    await page.getByRole('textbox', { name: 'Day of the month' }).fill('15')
    await page.getByText('Every month on day 15', { exact: false }).waitFor()
    await look(page, 'schedule-new')
    await page.getByLabel('How often').selectOption('week')
    await page.getByText('Every week on Friday', { exact: false }).waitFor()
    await page.getByText('Monday', { exact: true }).click()
    await page.getByText('Every week on Monday and Friday', { exact: false }).waitFor()
    await look(page, 'schedule-week')
    await button(page, 'Make schedule').click()
    await dialog(page).getByText('Each run pays ₱25,000.00 to Ana Cruz', { exact: false }).waitFor()
    await look(page, 'schedule-asked')
    await dialog(page).getByRole('button', { name: 'Make schedule' }).click()
    await page.waitForURL(/\/schedules\/[0-9a-f-]{36}$/, WAIT)
    await page.getByText('It has not run yet').waitFor()
    await look(page, 'schedule')
  })

  test('is changed, paused and resumed, and ended for good', async () => {
    const { id } = await schedulesOf(world.caller).make({ ...RENT, name: 'Lease' })
    const page = await world.open(owner, `/schedules/${id}`)
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Amount').fill('321.50')
    await expect.poll(() => nextRuns(page).count(), WAIT).toBe(5)
    await button(page, 'Change schedule').click()
    await dialog(page).getByRole('button', { name: 'Change schedule' }).click()
    await page.waitForURL(/\/schedules\/[0-9a-f-]{36}$/, WAIT)
    const what = page.getByRole('region', { name: 'What it pays', exact: true })
    await what.getByText('₱321.50').waitFor(WAIT)
    await button(page, 'Pause').click()
    await dialog(page).getByRole('button', { name: 'Pause schedule' }).click()
    await button(page, 'Resume').click(WAIT)
    await dialog(page).getByText('pays ₱321.50', { exact: false }).waitFor()
    await dialog(page).getByRole('button', { name: 'Resume schedule' }).click()
    await button(page, 'Pause').waitFor()
    await button(page, 'End').click()
    await dialog(page).getByRole('button', { name: 'End schedule' }).click()
    await page.getByText('Ended', { exact: true }).first().waitFor()
    expect(await button(page, 'Pause').count()).toBe(0)
  })

  test('what somebody else changed while it was edited is not undone: the change is refused', async () => {
    const schedules = schedulesOf(world.caller)
    const { id } = await schedules.make({ ...RENT, name: 'Two at once' })
    const page = await world.open(owner, `/schedules/${id}/edit`)
    await page.getByLabel('What you call it').fill('Two at the same time')
    const reread = page.waitForResponse((reply) => reply.url().endsWith(`/schedules/${id}`) && reply.ok(), WAIT)
    const { version } = await schedules.patch(id, { template: { recipient: { wallet: '000999888777' } } })
    await reread
    await button(page, 'Change schedule').click(WAIT)
    await dialog(page).getByRole('button', { name: 'Change schedule' }).click()
    await dialog(page).getByText('precondition_failed', { exact: false }).waitFor(WAIT)
    const { version: after, name, template } = await schedules.get(id)
    expect([after, name, template]).toMatchObject([version, 'Two at once', { recipient: { wallet: '000999888777' } }])
  })

  test('an end that is not filled, or is no number, is not taken for none', async () => {
    const page = await world.open(owner, '/schedules/new')
    const isWrong = (label: string) =>
      expect.poll(() => page.getByLabel(label, { exact: true }).getAttribute('aria-invalid'), WAIT)
    await page.getByLabel('It ends').selectOption('until')
    await isWrong('Until, on your clock').toBe('true')
    await page.getByLabel('It ends').selectOption('count')
    await page.getByLabel('Runs', { exact: true }).fill('12 x')
    await isWrong('Runs').toBe('true')
    await page.getByLabel('Runs', { exact: true }).fill('12')
    await isWrong('Runs').not.toBe('true')
    await page.getByLabel('Every how many').fill('2nd')
    await isWrong('Every how many').toBe('true')
  })

  test('a run is told with what came of it, and leads to its transfer', async () => {
    const { id } = await schedulesOf(world.caller).make({ ...RENT, name: 'Due now' })
    const page = await world.open(owner, `/schedules/${id}`)
    await page.getByText('It has not run yet').waitFor()
    const before = await world.caller.balance('PHP')
    await makeDue(world, id)
    await page.getByRole('table', { name: 'Runs' }).getByText('Paid').waitFor(WAIT)
    expect(await world.caller.balance('PHP')).toBe(before - 110.5)
    await look(page, 'schedule-ran')
    await page.getByRole('link', { name: 'Open', exact: true }).click()
    await page.waitForURL(/\/transfers\/[0-9a-f-]{36}$/)
    await page.goto(`${world.url}/console/schedules`)
    await page.getByRole('link', { name: 'Due now' }).waitFor()
    await look(page, 'schedules')
  })

  test('a viewer sees no way to make or change one, in their language; nobody sees those of another account', async () => {
    const { id } = await schedulesOf(world.caller).make({ ...RENT, name: 'Seen' })
    const viewer = await world.person('viewer')
    const page = await world.open(viewer, `/schedules/${id}`, { language: 'fil' })
    await page.getByRole('heading', { name: 'Mga takbo' }).waitFor()
    for (const name of ['Ihinto muna', 'Tapusin']) expect(await button(page, name).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Baguhin' }).count()).toBe(0)
    await look(page, 'schedule-fil')
    await page.goto(`${world.url}/console/schedules/new`)
    await page.getByText('Hindi ka puwedeng gumawa ng iskedyul').waitFor()
    expect((await viewer.ask('PUT', `/schedules/${id}/pause`)).error.code).toBe('scope_missing')
    const other = await schedulesOf(world.other).make(RENT)
    const strange = await world.open(owner, `/schedules/${other.id}`)
    await strange.getByRole('alert').waitFor()
    expect(await strange.getByRole('alert').textContent()).toContain('schedule_not_found')
  })
})
