// API keys in the console: made with no more than one's own scopes, shown once, edited, rolled, revoked; read alone by a viewer.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from '../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../rig/console/console-world.ts'
import { look } from '../rig/console/look.ts'

describe.skipIf(CHROMIUM === null)('API keys', () => {
  let world: ConsoleWorld
  beforeAll(async () => {
    world = await openConsoleWorld()
  })
  afterAll(() => world.close())

  test('a developer makes one that works, and it is shown once', async () => {
    const developer = await world.person('developer')
    const page = await world.open(developer, '/developers/keys')
    await page.getByRole('table', { name: 'API keys' }).waitFor()
    await look(page, 'keys')
    await page.getByRole('button', { name: 'Create a key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Read contracts and their activities').waitFor()
    // What a developer may not do is not there to be chosen.
    expect(await dialog.getByLabel('transfers:pay').count()).toBe(0)
    expect(await dialog.getByRole('button', { name: 'Create a key' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Name').fill('Payouts of the shop')
    await dialog.getByLabel('contracts:read').check()
    await dialog.getByLabel('contracts:write').check()
    await dialog.getByLabel('Addresses').fill('127.0.0.1')
    await dialog.getByRole('button', { name: 'Add a currency' }).click()
    await dialog.getByLabel('Amount').fill('5000')
    await look(page, 'keys-create')
    await dialog.getByRole('button', { name: 'Create a key' }).click()
    await page.getByText('It is shown this once').waitFor()
    const text = (await page.locator('[role=dialog] code.id').textContent())?.trim() ?? ''
    expect(text).toMatch(/^gck_test_/)
    await page.keyboard.press('Escape')
    expect(await page.getByText(text).count()).toBe(1)
    await look(page, 'keys-made')
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('heading', { name: 'Payouts of the shop' }).waitFor()
    const asked = await fetch(`${world.url}/contracts/transfer`, { headers: { 'x-api-key': text } })
    expect(asked.status).toBe(200)
    await page.getByText('127.0.0.1').waitFor()
    expect(await page.getByText(text).count()).toBe(0)
    await look(page, 'key')
  })

  test('it is edited, rolled with an overlap, and revoked', async () => {
    const owner = await world.person('owner')
    const made = await owner.ask('POST', '/keys', { body: { name: 'Old name', scopes: ['contracts:read'] } })
    const { id } = made.data['key'] as { id: string }
    const page = await world.open(owner, `/developers/keys/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Name').fill('New name')
    await look(page, 'key-edit')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('heading', { name: 'New name' }).waitFor()
    await page.getByRole('button', { name: 'Roll', exact: true }).click()
    await look(page, 'key-roll')
    await page.getByRole('button', { name: 'Make the new key' }).click()
    await page.getByText('It is shown this once').waitFor()
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(id))
    const rolled = page.url().split('/').at(-1) ?? ''
    const text = String(made.data['api_key'])
    expect((await fetch(`${world.url}/contracts/transfer`, { headers: { 'x-api-key': text } })).status).toBe(200)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await look(page, 'key-revoke')
    await page.getByRole('button', { name: 'Revoke the key' }).click()
    await page.getByText('Revoked').first().waitFor()
    expect(await page.getByRole('button', { name: 'Roll', exact: true }).count()).toBe(0)
    expect(((await owner.ask('GET', `/keys/${rolled}`)).data['key'] as { state: string }).state).toBe('revoked')
  })

  test('what the gateway refuses is said in its words, and what was typed stays', async () => {
    const owner = await world.person('owner')
    const page = await world.open(owner, '/developers/keys')
    await page.getByRole('button', { name: 'Create a key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Wrong address')
    await dialog.getByRole('button', { name: 'All: Read' }).click()
    await dialog.getByLabel('Addresses').fill('somewhere')
    await dialog.getByRole('button', { name: 'Create a key' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('addresses')
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Wrong address')
  })

  test('a list that cannot be had says why, and is asked for again', async () => {
    const page = await world.open(null, '/')
    const person = await world.person('owner')
    const [name = '', value = ''] = person.cookie.split('=')
    await page.context().addCookies([{ name, value, url: world.url, httpOnly: true, sameSite: 'Strict' }])
    const error = { type: 'invalid_request_error', code: 'invalid_after', param: 'after', message: 'That is no page.' }
    await page.route('**/keys?*', (route) => route.fulfill({ status: 400, json: { error } }))
    await page.goto(`${world.url}/console/developers/keys`)
    await page.getByText('That is no page.').waitFor()
    await look(page, 'keys-error')
    await page.unroute('**/keys?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('table', { name: 'API keys' }).waitFor()
  })

  test('a viewer sees keys and can change none, and the API refuses as well', async () => {
    const viewer = await world.person('viewer')
    const page = await world.open(viewer, '/developers/keys', { language: 'fil' })
    await page.getByRole('table', { name: 'Mga API key' }).waitFor()
    expect(await page.getByRole('button', { name: 'Gumawa ng key' }).count()).toBe(0)
    await look(page, 'keys-viewer-fil')
    await page.getByRole('table').locator('tbody tr').first().click()
    await page.getByText('Huling gamit').waitFor()
    for (const name of ['Baguhin', 'Palitan', 'Bawiin'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
    const refused = await viewer.ask('POST', '/keys', { body: { name: 'Mine', scopes: ['contracts:read'] } })
    expect([refused.status, refused.error.code]).toEqual([403, 'scope_missing'])
  })
})
