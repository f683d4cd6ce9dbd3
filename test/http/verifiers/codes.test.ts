// One-time codes: sent by the account's hook, given back by whoever got it, a few times at most; and never shown.
import { afterAll, expect, test } from 'vitest'
import { type Caller, openWorld } from '../../world.ts'
import { asked, isAnswered, isEnded, openService, until, verifierAt } from './called-stage.ts'

const [world, service] = await Promise.all([openWorld(), openService()])
afterAll(() => Promise.all([world.stop(), service.stop()]))

const WRONG = (code: string) => (code === '000000' ? '111111' : '000000')
const codesOf = (id: string) => service.asked.filter((each) => each.id === id).flatMap(({ code }) => code ?? [])
const give = (owner: Caller, id: string, code: string) =>
  owner.ask('POST', `/verifications/${id}/answer`, { body: { code } })

async function sent(owner: Caller, name = 'Ana Reyes', more: object = {}) {
  const { id: verifier } = await verifierAt(owner, 'otp', service.url, more)
  const id = await asked(owner, verifier, name)
  await until(owner, id, isAnswered)
  const [code = ''] = codesOf(id)
  return { id, code, verifier }
}

test('the right code passes, once, and is in nothing that is shown', async () => {
  const owner = await world.newCaller()
  const { id, code } = await sent(owner, 'Ana Reyes', { to: 'payer' })
  expect(code).toMatch(/^\d{6}$/)
  expect(service.asked.find((each) => each.id === id)).toMatchObject({ type: 'verification.code', to: 'payer' })
  const wrong = await give(owner, id, WRONG(code))
  expect([wrong.status, wrong.error.code, wrong.error.message]).toEqual([
    403,
    'code_wrong',
    'The code is wrong. 4 tries are left.',
  ])
  const right = await give(owner, id, code)
  expect([right.status, right.data['verification']]).toEqual([
    200,
    expect.objectContaining({ status: 'pass', evidence: { sends: 1, wrong: 1 } }),
  ])
  const again = await give(owner, id, code)
  expect([again.status, again.error.code]).toEqual([409, 'code_not_waited_for'])
  const events = JSON.stringify(await owner.all('/events', 'events'))
  const rows = JSON.stringify(await world.sql('select document from verifications where id = $1', [id]))
  const audited = (await owner.ask('GET', '/audit')).text
  for (const text of [events, rows, audited]) expect(text).not.toContain(`"${code}"`)
})

test('five wrong ones end it, and nobody is asked again for an hour', async () => {
  const owner = await world.newCaller()
  const { id, code, verifier } = await sent(owner)
  const replies = []
  for (let i = 0; i < 5; i++) replies.push(await give(owner, id, WRONG(code)))
  expect(replies.map(({ error }) => error.code)).toEqual(Array.from({ length: 5 }, () => 'code_wrong'))
  expect(replies[4]?.error.message).toContain('No try is left')
  expect(await until(owner, id, isEnded)).toMatchObject({ status: 'fail', reason: '5 wrong codes were given.' })
  expect((await give(owner, id, code)).error.code).toBe('code_not_waited_for')
  expect(await asked(owner, verifier)).toBe(id)
})

/** As if the code had been made so much earlier. */
async function madeEarlier(id: string, ms: number): Promise<void> {
  const [row] = await world.sql<{ document: { readonly code: { readonly madeAt: number } } }>(
    'select document from verifications where id = $1',
    [id],
  )
  const code = { ...row?.document.code, madeAt: (row?.document.code.madeAt ?? 0) - ms }
  await world.sql('update verifications set document = $2 where id = $1', [
    id,
    JSON.stringify({ ...row?.document, code }),
  ])
}

test('of wrong codes at the same moment each is counted', async () => {
  const owner = await world.newCaller()
  const { id, code } = await sent(owner)
  const replies = await Promise.all(Array.from({ length: 12 }, () => give(owner, id, WRONG(code))))
  expect(replies.filter(({ error }) => error.code === 'code_wrong')).toHaveLength(5)
  expect((await give(owner, id, code)).status).toBe(409)
})

test('a code is sent again after a pause, three times in all; the one before counts no longer', async () => {
  const owner = await world.newCaller()
  const { id, code } = await sent(owner)
  const again = () => owner.ask('PUT', `/verifications/${id}/retry`)
  const soon = await again()
  expect([soon.status, soon.error.code]).toEqual([409, 'code_not_sent_again'])
  // A minute later, so to speak.
  for (const count of [2, 3]) {
    await madeEarlier(id, 61_000)
    expect((await again()).status).toBe(200)
    await expect.poll(() => codesOf(id).length, { timeout: 60_000 }).toBe(count)
    await expect.poll(async () => (await again()).error?.code, { timeout: 60_000 }).toBe('code_not_sent_again')
  }
  await madeEarlier(id, 61_000)
  expect((await again()).error.message).toContain('which is all')
  const newest = codesOf(id).at(-1) ?? ''
  // Of two codes in a million one is the other.
  const older = newest === code ? 'code_wrong' : (await give(owner, id, code)).error.code
  expect(older).toBe('code_wrong')
  expect((await give(owner, id, newest)).status).toBe(200)
})

test('a code that nobody gives back in ten minutes is over, and can be asked for anew at once', async () => {
  const owner = await world.newCaller()
  const { id, code, verifier } = await sent(owner)
  await madeEarlier(id, 601_000)
  await world.sql('update verifications set due_at = now() where id = $1', [id])
  expect((await give(owner, id, code)).error.code).toBe('code_not_waited_for')
  expect(await until(owner, id, isEnded)).toMatchObject({ status: 'fail' })
  expect(await asked(owner, verifier)).not.toBe(id)
})

test('what another account was sent is not there, whatever code it gives', async () => {
  const [owner, stranger] = await Promise.all([world.newCaller(), world.newCaller()])
  const { id, code } = await sent(owner)
  const { status, error } = await give(stranger, id, code)
  expect([status, error.code]).toEqual([404, 'verification_not_found'])
})
