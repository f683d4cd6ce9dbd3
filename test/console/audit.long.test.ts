// The screen of the audit list: who did what, in words, filtered by whom, what and when, and taken along as a file.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coded, type Person } from '../http/members/people.ts'
import { CHROMIUM } from '../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../rig/console/console-world.ts'
import { look } from '../rig/console/look.ts'

/** An action as the list says it; the choice of actions has the same words. */
const done = (page: Page, what: string) => page.getByRole('table').getByText(what)

describe.skipIf(CHROMIUM === null)('the audit list in the console', () => {
  let world: ConsoleWorld
  let owner: Person
  let profileId: string
  beforeAll(async () => {
    world = await openConsoleWorld()
    owner = await world.person('owner')
    const { data } = await owner.ask('POST', '/profiles', { body: { name: 'Ana Cruz', mobile: '09171234567' } })
    profileId = (data['profile'] as { id: string }).id
    await owner.ask('PATCH', `/profiles/${profileId}`, { body: { name: 'Ana Cruz-Lim' } })
    await owner.ask('PATCH', '/accounts/me', { body: { time_zone: 'Asia/Manila', settings: { retries: 2 } } })
  })
  afterAll(() => world.close())

  test('says in words who did what, and what was before', async () => {
    const page = await world.open(owner, '/audit')
    const row = page.getByRole('row').filter({ hasText: 'Changed the account' })
    await row.getByText('Time zone').waitFor()
    expect(await row.locator('del').allTextContents()).toEqual(['UTC', '0'])
    expect(await row.locator('ins').allTextContents()).toEqual(['Asia/Manila', '2'])
    expect(await row.getByRole('link', { name: 'Ana Reyes' }).count()).toBe(1)
    expect(await row.getByText('Member · 127.0.0.1').count()).toBe(1)
    const changed = page.getByRole('row').filter({ hasText: 'Changed a profile' })
    expect(await changed.locator('.id').getAttribute('href')).toBe(`/console/profiles/${profileId}`)
    await look(page, 'audit')
  })

  test('is filtered by action, actor, object and time, in the address', async () => {
    const page = await world.open(owner, '/audit')
    await done(page, 'Changed a profile').waitFor()
    await page.getByRole('combobox', { name: 'Action' }).click()
    await page.getByRole('option', { name: 'Made a profile' }).click()
    await done(page, 'Changed the account').waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.get('action')).toBe('profile.created')
    await look(page, 'audit-action')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page
      .getByRole('row')
      .filter({ hasText: 'Changed a profile' })
      .getByRole('link', { name: 'Only this' })
      .click()
    await done(page, 'Changed the account').waitFor({ state: 'detached' })
    expect(await page.locator('tbody tr').count()).toBe(2)
    await page.getByLabel('From').fill('2031-01-01')
    await page.getByText('Nothing fits').waitFor()
    await look(page, 'audit-none')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByRole('combobox', { name: 'Who' }).fill('Ana')
    await page.getByRole('option', { name: new RegExp(`Ana Reyes · ${owner.id.slice(-6)}`) }).click()
    await page.waitForURL(/actor=/)
    expect(new URL(page.url()).searchParams.get('actor')).toBe(owner.id)
    await done(page, 'Changed the account').waitFor()
  })

  test('all that fits is taken along as CSV', async () => {
    const page = await world.open(owner, `/audit?object=${profileId}`)
    await done(page, 'Changed a profile').waitFor()
    const coming = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export what fits as CSV' }).click()
    const text = readFileSync(await (await coming).path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    expect(text).toHaveLength(3)
    expect(text[0]).toMatch(/^id,at,actor_type/)
    expect(text[1]).toContain('profile.updated')
  })

  test('who may not look has no such screen, and is refused over HTTP; another account sees its own alone', async () => {
    const viewer = await world.person('viewer')
    const page = await world.open(viewer, '/audit')
    await page.getByRole('heading', { name: 'There is no such screen' }).waitFor()
    expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0)
    expect(coded(await viewer.ask('GET', '/audit'))).toEqual([403, 'scope_missing'])
    const other = await world.person('approver', await world.newCaller())
    const theirs = await world.open(other, `/audit?object=${profileId}`, { language: 'fil' })
    await theirs.getByText('Walang tugma').waitFor()
    await theirs.getByRole('button', { name: 'Burahin', exact: true }).click()
    await done(theirs, 'Nag-imbita ng kasapi').waitFor()
    expect(await done(theirs, 'Binago ang profile').count()).toBe(0)
    await look(theirs, 'audit-fil')
  })
})
