// Transfers whose policies ask for a verification: asked at issue, paid after a pass, and never without one.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { type Caller, openWorld } from '../../world.ts'
import { joined } from '../members/people.ts'

const world = await openWorld()
afterAll(() => world.stop())

/** A policy for every transfer of the account. */
async function needs(owner: Caller, kind: string, onUnavailable: 'wait' | 'allow', verifierId: string | null = null) {
  const { lane, accountId } = owner.account
  const id = randomUUID()
  const then = { kind: 'verification', verification: kind, verifierId, onUnavailable }
  const facts = { name: `needs ${kind}`, description: null, priority: 100, when: [], then, status: 'active' }
  const document = { ...facts, livemode: false, createdAt: 0, updatedAt: 0 }
  await world.sql(`insert into policies (lane, account_id, id, version, status) values ($1, $2, $3, 1, 'active')`, [
    lane,
    accountId,
    id,
  ])
  await world.sql(
    `insert into policy_versions (lane, account_id, policy_id, version, document) values ($1, $2, $3, 1, $4)`,
    [lane, accountId, id, JSON.stringify(document)],
  )
  await world.sql('update accounts set policies_at = greatest(position, 1) where account_id = $1', [accountId])
}

const to = (name: string, wallet = '000123456780') => ({ amount: 100, recipient: { name, wallet } })
const pay = (owner: Caller, id: string) => owner.ask('PUT', `/contracts/transfer/${id}/pay`, { body: {} })

type Shown = { readonly id: string; readonly status: string; readonly contract_id: string | null }

/** The verifications of a contract, once all have ended. */
async function verified(owner: Caller, contract: string): Promise<Shown[]> {
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(20)) {
    const { data } = await owner.ask('GET', `/verifications?contract=${contract}`)
    const all = data['verifications'] as Shown[]
    if (all.length > 0 && all.every(({ status }) => status !== 'pending')) return all
  }
  throw new Error('no verification ended')
}

test('a match is paid, once it is there; another name never is', async () => {
  const owner = await world.newCaller()
  await needs(owner, 'name', 'wait')
  const good = await owner.issued(to('Juan dela Cruz'))
  const tried = async () => {
    const { data } = await owner.ask('POST', '/policies/evaluate', { body: { contract_id: good.id } })
    return data['evaluation'] as { decision: string; verifications: { status: string; met: boolean }[] }
  }
  expect((await verified(owner, good.id)).map(({ status }) => status)).toEqual(['pass'])
  // A trial says what the payment then meets.
  expect(await tried()).toMatchObject({ decision: 'allowed', verifications: [{ status: 'pass', met: true }] })
  expect((await pay(owner, good.id)).status).toBe(200)
  // The same payee again: what was found counts still, and nobody is asked.
  const again = await owner.issued(to('Juan dela Cruz'))
  expect((await pay(owner, again.id)).status).toBe(200)
  expect((await owner.ask('GET', `/verifications?contract=${again.id}`)).data['verifications']).toEqual([])
  const bad = await owner.issued(to('Pedro Penduko'))
  expect((await verified(owner, bad.id)).map(({ status }) => status)).toEqual(['fail'])
  const trial = await owner.ask('POST', '/policies/evaluate', { body: { contract_id: bad.id } })
  expect(trial.data['evaluation']).toMatchObject({ decision: 'needs', verifications: [{ status: 'fail', met: false }] })
  const refused = await pay(owner, bad.id)
  expect([refused.status, refused.error.code]).toEqual([409, 'verification_required'])
  expect(refused.error.message).toContain('another name')
  await world.ledgerHolds()
})

