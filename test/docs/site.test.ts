// The docs site as the gateway serves it: what is there, under which address, how it is kept, and that nothing else is.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { placesOf, readDocument } from '../../docs/.vitepress/reference/document.ts'
import { eventsOf } from '../../docs/.vitepress/reference/events.ts'
import { REFUSALS } from '../../src/domain/contract/refusals.ts'
import { docsRoutes } from '../../src/http/sites/docs.ts'
import { errorBody } from '../../src/http/errors.ts'
import { plainUrl } from '../../src/http/request/urls.ts'
import { builtFolder, openSite, type Site } from '../../src/http/sites/site.ts'
import { invalid, refuse, refuseAll } from '../../src/domain/contract/refusals.ts'
import { builtSite } from './built-site.ts'

const BROTLI = { 'accept-encoding': 'gzip, br;q=0.9' }

let app: FastifyInstance
beforeAll(async () => {
  builtSite()
  app = await serving(() => openSite(builtFolder('docs')))
}, 300_000)
afterAll(() => app.close())

async function serving(open: () => Site | null): Promise<FastifyInstance> {
  const server = Fastify({ exposeHeadRoutes: true, rewriteUrl: ({ url = '/' }) => plainUrl(url) })
  docsRoutes(server, open)
  await server.ready()
  return server
}

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })

test.each([
  ['/', 'docs/'],
  ['/docs', 'docs/'],
  ['/docs?from=mail', 'docs/'],
  ['/docs/reference', '/docs/reference/'],
  ['/docs/errors/', '/docs/errors'],
])('%s leads to %s, for a page has one address', async (url, target) => {
  const { statusCode, headers } = await get(url)
  expect([statusCode, headers.location]).toEqual([302, target])
})

test('a page is there for every operation and event, every code has its anchor, and an error leads to it', async () => {
  for (const { slug, method, path } of placesOf(readDocument())) {
    const { statusCode, body } = await get(`/docs/reference/${slug}`)
    expect([slug, statusCode, body.includes(`<code>${path}</code>`)]).toEqual([slug, 200, true])
    expect(body).toContain(`>${method}</b>`)
  }
  for (const { slug, type } of eventsOf(readDocument())) {
    const { statusCode, body } = await get(`/docs/reference/${slug}`)
    expect([slug, statusCode, body.includes(`>${type} `)]).toEqual([slug, 200, true])
  }
  const { body } = await get('/docs/errors')
  for (const code of [...Object.keys(REFUSALS), 'missing_param', 'invalid_param'])
    expect(body, code).toContain(`id="${code}"`)
  const refusals = [refuse('scope_missing', null, ''), refuseAll([invalid('amount', '')])]
  const urls = refusals.map((refusal) => errorBody(refusal, 'req').error.doc_url)
  expect(urls).toEqual(['/docs/errors#scope_missing', '/docs/errors#invalid_param'])
})

test('it goes out as it is kept to whoever takes brotli, and unpacked to anybody else', async () => {
  const packed = await get('/docs/errors', BROTLI)
  const plain = await get('/docs/errors')
  expect([packed.headers['content-encoding'], plain.headers['content-encoding']]).toEqual(['br', undefined])
  expect(brotliDecompressSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
  for (const header of ['br;q=0', 'gzip', 'brx', 'identity, br; q=0.0'])
    expect((await get('/docs/errors', { 'accept-encoding': header })).headers['content-encoding']).toBeUndefined()
  expect(plain.headers.vary).toBe('Accept-Encoding')
})

test('what a browser has is not sent again, and what never changes is not asked for again', async () => {
  const { headers, body } = await get('/docs/errors')
  expect(headers['cache-control']).toBe('no-cache')
  const again = await get('/docs/errors', { 'if-none-match': `"other", ${String(headers.etag)}` })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  const script = /src="(\/docs\/assets\/[^"]+\.js)"/.exec(body)?.[1] ?? ''
  expect((await get(script)).headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
  })
  const head = await app.inject({ method: 'HEAD', url: '/docs/errors' })
  expect([head.statusCode, head.body, Number(head.headers['content-length'])]).toEqual([
    200,
    '',
    Buffer.byteLength(body),
  ])
})

test('no script of anybody else runs, and no page can be framed', async () => {
  const policy = String((await get('/docs/')).headers['content-security-policy'])
  const scripts = /script-src ([^;]+)/.exec(policy)?.[1]?.split(' ') ?? []
  expect(scripts.length).toBeGreaterThan(1)
  expect(scripts.filter((each) => each !== "'self'" && !each.startsWith("'sha256-"))).toEqual([])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
})

describe('nothing but the pages is there', () => {
  test.each([
    '/docs/nothing',
    '/docs/site.json',
    '/docs/errors.html.br',
    '/docs/../package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%2e%2e/site.json',
    '/docs/assets/../../package.json',
    '/docs/__proto__',
    '/docs/constructor',
    '/docs/assets',
    '/docs/%00',
    '/docs//etc/passwd',
  ])('%s', async (path) => {
    if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
    // As it is written: a client that knows addresses would take the dots away.
    const asked = request({ host: '127.0.0.1', port: (app.server.address() as AddressInfo).port, path, agent: false })
    const [reply] = (await once(asked.end(), 'response')) as [IncomingMessage]
    const body = Buffer.concat(await reply.toArray()).toString()
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(body).toContain('404')
  })
})

test('without a build it says how to make one', async () => {
  expect(openSite(pathToFileURL(`${process.cwd()}/src/`))).toBeNull()
  const unbuilt = await serving(() => null)
  const { statusCode, body } = await unbuilt.inject('/docs/errors')
  expect([statusCode, body]).toEqual([404, expect.stringContaining('npm run build')])
  await unbuilt.close()
})

test('chapters and the changelog name only files that are there', () => {
  const { files } = JSON.parse(readFileSync('dist/docs/site.json', 'utf8')) as { files: Record<string, string> }
  expect(Object.keys(files).length).toBeGreaterThan(100)
  for (const path of ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'sdk/README.md'].filter((each) =>
    existsSync(each),
  )) {
    const links = [...readFileSync(path, 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g)]
    for (const [, target = ''] of links)
      expect(existsSync(new URL(target, pathToFileURL(`${process.cwd()}/${path}`))), `${path}: ${target}`).toBe(true)
  }
})
