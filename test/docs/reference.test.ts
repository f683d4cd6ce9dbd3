// The reference at GET /docs/reference in a real browser: it is drawn by scripts of this gateway, and calls nobody else.
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { REQUEST_EXAMPLES } from '../../src/http/docs/examples.ts'
import { buildScripts, CHROMIUM, launch } from '../pay/browser.ts'
import { openWorld, type World } from '../world.ts'

const SOON = { timeout: 30_000 }

let world: World
let url: string
beforeAll(async () => {
  buildScripts()
  world = await openWorld({ workers: 'resting' })
  url = await world.listen()
})
afterAll(() => world.stop())

test('every example is a body that its operation takes', async () => {
  const { body } = await world.ask('GET', '/openapi.json')
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(body, 'api')
  for (const [operation, example] of Object.entries(REQUEST_EXAMPLES)) {
    const [method = '', path = ''] = operation.split(' ')
    const place = ['paths', path, method, 'requestBody', 'content', 'application/json']
    expect(place.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], body)).toHaveProperty(
      'example',
      example,
    )
    const pointer = [...place, 'schema'].map((part) => part.replaceAll('/', '~1')).join('/')
    const isTaken = ajv.compile({ $ref: `api#/${encodeURI(pointer)}` })
    expect([operation, isTaken(example), isTaken.errors]).toEqual([operation, true, null])
  }
})

describe.skipIf(CHROMIUM === null)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser.close())

  test('the operations are drawn, and no other host is asked', { timeout: 180_000 }, async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    const page = await context.newPage()
    const asked: string[] = []
    const faults: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('pageerror', (fault) => faults.push(fault.message))
    page.on('console', (line) => /Content Security Policy|Failed to load/.test(line.text()) && faults.push(line.text()))
    await page.goto(`${url}/docs/reference`)
    await page.getByRole('button', { name: /Pay a transfer contract/ }).click(SOON)
    await page.getByText('/contracts/transfer/{id}/pay').first().waitFor(SOON)
    await page.getByRole('button', { name: /^Payment contracts/ }).click(SOON)
    await page.getByRole('button', { name: /Pay a payment contract/ }).click(SOON)
    await page.getByText('09171234567').first().waitFor(SOON)
    await page.locator('button', { hasText: 'Open Search' }).first().click(SOON)
    await page.keyboard.type('refund')
    await page
      .locator('[role=dialog]')
      .getByText(/Refund/)
      .first()
      .waitFor(SOON)
    const own = asked.filter((each) => each.startsWith(`${url}/`)).map((each) => new URL(each).pathname)
    expect(asked.filter((each) => !each.startsWith(`${url}/`) && !/^(data|blob):/.test(each))).toEqual([])
    expect(own).toEqual(expect.arrayContaining(['/docs/reference', '/docs/reference/scalar.js', '/openapi.json']))
    expect(faults).toEqual([])
    await context.close()
  })

  test('without scripts it leads to the guide, which needs none', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${url}/docs/reference`)
    await page.getByRole('link', { name: 'guide' }).click()
    await page.waitForURL(`${url}/docs`)
    expect(await page.getByRole('heading', { name: 'Error catalogue' }).isVisible()).toBe(true)
    await page.getByRole('link', { name: 'Reference', exact: true }).click()
    await page.waitForURL(`${url}/docs/reference`)
    await context.close()
  })
})
