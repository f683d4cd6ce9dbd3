// The queue of approvals in the console: whoever made a transfer sees no button, a second member approves it and the count falls on
// the other's page, several at once with their totals, rejected with a reason, and nothing for a member who was removed.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asks } from '../../http/approvals/policies.ts'
import { coded, type Person } from '../../http/members/people.ts'
import { CHROMIUM } from '../../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../../rig/console/console-world.ts'
import { look } from '../../rig/console/look.ts'
import type { Caller } from '../../world.ts'

type Waiting = { readonly id: string; readonly terms_hash: string }

describe.skipIf(CHROMIUM === null)('approvals in the console', () => {
  let world: ConsoleWorld
  let account: Caller
  let maker: Person
  let approver: Person
  let admin: Person
  beforeAll(async () => {
    world = await openConsoleWorld()
    account = await world.newCaller({ funds: { PHP: 1_000_000_00n, USD: 100_000_00n } })
    await asks(world, account, [{ count: 2, role: null }])
    maker = await world.person('owner', account)
    approver = await world.person('approver', account)
    admin = await world.person('admin', account)
  })
  afterAll(() => world.close())

  async function waiting(name: string, amount = 5000): Promise<Waiting> {
    const recipient = { name, wallet: '000123456780' }
    const body = { amount, currency: 'PHP', channel: 'sandbox', recipient, description: 'Rent of March' }
    const { id } = (await maker.ask('POST', '/contracts/transfer', { body })).data['contract'] as Waiting
    const issued = await maker.ask('PUT', `/contracts/transfer/${id}/issue`)
    const { approval } = issued.data['contract'] as { approval: { terms_hash: string } }
    return { id, terms_hash: approval.terms_hash }
  }
  const approvalOf = async (id: string) => (await account.ask('GET', `/contracts/transfer/${id}`)).data['contract']
  const queue = (page: Page) => page.getByRole('table', { name: 'Approvals' })
  const rowOf = (page: Page, name: string) => queue(page).getByRole('row').filter({ hasText: name })
  const inMenu = (page: Page, count: string) =>
    page.getByRole('navigation').getByRole('link', { name: `Approvals ${count}`.trim(), exact: true })
  async function confirm(page: Page, action: RegExp | string): Promise<void> {
    await page.getByRole('dialog').getByRole('button', { name: action }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  test('home and the menu say how many wait, the queue says why; two members approve, live on each other’s page', async () => {
    const { id, terms_hash } = await waiting('Alma Flores')
    const before = await account.balance('PHP')
    const early = await account.ask('PUT', `/contracts/transfer/${id}/pay`)
    expect(early.error.code).toBe('approval_required')
    const first = await world.open(approver, '/')
    await first.getByText('Approvals wait for you').waitFor()
    await inMenu(first, '1').click()
    const second = await world.open(admin, '/approvals')
    await inMenu(second, '1').waitFor()
    await rowOf(second, 'Alma Flores').getByText('2 more members').waitFor()
    await rowOf(first, 'Alma Flores').getByText('approve transfers of at least PHP 1,000.00').waitFor()
    await look(first, 'approvals')
    await rowOf(first, 'Alma Flores').getByRole('button', { name: 'Approve' }).click()
    await first.getByText('It waits for one more member then').waitFor()
    await look(first, 'approvals-approve')
    await confirm(first, 'Approve ₱5,035.00')
    await first.getByText('No transfer waits for your approval').waitFor()
    await inMenu(first, '').waitFor()
    await rowOf(second, 'Alma Flores').getByText('1 more member').waitFor()
    await second.getByRole('table').getByText('Alma Flores').click()
    await second.getByText('1 of 2', { exact: true }).waitFor()
    expect(await second.locator('#main').getByRole('button', { name: 'Pay' }).count()).toBe(0)
    await look(second, 'approvals-transfer')
    await second.getByRole('button', { name: 'Approve', exact: true }).click()
    await second.getByText('It can be paid then').waitFor()
    await confirm(second, 'Approve ₱5,035.00')
    await second.getByText('2 of 2').waitFor()
    await second.getByRole('button', { name: 'Pay', exact: true }).waitFor()
    expect(await approvalOf(id)).toMatchObject({ approval: { status: 'approved', terms_hash } })
    expect(await account.balance('PHP')).toBe(before)
    await account.pay(id)
    expect(await account.balance('PHP')).toBe(before - 5035)
  })

  test('whoever made it sees why it is not theirs, and no button; the gateway refuses as well', async () => {
    const { id, terms_hash } = await waiting('Ben Santos')
    const page = await world.open(maker, '/approvals')
    await page.getByText('No transfer waits for your approval').waitFor()
    await inMenu(page, '').waitFor()
    await page.getByText('Waiting', { exact: true }).first().click()
    await rowOf(page, 'Ben Santos').getByText('Somebody else approves it').waitFor()
    expect(await rowOf(page, 'Ben Santos').getByRole('button', { name: 'Approve' }).count()).toBe(0)
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await page.goto(`${world.url}/console/transfers/${id}`)
    await page.getByText('You do not approve this').waitFor()
    expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)
    await look(page, 'approvals-maker')
    const refused = await maker.ask('PUT', `/contracts/transfer/${id}/approve`, { body: { terms_hash } })
    expect(coded(refused)).toEqual([403, 'approver_is_maker'])
    const viewer = await world.person('viewer', account)
    const seen = await world.open(viewer, '/approvals')
    await rowOf(seen, 'Ben Santos').waitFor()
    expect(await seen.locator('#main').getByRole('button').count()).toBe(0)
    await look(seen, 'approvals-viewer')
    const asked = await viewer.ask('PUT', `/contracts/transfer/${id}/approve`, { body: { terms_hash } })
    expect(coded(asked)).toEqual([403, 'scope_missing'])
    const stranger = await world.open(await world.person('owner', world.other), '/approvals?shown=all')
    await stranger.getByText('No approvals yet').waitFor()
    await account.cancel(id)
  })

  test('it is rejected with a reason, which whoever made it reads', async () => {
    const { id } = await waiting('Carla Diaz')
    const page = await world.open(approver, '/approvals')
    await rowOf(page, 'Carla Diaz').getByRole('button', { name: 'Reject' }).click()
    const reject = page.getByRole('dialog').getByRole('button', { name: 'Reject and cancel it' })
    expect(await reject.isDisabled()).toBe(true)
    await page.getByLabel('Why; whoever made it reads this').fill('Paid in February already.')
    await look(page, 'approvals-reject')
    await confirm(page, 'Reject and cancel it')
    await page.getByText('No transfer waits for your approval').waitFor()
    expect(await approvalOf(id)).toMatchObject({ status: 'cancelled', approval: { status: 'rejected' } })
    const its = await world.open(maker, `/transfers/${id}`)
    await its.getByText('Paid in February already.', { exact: false }).first().waitFor()
  })

  test('several at once: by the keyboard, with the totals of the gateway, and what was refused meanwhile', async () => {
    const made = [await waiting('Dina Cruz', 2000), await waiting('Edgar Lim', 3000), await waiting('Fe Ramos', 4000)]
    const page = await world.open(approver, '/approvals')
    await rowOf(page, 'Dina Cruz').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByRole('button', { name: 'Approve 1 transfer' }).waitFor()
    await page.getByLabel('All of this page').check()
    await page.getByRole('button', { name: 'Approve 3 transfers' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('₱9,075.00').waitFor()
    await look(page, 'approvals-many')
    // One ends between the look and the word.
    await account.cancel(made[0]?.id ?? '')
    await dialog.getByRole('button', { name: 'Approve 3 transfers' }).click()
    await dialog.getByText('One was refused').waitFor()
    await look(page, 'approvals-many-refused')
    await dialog.getByRole('button', { name: 'Back to the list' }).click()
    await page.getByText('No transfer waits for your approval').waitFor()
    expect(await approvalOf(made[1]?.id ?? '')).toMatchObject({
      approval: { given: [{ member: { id: approver.id } }] },
    })
  })

  test('a member who was removed is led to the door, and their word counts no more', async () => {
    const { id, terms_hash } = await waiting('Gloria Tan')
    const gone = await world.person('approver', account)
    const page = await world.open(gone, '/approvals')
    await rowOf(page, 'Gloria Tan').getByRole('button', { name: 'Approve' }).click()
    await page.getByText('It waits for one more member then').waitFor()
    expect((await maker.ask('DELETE', `/members/${gone.id}`)).status).toBe(200)
    await page.getByRole('dialog').getByRole('button', { name: 'Approve ₱5,035.00' }).click()
    await page.getByRole('textbox', { name: 'Password' }).waitFor()
    const refused = await gone.ask('PUT', `/contracts/transfer/${id}/approve`, { body: { terms_hash } })
    expect(refused.status).toBe(401)
    expect(await approvalOf(id)).toMatchObject({ approval: { status: 'waiting', given: [] } })
  })

  test('speaks Filipino', async () => {
    const page = await world.open(approver, '/approvals', { language: 'fil' })
    await page.getByRole('heading', { name: 'Mga pahintulot' }).waitFor()
    await page.getByRole('button', { name: 'Payagan', exact: true }).first().click()
    await page.getByText('Payagan ang kasunduang ito?').waitFor()
    await look(page, 'approvals-fil')
  })
})
