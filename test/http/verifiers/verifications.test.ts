// Verifications over HTTP, with the sandbox provider as the channel that is asked: names, numbers and addresses, lists, a person's
// word, verifiers that are down, slow or lie, and two accounts.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { recordFinding } from '../../../src/app/verifiers/run.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import type { Finding } from '../../../src/domain/verifier/verification.ts'
import { findVerification, verificationFrom } from '../../../src/store/verifiers/verifications.ts'
import { openWorld, type Caller } from '../../world.ts'
import { joined } from '../members/people.ts'

const world = await openWorld()
const { caller, other } = world
afterAll(() => world.stop())

type Shown = {
  readonly id: string
  readonly status: string
  readonly match: string | null
  readonly evidence: Record<string, unknown>
  readonly reason: string | null
  readonly tries: number
  readonly decided_by: string | null
}

const WITHIN_MS = 60_000

/** Asks, and waits for the result. */
async function verified(who: Caller, body: object): Promise<Shown> {
  const { status, data, text } = await who.ask('POST', '/verifications', { body })
  expect([status, text]).toEqual([200, text])
  return ended(who, (data['verification'] as Shown).id)
}

async function ended(who: Caller, id: string, is = (shown: Shown) => shown.status !== 'pending'): Promise<Shown> {
  for (const until = Date.now() + WITHIN_MS; Date.now() < until; await sleep(20)) {
    const { data } = await who.ask('GET', `/verifications/${id}`)
    const shown = data['verification'] as Shown
    if (is(shown)) return shown
  }
  throw new Error(`verification ${id} does not end`)
}

const named = (name: string, wallet: string, channel = 'sandbox') => ({
  kind: 'name',
  channel,
  recipient: { name, wallet },
})

describe('name', () => {
  test.each([
    ['Juan dela Cruz', 'pass', 'match', 'Juan dela Cruz'],
    ['JUAN DE LA CRUZ', 'pass', 'match', 'Juan dela Cruz'],
    ['J. dela Cruz', 'review', 'close', 'Juan dela Cruz'],
    ['Pedro Penduko', 'fail', 'no_match', 'J••• d••• C•••'],
  ])('%s: %s', async (name, status, match, registered) => {
    expect(await verified(caller, named(name, '000123456780'))).toMatchObject({
      status,
      match,
      evidence: { registered },
    })
  })

  test.each(['gcash', 'maya'])('%s tells in whose name a number is', async (channel) => {
    const recipient = { name: 'Maria Clara Santos', mobile: '09171234561' }
    expect(await verified(caller, { kind: 'name', channel, recipient })).toMatchObject({
      status: 'pass',
      match: 'match',
    })
  })

  test.each(['instapay', 'pesonet'])('%s tells in whose name an account is', async (channel) => {
    const recipient = { name: 'Ana Reyes', wallet: '001234567802', tag: 'BNORPHMM' }
    expect(await verified(caller, { kind: 'name', channel, recipient })).toMatchObject({
      status: 'pass',
      match: 'match',
    })
  })

  test('a wallet of this gateway is its owner’s; a wallet that is not there is nobody’s', async () => {
    const { id } = await other.wallet('PHP')
    const pass = await verified(caller, named('Somebody Else Entirely', id, 'wallet'))
    expect([pass.status, pass.match]).toEqual(['fail', 'no_match'])
    const nobody = await verified(caller, named('Ana', '01932c07-4b5e-7c31-9d0a-6f2b8e4a1c55', 'wallet'))
    expect([nobody.status, nobody.reason]).toEqual(['fail', 'The channel knows no such account.'])
  })

  test('an account that does not exist fails; a slow answer counts when it comes', async () => {
    expect(await verified(caller, named('Ana', 'sandbox-name-unknown'))).toMatchObject({ status: 'fail', tries: 1 })
    expect(await verified(caller, named('Juan dela Cruz', 'sandbox-name-slow'))).toMatchObject({ status: 'pass' })
  })

  test.each(['down', 'lies'])(
    'a channel whose inquiry %s: asked again, and never a pass',
    async (fault) => {
      const body = named('Juan dela Cruz', `sandbox-name-${fault}`)
      const { data } = await caller.ask('POST', '/verifications', { body })
      const { id } = data['verification'] as Shown
      const answered = await ended(caller, id, ({ reason }) => reason !== null)
      expect([answered.status, answered.reason]).toEqual(['pending', expect.stringMatching(/^The channel /)])
      // The next try is the last one; what is under way comes late, and nobody waits for the pauses between them.
      await world.sql(`update verifications set tries = 4, fence = fence + 1, due_at = now() where id = $1`, [id])
      expect(await ended(caller, id)).toMatchObject({ status: 'unavailable' })
      expect((await caller.ask('PUT', `/verifications/${id}/retry`)).data['verification']).toMatchObject({
        status: 'pending',
      })
    },
    3 * WITHIN_MS,
  )
})

