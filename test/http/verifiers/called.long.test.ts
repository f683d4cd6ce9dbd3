// Verifiers of one's own over HTTP: what they are sent, and that nothing but a plain answer to the very question counts.
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openWorld } from '../../world.ts'
import { asked, isAnswered, isEnded, openService, until, verifierAt } from './called-stage.ts'

const [world, service, dead] = await Promise.all([openWorld(), openService(), openService()])
afterAll(() => Promise.all([world.stop(), service.stop(), dead.stop()]))
beforeEach(() => {
  service.answer = ({ id }) => ({ body: JSON.stringify({ id, result: 'pass' }) })
})

test('it is asked by a signed call, and its answer counts with its evidence', async () => {
  const owner = await world.newCaller()
  const { id: verifier, secret } = await verifierAt(owner, 'http', `${service.url}/check`)
  expect(secret).toMatch(/^whsec_/)
  service.answer = ({ id }) => ({
    body: JSON.stringify({ id, result: 'review', reason: 'Seen twice this week.', evidence: { seen: 2 } }),
  })
  const id = await asked(owner, verifier, 'Ana Reyes', { channel: 'sandbox' })
  expect(await until(owner, id, isEnded)).toMatchObject({
    status: 'review',
    reason: 'Seen twice this week.',
    evidence: { seen: 2 },
  })
  const sent = service.asked.filter((each) => each.id === id)
  expect(sent).toMatchObject([{ type: 'verification.requested', recipient: { name: 'Ana Reyes' }, channel: 'sandbox' }])
  expect(service.signed(secret).at(-1)).toBe(true)
  // The secret is shown once, and never again.
  const shown = await owner.ask('GET', `/verifiers/${verifier}`)
  expect(shown.data['verifier']).toMatchObject({ secret: null, url: `${service.url}/check`, entries: null })
})

test('a rolled secret signs from now on, and the one before as long as the overlap lasts', async () => {
  const owner = await world.newCaller()
  const { id: verifier, secret } = await verifierAt(owner, 'http', service.url)
  const rolled = await owner.ask('POST', `/verifiers/${verifier}/roll-secret`, { body: {} })
  const { secret: next } = rolled.data['verifier'] as { secret: string }
  await until(owner, await asked(owner, verifier), isEnded)
  expect([service.signed(secret).at(-1), service.signed(next).at(-1), next === secret]).toEqual([true, true, false])
  await owner.ask('POST', `/verifiers/${verifier}/roll-secret`, { body: { overlap_seconds: 0 } })
  await until(owner, await asked(owner, verifier, 'Ben Cruz'), isEnded)
  expect([service.signed(secret).at(-1), service.signed(next).at(-1)]).toEqual([false, false])
})

const OTHER = '01932c07-4b5e-7c31-9d0a-6f2b8e4a1c55'
describe('no answer, and never a pass', () => {
  test.each<[string, (id: string) => { status?: number; headers?: Record<string, string>; body: string }, RegExp]>([
    ['a status that is none', (id) => ({ status: 500, body: JSON.stringify({ id, result: 'pass' }) }), /answered 500/],
    ['a redirect', () => ({ status: 307, headers: { location: service.url }, body: '' }), /redirects/],
    ['no JSON', () => ({ body: 'pass' }), /not of the form/],
    ['another form', (id) => ({ body: JSON.stringify({ id, result: 'pass', more: 1 }) }), /not of the form/],
    ['a result that is none', (id) => ({ body: JSON.stringify({ id, result: 'passed' }) }), /has no result/],
    ['another verification', () => ({ body: JSON.stringify({ id: OTHER, result: 'pass' }) }), /another verification/],
    ['a huge body', (id) => ({ body: JSON.stringify({ id, result: 'pass', reason: 'x'.repeat(100_000) }) }), /bytes/],
    [
      'evidence with depth',
      (id) => ({ body: JSON.stringify({ id, result: 'pass', evidence: { a: {} } }) }),
      /not of the form/,
    ],
  ])('%s', async (_, answer, reason) => {
    const owner = await world.newCaller()
    const { id: verifier } = await verifierAt(owner, 'http', service.url)
    service.answer = ({ id }) => answer(id)
    const id = await asked(owner, verifier)
    expect(await until(owner, id, isAnswered)).toMatchObject({
      status: 'pending',
      reason: expect.stringMatching(reason),
    })
    await world.sql(`update verifications set tries = 4, fence = fence + 1, due_at = now() where id = $1`, [id])
    expect(await until(owner, id, isEnded)).toMatchObject({ status: 'unavailable' })
  })
})

