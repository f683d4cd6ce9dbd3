// The screens of policies: a daily limit is made by the form with its sentence and its rehearsal beside it, denies what goes beyond it,
// is paused, changed and archived; policies are put in order; a viewer only looks, and nobody sees those of another account.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coded, type Person } from '../../http/members/people.ts'
import { CHROMIUM } from '../../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../../rig/console/console-world.ts'
import { look } from '../../rig/console/look.ts'
import type { Caller } from '../../world.ts'

type Made = { readonly id: string; readonly version: number; readonly priority: number }

const DENIED = { kind: 'deny', words: 'Ask the owner first.' }
const above = (value: number) => [{ field: 'amount', op: 'above', value, currency: 'PHP' }]

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const part = (page: Page, name: string) => page.getByRole('region', { name })
const dialog = (page: Page) => page.getByRole('dialog')

async function chosen(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

describe.skipIf(CHROMIUM === null)('policies in the console', () => {
  let world: ConsoleWorld
  let owner: Person
  beforeAll(async () => {
    world = await openConsoleWorld()
    owner = await world.person('owner')
  })
  afterAll(() => world.close())

  /** An account of one's own, so that no policy meets those of another test. */
  async function alone(): Promise<{ readonly caller: Caller; readonly person: Person }> {
    const caller = await world.newCaller()
    return { caller, person: await world.person('owner', caller) }
  }
  async function made(person: Person, body: object): Promise<Made> {
    const { status, text, data } = await person.ask('POST', '/policies', { body })
    if (status !== 200) throw new Error(text)
    return data['policy'] as Made
  }

  test('begin empty; a daily limit is typed, said, rehearsed, and holds', async () => {
    const { caller, person } = await alone()
    for (const amount of [300, 400]) await caller.paid({ amount, currency: 'PHP' })
    const page = await world.open(person, '/policies')
    await page.getByText('No policies yet').waitFor()
    await look(page, 'policies-none')
    await page.getByRole('link', { name: 'New policy' }).first().click()
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    await look(page, 'policy-new-lacking')
    const amount = page.getByRole('group', { name: 'Condition 1' }).getByLabel('Amount')
    await amount.fill('5x')
    await page.getByText('when.0.value').first().waitFor()
    await amount.fill('500')
    const sentence = 'Deny transfers that bring what the account pays in a day above PHP 500.00'
    await part(page, 'What it does, in a sentence').getByText(sentence).waitFor()
    await part(page, 'Rehearse it on the last days').getByRole('button', { name: 'Rehearse' }).click()
    await page.getByRole('table', { name: 'Totals by currency' }).getByText('1 · ₱400.00').waitFor()
    await page.getByRole('table', { name: 'Transfers that would have been met' }).getByText(sentence).waitFor()
    await look(page, 'policy-new')
    await page.getByRole('button', { name: 'Save…' }).click()
    await dialog(page).getByText('1 of 2 payments denied: ₱400.00').waitFor()
    await look(page, 'policy-new-confirm')
    await dialog(page).getByRole('button', { name: 'Make the policy' }).click()
    await heading(page, 'Daily limit').waitFor()
    await page.getByText('Version 1').waitFor()
    const { id } = await caller.issued({ amount: 100, currency: 'PHP' })
    const reply = await person.ask('PUT', `/contracts/transfer/${id}/pay`, { body: {} })
    expect(coded(reply)).toEqual([403, 'policy_denied'])
  })

  test('a transfer that is denied leads to its policy, before it is paid and when it was refused', async () => {
    const { caller, person } = await alone()
    await made(person, { name: 'Nothing large', when: above(500), then: DENIED })
    await made(person, { name: 'Nothing huge', when: above(5000), then: DENIED })
    const { id } = await caller.issued({ amount: 900, currency: 'PHP' })
    const page = await world.open(person, `/transfers/${id}`)
    const said = part(page, 'What policies say')
    await said.getByText('It would be denied').waitFor()
    await said.getByText('Deny transfers above PHP 500.00').waitFor()
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await dialog(page).getByRole('button', { name: /^Pay/ }).click()
    await dialog(page).getByText('Ask the owner first. (policy “Nothing large”)').waitFor()
    await look(page, 'transfer-denied-dialog')
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await look(page, 'transfer-denied')
    await said.getByRole('link', { name: 'Nothing large' }).first().click()
    await heading(page, 'Nothing large').waitFor()
  })

  test('is tried on a transfer that is typed, and on a contract, with what each condition met', async () => {
    const { caller, person } = await alone()
    const when = [...above(500), { field: 'recipient.new', within_days: 3 }]
    const { id } = await made(person, { name: 'Nothing large to somebody new', when, then: DENIED })
    const { id: contract } = await caller.issued({ amount: 100, currency: 'PHP' })
    const page = await world.open(person, `/policies/${id}`)
    const trial = part(page, 'Try it on a transfer')
    await trial.getByLabel('Amount').fill('700')
    await trial.getByLabel('Recipient’s name').fill('Ben Reyes')
    await trial.getByRole('button', { name: 'Try', exact: true }).click()
    await trial.getByText('It would be denied').waitFor()
    await trial.getByText('here: PHP 700.00').waitFor()
    await trial.getByText('here: never paid before').waitFor()
    await look(page, 'policy-tried')
    await trial.getByText('A contract', { exact: true }).click()
    await chosen(page, 'Transfer', `₱100.00 · Ana Reyes · ${contract.slice(-6)}`)
    await trial.getByRole('button', { name: 'Try', exact: true }).click()
    await trial.getByText('It would be paid').waitFor()
    await page.goto(`${world.url}/console/policies/try`)
    await part(page, 'Try it on a transfer').getByLabel('Amount').fill('700')
    await part(page, 'Try it on a transfer').getByRole('button', { name: 'Try', exact: true }).click()
    await page.getByRole('link', { name: 'Nothing large to somebody new' }).first().waitFor()
  })

  test('a change is a version in words; a change of somebody else is not written over; it is paused, resumed, archived', async () => {
    const { person } = await alone()
    const { id } = await made(person, { name: 'Nothing large', when: above(500), then: DENIED })
    const page = await world.open(person, `/policies/${id}/edit`)
    await page.getByLabel('Amount', { exact: true }).first().fill('800')
    await page.getByRole('button', { name: 'Save…' }).click()
    await dialog(page).getByText('No transfer was paid in the last 30 days').waitFor()
    // News of it has what is typed read once more while the dialog is open.
    await person.ask('PATCH', `/policies/${id}`, { body: { priority: 50 } })
    await dialog(page).getByRole('button', { name: 'Save the change' }).click()
    await dialog(page).getByText('precondition_failed').waitFor()
    await page.reload()
    await page.getByLabel('Amount', { exact: true }).first().fill('800')
    await page.getByRole('button', { name: 'Save…' }).click()
    await dialog(page).getByRole('button', { name: 'Save the change' }).click()
    await heading(page, 'Nothing large').waitFor()
    await page.getByText('Version 3').waitFor()
    const versions = part(page, 'Versions')
    await versions.locator('del').getByText('Deny transfers above PHP 500.00').waitFor()
    await versions.locator('ins').getByText('Deny transfers above PHP 800.00').waitFor()
    await versions.getByText('by Ana Reyes').first().waitFor()
    await look(page, 'policy')
    for (const [verb, next] of [
      ['Pause', 'Resume'],
      ['Resume', 'Pause'],
    ] as const) {
      await page.getByRole('button', { name: verb, exact: true }).click()
      await dialog(page).getByRole('button', { name: verb, exact: true }).click()
      await page.getByRole('button', { name: next, exact: true }).waitFor()
    }
    await page.getByRole('button', { name: 'Archive' }).click()
    await look(page, 'policy-archive')
    await dialog(page).getByRole('button', { name: 'Archive' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('link', { name: 'Edit' }).count()).toBe(0)
  })

  test('every condition and outcome has its inputs, named by people’s words; JSON beside them fills the form', async () => {
    const { person } = await alone()
    const { data } = await person.ask('POST', '/profiles', { body: { name: 'Ana Cruz' } })
    const page = await world.open(person, '/policies/new')
    await page.getByRole('button', { name: 'Nothing', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('Ana waits')
    await page.getByRole('button', { name: 'Add a condition' }).click()
    await chosen(page, 'What is looked at', 'Recipient’s profile')
    await chosen(page, 'Which', 'Ana Cruz')
    await page.keyboard.press('Escape')
    await chosen(page, 'Then', 'Let the money leave later')
    const sentence = part(page, 'What it does, in a sentence')
    await sentence.getByText('Delay transfers to the profile').waitFor()
    const json = page.getByRole('textbox', { name: 'JSON' })
    const typed = JSON.parse(await json.inputValue()) as { when: unknown; then: unknown }
    const { id } = data['profile'] as Made
    expect(typed.when).toEqual([{ field: 'recipient.profile', op: 'in', values: [id] }])
    const every = [
      ...above(1000.5),
      { field: 'sum', by: 'recipient', window: '30_days', op: 'above', value: 200000.25, currency: 'PHP' },
      { field: 'count', by: 'key', window: 'hour', op: 'above', value: 10 },
      { field: 'recipient.new', within_days: 3 },
      { field: 'recipient.country', op: 'not_in', values: ['PH', 'SG'] },
      { field: 'recipient.profile', op: 'in', values: [id] },
      { field: 'channel', op: 'in', values: ['sandbox'] },
      { field: 'currency', op: 'in', values: ['PHP'] },
      { field: 'hour', from: 18, to: 8 },
      { field: 'weekday', values: [6, 7] },
      { field: 'member', op: 'in', values: [person.id] },
    ]
    const then = { kind: 'approvals', count: 2, role: 'approver' }
    await json.fill(JSON.stringify({ name: 'Everything', when: every, then }))
    await sentence.getByText('Two different members of the role approver approve transfers').waitFor()
    await page.getByRole('group', { name: 'Condition 5' }).getByText('Singapore').waitFor()
    await page.getByRole('group', { name: 'Condition 11' }).getByText('Ana Reyes').waitFor()
    await look(page, 'policy-everything')
    await json.fill('{"name": "Everything"')
    await page.getByText('This is no policy as JSON').waitFor()
    await json.fill(JSON.stringify({ name: 'Everything', when: every, then }))
    await page.getByRole('button', { name: 'Save…' }).click()
    await dialog(page).getByRole('button', { name: 'Make the policy' }).click()
    await heading(page, 'Everything').waitFor()
    const saved = (await person.ask('GET', `/policies/${page.url().split('/').at(-1)}`)).data['policy']
    expect(saved).toMatchObject({ when: every, then })
  })

  test('are put in order by buttons and by keys; what they did of late stands beside them', async () => {
    const { caller, person } = await alone()
    for (const name of ['First', 'Second', 'Third'])
      await made(person, { name, when: above(50), then: { kind: 'delay', seconds: 60 } })
    await caller.paid({ amount: 100, currency: 'PHP' })
    const page = await world.open(person, '/policies')
    const names = () => page.locator('tbody tr td:first-child a').allTextContents()
    await expect.poll(names).toEqual(['First', 'Second', 'Third'])
    await page.getByText('applies to 1, decides 1').first().waitFor()
    await page.getByRole('button', { name: 'Ask Third earlier' }).click()
    await expect.poll(names).toEqual(['First', 'Third', 'Second'])
    await page.getByRole('button', { name: 'Ask First later' }).click()
    await expect.poll(names).toEqual(['Third', 'First', 'Second'])
    await page.locator('h1').click()
    for (const key of ['j', 'j', 'j', 'K']) await page.keyboard.press(key)
    await expect.poll(names).toEqual(['Third', 'Second', 'First'])
    await look(page, 'policies')
  })

  test('a viewer sees them, tries them, and changes nothing, here and over HTTP; an operator neither', async () => {
    const { id } = await made(owner, { name: 'Nothing huge', when: above(900_000), then: DENIED })
    for (const role of ['viewer', 'operator'] as const) {
      const person = await world.person(role)
      const page = await world.open(person, '/policies')
      await page.getByRole('link', { name: 'Nothing huge' }).waitFor()
      expect(await page.getByText('New policy').count()).toBe(0)
      expect(await page.getByRole('button', { name: /^Ask / }).count()).toBe(0)
      await page.getByRole('link', { name: 'Nothing huge' }).click()
      await heading(page, 'Nothing huge').waitFor()
      for (const name of ['Edit', 'Pause', 'Archive'])
        expect(await page.getByText(name, { exact: true }).count()).toBe(0)
      const refused = [403, 'scope_missing']
      expect(coded(await person.ask('PATCH', `/policies/${id}`, { body: { priority: 1 } }))).toEqual(refused)
      expect(coded(await person.ask('PUT', `/policies/${id}/pause`, { body: {} }))).toEqual(refused)
      expect(coded(await person.ask('PUT', `/policies/${id}/place`, { body: {} }))).toEqual(refused)
    }
  })

  test('another account has none of them', async () => {
    const { id } = await made(owner, { name: 'Mine', when: above(900_000), then: DENIED })
    const { person } = await alone()
    const page = await world.open(person, `/policies/${id}`)
    await page.getByText('policy_not_found').waitFor()
    await page.goto(`${world.url}/console/policies`)
    await page.getByText('No policies yet').waitFor()
  })

  test('speak Filipino', async () => {
    const page = await world.open(owner, '/policies/new', { language: 'fil' })
    await page.getByRole('button', { name: 'Limitasyon sa araw' }).waitFor()
    await look(page, 'policy-fil')
  })
})
