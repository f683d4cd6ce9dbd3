// The page of a transfer and of a payment: where the money is, all that is recorded, and exactly what may be done, by whom.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { readSealingKeys, sealSigner } from '../../src/main/database/sealing-keys.ts'
import { type Receipt, verifyReceipt } from '../../sdk/src/index.ts'
import { makeProvider, eventOf, tell } from '../http/payments/receiver-world.ts'
import { makeEndpoint } from '../http/webhooks/webhook-world.ts'
import { CHROMIUM } from '../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../rig/console/console-world.ts'
import { look } from '../rig/console/look.ts'

const actions = async (page: Page, of: readonly string[]) => {
  const shown: string[] = []
  for (const name of of) if ((await page.getByRole('button', { name, exact: true }).count()) > 0) shown.push(name)
  return shown
}
const TRANSFER = ['Issue', 'Pay', 'Try again', 'Cancel transfer']
const LONG_MS = 30_000

describe.skipIf(CHROMIUM === null)('pages of contracts', () => {
  let world: ConsoleWorld
  beforeAll(async () => {
    world = await openConsoleWorld()
  }, 300_000)
  afterAll(() => world.close())

  test('a draft is issued, paid and arrives, each step said before it is done, and followed live', async () => {
    const { id } = await world.caller.draft({ description: 'Rent of November' })
    const page = await world.open(await world.person('owner'), `/transfers/${id}`)
    await page.getByText('No money is bound').first().waitFor()
    expect(await actions(page, TRANSFER)).toEqual(['Issue', 'Cancel transfer'])
    expect(await page.getByRole('link', { name: 'Edit draft' }).count()).toBe(1)
    await look(page, 'transfer-draft')
    await page.getByRole('button', { name: 'Issue', exact: true }).click()
    await page.getByText('₱110.50 will be taken').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Issue' }).click()
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByText('available.').waitFor()
    await look(page, 'transfer-pay')
    await page.getByRole('dialog').getByRole('button', { name: 'Pay ₱110.50' }).click()
    await page.getByText('The money has arrived.').waitFor({ timeout: LONG_MS })
    await page.locator('svg.money-map').waitFor()
    expect(await page.locator('svg.money-map').getAttribute('aria-label')).toContain('₱10.50')
    await expect.poll(() => actions(page, TRANSFER), { timeout: LONG_MS }).toEqual([])
    await look(page, 'transfer-completed')
  })

  test('what was confirmed cannot be closed while it goes on, and its failure is told', async () => {
    const { id } = await world.caller.draft({})
    const page = await world.open(await world.person('owner'), `/transfers/${id}`)
    let isLet = false
    await page.route(`**/contracts/transfer/${id}/issue`, async (route) => {
      await expect.poll(() => isLet, { timeout: LONG_MS }).toBe(true)
      await route.fulfill({ status: 409, json: { error: { code: 'wrong_state', message: 'Not any more.' } } })
    })
    await page.getByRole('button', { name: 'Issue', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Issue' }).click()
    await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
    expect(await dialog.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    expect(await dialog.count()).toBe(1)
    isLet = true
    await dialog.getByText('Not any more.').waitFor({ timeout: LONG_MS })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => dialog.count()).toBe(0)
  })

  test('a transfer that was refused shows what the channel said, and is tried again or cancelled', async () => {
    const { accountId } = world.caller.account
    await world.sql('update accounts set refunds_at_once = false where account_id = $1', [accountId])
    await makeEndpoint(world.caller)
    const { id } = await world.caller.paid({ amount: 100.21 })
    const page = await world.open(await world.person('owner'), `/transfers/${id}`)
    await page.getByText('The channel refused it for good').waitFor({ timeout: LONG_MS })
    expect(await actions(page, TRANSFER)).toEqual(['Try again', 'Cancel transfer'])
    await page.getByText('What was said in calls').click()
    await page.getByText('account_closed').first().waitFor()
    expect(await page.getByText('000123456789').count(), 'whole in the contract alone').toBe(2)
    await page.getByText('contract.issued').first().waitFor({ timeout: LONG_MS })
    await look(page, 'transfer-failed')
    await page.getByRole('button', { name: 'Cancel transfer' }).click()
    await page.getByText('refunds all of it').last().waitFor()
    await look(page, 'transfer-cancel')
    await page.getByLabel('Reason').fill('closed account')
    await page.getByRole('button', { name: 'Cancel the transfer' }).click()
    await page.getByRole('definition').getByText('closed account').waitFor({ timeout: LONG_MS })
    await page.getByText('Given back').waitFor({ timeout: LONG_MS })
    await look(page, 'transfer-refunded')
    expect(await world.caller.balance('PHP')).toBeGreaterThan(0)
  })

  test('who may only look has no button, nor deliveries; the API refuses; another account’s is not found', async () => {
    const viewer = await world.person('viewer')
    const { id } = await world.caller.issued()
    const page = await world.open(viewer, `/transfers/${id}`)
    await page.getByText('No money is bound').first().waitFor()
    expect(await actions(page, TRANSFER)).toEqual([])
    expect(await page.getByRole('heading', { name: 'Webhook deliveries' }).count()).toBe(0)
    expect((await viewer.ask('PUT', `/contracts/transfer/${id}/pay`)).error.code).toBe('scope_missing')
    expect((await viewer.ask('DELETE', `/contracts/transfer/${id}`)).error.code).toBe('scope_missing')
    const strange = await world.open(await world.person('owner', world.other), `/transfers/${id}`)
    await strange.getByRole('alert').waitFor()
    expect(await strange.getByText('No contract has this id.').count()).toBe(1)
  })

  test('the signed receipt of a transfer is saved once its newest step is sealed, and before that it says when to come', async () => {
    // Seals are read, and none is written.
    await world.sql('begin')
    await world.sql('lock table seals in exclusive mode')
    const { id } = await world.caller.issued({ description: 'Receipted' })
    const page = await world.open(await world.person('viewer'), `/transfers/${id}`)
    await page.getByRole('button', { name: 'Download the receipt' }).click()
    await page.getByText('The newest step is not sealed yet').waitFor({ timeout: LONG_MS })
    await look(page, 'transfer-receipt-soon')
    await world.sql('rollback')
    await expect
      .poll(async () => (await world.caller.ask('GET', `/contracts/transfer/${id}/receipt`)).status, {
        timeout: LONG_MS,
      })
      .toBe(200)
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: LONG_MS }),
      page.getByRole('button', { name: 'Download the receipt' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`receipt-${id}.json`)
    const receipt = JSON.parse(readFileSync(await download.path(), 'utf8')) as Receipt
    const key = sealSigner(readSealingKeys(world.config.sealingKeys, world.config.dataDir)).publicKey.toString('base64')
    expect(await verifyReceipt(receipt, key)).toMatchObject({ isGenuine: true, contractId: id })
    await page.getByText('Saved.').waitFor()
    await look(page, 'transfer-receipt')
  })

  test('a payment: its page, its money, a refund of a part, and one that is cancelled', async () => {
    const body = { amount: 1500, currency: 'PHP', description: 'Order 17' }
    const make = async () =>
      ((await world.caller.ask('POST', '/contracts/payment', { body })).data['contract'] as { id: string }).id
    const id = await make()
    const page = await world.open(await world.person('owner'), `/payments/${id}`)
    await page.getByRole('link', { name: 'Open' }).waitFor()
    expect(await actions(page, ['Refund', 'Return suspense', 'Cancel payment'])).toEqual(['Cancel payment'])
    await look(page, 'payment-issued')
    const provider = await makeProvider(world, world.caller)
    await tell(world, provider, eventOf({ contract_id: id, amount: 1500 }))
    await page.getByRole('button', { name: 'Refund', exact: true }).waitFor({ timeout: LONG_MS })
    expect(await actions(page, ['Refund', 'Return suspense', 'Cancel payment'])).toEqual(['Refund'])
    await page.locator('svg.money-map').waitFor()
    await look(page, 'payment-paid')
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByLabel('Amount (PHP)').fill('2000')
    await page.getByRole('button', { name: 'Refund it' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await page.getByLabel('Amount (PHP)').fill('100')
    await look(page, 'payment-refund')
    // Nobody knows who paid: the money goes where the dialog says, with all that this channel asks.
    await page.getByRole('combobox', { name: 'Channel, where' }).click()
    await page.getByRole('option', { name: 'InstaPay' }).click()
    expect(await page.getByRole('button', { name: 'Refund it' }).isDisabled()).toBe(true)
    await page.getByLabel('Name').fill('Ana Cruz')
    await page.getByLabel('Account').fill('00123456')
    await page.getByLabel('Bank code or tag').fill('BOPIPHMM')
    await look(page, 'payment-refund-elsewhere')
    await page.getByRole('button', { name: 'Refund it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('table', { name: 'Refunds and returns' }).getByText('₱100.00').waitFor({ timeout: LONG_MS })
    const other = await make()
    const filipino = await world.open(await world.person('operator'), `/payments/${other}`, { language: 'fil' })
    await filipino.getByRole('button', { name: 'Kanselahin ang singil' }).click()
    await filipino.getByRole('dialog').getByRole('button', { name: 'Kanselahin ang singil' }).click()
    await filipino.getByText('Kinansela').first().waitFor({ timeout: LONG_MS })
    await look(filipino, 'payment-cancelled-fil')
  })
})
