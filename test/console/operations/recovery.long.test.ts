// A gateway in recovery says so on every screen of the console, and refuses what would move money in words that a person reads.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from '../../pay/browser.ts'
import type { Person } from '../../http/members/people.ts'
import { type ConsoleWorld, openConsoleWorld } from '../../rig/console/console-world.ts'
import { freePort } from '../../rig/gateway-child.ts'
import { look } from '../../rig/console/look.ts'

describe.skipIf(CHROMIUM === null)('a recovery in the console', () => {
  let world: ConsoleWorld
  let owner: Person
  let id: string
  let restored: { readonly url: string; readonly stop: () => Promise<void> }
  beforeAll(async () => {
    world = await openConsoleWorld({}, '127.0.0.1', 'resting')
    owner = await world.person('owner')
    ;({ id } = await world.caller.issued())
    await world.sql(`insert into epochs (number, reason) values (2, 'declared')`)
    // What starts on it now is in recovery; the one before was at work already.
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const beside = await world.beside({ publicUrl: url })
    await beside.listen(port)
    restored = { url, stop: beside.stop }
  })
  afterAll(async () => {
    await restored.stop()
    await world.close()
  })

  test('every screen says it, with where to read on', async () => {
    const page = await world.open(owner, '/')
    expect(await page.getByText('In recovery: no money moves').count()).toBe(0)
    for (const path of ['/', '/transfers', `/transfers/${id}`]) {
      await page.goto(`${restored.url}/console${path}`)
      await page.getByText('In recovery: no money moves').waitFor()
    }
    await look(page, 'recovery')
    const more = page.getByRole('link', { name: 'What happens now' })
    expect(await more.getAttribute('href')).toBe('/docs/recovery')
  })

  test('in Filipino too', async () => {
    const page = await world.open(owner, '/', { language: 'fil' })
    await page.goto(`${restored.url}/console/wallets`)
    await page.getByText('Nasa pagbawi').waitFor()
    await look(page, 'recovery-fil')
  })
})