describe('mobile and chain_address', () => {
  test.each([
    [{ mobile: '09171234567' }, 'pass'],
    [{ mobile: '+6328123456' }, 'fail'],
    [{ mobile: '+447700900123', country: 'PH' }, 'review'],
    [{ wallet: 'not a number' }, 'fail'],
  ])('%j: %s', async (recipient, status) => {
    expect(await verified(caller, { kind: 'mobile', recipient })).toMatchObject({ status })
  })

  test('a channel that pays no chain has no addresses', async () => {
    const body = { kind: 'chain_address', channel: 'sandbox', recipient: { wallet: `0x${'1'.repeat(40)}` } }
    expect(await verified(caller, body)).toMatchObject({ status: 'fail' })
  })
})

async function list(who: Caller, entries: readonly object[]): Promise<string> {
  const made = await who.ask('POST', '/verifiers', { body: { kind: 'list', name: 'Not to be paid' } })
  const { id } = made.data['verifier'] as { id: string }
  const added = await who.ask('POST', `/verifiers/${id}/entries`, { body: { entries } })
  expect([added.status, added.data['entries']]).toEqual([200, expect.arrayContaining([expect.anything()])])
  return id
}

describe('list', () => {
  test('a hit waits for a member, who is not the one that made the contract; the word is kept', async () => {
    const owner = await world.newCaller()
    const listed = await list(owner, [{ name: 'Felix Moravec', note: 'Reported' }, { wallet: '000999888777' }])
    const [maker, approver] = [await joined(world, owner, 'owner'), await joined(world, owner, 'approver')]
    const draft = {
      amount: 100,
      currency: 'PHP',
      channel: 'sandbox',
      recipient: { name: 'Felix Moravek', wallet: '0001' },
    }
    const contract = (await maker.ask('POST', '/contracts/transfer', { body: draft })).data['contract'] as {
      id: string
    }
    const hit = await verified(owner, { kind: 'list', contract: contract.id })
    expect(hit).toMatchObject({
      status: 'review',
      evidence: { hits: [{ list: 'Not to be paid', name: 'Felix Moravec' }] },
    })
    const queue = (await owner.ask('GET', '/verifications?status=review')).data['verifications'] as Shown[]
    expect(queue.map(({ id }) => id)).toEqual([hit.id])
    const body = { reason: 'Another man: born in 1999.' }
    const own = await maker.ask('PUT', `/verifications/${hit.id}/pass`, { body })
    expect([own.status, own.error.code]).toEqual([403, 'second_person_required'])
    const byKey = await owner.ask('PUT', `/verifications/${hit.id}/pass`, { body })
    expect([byKey.status, byKey.error.code]).toEqual([401, 'session_required'])
    const passed = await approver.ask('PUT', `/verifications/${hit.id}/pass`, { body })
    expect(passed.data['verification']).toMatchObject({ status: 'pass', reason: body.reason, decided_by: approver.id })
    const twice = await approver.ask('PUT', `/verifications/${hit.id}/fail`, { body })
    expect([twice.status, twice.error.code]).toEqual([409, 'verification_not_in_review'])
    // An account is a hit whatever the name; and another list of the account's changes what was verified.
    const account = { kind: 'list', verifier: null, recipient: { name: 'Ana', wallet: '000-999-888-777' } }
    expect(await verified(owner, account)).toMatchObject({ status: 'review' })
    expect(await verified(owner, { verifier: listed, recipient: { name: 'Ana Reyes' } })).toMatchObject({
      status: 'pass',
    })
    const told = (await owner.all('/events?order=oldest', 'events')) as { type: string }[]
    expect(told.filter(({ type }) => type === 'verification.completed').length).toBeGreaterThanOrEqual(4)
  })

  test.each([
    ['no name', { wallet: '000123456780' }],
    ['a dash for a name', { name: '—', wallet: '000123456780' }],
    ['a picture for a name', { name: '🙂', wallet: '000123456780' }],
  ])(
    '%s is compared with nobody: a person decides; an account that is listed is a hit all the same',
    async (_, recipient) => {
      const owner = await world.newCaller()
      await list(owner, [{ name: 'Felix Moravec' }, { wallet: '000999888777' }])
      const reason = 'The recipient has no name to compare. A person decides.'
      expect(await verified(owner, { kind: 'list', recipient })).toMatchObject({ status: 'review', reason })
      const listed = await verified(owner, { kind: 'list', recipient: { ...recipient, wallet: '000999888777' } })
      expect([listed.status, listed.evidence['hits']]).toEqual(['review', [expect.objectContaining({ score: 100 })]])
    },
  )

  test('a list without any name is compared in full also with who has none', async () => {
    const owner = await world.newCaller()
    const listed = await list(owner, [{ wallet: '000999888777' }, { mobile: '+639171234567' }])
    const ask = (wallet: string) => verified(owner, { kind: 'list', recipient: { wallet } })
    const free = await ask('000123456780')
    expect(free).toMatchObject({ status: 'pass', reason: 'Not on the list.', evidence: { lists: 1 } })
    expect(await ask('000999888777')).toMatchObject({ status: 'review', evidence: { hits: [{ score: 100 }] } })
    await owner.ask('POST', `/verifiers/${listed}/entries`, { body: { entries: [{ name: 'Felix Moravec' }] } })
    expect(await ask('000123456780')).toMatchObject({ status: 'review', reason: expect.stringContaining('no name') })
  })

  test('an own wallet goes by the name of its account, and another’s wallet by none', async () => {
    const owner = await world.newCaller()
    const listed = await list(owner, [{ name: 'Felix Moravec' }])
    const between = async (wallet: string) =>
      verified(owner, { kind: 'list', channel: 'wallet', recipient: { wallet } })
    const [own, theirs] = [(await owner.wallet('PHP')).id, (await other.wallet('PHP')).id]
    expect(await between(own)).toMatchObject({ status: 'pass', reason: 'Not on the list.' })
    expect(await between(theirs)).toMatchObject({ status: 'review', reason: expect.stringContaining('no name') })
    const [account] = await world.sql<{ name: string }>('select name from accounts where account_id = $1', [
      owner.account.accountId,
    ])
    await owner.ask('POST', `/verifiers/${listed}/entries`, { body: { entries: [{ name: account?.name }] } })
    expect(await between(own)).toMatchObject({ status: 'review', evidence: { hits: [{ name: account?.name }] } })
  })

  test('a result is taken again within its life, and no longer once a list has changed or its life is over', async () => {
    const owner = await world.newCaller()
    await list(owner, [{ name: 'Felix Moravec' }])
    const body = { kind: 'list', recipient: { name: 'Ana Reyes' } }
    const first = await verified(owner, body)
    expect((await verified(owner, body)).id).toBe(first.id)
    expect((await verified(owner, { ...body, recipient: { name: 'Ana Santos' } })).id).not.toBe(first.id)
    const changed = await list(owner, [{ name: 'Ana Reyes' }])
    const second = await verified(owner, body)
    expect([second.status, second.id === first.id]).toEqual(['review', false])
    await owner.ask('DELETE', `/verifiers/${changed}`)
    const third = await verified(owner, body)
    expect([third.status, third.id === second.id]).toEqual(['pass', false])
    await world.sql(`update verifications set expires_at = now() where id = $1`, [third.id])
    expect((await verified(owner, body)).id).not.toBe(third.id)
  })
})

