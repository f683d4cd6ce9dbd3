// Wallets in the console: what is in them and was, what moved them, topped up, moved, named and closed by who may; statements.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asks } from '../http/approvals/policies.ts'
import { CHROMIUM } from '../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../rig/console/console-world.ts'
import { look } from '../rig/console/look.ts'

describe.skipIf(CHROMIUM === null)('wallets', () => {
  let world: ConsoleWorld
  let php = ''
  let payroll = ''
  beforeAll(async () => {
    world = await openConsoleWorld()
    const { caller } = world
    php = (await caller.wallet('PHP')).id
    payroll = await opened('Payroll')
    for (const amount of [1200, 350.5, 80]) await world.settle((await caller.paid({ amount })).id)
    await caller.ask('PATCH', `/wallets/${php}`, { body: { low_balance: 5000 } })
  })
  afterAll(() => world?.close())

  async function opened(label: string): Promise<string> {
    const { data } = await world.caller.ask('POST', '/wallets', { body: { currency: 'PHP', label } })
    return (data['wallet'] as { id: string }).id
  }
  const available = async (id: string) =>
    ((await world.caller.ask('GET', `/wallets/${id}`)).data['wallet'] as { available: number }).available

  test('the list shows what is in each, and opens one by keys', async () => {
    const page = await world.open(await world.person('owner'), '/wallets')
    await page.getByText('Payroll').waitFor()
    await look(page, 'wallets')
    await page.getByLabel('Currency').selectOption('PHP')
    expect(page.url()).toContain('currency=PHP')
    await page.getByRole('cell', { name: 'Payroll' }).waitFor()
    await page.getByRole('heading', { name: 'Wallets' }).click()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByLabel('Ledger account').selectOption('held')
    await page.waitForURL(/account=held/)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await look(page, 'wallet')
  })

  test('shows a wallet as it was, and nobody a wallet of another account', async () => {
    const page = await world.open(await world.person('viewer'), `/wallets/${php}?at=2020-01-01T00:00`)
    await page.getByText('As booked before').waitFor()
    await page.getByText('₱0.00').first().waitFor()
    const { id } = await world.other.wallet('PHP')
    const strange = await world.open(await world.person('viewer'), `/wallets/${id}`)
    await strange.getByRole('alert').waitFor()
    expect(await strange.getByRole('alert').textContent()).toContain('wallet_not_found')
  })

  test('tops up a TEST wallet, names it, moves money to another, and closes one that is empty', async () => {
    const page = await world.open(await world.person('owner'), `/wallets/${php}`)
    const before = await available(php)
    await page.getByRole('button', { name: 'Top up' }).click()
    await look(page, 'wallet-top-up')
    await dialog(page).getByLabel('Amount').fill('250.75')
    await dialog(page).getByRole('button', { name: 'Top up' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    expect(await available(php)).toBe(before + 250.75)
    await page.getByRole('button', { name: 'Move money' }).click()
    await dialog(page).getByLabel('To').selectOption(payroll)
    await dialog(page).getByLabel('Amount').fill('100000000')
    await dialog(page).getByLabel('Amount').fill('1500')
    await dialog(page).getByText('Leaves this wallet').waitFor()
    await look(page, 'wallet-move')
    await dialog(page).getByRole('button', { name: 'Move money' }).click()
    await page.waitForURL(/\/transfers\/.{36}/)
    await world.settle(new URL(page.url()).pathname.slice(-36))
    expect(await available(payroll)).toBe(1500)
  })

  test('what the gateway refuses stays in the dialog, and leaves nothing behind', async () => {
    const page = await world.open(await world.person('owner'), `/wallets/${payroll}`)
    await page.getByRole('button', { name: 'Move money' }).click()
    await dialog(page).getByLabel('To').selectOption(php)
    await dialog(page).getByLabel('Amount').fill('99999')
    await dialog(page).getByText('Leaves this wallet').waitFor()
    await dialog(page).getByRole('button', { name: 'Move money' }).click()
    await dialog(page).getByRole('alert').waitFor()
    expect(await dialog(page).getByRole('alert').textContent()).toContain('insufficient_funds')
    const [newest] = await world.caller.all<{ status: string }>('/contracts/transfer', 'contracts', 100)
    expect(newest?.status).toBe('cancelled')
  })

  test('a move whose answer is lost is moved once by the second click; one that needs an approval leads to its page', async () => {
    const account = await world.newCaller({ funds: { PHP: 10_000_00n } })
    const { id: from } = await account.wallet('PHP')
    await account.ask('POST', '/wallets', { body: { currency: 'PHP', label: 'Savings' } })
    const page = await world.open(await world.person('owner', account), `/wallets/${from}`)
    const fill = async (amount: string) => {
      await page.getByRole('button', { name: 'Move money' }).click()
      await dialog(page).getByLabel('To').selectOption({ index: 1 })
      await dialog(page).getByLabel('Amount').fill(amount)
      await dialog(page).getByText('Leaves this wallet').waitFor()
    }
    const click = () => dialog(page).getByRole('button', { name: 'Move money' }).click()
    await fill('900')
    // Done, and nobody hears of it.
    await page.route('**/pay', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await click()
    await dialog(page).getByText('Nobody has said whether ₱900.00 moved to Savings').waitFor({ timeout: 60_000 })
    expect(await dialog(page).getByLabel('Amount').isDisabled()).toBe(true)
    await look(page, 'wallet-move-unsure')
    await page.unroute('**/pay')
    await click()
    await page.waitForURL(/\/transfers\/.{36}/)
    expect(await account.balance('PHP')).toBe(9100)
    expect((await account.all('/contracts/transfer', 'contracts')).length).toBe(1)
    await asks(world, account, [{ count: 1, role: null }])
    await page.goto(`${world.url}/console/wallets/${from}`)
    await fill('2500')
    await click()
    await dialog(page).getByText('It waits, and nothing has moved').waitFor()
    await look(page, 'wallet-move-waits')
    await dialog(page).getByRole('link', { name: 'see the transfer' }).click()
    await page.getByText('0 of 1', { exact: true }).waitFor()
    expect(await account.balance('PHP')).toBe(9100)
  })

  test('is named, told when it runs low, made the default, closed and opened again', async () => {
    const id = await opened('Old')
    const page = await world.open(await world.person('owner'), `/wallets/${id}`)
    const change = async (item: string) => {
      await page.getByRole('button', { name: 'Change' }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await change('Edit')
    await dialog(page).getByLabel('What you call it').fill('Older')
    await dialog(page).getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('heading', { name: 'Older', exact: true }).waitFor()
    await change('Close wallet')
    await dialog(page).getByRole('button', { name: 'Close wallet' }).click()
    await page.getByText('Closed', { exact: true }).first().waitFor()
    expect(await page.getByRole('button', { name: 'Top up' }).count()).toBe(0)
    await change('Open again')
    await dialog(page).getByRole('button', { name: 'Open again' }).click()
    await page.getByRole('button', { name: 'Top up' }).waitFor()
  })

  test('a dialog that is closed by the keyboard gives the focus back to what opened it', async () => {
    const page = await world.open(await world.person('owner'), `/wallets/${php}`)
    const button = page.getByRole('button', { name: 'Top up' })
    await button.focus()
    await page.keyboard.press('Enter')
    await dialog(page).getByLabel('Amount').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Top up')
  })

  test('a viewer sees no way to change anything, and the gateway refuses all the same', async () => {
    const viewer = await world.person('viewer')
    const page = await world.open(viewer, `/wallets/${php}`)
    await page.getByRole('heading', { name: 'Entries' }).waitFor()
    for (const name of ['Top up', 'Move money', 'Change'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    const refused = await viewer.ask('POST', `/wallets/${php}/topups`, { body: { amount: 1 } })
    expect(refused.error.code).toBe('scope_missing')
    const list = await world.open(viewer, '/wallets?status=closed', { language: 'fil' })
    await list.getByText('Walang tugmang wallet').waitFor()
    await look(list, 'wallets-empty-fil')
    expect(await list.getByRole('button', { name: 'Magbukas ng wallet' }).count()).toBe(0)
  })

  test('a month as a statement, to read and as files', async () => {
    const page = await world.open(await world.person('viewer'), `/wallets/${php}/statement`)
    await page.getByText('Opening balance').waitFor()
    await page.getByText('Ana Reyes').first().waitFor()
    await look(page, 'statement')
    for (const [name, begins] of FILES) {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByLabel(`Download: ${name}`).click()])
      expect(readFileSync(await file.path(), 'utf8').startsWith(begins), name).toBe(true)
    }
    await page.route('**/statement?**', (route) =>
      route.fulfill({ status: 403, json: { error: { code: 'scope_missing', message: 'Not now.' } } }),
    )
    await page.getByLabel('Download: JSON').click()
    await page.getByRole('alert').getByText('Not now.').waitFor()
    await page.unroute('**/statement?**')
    await page.getByLabel('Month').fill('2024-02')
    await page.getByText('Nothing changed in this month').waitFor()
  })
})

const FILES = [
  ['CSV', 'kind,sequence'],
  ['camt.053', '<?xml'],
  ['JSON', '{'],
] as const

const dialog = (page: Page) => page.getByRole('dialog')
