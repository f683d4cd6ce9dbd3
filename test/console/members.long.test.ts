// The screen of members: somebody is invited and the link shown once, gets another role, is reset and removed; and nobody sees what
// their role may not do.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coded, comeIn, newEmail, type Person } from '../http/members/people.ts'
import { CHROMIUM } from '../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../rig/console/console-world.ts'
import { look } from '../rig/console/look.ts'

const rowOf = (page: Page, { email }: Pick<Person, 'email'>) => page.getByRole('row').filter({ hasText: email })

async function choose(page: Page, person: Pick<Person, 'email'>, what: string): Promise<void> {
  await rowOf(page, person).getByRole('button', { name: 'Manage' }).click()
  await page.getByRole('menuitem', { name: what }).click()
}

async function confirm(page: Page, action: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: action }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

describe.skipIf(CHROMIUM === null)('members in the console', () => {
  let world: ConsoleWorld
  let owner: Person
  beforeAll(async () => {
    world = await openConsoleWorld()
    owner = await world.person('owner')
  })
  afterAll(() => world.close())

  test('an owner invites somebody: the role is explained, and the link is shown once and works', async () => {
    const email = newEmail()
    const page = await world.open(owner, '/members')
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    await page.getByText('Moves money: writes contracts', { exact: false }).waitFor()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('radio', { name: 'Operator' }).check()
    await page.getByText('What Operator may do, exactly').click()
    await page.getByText('transfers:pay').waitFor()
    await look(page, 'members-invite')
    await confirm(page, 'Make the link')
    const url = (await page.locator('code.id').textContent()) ?? ''
    expect(url).toMatch(new RegExp(`^${world.url}/console/invitations/`))
    await look(page, 'members-invited')
    await page.getByRole('button', { name: 'Copy' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(url)
    await page.getByRole('button', { name: 'I have passed it on' }).click()
    await rowOf(page, { email }).getByText('Invited').waitFor()
    expect(await page.getByText('/console/invitations/').count()).toBe(0)
    const person = await comeIn(world, url.split('/').at(-1) ?? '', email)
    expect((await person.ask('GET', '/sessions/current')).data['member']).toMatchObject({ role: 'operator' })
    await page.reload()
    await rowOf(page, { email }).getByText('Authenticator').waitFor()
  })

  test('a role is changed, a sign-in reset, a member removed; each ends what it says', async () => {
    const dev = await world.person('developer')
    const page = await world.open(owner, '/members')
    await choose(page, dev, 'Change role')
    await page.getByRole('radio', { name: 'Viewer' }).check()
    await page.getByText('Their sessions end', { exact: false }).waitFor()
    await look(page, 'members-role')
    await confirm(page, 'Change role')
    await rowOf(page, dev).getByText('Viewer').waitFor()
    expect((await dev.ask('GET', '/sessions/current')).status).toBe(401)
    await choose(page, dev, 'Reset sign-in')
    await look(page, 'members-reset')
    await confirm(page, 'Reset sign-in')
    await page.getByText('/console/invitations/').waitFor()
    await page.getByRole('button', { name: 'I have passed it on' }).click()
    await choose(page, dev, 'Withdraw invitation')
    await confirm(page, 'Withdraw invitation')
    await rowOf(page, dev).waitFor({ state: 'detached' })
    await page.getByLabel('Show those who were removed, too').click()
    await rowOf(page, dev).getByText('Removed').waitFor()
    expect(await rowOf(page, dev).getByRole('button').count()).toBe(0)
    await look(page, 'members')
  })

  test('what the gateway would refuse is no choice: the last owner, one’s own role, an owner for an administrator', async () => {
    const account = await world.newCaller()
    const only = await world.person('owner', account)
    const page = await world.open(only, '/members')
    await rowOf(page, only).waitFor()
    expect(await page.getByRole('button', { name: 'Manage' }).count()).toBe(0)
    const admin = await world.person('admin', account)
    const its = await world.open(admin, '/members')
    await rowOf(its, only).waitFor()
    expect(await rowOf(its, only).getByRole('button').count()).toBe(0)
    expect(coded(await admin.ask('DELETE', `/members/${only.id}`))).toEqual([403, 'role_not_allowed'])
    await rowOf(its, admin).getByRole('button', { name: 'Manage' }).click()
    expect(await its.getByRole('menuitem').allTextContents()).toEqual(['Remove'])
    await its.keyboard.press('Escape')
    await its.getByRole('button', { name: 'Invite somebody' }).click()
    await its.getByRole('radio', { name: 'Administrator' }).waitFor()
    expect(await its.getByRole('radio', { name: 'Owner' }).count()).toBe(0)
  })

  test('a refusal is shown in the gateway’s words and the dialog stays', async () => {
    const page = await world.open(owner, '/members')
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    await page.getByLabel('E-mail address').fill(owner.email)
    await page.getByRole('dialog').getByRole('button', { name: 'Make the link' }).click()
    await page.getByText('member_exists').waitFor()
    await look(page, 'members-refused')
  })

  test('a viewer sees who is there and changes nobody, here and over HTTP', async () => {
    const viewer = await world.person('viewer')
    const page = await world.open(viewer, '/members')
    await rowOf(page, owner).waitFor()
    expect(await page.locator('#main').getByRole('button').count()).toBe(0)
    await look(page, 'members-viewer')
    const refused = [403, 'scope_missing']
    const invite = { email: newEmail(), role: 'viewer' }
    expect(coded(await viewer.ask('POST', '/members', { body: invite }))).toEqual(refused)
    expect(coded(await viewer.ask('PATCH', `/members/${owner.id}`, { body: { role: 'viewer' } }))).toEqual(refused)
    expect(coded(await viewer.ask('POST', `/members/${owner.id}/reset`))).toEqual(refused)
    expect(coded(await viewer.ask('DELETE', `/members/${owner.id}`))).toEqual(refused)
  })

  test('another account’s members are not there, in Filipino either', async () => {
    const other = await world.person('owner', await world.newCaller())
    const page = await world.open(other, '/members', { language: 'fil' })
    await rowOf(page, other).waitFor()
    expect(await rowOf(page, owner).count()).toBe(0)
    await look(page, 'members-fil')
  })
})
