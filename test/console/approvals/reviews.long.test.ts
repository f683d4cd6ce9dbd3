// Verifications in the console: what waits for a member's word with its evidence, whoever asked is refused in the gateway's words,
// a transfer says what was verified, and lists of one's own are filled, tried and archived.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coded, type Person } from '../../http/members/people.ts'
import { CHROMIUM } from '../../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../../rig/console/console-world.ts'
import { look } from '../../rig/console/look.ts'
import type { Caller } from '../../world.ts'

describe.skipIf(CHROMIUM === null)('verifications in the console', () => {
  let world: ConsoleWorld
  let account: Caller
  let owner: Person
  let approver: Person
  beforeAll(async () => {
    world = await openConsoleWorld()
    account = await world.newCaller()
    owner = await world.person('owner', account)
    approver = await world.person('approver', account)
  })
  afterAll(() => world.close())

  const inMenu = (page: Page, count: string) =>
    page.getByRole('navigation').getByRole('link', { name: `Verifications ${count}`.trim(), exact: true })
  const rowOf = (page: Page, name: string) => page.getByRole('table').getByRole('row').filter({ hasText: name })
  async function confirm(page: Page, action: string): Promise<void> {
    await page.getByRole('dialog').getByRole('button', { name: action }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  async function asked(by: Pick<Person, 'ask'>, body: object): Promise<string> {
    const { data } = await by.ask('POST', '/verifications', { body })
    const { id } = data['verification'] as { id: string }
    await expect.poll(async () => (await standing(by, id)).status, { timeout: 60_000 }).not.toBe('pending')
    return id
  }
  const standing = async (who: Pick<Person, 'ask'>, id: string) =>
    (await who.ask('GET', `/verifications/${id}`)).data['verification'] as { status: string; reason: string }
  const close = (wallet = '000123456780') => ({
    kind: 'name',
    channel: 'sandbox',
    recipient: { name: 'J. dela Cruz', wallet },
  })

  test('a list is made and filled, and tried on a name; the hit waits for a person with its entry', async () => {
    const page = await world.open(owner, '/verifications/verifiers')
    await page.getByText('No list of your own').waitFor()
    await look(page, 'verifiers')
    await page.getByRole('button', { name: 'Make a list' }).first().click()
    await page.getByLabel('Name').fill('Not to be paid')
    await look(page, 'verifiers-make')
    await confirm(page, 'Make the list')
    await page.getByText('it screens nobody').waitFor()
    for (const name of ['Felix Moravec', 'Somebody Else']) {
      await page.getByRole('button', { name: 'Add an entry' }).click()
      await page.getByLabel('Name on the list').fill(name)
      await page.getByLabel('Why it is on the list').fill('Convicted.')
      await confirm(page, 'Add an entry')
      await rowOf(page, name).waitFor()
    }
    await rowOf(page, 'Somebody Else').getByRole('button', { name: 'Remove' }).click()
    await confirm(page, 'Remove')
    await rowOf(page, 'Somebody Else').waitFor({ state: 'detached' })
    await look(page, 'verifiers-list')
    await page.getByRole('button', { name: 'Try it on somebody' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Felix Moravek')
    await look(page, 'verifications-ask')
    await confirm(page, 'Ask')
    await page.getByText('Like one entry of a list').first().waitFor()
    await page.getByText('Felix Moravec').first().waitFor()
    await look(page, 'verifications-hit')
  })

  test('a service is made: its secret is shown once, and rolled; it is archived', async () => {
    const page = await world.open(owner, '/verifications/verifiers')
    await page.getByRole('button', { name: 'Make a service' }).click()
    await page.getByLabel('Name').fill('Fraud desk')
    await page.getByLabel('Where it is called').fill('http://127.0.0.1:9/ask')
    await look(page, 'verifiers-make-service')
    // The secret follows in a dialog of its own.
    await page.getByRole('dialog').getByRole('button', { name: 'Make the service' }).click()
    await page.getByText('Keep this secret').waitFor()
    const { data } = await owner.ask('GET', '/verifiers')
    const made = (
      data['verifiers'] as { kind: string; name: string; url: string | null; secret: string | null }[]
    ).find(({ name }) => name === 'Fraud desk')
    expect(made).toMatchObject({ kind: 'http', url: 'http://127.0.0.1:9/ask', secret: null })
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('button', { name: 'Roll the secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Roll the secret' }).click()
    await page.getByText('Keep this secret').waitFor()
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByText('http://127.0.0.1:9/ask').waitFor()
    await look(page, 'verifiers-service')
    await page.getByRole('button', { name: 'Try' }).click()
    await page.getByRole('button', { name: 'Send the sample' }).click()
    // Nobody listens there.
    await page.getByText('No response came.').waitFor()
    await page.getByLabel('What was sent').getByText('service-signature: t=').waitFor()
    await look(page, 'verifiers-tried')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Archive' }).click()
    await confirm(page, 'Archive')
    await page.getByRole('button', { name: 'Roll the secret' }).waitFor({ state: 'detached' })
  })

  test('what is close waits for a second person: counted, looked at, and passed with a reason', async () => {
    const house = await world.newCaller()
    const [maker, second] = [await world.person('owner', house), await world.person('approver', house)]
    await asked(maker, { ...close(), recipient: { name: 'J. dela Cruz', wallet: '000123456770' } })
    const id = await asked(maker, close())
    const page = await world.open(second, '/')
    await page.getByText('Reviews wait for you').waitFor()
    await inMenu(page, '2').click()
    await rowOf(page, '000123456780').waitFor()
    await look(page, 'reviews')
    await rowOf(page, '000123456780').click()
    await page.getByRole('heading', { name: 'J. dela Cruz' }).waitFor()
    await page.getByText('Juan dela Cruz', { exact: true }).waitFor()
    await look(page, 'reviews-one')
    await page.getByRole('button', { name: 'Pass it' }).click()
    const pass = page.getByRole('dialog').getByRole('button', { name: 'Pass it' })
    expect(await pass.isDisabled()).toBe(true)
    await page.getByLabel('Why; it is kept with your name').fill('Seen with his passport.')
    await look(page, 'reviews-pass')
    await confirm(page, 'Pass it')
    await page.getByText('Seen with his passport.').first().waitFor()
    await inMenu(page, '1').waitFor()
    expect(await standing(second, id)).toMatchObject({ status: 'pass', reason: 'Seen with his passport.' })
  })

  test('a transfer to an account in a name like it is paid after a member passed it here, and not before', async () => {
    const house = await world.newCaller()
    const then = { kind: 'verification', verification: 'name' }
    expect((await house.ask('POST', '/policies', { body: { name: 'The right account', then } })).status).toBe(200)
    const { id } = await house.issued({ recipient: { name: 'J. dela Cruz', wallet: '000123456780' } })
    const pay = () => house.ask('PUT', `/contracts/transfer/${id}/pay`)
    expect((await pay()).error.code).toBe('verification_required')
    const before = await house.balance('PHP')
    const page = await world.open(await world.person('approver', house), '/verifications')
    await rowOf(page, '000123456780').click({ timeout: 60_000 })
    await page.getByRole('button', { name: 'Pass it' }).click()
    await page.getByLabel('Why; it is kept with your name').fill('Seen with his passport.')
    await confirm(page, 'Pass it')
    await page.getByText('Seen with his passport.').first().waitFor()
    expect(await house.balance('PHP')).toBe(before)
    expect((await pay()).status).toBe(200)
    expect(await house.balance('PHP')).toBe(before - 110.5)
  })

  test('whoever asked is refused in the gateway’s words; a viewer sees no button; another account sees nothing', async () => {
    const id = await asked(owner, close('000123456790'))
    const page = await world.open(owner, `/verifications/${id}`)
    await page.getByRole('button', { name: 'Fail it' }).click()
    await page.getByLabel('Why; it is kept with your name').fill('I know better.')
    await page.getByRole('dialog').getByRole('button', { name: 'Fail it' }).click()
    await page.getByRole('alert').getByText('Somebody else decides').waitFor()
    await look(page, 'reviews-refused')
    const viewer = await world.person('viewer', account)
    const seen = await world.open(viewer, `/verifications/${id}`)
    await seen.getByRole('heading', { name: 'J. dela Cruz' }).waitFor()
    for (const name of ['Pass it', 'Fail it']) expect(await seen.getByRole('button', { name }).count()).toBe(0)
    const refused = await viewer.ask('PUT', `/verifications/${id}/pass`, { body: { reason: 'mine' } })
    expect(coded(refused)).toEqual([403, 'scope_missing'])
    await seen.goto(`${world.url}/console/verifications/verifiers`)
    await seen.getByRole('heading', { name: 'Your own' }).waitFor()
    expect(await seen.getByRole('button', { name: 'Make a list' }).count()).toBe(0)
    const made = await viewer.ask('POST', '/verifiers', { body: { kind: 'list', name: 'Mine' } })
    expect(coded(made)).toEqual([403, 'scope_missing'])
    const stranger = await world.person('owner', world.other)
    const theirs = await world.open(stranger, '/verifications?status=all')
    await theirs.getByText('None of these').waitFor()
    await theirs.goto(`${world.url}/console/verifications/${id}`)
    await theirs.getByText('verification_not_found').waitFor()
  })

  test('a transfer says what was verified, how it came out and until when it counts', async () => {
    const { id } = await account.draft({ recipient: { name: 'Juan dela Cruz', wallet: '000123456780' } })
    await asked(account, { kind: 'name', contract: id })
    const page = await world.open(approver, `/transfers/${id}`)
    await page.getByRole('table', { name: 'Verifications of the recipient' }).waitFor()
    await rowOf(page, 'Account name').getByText('Passed').waitFor()
    await look(page, 'verifications-transfer')
    await rowOf(page, 'Account name').click()
    await page.waitForURL(/\/verifications\/.{36}$/)
  })

  test('a list is archived, in Filipino', async () => {
    const page = await world.open(owner, '/verifications', { language: 'fil' })
    await page.getByRole('link', { name: 'Mga tagasuri' }).click()
    // The queue, whose rows name the list too, stays on the screen until the verifiers are read.
    await page.getByRole('heading', { name: 'Sa iyo' }).waitFor()
    await rowOf(page, 'Not to be paid').click()
    await page.getByRole('button', { name: 'Itabi' }).click()
    await confirm(page, 'Itabi')
    await page.getByText('Itinabi').waitFor()
    expect(await page.getByRole('button', { name: 'Magdagdag ng tala' }).count()).toBe(0)
    await page.goto(`${world.url}/console/verifications`)
    await page.getByText('Naghihintay ng tao').waitFor()
    await look(page, 'reviews-fil')
  })
})
