// The guard and the document agree: each operation asks for the scopes that the document names, and for no other.
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { SCOPES, type Scope } from '../../../src/domain/account/scopes.ts'
import { openWorld, type Method } from '../../world.ts'

type Described = {
  readonly security: readonly Readonly<Record<string, readonly Scope[]>>[]
  readonly responses: Readonly<Record<string, { readonly content?: object }>>
}
type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>

const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as { paths: Paths }

/** What goes wrong before a scope is looked at, and the lack of it. */
const AT_THE_DOOR = ['api_key_required', 'credentials_required', 'invalid_api_key', 'scope_missing']
const SOME_ID = '0b0e2a3c-7d44-4c7e-9d53-2f3a1c5b6d7e'

/** What is read before its sender is known: a client may prove itself in it. */
const BODIES: Readonly<Record<string, object>> = { 'POST /oauth/token': { grant_type: 'client_credentials' } }

/** Every operation that a key may call, with the scopes that it needs for it. */
const OPERATIONS = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([verb, { security, responses }]) => {
    const scopes = security.find((each) => 'apiKey' in each)?.['apiKey'] ?? []
    const isStream = 'text/event-stream' in (responses['200']?.content ?? {})
    const method = verb.toUpperCase() as Method
    const name = `${method} ${path}`
    const url = path.replaceAll(/\{\w+\}/g, SOME_ID)
    return scopes.length === 0 ? [] : [{ name, method, url, scopes, isStream, body: BODIES[name] }]
  }),
)
type Operation = (typeof OPERATIONS)[number]

const world = await openWorld({ workers: 'resting' })
const address = await world.listen()
afterAll(() => world.stop())

const keys = new Map<string, string>()

async function keyWith(scopes: readonly Scope[]): Promise<string> {
  const known = keys.get(scopes.join())
  if (known !== undefined) return known
  const { apiKey } = await world.withKey(world.caller, { scopes })
  keys.set(scopes.join(), apiKey)
  return apiKey
}

/** The status, and the code of a refusal; empty for a success. A stream is left once it has begun. */
async function answered({ method, url, isStream, body }: Operation, key: string): Promise<[number, string]> {
  const headers = { 'x-api-key': key }
  if (!isStream) {
    const reply = await world.ask(method, url, { headers, ...(body === undefined ? {} : { body }) })
    return [reply.status, reply.status < 400 ? '' : reply.error.code]
  }
  const left = new AbortController()
  const reply = await fetch(`${address}${url}`, { headers, signal: left.signal })
  const refused = reply.ok ? null : ((await reply.json()) as { error: { code: string } })
  left.abort()
  return [reply.status, refused?.error.code ?? '']
}

test('the document names a scope of nearly every operation, and uses every scope but that of figures', () => {
  expect(OPERATIONS.length).toBeGreaterThan(60)
  const used = new Set(OPERATIONS.flatMap(({ scopes }) => scopes))
  expect(SCOPES.filter((scope) => !used.has(scope))).toEqual(['metrics:read'])
})

const NEEDS = OPERATIONS.flatMap((operation) => operation.scopes.map((scope) => ({ ...operation, scope })))

test.each(NEEDS)('$name needs $scope', async ({ scope, ...operation }) => {
  const key = await keyWith(SCOPES.filter((each) => each !== scope))
  expect(await answered(operation, key)).toEqual([403, 'scope_missing'])
})

test.each(OPERATIONS)('$name needs nothing but $scopes', async (operation) => {
  const [, code] = await answered(operation, await keyWith(operation.scopes))
  expect(AT_THE_DOOR).not.toContain(code)
})
