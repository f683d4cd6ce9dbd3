// Trials of verifiers that are called: what is sent and shown, how each reply is read, and that nothing is left of them.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { verifyServiceSignature } from '../../../sdk/src/signature.ts'
import { type Caller, openWorld } from '../../world.ts'
import { joined } from '../members/people.ts'
import { openService, verifierAt } from './called-stage.ts'

const [world, service] = await Promise.all([openWorld(), openService()])
afterAll(() => Promise.all([world.stop(), service.stop()]))
beforeEach(() => {
  service.answer = ({ id }) => ({ body: JSON.stringify({ id, result: 'pass' }) })
})

type Trial = {
  readonly read_as: string
  readonly reason: string
  readonly evidence: object
  readonly request: { readonly url: string; readonly headers: Record<string, string>; readonly body: string }
  readonly response: { readonly status_code: number; readonly body: string } | null
}

async function tried(owner: Caller, verifier: string): Promise<Trial> {
  const reply = await owner.ask('POST', `/verifiers/${verifier}/try`, { body: {} })
  if (reply.status !== 200) throw new Error(reply.text)
  return reply.data['verifier_trial'] as Trial
}

test('a service gets a signed sample about nobody; its reply is shown, read, and kept nowhere', async () => {
  const owner = await world.newCaller()
  const { id: verifier, secret } = await verifierAt(owner, 'http', `${service.url}/check`)
  service.answer = ({ id }) => ({
    body: JSON.stringify({
      id,
      result: 'review',
      reason: 'Look at it.',
      evidence: { seen: 2, card: '4111111111111111' },
    }),
  })
  const { request, response, ...read } = await tried(owner, verifier)
  expect(read).toMatchObject({ read_as: 'review', reason: 'Look at it.', evidence: { seen: 2 } })
  expect(request.url).toBe(`${service.url}/check`)
  expect(JSON.parse(request.body)).toMatchObject({
    type: 'verification.requested',
    sample: true,
    livemode: false,
    verifier: { id: verifier },
    contract_id: null,
  })
  const window = { nowSeconds: Date.now() / 1000, toleranceSeconds: 300 }
  const signature = request.headers['service-signature'] ?? ''
  expect(verifyServiceSignature(Buffer.from(request.body), signature, [secret], window).ok).toBe(true)
  expect(service.signed(secret).at(-1)).toBe(true)
  expect(response).toMatchObject({ status_code: 200 })
  expect(response?.body).not.toContain('4111111111111111')
  const { data } = await owner.ask('GET', '/verifications')
  expect(data['verifications']).toEqual([])
  const events = await owner.all<{ readonly type: string }>('/events', 'events')
  expect(events.filter(({ type }) => type.startsWith('verification.'))).toEqual([])
})

test.each<[string, (id: string) => { status?: number; body: string }, RegExp]>([
  ['another verification', () => ({ body: JSON.stringify({ id: 'x', result: 'pass' }) }), /another verification/],
  ['no JSON', () => ({ body: 'pass' }), /not of the form/],
  ['a status that is none', (id) => ({ status: 503, body: JSON.stringify({ id, result: 'pass' }) }), /answered 503/],
])('%s is no answer, and its words say so', async (_, answer, reason) => {
  const owner = await world.newCaller()
  const { id: verifier } = await verifierAt(owner, 'http', service.url)
  service.answer = ({ id }) => answer(id)
  expect(await tried(owner, verifier)).toMatchObject({ read_as: 'unavailable', reason: expect.stringMatching(reason) })
})

test('a hook of codes gets a code that opens nothing; one that cannot be reached is told', async () => {
  const owner = await world.newCaller()
  const { id: verifier } = await verifierAt(owner, 'otp', service.url, { to: 'payer' })
  service.answer = () => ({ status: 204, body: '' })
  const { read_as: readAs, request } = await tried(owner, verifier)
  expect(readAs).toBe('sent')
  expect(JSON.parse(request.body)).toMatchObject({
    type: 'verification.code',
    code: '000000',
    to: 'payer',
    sample: true,
  })
  const gone = await openService()
  const { id: silent } = await verifierAt(owner, 'http', gone.url)
  await gone.stop()
  expect(await tried(owner, silent)).toMatchObject({ read_as: 'unavailable', response: null })
})

test('one trial of a verifier at a time; lists, archived ones and those of others are refused', async () => {
  const [owner, stranger] = [await world.newCaller(), await world.newCaller()]
  const { id: verifier } = await verifierAt(owner, 'http', service.url)
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let begun = 0
  service.answer = async ({ id }) => {
    begun += 1
    await held
    return { body: JSON.stringify({ id, result: 'fail' }) }
  }
  const first = tried(owner, verifier)
  await expect.poll(() => begun, { timeout: 60_000 }).toBe(1)
  const refused = async (by: Caller, id: string) => {
    const { status, error } = await by.ask('POST', `/verifiers/${id}/try`, { body: {} })
    return [status, error.code]
  }
  expect(await refused(owner, verifier)).toEqual([429, 'rate_limited'])
  expect(await refused(stranger, verifier)).toEqual([404, 'verifier_not_found'])
  release()
  expect(await first).toMatchObject({ read_as: 'fail' })
  const made = await owner.ask('POST', '/verifiers', { body: { kind: 'list', name: 'Not to be paid' } })
  expect(await refused(owner, (made.data['verifier'] as { id: string }).id)).toEqual([404, 'verifier_not_found'])
  await owner.ask('DELETE', `/verifiers/${verifier}`)
  expect(await refused(owner, verifier)).toEqual([409, 'verifier_archived'])
})

test('in live mode a key tries nothing: a person does', async () => {
  const owner = await world.newCaller({ livemode: true })
  const { status, error } = await owner.ask(
    'POST',
    `/verifiers/${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}/try`,
    {
      body: {},
    },
  )
  expect([status, error.code]).toEqual([403, 'person_required'])
  const person = await joined(world, owner, 'admin')
  const made = await person.ask('POST', '/verifiers', { body: { kind: 'http', name: 'Desk', url: service.url } })
  expect(made.status).toBe(200)
  expect(await tried(person as unknown as Caller, (made.data['verifier'] as { id: string }).id)).toMatchObject({
    read_as: 'pass',
  })
})