test('a hit waits for a member’s word, and is paid after it', async () => {
  const owner = await world.newCaller()
  const made = await owner.ask('POST', '/verifiers', { body: { kind: 'list', name: 'Not to be paid' } })
  const { id: list } = made.data['verifier'] as { id: string }
  await owner.ask('POST', `/verifiers/${list}/entries`, { body: { entries: [{ name: 'Felix Moravec' }] } })
  await needs(owner, 'list', 'wait')
  const contract = await owner.issued(to('Felix Moravek'))
  const [hit] = await verified(owner, contract.id)
  expect([hit?.status, (await pay(owner, contract.id)).error.code]).toEqual(['review', 'verification_required'])
  const approver = await joined(world, owner, 'approver')
  const body = { reason: 'Seen in person: another man.' }
  const shown = async () => {
    const { data } = await owner.ask('GET', `/contracts/transfer/${contract.id}`)
    return (data['contract'] as { verifications: { id: string; status: string; words: string }[] }).verifications
  }
  expect(await shown()).toMatchObject([{ id: hit?.id, kind: 'list', status: 'review' }])
  const explained = await owner.ask('GET', `/contracts/transfer/${contract.id}/explain`)
  expect((explained.data['explanation'] as { summary: string }).summary).toContain('review (Like Felix Moravec')
  expect((await approver.ask('PUT', `/verifications/${hit?.id}/pass`, { body })).status).toBe(200)
  expect((await pay(owner, contract.id)).status).toBe(200)
  expect(await shown()).toMatchObject([{ status: 'pass', words: body.reason }])
  const { data } = await owner.ask('GET', `/contracts/transfer/${contract.id}/activities`)
  const lines = data['activities'] as { type: string; summary: string; proxy: string | null }[]
  expect(lines.filter(({ type }) => type === 'verified')).toMatchObject([
    { summary: 'A verification ended: list, review', proxy: null, resource: { data: { verification: hit?.id } } },
    { summary: 'A verification ended: list, pass', proxy: approver.id },
  ])
  const told = await owner.all<{ type: string; data: { object: { id: string } } }>('/events?order=oldest', 'events')
  const types = told
    .filter(({ data: { object } }) => [contract.id, hit?.id].includes(object.id))
    .map(({ type }) => type)
  const both = ['contract.verification_completed', 'verification.completed']
  expect(types.filter((type) => both.includes(type)).toSorted()).toEqual([both[0], both[0], both[1], both[1]])
  const audited = await owner.ask('GET', `/audit?object=${hit?.id}`)
  expect(audited.data['entries']).toMatchObject([{ action: 'verification.passed' }])
  await world.settle(contract.id)
  await world.ledgerHolds()
})

test('a verifier that is down: closed it waits, open it is paid; one that is not there waits', async () => {
  const [closed, open, none] = await Promise.all([world.newCaller(), world.newCaller(), world.newCaller()])
  await needs(closed, 'name', 'wait')
  await needs(open, 'name', 'allow')
  await needs(none, 'list', 'wait', randomUUID())
  for (const owner of [closed, open]) {
    const { id } = await owner.issued(to('Juan dela Cruz', 'sandbox-name-down'))
    expect((await pay(owner, id)).error.code).toBe('verification_required')
    await world.sql(
      `update verifications set status = 'unavailable', due_at = null, fence = fence + 1, ended_at = now() where contract_id = $1`,
      [id],
    )
    const paid = await pay(owner, id)
    expect(paid.status).toBe(owner === open ? 200 : 409)
  }
  const { id } = await none.issued(to('Ana'))
  expect((await pay(none, id)).error.message).toContain('No verifier answers for this.')
})

describe('a number that was asked about with less says nothing of a transfer that says more', () => {
  const FOREIGN = '+447700900123'
  const UNKNOWN = '+639171234594'
  const ABROAD = { name: 'Ana', mobile: FOREIGN, wallet: '000123456780', country: 'PH' }

  /** As a key asks that may only look. */
  async function asked(owner: Caller, body: object): Promise<Shown> {
    const key = await world.withKey(owner, { scopes: ['verifiers:read', 'contracts:read'] })
    const { status, data, text } = await key.ask('POST', '/verifications', { body: { kind: 'mobile', ...body } })
    expect([status, text]).toEqual([200, text])
    const { id } = data['verification'] as Shown
    const result = async () => (await key.ask('GET', `/verifications/${id}`)).data['verification'] as Shown
    await expect.poll(async () => (await result()).status, { timeout: 60_000 }).not.toBe('pending')
    return result()
  }

  test.each([
    ['no country, of one of another country', FOREIGN, { channel: 'sandbox', recipient: ABROAD }, 'review'],
    [
      'no channel, of one that the e-wallet lacks',
      UNKNOWN,
      { channel: 'gcash', recipient: { name: 'Ana', mobile: UNKNOWN } },
      'fail',
    ],
  ])('%s', async (_, mobile, draft, status) => {
    const owner = await world.newCaller()
    await needs(owner, 'mobile', 'wait')
    expect((await asked(owner, { recipient: { mobile } })).status).toBe('pass')
    const { id } = await owner.issued({ amount: 100, ...draft })
    expect((await verified(owner, id)).map((each) => each.status)).toEqual([status])
    const refused = await pay(owner, id)
    expect([refused.status, refused.error.code]).toEqual([409, 'verification_required'])
    await world.ledgerHolds()
  })

  test('what one e-wallet answers is not what another does', async () => {
    const owner = await world.newCaller()
    const recipient = { mobile: UNKNOWN }
    const ofOne = await asked(owner, { channel: 'gcash', recipient })
    const ofAnother = await asked(owner, { channel: 'maya', recipient })
    expect(ofAnother.id).not.toBe(ofOne.id)
    expect((await asked(owner, { channel: 'gcash', recipient })).id).toBe(ofOne.id)
  })
})
