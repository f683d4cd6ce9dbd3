// What an operation does not know is refused by its name, with the nearest name there is: on every operation of the
// document, in the query, in the body and inside it. What a contract shows of itself may be sent back.
import { afterAll, describe, expect, test } from 'vitest'
import { type Caller, type ContractBody, type Method, openWorld, READY } from '../../world.ts'
import { joined, signedInAgain } from '../members/people.ts'

const world = await openWorld({ workers: 'resting', config: { callbackSecrets: new Map([['sandbox', ['secret']]]) } })
const { caller } = world
afterAll(() => world.stop())
// Whoever may operate the gateway may call everything that a session opens.
await world.sql('update accounts set operates = true where account_id = $1', [caller.account.accountId])
const person = await joined(world, caller, 'owner')
/** This one may end. */
const brief = await signedInAgain(world, person)

type Shape = {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: unknown
  readonly type?: unknown
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
}
type Operation = {
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Shape }>> }
}
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Shape>> }
}

const document = JSON.parse((await world.ask('GET', '/openapi.json')).text) as Document
// Probes may be asked with anything.
const operations = Object.entries(document.paths)
  .filter(([path]) => !['/healthz', '/readyz'].includes(path))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const shape = operation.requestBody?.content['application/json']?.schema
      const name = `${method.toUpperCase()} ${path}`
      return { name, method: method.toUpperCase() as Method, path, shape, ask: askerOf(name, operation) }
    }),
  )

/** Whoever may call it: the account by its key, and a member where only one who is signed in may. */
function askerOf(name: string, { security = [] }: Operation): Caller['ask'] {
  const isOfMembers = security.length > 0 && security.every((each) => 'session' in each)
  if (!isOfMembers) return caller.ask
  return name === 'DELETE /sessions/current' ? brief.ask : person.ask
}

const ID = '01932c07-4b5e-7c31-9d0a-6f2b8e4a1c55'
const PARAMS: Readonly<Record<string, string>> = {
  '/channels/{id}': 'sandbox',
  '/events/{id}': `evt_${'0'.repeat(36)}`,
}
const urlOf = (path: string) =>
  path.replace(/\{\w+\}/g, () => Object.entries(PARAMS).find(([stem]) => path.startsWith(stem))?.[1] ?? ID)

function resolved(shape: Shape): Shape {
  return shape.$ref === undefined
    ? shape
    : resolved(document.components.schemas[shape.$ref.split('/').at(-1) ?? ''] ?? {})
}

/** Every object inside a body that says what it takes, by its dotted path; in each of its alternatives. */
function closedPlaces(shape: Shape, at: readonly string[] = []): string[][] {
  const { properties = {}, additionalProperties, anyOf = [], oneOf = [] } = resolved(shape)
  const inside = Object.entries(properties).flatMap(([name, member]) => closedPlaces(member, [...at, name]))
  const others = [...anyOf, ...oneOf].flatMap((each) => closedPlaces(each, at))
  const own = additionalProperties === false ? [[...at]] : []
  return [...new Map([...own, ...inside, ...others].map((place) => [place.join('.'), place])).values()]
}

/** Of drafts; told apart from members that are not known, and ignored here. */
const REQUIRED = { amount: 5, currency: 'PHP' }
const bodyAt = (place: readonly string[]): Record<string, unknown> =>
  place.reduceRight<Record<string, unknown>>((inner, name) => ({ [name]: inner }), { zzz: 1 })

test('the document has operations, with and without bodies', () => {
  expect(operations.length).toBeGreaterThan(40)
  expect(operations.filter(({ shape }) => shape !== undefined).length).toBeGreaterThan(12)
})

test.each(operations)('$name refuses a query parameter that it does not know', async ({ method, path, ask }) => {
  const { status, error } = await ask(method, `${urlOf(path)}?zzz=1`)
  expect({ status, code: error.code, param: error.param }).toEqual({
    status: 400,
    code: 'unknown_parameter',
    param: 'zzz',
  })
})

const taking = operations.flatMap(({ shape, ...operation }) => (shape ? [{ ...operation, shape }] : []))
/** A word or an object, or one object or another: nothing says which of them was meant, so the whole is refused by its name. */
const UNTOLD = ['wire', 'inquiry', 'statement', 'statement.extra']
const PROVIDERS = ['POST /webhooks', 'POST /channels/{id}/callbacks']

