// Ten tasks of those who work with the console, each from its home in at most four clicks; and one story of three people who look
// at the same transfer. What is typed, and what is chosen by keys, is no click.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newEmail, type Person } from '../http/members/people.ts'
import { eventOf, makeProvider, tell } from '../http/payments/receiver-world.ts'
import { CHROMIUM } from '../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../rig/console/console-world.ts'
import { stuckTransfer } from '../rig/console/stuck-transfer.ts'

const CLICKS_MAX = 4

describe.skipIf(CHROMIUM === null)('tasks', () => {
  let world: ConsoleWorld
  let owner: Person
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(500).end('{}'))
  })
  beforeAll(async () => {
    world = await openConsoleWorld()
    await world.sql('update accounts set operates = true where account_id = $1', [world.caller.account.accountId])
    owner = await world.person('owner')
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  }, 300_000)
  afterAll(async () => {
    receiver.close()
    await world.close()
  })

  /** A page at home that counts. */
  async function home(person = owner) {
    const page = await world.open(person, '/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    let clicks = 0
    const click = async (target: Locator) => {
      clicks += 1
      await target.click()
    }
    const go = (name: string) => click(page.getByRole('navigation').getByRole('link', { name, exact: true }))
    return { page, click, go, clicks: () => clicks }
  }
  const dialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name })

  test('find by customer and amount', async () => {
    const { id } = await world.caller.paid({ amount: 4321 })
    const { page, click, clicks } = await home()
    await click(page.getByRole('button', { name: 'Search, or do something' }).first())
    const hit = page.getByRole('option').filter({ hasText: '4,321.00' })
    await page.getByRole('dialog').getByRole('combobox').fill('4321')
    // The index follows the history; what is shown is asked for again when the account changes.
    await hit.first().waitFor({ timeout: 60_000 })
    await click(hit.first())
    await page.waitForURL(`**/transfers/${id}`)
    expect(clicks()).toBeLessThanOrEqual(CLICKS_MAX)
  })

  test('what search no longer has is told where one searches', async () => {
    const { lane, accountId } = world.caller.account
    await world.caller.ask('GET', '/search?q=nobody')
    const removed = `update search_progress set removed_until = $3 where lane = $1 and account_id = $2 returning lane`
    expect(await world.sql(removed, [lane, accountId, '2025-03-01T00:00:00Z'])).toHaveLength(1)
    const { page, click } = await home()
    await click(page.getByRole('button', { name: 'Search, or do something' }).first())
    await page.getByRole('dialog').getByRole('combobox').fill('nobody')
    await page.getByText(/^Found by id alone: contracts that ended before .*2025/).waitFor()
  })

  test('why is it stuck', async () => {
    const id = await stuckTransfer(world, world.caller, 77)
    const { page, click, go, clicks } = await home()
    await go('Transfers')
    await click(page.getByRole('row').filter({ hasText: '₱77.00' }).getByText('Paid'))
    await page.waitForURL(`**/transfers/${id}`)
    await page.getByText('Where the money is').waitFor()
    await page.getByText('Waits for').waitFor()
    expect(clicks()).toBeLessThanOrEqual(CLICKS_MAX)
  })

  test('refund a part', async () => {
    const body = { amount: 1500, currency: 'PHP', description: 'Order 17' }
    const reply = await world.caller.ask('POST', '/contracts/payment', { body })
    const { id } = reply.data['contract'] as { id: string }
    await tell(world, await makeProvider(world, world.caller), eventOf({ contract_id: id, amount: 1500 }))
    const { page, click, go, clicks } = await home()
    await go('Payments')
    await click(page.getByRole('row').filter({ hasText: '₱1,500.00' }).getByText('Paid').first())
    await click(page.getByRole('button', { name: 'Refund', exact: true }))
    await page.getByLabel('Amount (PHP)').fill('100')
    await click(dialog(page, 'Refund it'))
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(clicks()).toBeLessThanOrEqual(CLICKS_MAX)
  })

  test('resolve an outcome that nobody knows', async () => {
    const id = await stuckTransfer(world, world.other, 250)
    const { page, click, go, clicks } = await home()
    await go('Work')
    await click(page.getByRole('row').filter({ hasText: '₱250.00' }).getByRole('button', { name: 'Resolve' }))
    await click(page.getByRole('radio', { name: 'The recipient has the money' }))
    await page.getByLabel('What proves it').fill('Letter of the bank, ticket 4711')
    await click(dialog(page, 'Record as delivered'))
    await expect.poll(async () => (await world.other.get(id)).status).toBe('completed')
    expect(clicks()).toBeLessThanOrEqual(CLICKS_MAX)
  })

  test('replay a delivery', async () => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    await world.caller.ask('POST', '/webhook-endpoints', { body: { url } })
    await world.caller.issued({ amount: 909 })
    const { page, click, go, clicks } = await home()
    await go('Transfers')
    await click(page.getByRole('row').filter({ hasText: '₱909.00' }).getByText('Issued'))
    await click(page.getByRole('button', { name: 'Send again' }).first())
    await click(dialog(page, 'Send again'))
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(clicks()).toBeLessThanOrEqual(CLICKS_MAX)
  })

  test('roll a key', async () => {
    await owner.ask('POST', '/keys', { body: { name: 'Back office', scopes: ['contracts:read'] } })
    const { page, click, go, clicks } = await home()
    await go('API keys')
    await click(page.getByText('Back office'))
    await click(page.getByRole('button', { name: 'Roll', exact: true }))
    await click(dialog(page, 'Make the new key'))
    await page.getByText('It is shown this once').waitFor()
    expect(clicks()).toBeLessThanOrEqual(CLICKS_MAX)
  })

  test('export a month', async () => {
    const { page, click, go, clicks } = await home()
    await go('Transfers')
    await click(page.getByRole('button', { name: 'More filters' }))
    const month = new Date().toISOString().slice(0, 7)
    await page.getByLabel('Created from').fill(`${month}-01`)
    await click(page.getByRole('button', { name: 'Export CSV' }))
    const downloads = page.waitForEvent('download')
    await click(dialog(page, 'Start'))
    await (await downloads).path()
    expect(clicks()).toBeLessThanOrEqual(CLICKS_MAX)
  })

  test('freeze a channel', async () => {
    const { page, click, go, clicks } = await home()
    await go('Work')
    await click(
      page
        .getByRole('link', { name: 'Channels' })
        .or(page.getByRole('tab', { name: 'Channels' }))
        .first(),
    )
    await click(page.getByRole('button', { name: 'Freeze a channel' }))
    await page.getByRole('combobox', { name: 'Channel' }).selectOption('maya')
    await page.getByLabel('Reason').fill('The provider says that it pays twice')
    await click(dialog(page, 'Stop payouts'))
    await page.getByText('The provider says that it pays twice').waitFor()
    expect(clicks()).toBeLessThanOrEqual(CLICKS_MAX)
  })

  test('invite somebody', async () => {
    const { page, click, go, clicks } = await home()
    await go('Members')
    await click(page.getByRole('button', { name: 'Invite somebody' }))
    await page.getByLabel('E-mail address').fill(newEmail())
    await click(page.getByRole('radio', { name: 'Approver' }))
    await click(dialog(page, 'Make the link'))
    await page.getByText('It is shown this once').waitFor()
    expect(clicks()).toBeLessThanOrEqual(CLICKS_MAX)
  })

  test('a statement of a wallet', async () => {
    const { page, click, go, clicks } = await home()
    await go('Wallets')
    await click(page.getByRole('row').filter({ hasText: '₱' }).getByText('PHP').first())
    await click(page.getByRole('link', { name: 'Statement' }).first())
    const downloads = page.waitForEvent('download')
    await click(page.getByLabel('Download: CSV'))
    await (await downloads).path()
    expect(clicks()).toBeLessThanOrEqual(CLICKS_MAX)
  })

  test('three people look at one transfer: one drafts and pays it, one follows, one may only look', async () => {
    const [operator, viewer] = [await world.person('operator'), await world.person('viewer')]
    const { id } = await world.caller.draft({ amount: 888, description: 'Rent of November' })
    const [doing, following, looking] = [
      await world.open(operator, `/transfers/${id}`),
      await world.open(owner, `/transfers/${id}`),
      await world.open(viewer, `/transfers/${id}`),
    ]
    await looking.getByText('Where the money is').waitFor()
    expect(await looking.getByRole('button', { name: 'Issue', exact: true }).count()).toBe(0)
    expect((await viewer.ask('PUT', `/contracts/transfer/${id}/issue`, { body: {} })).error.code).toBe('scope_missing')
    await doing.getByRole('button', { name: 'Issue', exact: true }).click()
    await dialog(doing, 'Issue').click()
    await following.getByRole('button', { name: 'Pay', exact: true }).waitFor()
    await doing.getByRole('button', { name: 'Pay', exact: true }).click()
    await dialog(doing, 'Pay').click()
    expect(await world.settle(id)).toBe('completed')
    for (const page of [doing, following, looking]) await page.getByText('The money has arrived').first().waitFor()
  })
})
