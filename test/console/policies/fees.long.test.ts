// Fees in the console: tiers typed as a table, their sentence and an example's price said by the gateway, and the version that
// priced a contract on its page, whatever becomes of the policy.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coded, type Person } from '../../http/members/people.ts'
import { CHROMIUM } from '../../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../../rig/console/console-world.ts'
import { look } from '../../rig/console/look.ts'
import type { Caller } from '../../world.ts'

const part = (page: Page, name: string) => page.getByRole('region', { name })
const dialog = (page: Page) => page.getByRole('dialog')

describe.skipIf(CHROMIUM === null)('fees in the console', () => {
  let world: ConsoleWorld
  let caller: Caller
  let person: Person
  let policy = ''
  let issued = ''
  beforeAll(async () => {
    world = await openConsoleWorld()
    caller = await world.newCaller()
    person = await world.person('owner', caller)
  })
  afterAll(() => world.close())

  test('are typed as tiers, said in a sentence, and priced by an example before they are saved', async () => {
    await caller.paid({ amount: 500, currency: 'PHP' })
    const page = await world.open(person, '/policies/new')
    await page.getByRole('button', { name: 'Fees', exact: true }).click()
    await page.getByRole('combobox', { name: 'By the channel' }).click()
    await page.getByRole('option', { name: 'Sandbox', exact: true }).click()
    await page.getByRole('button', { name: 'Add a tier' }).click()
    await page.getByRole('button', { name: 'Add a tier' }).click()
    const tier = async (place: number, members: Readonly<Record<string, string>>) => {
      for (const [member, text] of Object.entries(members))
        await page.getByLabel(`${member}, tier ${place}`, { exact: true }).fill(text)
    }
    await tier(1, { 'Up to': '1000', Plus: '25' })
    await tier(2, { 'Up to': '900', Plus: '40' })
    await tier(3, { Percent: '1.5', Plus: '10', 'At most': '500' })
    await page.getByText('then.tiers.1.up_to must be above').first().waitFor()
    await look(page, 'fees-wrong')
    await page.getByRole('button', { name: 'Remove tier 2' }).click()
    const sentence = part(page, 'What it does, in a sentence')
    await sentence.getByText('up to PHP 1,000.00').waitFor()
    const json = await page.getByRole('textbox', { name: 'JSON' }).inputValue()
    expect((JSON.parse(json) as { then: unknown }).then).toEqual({
      kind: 'fees',
      channel: 'sandbox',
      currency: 'PHP',
      by: 'amount',
      tiers: [
        { up_to: 1000, add: 25 },
        { up_to: null, pct: 1.5, add: 10, max: 500 },
      ],
    })
    const trial = part(page, 'Try it on a transfer')
    await trial.getByLabel('Amount').fill('500')
    await trial.getByRole('combobox', { name: 'Channel' }).click()
    await page.getByRole('option', { name: 'Sandbox', exact: true }).click()
    await trial.getByRole('button', { name: 'Try', exact: true }).click()
    await trial.getByText('₱25.00').waitFor()
    await trial.getByText('₱525.00').waitFor()
    await part(page, 'Rehearse it on the last days').getByRole('button', { name: 'Rehearse' }).click()
    await page.getByRole('columnheader', { name: 'Fees as they would be' }).waitFor()
    await look(page, 'fees')
    await page.getByRole('button', { name: 'Save…' }).click()
    await dialog(page).getByText('Fees: ₱25.00, where').waitFor()
    await look(page, 'fees-confirm')
    await dialog(page).getByRole('button', { name: 'Make the policy' }).click()
    await page.getByText('Version 1').waitFor()
    policy = page.url().split('/').at(-1) ?? ''
  })

  test('stand with the contract that they priced, in the version that did', async () => {
    issued = (await caller.issued({ amount: 500, currency: 'PHP', channel: 'sandbox' })).id
    const page = await world.open(person, `/policies/${policy}/edit`)
    await page.getByLabel('Plus, tier 1', { exact: true }).fill('30')
    await page.getByRole('button', { name: 'Save…' }).click()
    await dialog(page).getByRole('button', { name: 'Save the change' }).click()
    await page.getByText('Version 2').waitFor()
    await part(page, 'Versions').locator('ins').first().waitFor()
    await page.goto(`${world.url}/console/transfers/${issued}`)
    await part(page, 'Overview').getByText('version 1, tier 1').waitFor()
    await part(page, 'Overview').getByText('₱25.00').waitFor()
    await look(page, 'fees-transfer')
    await part(page, 'Overview').getByRole('link', { name: 'Fees' }).click()
    await page.getByRole('heading', { level: 1, name: 'Fees' }).waitFor()
  })

  test('are read by a viewer, and changed by none', async () => {
    const viewer = await world.person('viewer', caller)
    const page = await world.open(viewer, `/policies/${policy}`)
    await page.getByRole('heading', { level: 1, name: 'Fees' }).waitFor()
    expect(await page.getByText('Edit', { exact: true }).count()).toBe(0)
    const change = viewer.ask('PATCH', `/policies/${policy}`, { body: { name: 'Cheap' } })
    expect(coded(await change)).toEqual([403, 'scope_missing'])
  })
})