test.each(taking.filter(({ name }) => !PROVIDERS.includes(name)))(
  '$name refuses a member that it does not know, at every depth',
  async ({ name, method, path, shape, ask }) => {
    const places = closedPlaces(shape)
    expect(places.length).toBeGreaterThan(0)
    for (const place of places) {
      const param = [...place, 'zzz'].join('.')
      const { status, error } = await ask(method, urlOf(path), { body: { ...REQUIRED, ...bodyAt(place) } })
      expect(status, param).toBe(400)
      const told = [error, ...(error.errors ?? [])].map(({ code, param: about }) => `${code} ${about}`)
      const [whole = ''] = place
      const isUntold = name === 'POST /sandbox/scenarios' && UNTOLD.includes(place.join('.'))
      const isNamed = (each: string) => (isUntold ? each.includes(` ${whole}`) : each === `unknown_parameter ${param}`)
      expect(told.some(isNamed), `${param}: ${told.join(', ')}`).toBe(true)
    }
  },
)

const bodiless = operations.filter(({ method, shape }) => shape === undefined && method !== 'GET')

test.each(bodiless)('$name takes no body, and refuses one', async ({ method, path, ask }) => {
  const { status, error } = await ask(method, urlOf(path), { body: { zzz: 1 } })
  expect([status, error.code, error.param]).toEqual([400, 'unknown_parameter', 'zzz'])
  expect((await ask(method, urlOf(path), { body: {} })).status).not.toBe(400)
})

describe('the name that was meant', () => {
  test('a misspelt amount refunds nothing', async () => {
    const { status, error } = await caller.ask('POST', `/contracts/payment/${ID}/refunds`, { body: { ammount: 10 } })
    expect([status, error.code, error.param]).toEqual([400, 'unknown_parameter', 'ammount'])
    expect(error.message).toContain('Did you mean amount?')
  })

  test('a misspelt guard pays nothing', async () => {
    const contract = await caller.issued()
    const body = { preveiw: { amount: 1 } }
    const { status, error } = await caller.ask('PUT', `/contracts/transfer/${contract.id}/pay`, { body })
    expect([status, error.code, error.param]).toEqual([400, 'unknown_parameter', 'preveiw'])
    expect(error.message).toContain('Did you mean preview?')
    expect((await caller.get(contract.id)).status).toBe('issued')
  })

  test('a misspelt filter lists nothing', async () => {
    const { status, error } = await caller.ask('GET', '/contracts/transfer?stauts=paid')
    expect([status, error.code, error.param]).toEqual([400, 'unknown_parameter', 'stauts'])
    expect(error.message).toContain('Did you mean status?')
  })

  test('inside an object too; and without any that is near, those there are', async () => {
    const body = { ...READY, recipient: { name: 'Ana', walet: '1' }, deliverable: { kind: 'x' }, colour: 'red' }
    const { error } = await caller.ask('POST', '/contracts/transfer', { body })
    expect((error.errors ?? []).map(({ param, message }) => [param, message])).toEqual([
      ['recipient.walet', 'recipient.walet is not known. Did you mean recipient.wallet?'],
      ['deliverable.kind', 'deliverable.kind is not known. There are: type, reference_id, description, details.'],
      ['colour', expect.stringMatching(/^colour is not known\. There are: amount, currency/)],
    ])
  })

  test('it stands above the required one that is missing because of it', async () => {
    const { error } = await caller.ask('POST', '/contracts/transfer', { body: { ammount: 10, currency: 'PHP' } })
    expect((error.errors ?? []).map(({ code }) => code)).toEqual(['unknown_parameter', 'missing_amount'])
  })

  test('a name that holds a card number repeats none', async () => {
    const body = { ...READY, a4242424242424242: 1 }
    const { error } = await caller.ask('POST', '/contracts/transfer', { body })
    expect(error.code).toBe('unknown_parameter')
    expect(JSON.stringify(error)).not.toContain('4242424242424242')
  })
})

describe('what was read is sent back', () => {
  const FULL = { description: 'x', recipient: { name: 'Ana', wallet: '1' }, deliverable: { type: 'order' } }
  const readBack = ({ channel, ...rest }: ContractBody) => ({ ...rest, channel: channel?.id ?? null })

  test('a draft, to its own PATCH and to create', async () => {
    const draft = await caller.draft(FULL)
    const patched = await caller.ask('PATCH', `/contracts/transfer/${draft.id}`, { body: readBack(draft) })
    expect(patched.status).toBe(200)
    const copy = await caller.ask('POST', '/contracts/transfer', { body: readBack(draft) })
    expect(copy.status).toBe(200)
    expect((copy.data['contract'] as ContractBody).id).not.toBe(draft.id)
  })

  test('a payment contract, to create', async () => {
    const made = await caller.ask('POST', '/contracts/payment', { body: { amount: 5, currency: 'PHP' } })
    const contract = made.data['contract'] as ContractBody
    const copy = await caller.ask('POST', '/contracts/payment', { body: readBack(contract) })
    expect(copy.status).toBe(200)
  })
})
