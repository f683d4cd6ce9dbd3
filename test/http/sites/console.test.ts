// How the console is served: one page for all screens under a policy of its own, files for ever, nothing where it is off; and how
// much a first look at it loads.
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtFolder, openSite, type Site } from '../../../src/http/sites/site.ts'
import { builtConsole } from '../../rig/console/built-console.ts'
import { openWorld, type World } from '../../world.ts'

const FIRST_LOAD_BYTES_MAX = 250_000

let world: World
let site: Site
beforeAll(async () => {
  builtConsole()
  world = await openWorld({ workers: 'resting' })
  const built = openSite(builtFolder('console'))
  if (built === null) throw new Error('there is no build of the console')
  site = built
}, 300_000)
afterAll(() => world.stop())

const get = (url: string, headers: Record<string, string> = {}) =>
  world.gateway.app.inject({ method: 'GET', url, headers })
const nonceOf = (policy: unknown) => /'nonce-([^']+)'/.exec(String(policy))?.[1] ?? ''

test('the bare address leads to it', async () => {
  const { statusCode, headers } = await get('/console')
  expect([statusCode, headers.location]).toEqual([302, 'console/'])
})

test.each(['/console/', '/console/transfers/0198', '/console/invitations/abc?x=1'])(
  '%s is the one page, with a nonce that is good once',
  async (url) => {
    const [first, second] = await Promise.all([get(url), get(url)])
    const nonces = [first, second].map(({ headers }) => nonceOf(headers['content-security-policy']))
    expect(nonces[0]).not.toBe(nonces[1])
    expect(first.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    expect(first.body).toContain(`nonce="${nonces[0]}"`)
    expect(first.body).toContain('name="openid" content="off"')
    expect(first.body).not.toMatch(/__[A-Z]+__/)
  },
)

test('the policy lets nothing come from elsewhere, go elsewhere, or frame it', async () => {
  const policy = String((await get('/console/')).headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("connect-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
})

test('files are kept for ever, packed for who takes that, and one that is gone is not the page', async () => {
  const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec((await get('/console/')).body)?.[1] ?? ''
  const { headers } = await get(script, { 'accept-encoding': 'br' })
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  expect((await get(script, { 'if-none-match': String(headers.etag) })).statusCode).toBe(304)
  expect((await get('/console/assets/gone-123.js')).statusCode).toBe(404)
  expect((await get('/console/site.json')).headers['content-type']).toContain('text/html')
})

test('the licences of what is in it come along', async () => {
  const { body } = await get('/console/licences.md')
  expect(body).toContain('@mantine/core')
  expect(body).toContain('MIT')
})

test(`a first look loads at most ${FIRST_LOAD_BYTES_MAX} bytes, gzipped`, async () => {
  const { body } = await get('/console/')
  const files = [...body.matchAll(/(?:src|href)="\/console\/([^"]+)"/g)].map(([, name = '']) => name)
  expect(files.length).toBeGreaterThan(2)
  const sizes = await Promise.all(
    files.map(async (name) => gzipSync((await site.at(name)?.plain()) ?? Buffer.alloc(0)).length),
  )
  expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX)
})

test('switched off it leaves no route', async () => {
  const off = await openWorld({ workers: 'resting', config: { console: 'off' } })
  for (const url of ['/console', '/console/', '/console/assets/index.js', '/console/scheme.js']) {
    const { statusCode, body } = await off.gateway.app.inject({ method: 'GET', url })
    expect([statusCode, JSON.parse(body).error.code]).toEqual([404, 'route_not_found'])
  }
  await off.stop()
})
