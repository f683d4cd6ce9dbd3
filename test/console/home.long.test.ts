// Home: what waits for a person, what the money did, and where to begin; by role, in both languages.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from '../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld, PHONE } from '../rig/console/console-world.ts'
import { look } from '../rig/console/look.ts'
import type { Caller } from '../world.ts'

describe.skipIf(CHROMIUM === null)('home', () => {
  let world: ConsoleWorld
  beforeAll(async () => {
    world = await openConsoleWorld()
    await busy(world, world.caller)
  })
  afterAll(() => world.close())

  test('says first what waits, then answers four questions, each in words and in a table', async () => {
    const owner = await world.person('owner')
    const page = await world.open(owner, '/')
    await page.getByRole('heading', { name: 'Waiting for you' }).waitFor()
    await page.getByText('Transfers failed').waitFor()
    await page.getByText('Wallets run low').waitFor()
    await page.getByText('more than in the 30 days before').first().waitFor()
    await page.locator('.uplot canvas').first().waitFor()
    await look(page, 'home')
    await page.getByText('Show the figures as a table').first().click()
    expect(await page.getByRole('rowheader').count()).toBe(30)
    await page.getByRole('link', { name: 'Show them: Transfers failed' }).click()
    await page.waitForURL(/\/console\/transfers\/.{36}/)
  })

  test('the period and the currency stand in the address', async () => {
    const owner = await world.person('owner')
    const page = await world.open(owner, '/?days=7&currency=USD')
    await page.getByText('Nothing in this period').first().waitFor()
    expect(await page.getByLabel('Currency').inputValue()).toBe('USD')
    await page.getByLabel('Currency').selectOption('PHP')
    await page.getByText('than in the 7 days before').first().waitFor()
    expect(page.url()).toContain('currency=PHP')
    await page.getByText('90 days').click()
    await page.getByText('nothing in the 90 days before').first().waitFor()
    expect(page.url()).toContain('days=90')
  })

  test('an account in which nothing has happened is told where to begin, a viewer only what a viewer may', async () => {
    const fresh = await world.newCaller()
    const owner = await world.person('owner', fresh)
    const page = await world.open(owner, '/')
    await page.getByRole('heading', { name: 'Begin here' }).waitFor()
    await look(page, 'home-first')
    expect(await page.getByRole('link', { name: 'Make a transfer' }).count()).toBe(1)
    const viewer = await world.person('viewer', fresh)
    const seen = await world.open(viewer, '/', { viewport: PHONE })
    await seen.getByRole('heading', { name: 'Begin here' }).waitFor()
    expect(await seen.getByRole('link', { name: 'Make a transfer' }).count()).toBe(0)
    expect(await seen.getByText('Your role does not see all').count()).toBe(1)
  })

  test('speaks Filipino', async () => {
    const viewer = await world.person('viewer')
    const page = await world.open(viewer, '/', { language: 'fil' })
    await page.getByRole('heading', { name: 'Naghihintay sa iyo' }).waitFor()
    await page.getByRole('heading', { name: 'Magkano ang lumabas?' }).waitFor()
    await look(page, 'home-fil')
  })

  test('says that it could not be loaded, and tries again', async () => {
    const viewer = await world.person('viewer')
    const page = await world.open(viewer, '/you')
    await page.getByText('contracts:read').waitFor()
    await page.route('**/overview?*', (route) => route.fulfill({ status: 400, json: { error: BROKEN } }))
    await page.goto(`${world.url}/console/`)
    await page.getByRole('alert').first().waitFor()
    await page.unroute('**/overview?*')
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByRole('heading', { name: 'Waiting for you' }).waitFor()
  })
})

const BROKEN = { type: 'invalid_request_error', code: 'invalid_from', message: 'from is wrong.', param: 'from' }

/** Something that waits, and two months of figures. */
async function busy(world: ConsoleWorld, caller: Caller): Promise<void> {
  const { lane, accountId } = caller.account
  await caller.ask('PATCH', '/accounts/me', {
    body: { settings: { refunds_at_once: false }, time_zone: 'Asia/Manila' },
  })
  await caller.paid({ recipient: { name: 'sandbox-account-closed', wallet: '000123456789' } })
  await caller.draft({ recipient: null })
  await world.settle((await caller.paid()).id)
  await caller.ask('GET', '/overview')
  await world.sql(`update wallets set low_minor = 500000000, is_low = true where id = $1`, [
    (await caller.wallet('PHP')).id,
  ])
  await world.sql(
    `insert into figures (lane, account_id, day, kind, currency, channel_id, created, paid, completed, failed, cancelled, expired,
       returned, moved_minor, fee_minor, returned_minor, took_seconds, took_0, took_1, took_2, took_3, took_4, took_5, took_6,
       took_7, took_8, took_9, took_10, took_11)
     select $1, $2, (now() at time zone 'Asia/Manila')::date - n, kind, 'PHP', channel, 12, 11, 10, case n % 5 when 0 then 1 else 0 end, 1, 0,
            case n % 11 when 0 then 1 else 0 end, (60 - n) * 21700 * (1 + (n * 7) % 5), 12000, 0, 300, 2, 3, 2, 1, 1, 0, 1, 0, 0, 0, 0, 0
       from generate_series(1, 58) n,
            (values ('transfer', 'instapay'), ('transfer', 'gcash'), ('payment', 'qrph'), ('refund', 'sandbox')) k (kind, channel)
      where kind <> 'refund' or n % 9 = 0`,
    [lane, accountId],
  )
}