describe('no list', () => {
  test.each([
    ['at all', []],
    ['but an empty one', [{ kind: 'list', name: 'Empty' }]],
  ])('%s screens nobody: there is no answer, and never a pass', async (_, verifiers) => {
    const owner = await world.newCaller()
    for (const body of verifiers) await owner.ask('POST', '/verifiers', { body })
    const asked = await owner.ask('POST', '/verifications', { body: { kind: 'list', recipient: { name: 'Ana' } } })
    const { id } = asked.data['verification'] as Shown
    const shown = await ended(owner, id, ({ reason }) => reason !== null)
    expect([shown.status, shown.reason]).toEqual(['pending', expect.stringMatching(/^No list is loaded/)])
    await world.sql(`update verifications set tries = 4, fence = fence + 1, due_at = now() where id = $1`, [id])
    expect((await ended(owner, id)).status).toBe('unavailable')
  })
})

test('who made the contract by an API key of theirs, or asked by one, does not pass its review', async () => {
  const owner = await world.newCaller()
  await list(owner, [{ name: 'Felix Moravec' }])
  const [maker, approver] = [await joined(world, owner, 'owner'), await joined(world, owner, 'approver')]
  const scopes = ['contracts:read', 'contracts:write', 'verifiers:read']
  const made = await maker.ask('POST', '/keys', { body: { name: 'mine', scopes } })
  const headers = { 'x-api-key': String(made.data['api_key']) }
  const draft = { amount: 100, currency: 'PHP', channel: 'sandbox', recipient: { name: 'Felix Moravek', wallet: '01' } }
  const contract = (await world.ask('POST', '/contracts/transfer', { body: draft, headers })).data['contract'] as Shown
  const byContract = await verified(owner, { kind: 'list', contract: contract.id })
  const asked = await world.ask('POST', '/verifications', {
    body: { kind: 'list', recipient: { name: 'Felix Moravec' } },
    headers,
  })
  const byKey = await ended(owner, (asked.data['verification'] as Shown).id)
  const body = { reason: 'Mine.' }
  for (const { id } of [byContract, byKey]) {
    const own = await maker.ask('PUT', `/verifications/${id}/pass`, { body })
    expect([own.status, own.error.code]).toEqual([403, 'second_person_required'])
    expect((await approver.ask('PUT', `/verifications/${id}/pass`, { body })).status).toBe(200)
  }
})