test('what answers twice is heard once: the answer to an earlier question changes nothing', async () => {
  const owner = await world.newCaller()
  const { id: verifier } = await verifierAt(owner, 'http', service.url)
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let count = 0
  service.answer = async ({ id }) => {
    count += 1
    if (count === 1) {
      await held
      return { body: JSON.stringify({ id, result: 'fail' }) }
    }
    return { body: JSON.stringify({ id, result: 'pass' }) }
  }
  const id = await asked(owner, verifier)
  await expect.poll(() => count, { timeout: 60_000 }).toBe(1)
  // The lease ends while it is still thinking; busy verifiers are left alone, so that the first call is let go first.
  await world.sql(`update verifications set fence = fence + 1, due_at = now() where id = $1`, [id])
  release()
  expect(await until(owner, id, isEnded)).toMatchObject({ status: 'pass' })
  expect(count).toBe(2)
})

test('one that never answers rests, and slows no other', async () => {
  const [slow, quick] = await Promise.all([world.newCaller(), world.newCaller()])
  let calls = 0
  dead.answer = () => {
    calls += 1
    return new Promise(() => undefined)
  }
  const [{ id: hanging }, { id: verifier }] = await Promise.all([
    verifierAt(slow, 'http', dead.url),
    verifierAt(quick, 'http', service.url),
  ])
  await Promise.all(Array.from({ length: 40 }, (_, i) => asked(slow, hanging, `Person ${i}`)))
  await expect.poll(() => calls, { timeout: 60_000 }).toBeGreaterThanOrEqual(1)
  const ids = await Promise.all(Array.from({ length: 20 }, (_, i) => asked(quick, verifier, `Person ${i}`)))
  for (const id of ids) expect(await until(quick, id, isEnded)).toMatchObject({ status: 'pass' })
  // As long as those hang, no more than a few were begun.
  expect(calls).toBeLessThanOrEqual(4)
})

const codesOf = (id: string) => service.asked.filter((each) => each.id === id).flatMap(({ code }) => code ?? [])

test('a code asked for while its hook rests counts no send, and is sent once the hook is called again', async () => {
  const owner = await world.newCaller()
  const { id: verifier } = await verifierAt(owner, 'otp', service.url)
  service.answer = (sent) => ({ status: 500, body: JSON.stringify(sent) })
  const silent = await Promise.all(['Ana', 'Ben', 'Cora'].map((name) => asked(owner, verifier, name)))
  for (const id of silent) await until(owner, id, isAnswered)
  const id = await asked(owner, verifier, 'Dan')
  expect(await until(owner, id, isAnswered)).toMatchObject({
    tries: 0,
    reason: 'The verifier did not answer lately; it is called again in a while.',
  })
  expect(codesOf(id)).toEqual([])
  const [row] = await world.sql<{ document: { readonly code?: unknown } }>(
    'select document from verifications where id = $1',
    [id],
  )
  expect(row?.document.code).toBeUndefined()
  service.answer = ({ id: sent }) => ({ body: JSON.stringify({ id: sent }) })
  // Half a minute after the third silent call the hook is tried again: by whichever question is due first.
  await until(owner, id, ({ reason }) => reason?.startsWith('A code was sent') === true)
  const [code = ''] = codesOf(id)
  expect(
    (await owner.ask('POST', `/verifications/${id}/answer`, { body: { code } })).data['verification'],
  ).toMatchObject({
    status: 'pass',
    evidence: { sends: 1, wrong: 0 },
  })
})

test('a private address, plain http and a list’s url are refused where it is made', async () => {
  const owner = await world.newCaller()
  for (const [body, code] of [
    [{ kind: 'http', name: 'A', url: 'http://10.0.0.1/' }, 'invalid_url'],
    [{ kind: 'http', name: 'A', url: 'http://169.254.169.254/latest' }, 'invalid_url'],
    [{ kind: 'otp', name: 'A', url: 'ftp://127.0.0.1/' }, 'invalid_url'],
    [{ kind: 'http', name: 'A' }, 'missing_url'],
    [{ kind: 'list', name: 'A', url: 'https://127.0.0.1/' }, 'invalid_url'],
  ] as const) {
    const { status, error } = await owner.ask('POST', '/verifiers', { body })
    expect([status, error.code]).toEqual([400, code])
  }
})
