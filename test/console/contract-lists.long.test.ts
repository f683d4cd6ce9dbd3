// The lists of transfers and payments: filters in the URL, saved filters, columns, pages, an export, news that do not jump, keys.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from '../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../rig/console/console-world.ts'
import { look } from '../rig/console/look.ts'

const rows = (page: Page, count: number) =>
  expect.poll(() => page.locator('tbody tr').count(), { timeout: 30_000 }).toBe(count)

describe.skipIf(CHROMIUM === null)('lists of contracts', () => {
  let world: ConsoleWorld
  beforeAll(async () => {
    world = await openConsoleWorld()
    for (let i = 0; i < 30; i++)
      await world.caller.draft({ amount: i + 1, deliverable: { reference_id: `order ${i % 3}` } })
    await world.other.draft({ amount: 777_777 })
  }, 300_000)
  afterAll(() => world.close())

  test('transfers: nothing of the other account, filters in the URL, kept under a name, and away again', async () => {
    const page = await world.open(await world.person('operator'), '/transfers')
    await page.getByRole('table').waitFor()
    expect(await page.locator('tbody tr').count()).toBe(25)
    expect(await page.getByText('777,777').count()).toBe(0)
    await look(page, 'transfers')
    await page.getByLabel('Reference').fill('order 1')
    await page.keyboard.press('Enter')
    await page.waitForURL(/reference_id=order/)
    await rows(page, 10)
    await page.getByRole('button', { name: 'More filters' }).click()
    await look(page, 'transfers-filters')
    await page.getByRole('button', { name: 'Saved filters' }).click()
    await page.getByRole('menuitem', { name: 'Save these filters' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Second orders')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Clear filters' }).last().click()
    await rows(page, 25)
    await page.reload()
    await page.getByRole('button', { name: 'Saved filters' }).click()
    await page.getByRole('menuitem', { name: 'Second orders', exact: true }).click()
    await page.waitForURL(/reference_id=order/)
    await rows(page, 10)
  })

  test('pages go on and back, columns are chosen, and a row opens by keys', async () => {
    const page = await world.open(await world.person('operator'), '/transfers')
    await page.getByRole('table').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.waitForURL(/after=/)
    await rows(page, 5)
    await page.getByRole('button', { name: 'Previous' }).click()
    await rows(page, 25)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByLabel('Account').check()
    await page.getByRole('columnheader', { name: 'Account' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/transfers\/[0-9a-f-]{36}/)
  })

  test('the export holds everything that the filters fit', async () => {
    const page = await world.open(await world.person('operator'), '/transfers?reference_id=order 1')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    await look(page, 'transfers-export')
    const downloads = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Start' }).click()
    const lines = readFileSync(await (await downloads).path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines[0]).toMatch(/id,status,amount,currency/)
    expect(lines).toHaveLength(11)
    expect(lines.slice(1).every((line) => line.includes('order 1'))).toBe(true)
  })

  test('what is new waits until it is asked for; nothing jumps', async () => {
    const page = await world.open(await world.person('operator'), '/transfers')
    await page.getByRole('table').waitFor()
    // Its id: how long ago it was made goes on.
    const first = async () => (await page.locator('tbody tr').first().textContent())?.slice(-6)
    const before = await first()
    const made = await world.caller.issued({ amount: 4242 })
    await page.getByText('1 new').waitFor({ timeout: 30_000 })
    expect(await first()).toBe(before)
    await look(page, 'transfers-news')
    await page.getByRole('button', { name: 'Show the list as it is' }).click()
    await page.getByText('₱4,242.00').waitFor()
    expect(await first()).toBe(made.id.slice(-6))
  })

  test('what a filter no longer fits stays in its place as past, and goes when the list is asked for', async () => {
    const { id } = await world.caller.issued({ amount: 5151 })
    const page = await world.open(await world.person('operator'), '/transfers?status=issued')
    const row = page.locator('tbody tr').filter({ hasText: '₱5,151.00' })
    await row.waitFor()
    expect(await row.getAttribute('class')).not.toContain('past')
    await world.caller.pay(id)
    await expect.poll(() => row.getAttribute('class'), { timeout: 30_000 }).toContain('past')
    await page.getByText('1 no longer in this list').waitFor()
    await look(page, 'transfers-past')
    await page.getByRole('button', { name: 'Show the list as it is' }).click()
    await expect.poll(() => row.count()).toBe(0)
  })

  test('days are those of the reader’s clock, by which the list shows its times', async () => {
    const page = await world.open(await world.person('operator'), '/transfers')
    await page.getByRole('table').waitFor()
    await page.getByRole('button', { name: 'More filters' }).click()
    await page.getByLabel('Created from').fill('2026-01-01')
    await page.waitForURL(/created_from=2026-01-01/)
    const asked = page.waitForRequest((request) => request.url().includes('created_to='))
    await page.getByLabel('Created to').fill('2026-01-01')
    const { searchParams } = new URL((await asked).url())
    expect(searchParams.get('created_from')).toBe('2025-12-31T16:00:00.000Z')
    expect(searchParams.get('created_to')).toBe('2026-01-01T15:59:59.999Z')
  })

  test('payments: an empty list says what to do, to who may; a viewer has no button, and the API refuses', async () => {
    const page = await world.open(await world.person('operator'), '/payments')
    await page.getByText('No payments yet').waitFor()
    await look(page, 'payments-none')
    expect(await page.getByRole('link', { name: 'New payment' }).count()).toBe(2)
    const viewer = await world.person('viewer')
    const seen = await world.open(viewer, '/payments', { language: 'fil' })
    await seen.getByText('Wala pang singil').waitFor()
    expect(await seen.getByRole('link', { name: 'Bagong singil' }).count()).toBe(0)
    const refused = await viewer.ask('POST', '/contracts/payment', { body: { amount: 1, currency: 'PHP' } })
    expect(refused.error.code).toBe('scope_missing')
    await world.caller.ask('POST', '/contracts/payment', { body: { amount: 1500, currency: 'PHP' } })
    await seen.getByText('₱1,500.00').waitFor({ timeout: 30_000 })
    await look(seen, 'payments-fil')
  })
})
