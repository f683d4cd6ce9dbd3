// Webhook endpoints in the console: made with chosen events, tried out, paused, rolled; deliveries with their tries, sent again.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM } from '../pay/browser.ts'
import { type ConsoleWorld, openConsoleWorld } from '../rig/console/console-world.ts'
import { look } from '../rig/console/look.ts'

describe.skipIf(CHROMIUM === null)('webhook endpoints', () => {
  let world: ConsoleWorld
  const answers = { status: 200, text: '{"taken": true}' }
  const arrived: string[] = []
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      arrived.push(String(request.headers['webhook-id']))
      response.writeHead(answers.status, { 'content-type': 'application/json' }).end(answers.text)
    })
  })
  let url = ''

  beforeAll(async () => {
    world = await openConsoleWorld()
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  })
  afterAll(async () => {
    receiver.close()
    await world.close()
  })

  test('a developer adds one, keeps its secret, and sends a test', async () => {
    const developer = await world.person('developer')
    const page = await world.open(developer, '/developers/webhooks')
    await page.getByText('No webhook endpoint yet').waitFor()
    await look(page, 'webhooks-empty')
    await page.getByRole('button', { name: 'Add an endpoint' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill(url)
    await dialog.getByLabel('What it is for').fill('Orders of the shop')
    await dialog.getByLabel('All events').uncheck({ force: true })
    await dialog.getByRole('button', { name: 'All: Contracts' }).click()
    await dialog.getByLabel('contract.updated', { exact: true }).uncheck()
    await look(page, 'webhooks-create')
    await dialog.getByRole('button', { name: 'Add an endpoint' }).click()
    await page.getByText('Your receiver checks each delivery with it.').waitFor()
    expect(await page.locator('[role=dialog] code.id').first().textContent()).toMatch(/^whsec_/)
    await look(page, 'webhooks-made')
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('heading', { name: 'Orders of the shop' }).waitFor()
    await page.getByText('contract.updated').first().waitFor()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The receiver took it').waitFor()
    await look(page, 'webhooks-test')
    await page.getByRole('button', { name: 'Close' }).last().click()
  })

  test('deliveries come by themselves; one that failed is looked into and sent again', async () => {
    const developer = await world.person('developer')
    const page = await world.open(developer, '/developers/webhooks')
    await page.getByText('Orders of the shop').click()
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor()
    answers.status = 500
    answers.text = '{"error": "out of paper"}'
    await world.caller.issued()
    const row = page.getByRole('table', { name: 'Deliveries' }).getByText('contract.issued')
    await row.waitFor({ timeout: 30_000 })
    await look(page, 'webhook')
    await row.click()
    await page.getByText('out of paper').first().waitFor({ timeout: 30_000 })
    await page.getByText('Waits for its next try').waitFor()
    await look(page, 'webhook-delivery')
    answers.status = 200
    arrived.length = 0
    await page.getByRole('button', { name: 'Send again' }).click()
    await look(page, 'webhook-replay-one')
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    await expect.poll(() => arrived.length, { timeout: 30_000 }).toBeGreaterThan(0)
    await page.goBack()
    await page.getByText('replay 1').first().waitFor({ timeout: 30_000 })
  })

  test('it is filtered, paused and resumed, its secret rolled, missed events sent, and it is deleted', async () => {
    const developer = await world.person('developer')
    const page = await world.open(developer, '/developers/webhooks')
    await page.getByText('Orders of the shop').click()
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Given up' }).click()
    await page.getByText('No delivery fits').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await look(page, 'webhook-pause')
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
    // It has the same words, as long as it is there.
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByText('Events wait until it is resumed').waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Roll the secret' }).click()
    await page.getByRole('button', { name: 'Make the new secret' }).click()
    await page.getByText('It is shown this once').waitFor()
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByText('signs until').waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Send again' }).click()
    await page.getByLabel('From a moment on').check()
    await look(page, 'webhook-replay')
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    await page.getByText('events are on their way').waitFor()
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await look(page, 'webhook-delete')
    await page.getByRole('button', { name: 'Delete the endpoint' }).click()
    await page.getByText('No webhook endpoint yet').waitFor()
  })

  test('who may not manage webhooks has no such screen, and the API refuses', async () => {
    const viewer = await world.person('viewer')
    const page = await world.open(viewer, '/developers/webhooks')
    await page.getByRole('heading', { name: 'There is no such screen' }).waitFor()
    const refused = await viewer.ask('POST', '/webhook-endpoints', { body: { url } })
    expect([refused.status, refused.error.code]).toEqual([403, 'scope_missing'])
  })
})
