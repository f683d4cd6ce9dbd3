// Mandates in the console: a key is made that may pay so much, to whom and through what; what has left by it stands on its page, live;
// it is changed, and revoked.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coded, type Person } from '../../http/members/people.ts'
import { CHROMIUM } from '../../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../../rig/console/console-world.ts'
import { look } from '../../rig/console/look.ts'

describe.skipIf(CHROMIUM === null)('mandates in the console', () => {
  let world: ConsoleWorld
  let owner: Person
  beforeAll(async () => {
    world = await openConsoleWorld()
    owner = await world.person('owner')
  })
  afterAll(() => world.close())

  const inDialog = (page: Page) => page.getByRole('dialog')

  test('a key is made with a mandate, spends, and says what is left', async () => {
    const page = await world.open(owner, '/developers/keys')
    await page.getByRole('button', { name: 'Create a key' }).click()
    await inDialog(page).getByLabel('Name').fill('Agent')
    for (const scope of ['contracts:read', 'transfers:pay']) await inDialog(page).getByLabel(scope).check()
    await inDialog(page).getByLabel('Bound what may leave by it in all').click()
    const create = inDialog(page).getByRole('button', { name: 'Create a key' })
    expect(await create.isDisabled()).toBe(true)
    await inDialog(page).getByLabel('Currency', { exact: true }).first().click()
    await page.getByRole('option', { name: 'PHP', exact: true }).click()
    await inDialog(page).getByLabel('In all', { exact: true }).fill('221')
    await inDialog(page).getByLabel('At a time', { exact: true }).fill('150')
    await inDialog(page).getByLabel('Accounts that may be paid').fill('000123456789\n000123456780 BNORPHMM')
    await inDialog(page).getByLabel('Through which channels').first().click()
    await page.getByRole('option', { name: 'Sandbox', exact: true }).click()
    await inDialog(page).getByLabel('Until the end of').fill('2099-12-31')
    await look(page, 'mandate-create')
    await create.click()
    const text = (await page.locator('[role=dialog] code.id').textContent())?.trim() ?? ''
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByText('₱0.00 of ₱221.00 have left').waitFor()
    const paid = await world.caller.issued({ recipient: { name: 'Ana', wallet: '000123456789' } })
    const pay = (id: string) => world.ask('PUT', `/contracts/transfer/${id}/pay`, { headers: { 'x-api-key': text } })
    expect((await pay(paid.id)).status).toBe(200)
    await page.getByText('₱110.50 of ₱221.00 have left').waitFor()
    await page.getByText('at most ₱150.00 at a time').waitFor()
    await page.getByText('000123456780 · BNORPHMM').waitFor()
    await look(page, 'mandate-key')
    const other = await world.caller.issued({ recipient: { name: 'Ben', wallet: '000999999999' } })
    expect(coded(await pay(other.id))).toEqual([403, 'mandate_exceeded'])
    // Whoever looks at the transfer reads by which key it was paid, and under what.
    const transfer = await world.open(owner, `/transfers/${paid.id}`)
    await transfer.getByText('by the key Agent, under its mandate').first().waitFor()
  })

  test('it is changed, which keeps what has left, and ended; and the key is revoked', async () => {
    const page = await world.open(owner, '/developers/keys')
    await page.getByRole('table', { name: 'API keys' }).getByText('Agent').click()
    await page.getByRole('button', { name: 'Edit' }).click()
    expect(await inDialog(page).getByLabel('Accounts that may be paid').inputValue()).toBe(
      '000123456789\n000123456780 BNORPHMM',
    )
    await inDialog(page).getByLabel('In all', { exact: true }).fill('500')
    await inDialog(page).getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('₱110.50 of ₱500.00 have left').waitFor()
    await page.getByText('000123456780 · BNORPHMM').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await inDialog(page).getByLabel('In all', { exact: true }).fill('much')
    await inDialog(page).getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('alert').waitFor()
    await inDialog(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await inDialog(page).getByRole('button', { name: 'Revoke the key' }).click()
    await page.getByText('Revoked').first().waitFor()
  })

  test('a viewer reads it, in Filipino, and changes nothing', async () => {
    const viewer = await world.person('viewer')
    const page = await world.open(viewer, '/developers/keys', { language: 'fil' })
    await page.getByRole('table').getByText('Agent').click()
    await page.getByText('₱110.50 sa ₱500.00 ang lumabas na').waitFor()
    expect(await page.getByRole('button', { name: 'Baguhin', exact: true }).count()).toBe(0)
    await look(page, 'mandate-fil')
    const mandate = { limits: [{ currency: 'PHP', total: 1 }] }
    const id = page.url().split('/').at(-1) ?? ''
    expect(coded(await viewer.ask('PATCH', `/keys/${id}`, { body: { mandate } }))).toEqual([403, 'scope_missing'])
    const stranger = await world.open(await world.person('owner', world.other), `/developers/keys/${id}`)
    await stranger.getByText('key_not_found').waitFor()
  })
})
