// The screens of profiles: somebody is saved, found, given a way to be paid, changed and archived; a viewer only looks, and nobody
// sees those of another account.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coded, type Person } from '../http/members/people.ts'
import { CHROMIUM } from '../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../rig/console/console-world.ts'
import { look } from '../rig/console/look.ts'

type Made = { readonly id: string; readonly destinations: readonly { readonly id: string }[] }

async function saved(person: Person, body: Readonly<Record<string, unknown>>): Promise<Made> {
  const { data } = await person.ask('POST', '/profiles', { body })
  return data['profile'] as Made
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

describe.skipIf(CHROMIUM === null)('profiles in the console', () => {
  let world: ConsoleWorld
  let owner: Person
  beforeAll(async () => {
    world = await openConsoleWorld()
    owner = await world.person('owner')
  })
  afterAll(() => world.close())

  test('begin empty, and the first one is made, with what is wrong said beside its field', async () => {
    const page = await world.open(owner, '/profiles')
    await page.getByText('Nobody here yet').waitFor()
    await look(page, 'profiles-none')
    await page.getByRole('link', { name: 'New profile' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Ana Cruz')
    await page.getByLabel('E-mail address').fill('nobody')
    await page.getByRole('button', { name: 'Create profile' }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    expect(await page.evaluate('document.activeElement.getAttribute("aria-invalid")')).toBe('true')
    await page.getByRole('button', { name: 'Add a pair' }).click()
    await look(page, 'profile-new')
    await page.getByLabel('E-mail address').fill('ana@cruz.example')
    await page.getByLabel('Mobile number').fill('09171234567')
    await page.getByLabel('Name', { exact: true }).nth(1).fill('segment')
    await page.getByLabel('Text', { exact: true }).fill('gold')
    await page.getByRole('combobox', { name: 'Country' }).fill('Philip')
    await page.getByRole('option', { name: 'Philippines' }).click()
    await page.getByRole('button', { name: 'Create profile' }).click()
    await heading(page, 'Ana Cruz').waitFor()
    await page.getByText('+639171234567').first().waitFor()
    await page.getByText('gold').first().waitFor()
  })

  test('a way to pay is added by what its channel asks, made the default, changed and archived', async () => {
    const { id } = await saved(owner, { name: 'Ben Reyes', mobile: '09181112222' })
    const page = await world.open(owner, `/profiles/${id}`)
    await page.getByText('No way to pay yet').waitFor()
    await page.getByRole('button', { name: 'Add a way to pay' }).click()
    await page.getByRole('combobox', { name: 'Channel' }).click()
    await page.getByRole('option', { name: 'Sandbox', exact: true }).click()
    await page.getByText('Left empty: Ben Reyes, as the profile has it').waitFor()
    const form = page.getByRole('region', { name: 'Add a way to pay' })
    await form.getByRole('button', { name: 'Add a way to pay' }).click()
    await page.locator('[aria-invalid="true"]').first().waitFor()
    await look(page, 'destination-new')
    await page.getByLabel('Account or wallet number').fill('0012345678')
    await page.getByLabel('Called').fill('salary account')
    await form.getByRole('button', { name: 'Add a way to pay' }).click()
    await page.getByRole('cell', { name: 'salary account' }).waitFor()
    expect(await page.getByRole('link', { name: 'Pay', exact: true }).getAttribute('href')).toMatch(
      new RegExp(`/console/transfers/new\\?profile=${id}&destination=[0-9a-f-]{36}$`),
    )
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByLabel('Account or wallet number').fill('0099999999')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('cell', { name: '0099999999' }).waitFor()
    await page.getByText('Version 3').waitFor()
    await page.getByText('sandbox · 0099999999 · default').waitFor()
    await page.getByText('No transfer to them yet').waitFor()
    await look(page, 'profile')
    await page.getByRole('table', { name: 'Ways to pay' }).getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('dialog').getByText('0099999999').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('cell', { name: 'Archived' }).waitFor()
  })

  test('the newest contracts with somebody stand on their page', async () => {
    const { id } = await saved(owner, { name: 'Gil Santos' })
    const way = { channel: 'sandbox', recipient: { wallet: '0055555555' } }
    await owner.ask('POST', `/profiles/${id}/destinations`, { body: way })
    const draft = { amount: 1500, currency: 'PHP', recipient: { profile: id }, description: 'October' }
    await owner.ask('POST', '/contracts/transfer', { body: draft })
    const page = await world.open(owner, `/profiles/${id}`)
    await page.getByRole('cell', { name: 'October' }).waitFor()
    await page.getByRole('cell', { name: '₱1,500.00' }).waitFor()
    const all = page.getByRole('region', { name: 'Transfers to them' }).getByRole('link', { name: 'Show all' })
    expect(await all.getAttribute('href')).toBe(`/console/transfers?profile=${id}`)
    await look(page, 'profile-contracts')
  })

  test('a new transfer begins with whom, and by which way, was chosen', async () => {
    const { id } = await saved(owner, { name: 'Hana Sy' })
    for (const wallet of ['0011111111', '0022222222'])
      await owner.ask('POST', `/profiles/${id}/destinations`, {
        body: { channel: 'sandbox', label: `account ${wallet}`, recipient: { wallet } },
      })
    const page = await world.open(owner, `/profiles/${id}`)
    await page
      .getByRole('row')
      .filter({ hasText: '0022222222' })
      .getByRole('link', { name: 'Pay', exact: true })
      .click()
    await page.getByLabel('Amount').fill('250')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.waitForURL(/transfers\/[0-9a-f-]{36}$/)
    const { data } = await owner.ask('GET', `/contracts/transfer/${page.url().split('/').at(-1)}`)
    expect(data['contract']).toMatchObject({ amount: 250, recipient: { name: 'Hana Sy', wallet: '0022222222' } })
  })

  test('the same person twice is named, and nothing refused', async () => {
    await saved(owner, { name: 'Carla Diaz', mobile: '09190001111' })
    const page = await world.open(owner, '/profiles/new')
    await page.getByLabel('Name', { exact: true }).fill('Carla D.')
    await page.getByLabel('Mobile number').fill('+639190001111')
    await page.getByRole('button', { name: 'Create profile' }).click()
    await page.getByText('This may be somebody whom you have already').waitFor()
    await look(page, 'profile-twice')
    await page.getByRole('link', { name: 'Carla Diaz' }).click()
    await heading(page, 'Carla Diaz').waitFor()
    expect(await page.getByText('This may be somebody').count()).toBe(0)
  })

  test('a change of somebody else is not written over', async () => {
    const { id } = await saved(owner, { name: 'Dina Lim', reference: 'c-1' })
    const page = await world.open(owner, `/profiles/${id}/edit`)
    await page.getByLabel('Your reference').fill('c-2')
    await owner.ask('PATCH', `/profiles/${id}`, { body: { name: 'Dina Lim-Tan' } })
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('precondition_failed').waitFor()
    await page.reload()
    await page.getByLabel('Your reference').fill('c-2')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await heading(page, 'Dina Lim-Tan').waitFor()
    await page.getByText('Version 3').waitFor()
  })

  test('the list is filtered and searched, and archived ones come back', async () => {
    const { id } = await saved(owner, { name: 'Tala Trading', type: 'business', email: 'hello@tala.example' })
    const page = await world.open(owner, '/profiles?type=business')
    await page.getByRole('link', { name: 'Tala Trading' }).waitFor()
    expect(await page.getByRole('link', { name: 'Ana Cruz' }).count()).toBe(0)
    await page.getByRole('textbox', { name: 'Search' }).fill('hello@tala.example')
    await page.waitForURL(/q=hello/)
    await page.getByRole('link', { name: 'Tala Trading' }).waitFor()
    await look(page, 'profiles-found')
    await page.getByRole('link', { name: 'Tala Trading' }).click()
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Restore' }).waitFor()
    expect(await page.getByRole('link', { name: 'New transfer' }).count()).toBe(0)
    await page.goto(`${world.url}/console/profiles?status=archived`)
    await page.getByRole('link', { name: 'Tala Trading' }).waitFor()
    await page.goto(`${world.url}/console/profiles/${id}`)
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Archive' }).waitFor()
    await page.goto(`${world.url}/console/profiles`)
    await page.getByRole('link', { name: 'Tala Trading' }).waitFor()
    await look(page, 'profiles')
  })

  test('a viewer sees them and changes nothing, here and over HTTP', async () => {
    const { id } = await saved(owner, { name: 'Elena Go', mobile: '09175550000' })
    const viewer = await world.person('viewer')
    const page = await world.open(viewer, `/profiles/${id}`)
    await page.getByText('No way to pay yet').waitFor()
    for (const name of ['Edit', 'Archive', 'Add a way to pay', 'New transfer'])
      expect(await page.getByText(name, { exact: true }).count(), name).toBe(0)
    await look(page, 'profile-viewer')
    await page.goto(`${world.url}/console/profiles`)
    await page.getByRole('link', { name: 'Elena Go' }).waitFor()
    expect(await page.getByText('New profile').count()).toBe(0)
    const refused = [403, 'scope_missing']
    expect(coded(await viewer.ask('POST', '/profiles', { body: { name: 'X' } }))).toEqual(refused)
    expect(coded(await viewer.ask('PATCH', `/profiles/${id}`, { body: { name: 'X' } }))).toEqual(refused)
    expect(coded(await viewer.ask('DELETE', `/profiles/${id}`))).toEqual(refused)
    const way = { channel: 'sandbox', recipient: { wallet: '1' } }
    expect(coded(await viewer.ask('POST', `/profiles/${id}/destinations`, { body: way }))).toEqual(refused)
  })

  test('another account has none of them', async () => {
    const { id } = await saved(owner, { name: 'Fely Ong', email: 'fely@ong.example' })
    const other = await world.person('owner', await world.newCaller())
    const page = await world.open(other, `/profiles/${id}`)
    await page.getByText('profile_not_found').waitFor()
    await look(page, 'profile-missing')
    await page.goto(`${world.url}/console/profiles`)
    await page.getByText('Nobody here yet').waitFor()
    await page.getByRole('textbox', { name: 'Search' }).fill('fely@ong.example')
    await page.getByText('Nobody fits').waitFor()
  })

  test('speak Filipino', async () => {
    const page = await world.open(owner, '/profiles', { language: 'fil' })
    await page.getByRole('link', { name: 'Bagong profile' }).waitFor()
    await look(page, 'profiles-fil')
  })
})
