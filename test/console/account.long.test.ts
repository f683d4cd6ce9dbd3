// The screens of the account: its name and rules are changed, its brand is seen as payers will see it before it is saved, and what
// was used is counted. A viewer looks, and another account is never touched.
import { crc32, deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coded, type Person } from '../http/members/people.ts'
import { CHROMIUM } from '../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../rig/console/console-world.ts'
import { look } from '../rig/console/look.ts'

const accountOf = async (person: Person) =>
  (await person.ask('GET', '/accounts/me')).data['account'] as {
    readonly name: string
    readonly time_zone: string
    readonly settings: Readonly<Record<string, unknown>>
    readonly brand: { readonly logo: string | null; readonly colour: string | null; readonly name: string | null }
    readonly support: { readonly phone: string | null }
  }

/** A PNG of one colour. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
    const whole = Buffer.alloc(named.length + 8)
    whole.writeUInt32BE(content.length, 0)
    named.copy(whole, 4)
    whole.writeUInt32BE(crc32(named), named.length + 4)
    return whole
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from([11, 122, 83]))])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  const begin = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([begin, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

describe.skipIf(CHROMIUM === null)('the account in the console', () => {
  let world: ConsoleWorld
  let owner: Person
  beforeAll(async () => {
    world = await openConsoleWorld()
    owner = await world.person('owner')
  })
  afterAll(() => world.close())

  test('its name, place and rules are changed, and what is wrong stands beside its field', async () => {
    const page = await world.open(owner, '/account')
    const naming = page.getByRole('region', { name: 'Name and place' })
    await naming.getByLabel('Name').fill('Kape Manila')
    await naming.getByRole('combobox', { name: 'Time zone' }).fill('Manila')
    await page.getByRole('option', { name: 'Asia/Manila' }).click()
    await naming.getByRole('button', { name: 'Save' }).click()
    await naming.getByText('Saved').waitFor()
    await page.getByRole('region', { name: 'Kape Manila' }).waitFor()
    const rules = page.getByRole('region', { name: 'What becomes of money' })
    await rules.getByRole('switch', { name: 'Refund a transfer at once' }).click()
    await rules.getByLabel('Retries on the same channel').fill('2')
    await rules.getByRole('combobox', { name: 'A payment can be paid for' }).click()
    await page.getByRole('option', { name: '1 hour' }).click()
    await rules.getByRole('button', { name: 'Save' }).click()
    await rules.getByText('Saved').waitFor()
    const { name, time_zone, settings } = await accountOf(owner)
    expect({ name, time_zone }).toEqual({ name: 'Kape Manila', time_zone: 'Asia/Manila' })
    expect(settings).toMatchObject({ refunds_at_once: false, retries: 2, payment_expires_in: 3600 })
    const addresses = page.getByRole('region', { name: 'Web addresses' })
    await addresses.getByLabel('Sites that payers may be sent back to').fill('http://shop.example')
    await addresses.getByRole('button', { name: 'Save' }).click()
    await addresses.locator('[aria-invalid="true"]').waitFor()
    await addresses.getByText('must begin with https://', { exact: false }).waitFor()
    await look(page, 'account')
  })

  test('the brand is drawn as payers will see it, before it is saved', async () => {
    const page = await world.open(owner, '/account/brand')
    await page.getByLabel('Name for payers').fill('Bangka Express')
    await page.getByLabel('Colour', { exact: true }).fill('#ffcc00')
    await page.getByText('Black stands on the button', { exact: false }).waitFor()
    const light = page.locator('.payment-page').first()
    const ground = "getComputedStyle(document.querySelector('.payment-page .button')).backgroundColor"
    expect(await page.evaluate(ground)).toBe('rgb(255, 204, 0)')
    await light.getByText('Pay Bangka Express').waitFor()
    const logo = page.locator('input[type=file]')
    const file = { name: 'logo.png', mimeType: 'image/png' }
    await logo.setInputFiles({ ...file, buffer: png(8, 8) })
    await page.getByText('It must be 16 to 1024 pixels wide and high.').waitFor()
    await logo.setInputFiles({ ...file, buffer: Buffer.alloc(40_000) })
    await page.getByText('This has more than 32 KiB', { exact: false }).waitFor()
    await logo.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
    await page.getByText('This is no PNG, JPEG or WebP.').waitFor()
    await logo.setInputFiles({ ...file, buffer: png(120, 32) })
    await light.locator('img').waitFor()
    await page.getByLabel('Support phone').fill('not a number')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    await page.getByLabel('Support phone').fill('02 8123 4567')
    await page.getByLabel('Support e-mail').fill('help@bangka.example')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await look(page, 'account-brand')
    const { brand, support } = await accountOf(owner)
    expect(brand).toMatchObject({ name: 'Bangka Express', colour: '#ffcc00' })
    expect(brand.logo).toMatch(/^data:image\/png;base64,/)
    expect(support.phone).toBe('+63281234567')
    expect(await page.getByLabel('Support phone').inputValue()).toBe('+63281234567')
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await accountOf(owner)).brand.logo, { timeout: 30_000 }).toBeNull()
  })

  test('what was used is counted by day', async () => {
    const page = await world.open(owner, '/account/usage')
    await page.getByText('Nothing was used in this time').waitFor()
    await look(page, 'account-usage-none')
    const { id } = await world.caller.paid({ amount: 250 })
    await world.settle(id)
    await page.reload()
    await page.getByText('1 made, 0 transfers failed.').waitFor()
    await page.getByRole('table', { name: 'By day' }).getByText('1 / 1 / 0').waitFor()
    await page.getByRole('table', { name: 'By day' }).getByText('₱250.00').waitFor()
    await look(page, 'account-usage')
  })

  test('a viewer sees it all and changes nothing, here and over HTTP', async () => {
    const viewer = await world.person('viewer')
    const page = await world.open(viewer, '/account')
    await page.getByText('Refund a transfer at once when it failed for good').waitFor()
    expect(await page.locator('#main').locator('input, textarea, form').count()).toBe(0)
    await look(page, 'account-viewer')
    await page.getByRole('link', { name: 'What payers see' }).click()
    await page.locator('.payment-page').first().waitFor()
    expect(await page.locator('#main').locator('input, textarea, form').count()).toBe(0)
    await look(page, 'account-brand-viewer')
    const patch = { body: { name: 'Mine' } }
    expect(coded(await viewer.ask('PATCH', '/accounts/me', patch))).toEqual([403, 'scope_missing'])
  })

  test('each account has its own, in Filipino too', async () => {
    const other = await world.person('owner', await world.newCaller())
    const page = await world.open(other, '/account', { language: 'fil' })
    await page.getByRole('region', { name: 'Pangalan at lugar' }).getByLabel('Pangalan').waitFor()
    expect((await accountOf(other)).brand.name).toBeNull()
    expect(await page.getByText('Kape Manila').count()).toBe(0)
    await look(page, 'account-fil')
  })
})