test('what another account asked, and its lists, are not there', async () => {
  const mine = await verified(caller, named('Juan dela Cruz', '000000000010'))
  const listed = await list(caller, [{ name: 'Ana' }])
  for (const [method, path, body] of [
    ['GET', `/verifications/${mine.id}`, undefined],
    ['PUT', `/verifications/${mine.id}/retry`, undefined],
    ['GET', `/verifiers/${listed}`, undefined],
    ['GET', `/verifiers/${listed}/entries`, undefined],
    ['POST', `/verifiers/${listed}/entries`, { entries: [{ name: 'B' }] }],
    ['DELETE', `/verifiers/${listed}`, undefined],
  ] as const)
    expect((await other.ask(method, path, body ? { body } : {})).status).toBe(404)
  const asked = await other.ask('POST', '/verifications', { body: { verifier: listed, recipient: { name: 'Ana' } } })
  expect([asked.status, asked.error.code]).toEqual([404, 'verifier_not_found'])
  expect(
    ((await other.ask('GET', '/verifications')).data['verifications'] as Shown[]).map(({ id }) => id),
  ).not.toContain(mine.id)
})

test.each<[string, object, string]>([
  ['nobody', { kind: 'name' }, 'missing_recipient'],
  ['nobody, in a recipient', { kind: 'name', recipient: {} }, 'missing_recipient'],
  ['a blank', { kind: 'name', recipient: { name: ' ' } }, 'missing_recipient'],
  ['two of them', { kind: 'name', recipient: { name: 'A' }, profile: 'me' }, 'missing_recipient'],
  ['nothing', { recipient: { name: 'A' } }, 'missing_kind'],
  ['a channel that is none', { kind: 'name', recipient: { name: 'A' }, channel: 'pigeon' }, 'invalid_channel'],
  ['a number that is none', { kind: 'mobile', recipient: { mobile: '1' } }, 'invalid_recipient_mobile'],
])('asked about %s it is refused', async (_, body, code) => {
  const { status, error } = await caller.ask('POST', '/verifications', { body })
  expect([status, error.code]).toEqual([400, code])
})

test('an answer that comes after another lease, or twice, changes nothing', async () => {
  const { deps } = world.gateway
  const first = await verified(caller, named('Juan dela Cruz', '000000000020'))
  await world.sql(
    `update verifications set status = 'pending', due_at = now() + interval '1 hour', ended_at = null where id = $1`,
    [first.id],
  )
  const { lane, accountId } = caller.account
  const [found] = await deps.reader.send([findVerification({ lane, accountId, id: first.id })])
  const [taken] = (found?.rows ?? []).map(verificationFrom)
  if (!taken) throw new Error('the verification is there')
  const fail: Finding = { status: 'fail', evidence: {}, reason: 'late' }
  const record = async (fence: number, finding: Finding) => {
    const after = await recordFinding(deps, { ...taken, fence }, finding)
    return isRefusal(after) ? after.code : after.status
  }
  expect(await record(taken.fence - 1, fail)).toBe('pending')
  expect(await record(taken.fence, { status: 'pass', evidence: {}, reason: 'in time' })).toBe('pass')
  expect(await record(taken.fence, fail)).toBe('pass')
})
