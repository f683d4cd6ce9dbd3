// Two people edit the same thing: what the other saved meanwhile is not undone. Where the gateway has a version the save is refused, and
// the screen says how to go on; elsewhere a form sends what was changed in it, and nothing else.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../http/members/people.ts'
import { CHROMIUM } from '../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../rig/console/console-world.ts'
import { look } from '../rig/console/look.ts'
import { RENT, schedulesOf } from '../http/schedules/schedule-stage.ts'

type Body = Readonly<Record<string, unknown>>

const WAIT = { timeout: 30_000 }
const inDialog = (page: Page) => page.getByRole('dialog')

describe.skipIf(CHROMIUM === null)('what somebody else changed meanwhile', () => {
  let world: ConsoleWorld
  let owner: Person
  beforeAll(async () => {
    world = await openConsoleWorld()
    owner = await world.person('owner')
  })
  afterAll(() => world.close())

  const asked = async (method: 'GET' | 'POST' | 'PATCH', path: string, member: string, body?: Body) => {
    const reply = await owner.ask(method, path, body === undefined ? {} : { body })
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.text}`)
    return reply.data[member] as Body & { readonly id: string }
  }
  /** What the page sends when it is saved. */
  const sentBy = async (page: Page, save: () => Promise<unknown>): Promise<unknown> => {
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await save()
    const reply = await (await sent).response()
    expect(reply?.status()).toBe(200)
    return (await sent).postDataJSON()
  }

  test('of the rules stays, and is seen before they are saved', async () => {
    const page = await world.open(owner, '/account')
    const rules = page.getByRole('region', { name: 'What becomes of money' })
    await rules.getByLabel('Retries on the same channel').fill('2')
    await asked('PATCH', '/accounts/me', 'account', { settings: { refunds_at_once: false, payment_expires_in: 3600 } })
    const refunds = rules.getByRole('switch', { name: 'Refund a transfer at once' })
    await expect.poll(() => refunds.isChecked(), WAIT).toBe(false)
    expect(await rules.getByLabel('Retries on the same channel').inputValue()).toBe('2')
    // What is put back as it was is not changed.
    await refunds.click()
    await refunds.click()
    const save = () => rules.getByRole('button', { name: 'Save' }).click()
    expect(await sentBy(page, save)).toEqual({ settings: { retries: 2 } })
    await rules.getByText('Saved').waitFor()
    const { settings } = await asked('GET', '/accounts/me', 'account')
    expect(settings).toMatchObject({ retries: 2, refunds_at_once: false, payment_expires_in: 3600 })
    await asked('PATCH', '/accounts/me', 'account', { settings: { retries: 4 } })
    await expect.poll(() => rules.getByLabel('Retries on the same channel').inputValue(), WAIT).toBe('4')
  })

  test('of the web addresses, the name and the brand stays', async () => {
    const page = await world.open(owner, '/account')
    const addresses = page.getByRole('region', { name: 'Web addresses' })
    const naming = page.getByRole('region', { name: 'Name and place' })
    await addresses.getByLabel('Sites that payers may be sent back to').fill('https://shop.example')
    await naming.getByLabel('Name').fill('Kape Manila')
    const others = { cors_origins: ['https://pos.example'], default_currency: 'USD' }
    await asked('PATCH', '/accounts/me', 'account', others)
    const saveSites = () => addresses.getByRole('button', { name: 'Save' }).click()
    expect(await sentBy(page, saveSites)).toEqual({ sites: ['https://shop.example'] })
    const saveName = () => naming.getByRole('button', { name: 'Save' }).click()
    expect(await sentBy(page, saveName)).toEqual({ name: 'Kape Manila' })
    await page.goto(`${world.url}/console/account/brand`)
    await page.getByLabel('Support e-mail').fill('help@kape.example')
    const brand = { brand: { name: 'Kape' }, support: { url: 'https://kape.example/help' } }
    await asked('PATCH', '/accounts/me', 'account', brand)
    const saveBrand = () => page.getByRole('button', { name: 'Save' }).click()
    expect(await sentBy(page, saveBrand)).toEqual({ brand: {}, support: { email: 'help@kape.example' } })
    expect(await asked('GET', '/accounts/me', 'account')).toMatchObject({
      ...others,
      name: 'Kape Manila',
      sites: ['https://shop.example'],
      brand: { name: 'Kape' },
      support: { email: 'help@kape.example', url: 'https://kape.example/help' },
    })
  })

  test('of an API key stays: its addresses beside the name, its recipients beside the limit of its mandate', async () => {
    const mandate = { limits: [{ currency: 'PHP', total: 100 }], channels: ['sandbox'] }
    const made = { name: 'Agent', scopes: ['contracts:read', 'transfers:pay'], mandate }
    const { id } = await asked('POST', '/keys', 'key', made)
    const page = await world.open(owner, `/developers/keys/${id}`)
    const save = () => page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await inDialog(page).getByLabel('Name').fill('Agent of the shop')
    const terms = { ...mandate, recipients: [{ wallet: '000123456789' }] }
    await asked('PATCH', `/keys/${id}`, 'key', { addresses: ['127.0.0.1'], mandate: terms })
    expect(await sentBy(page, save)).toEqual({ name: 'Agent of the shop' })
    await page.getByRole('heading', { name: 'Agent of the shop' }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await inDialog(page).getByLabel('In all', { exact: true }).fill('250')
    const until = '2099-12-31T15:59:59.000Z'
    await asked('PATCH', `/keys/${id}`, 'key', { mandate: { ...terms, until } })
    expect(await sentBy(page, save)).toMatchObject({ mandate: { recipients: [{ wallet: '000123456789' }], until } })
    expect(await asked('GET', `/keys/${id}`, 'key')).toMatchObject({
      name: 'Agent of the shop',
      addresses: ['127.0.0.1/32'],
      mandate: { limits: [{ total: 250 }], recipients: [{ wallet: '000123456789' }], channels: ['sandbox'], until },
    })
  })

  test('of a webhook endpoint and of a wallet stays', async () => {
    const endpoint = { url: 'http://127.0.0.1:9/hook', events: ['contract.paid'], description: 'Orders' }
    const { id } = await asked('POST', '/webhook-endpoints', 'webhook_endpoint', endpoint)
    const page = await world.open(owner, `/developers/webhooks/${id}`)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Edit the endpoint' }).click()
    await inDialog(page).getByLabel('What it is for').fill('Orders of the shop')
    const meanwhile = {
      url: 'http://127.0.0.1:9/newer',
      events: ['contract.paid', 'contract.completed'],
      in_flight_max: 1,
    }
    await asked('PATCH', `/webhook-endpoints/${id}`, 'webhook_endpoint', meanwhile)
    const save = () => page.getByRole('button', { name: 'Save changes' }).click()
    expect(await sentBy(page, save)).toEqual({ description: 'Orders of the shop' })
    const after = await asked('GET', `/webhook-endpoints/${id}`, 'webhook_endpoint')
    expect(after).toMatchObject({ ...meanwhile, description: 'Orders of the shop' })

    const wallet = await asked('POST', '/wallets', 'wallet', { currency: 'PHP', label: 'Old' })
    await page.goto(`${world.url}/console/wallets/${wallet.id}`)
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await inDialog(page).getByLabel('What you call it').fill('Older')
    await asked('PATCH', `/wallets/${wallet.id}`, 'wallet', { low_balance: 500 })
    const edit = () => inDialog(page).getByRole('button', { name: 'Edit' }).click()
    expect(await sentBy(page, edit)).toEqual({ label: 'Older' })
    expect(await asked('GET', `/wallets/${wallet.id}`, 'wallet')).toMatchObject({ label: 'Older', low_balance: 500 })
  })

  test('of a way to pay is not undone: the change is refused in words, and the newest is taken up', async () => {
    const way = { channel: 'sandbox', label: 'salary', recipient: { wallet: '0012345678' } }
    const { id } = await asked('POST', '/profiles', 'profile', { name: 'Ben Reyes' })
    const destination = await asked('POST', `/profiles/${id}/destinations`, 'destination', way)
    const page = await world.open(owner, `/profiles/${id}`)
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByLabel('Called').fill('salary account')
    const corrected = { recipient: { wallet: '0099999999' } }
    await asked('PATCH', `/profiles/${id}/destinations/${destination.id}`, 'destination', corrected)
    await page.getByRole('cell', { name: '0099999999' }).waitFor(WAIT)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('alert').getByText('Somebody else has changed this meanwhile').waitFor()
    await look(page, 'changed-meanwhile')
    await page.getByRole('button', { name: 'Take up the newest' }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    expect(await page.getByLabel('Account or wallet number').inputValue()).toBe('0099999999')
    await page.getByLabel('Called').fill('salary account')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('cell', { name: 'salary account' }).waitFor()
    await page.getByRole('cell', { name: '0099999999' }).waitFor()
  })

  test('of a schedule is told in Filipino, too, and the newest stands in the form once it is taken up', async () => {
    const schedules = schedulesOf(world.caller)
    const { id } = await schedules.make({ ...RENT, name: 'Two at once' })
    const page = await world.open(owner, `/schedules/${id}/edit`, { language: 'fil' })
    await page.locator('input').first().waitFor()
    await schedules.patch(id, { name: 'Somebody else’s' })
    await page.getByRole('button', { name: 'Baguhin ang iskedyul' }).click(WAIT)
    await inDialog(page).getByRole('button', { name: 'Baguhin ang iskedyul' }).click()
    await inDialog(page).getByText('May ibang nagbago nito samantala').waitFor(WAIT)
    await inDialog(page).getByRole('button', { name: 'Kunin ang pinakabago' }).click()
    await inDialog(page).waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('input').first().inputValue(), WAIT).toBe('Somebody else’s')
  })
})
