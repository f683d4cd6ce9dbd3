// Whose word counts for a transfer: nobody's own about a recipient whom they pay themselves, although it was asked for another's contract.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../../world.ts'
import { ended, give } from '../commands/command-stage.ts'
import { joined, type Person } from '../members/people.ts'
import { policiesOf } from '../policies/policy-stage.ts'

const world = await openWorld()
afterAll(() => world.stop())

const BODY = {
  amount: 100,
  currency: 'PHP',
  channel: 'sandbox',
  recipient: { name: 'Felix Moravek', wallet: '000123456780' },
}

test('who made one contract does not pass its recipient by the question of another', async () => {
  const owner = await world.newCaller({ funds: { PHP: 1_000_000_00n } })
  const made = await owner.ask('POST', '/verifiers', { body: { kind: 'list', name: 'Not to be paid' } })
  const { id: list } = made.data['verifier'] as { id: string }
  await owner.ask('POST', `/verifiers/${list}/entries`, { body: { entries: [{ name: 'Felix Moravec' }] } })
  await policiesOf(owner).make({ name: 'Known', then: { kind: 'verification', verification: 'list' } })
  const [ana, ben] = [await joined(world, owner, 'owner'), await joined(world, owner, 'owner')]
  const issued = async (by: Person) => {
    const drafted = await by.ask('POST', '/contracts/transfer', { body: BODY })
    const { id } = drafted.data['contract'] as { id: string }
    const reply = await by.ask('PUT', `/contracts/transfer/${id}/issue`)
    if (reply.status !== 200) throw new Error(reply.text)
    return id
  }
  const inReview = async (contract: string) => {
    for (let tries = 0; tries < 500; tries++, await sleep(20)) {
      const { data } = await owner.ask('GET', `/verifications?contract=${contract}`)
      const [asked] = data['verifications'] as { id: string; status: string }[]
      if (asked?.status === 'review') return asked.id
    }
    throw new Error('nobody was asked')
  }
  const pass = (by: Person, id: string) => by.ask('PUT', `/verifications/${id}/pass`, { body: { reason: 'Known.' } })
  const pay = (id: string) => ana.ask('PUT', `/contracts/transfer/${id}/pay`)
  const theirs = await inReview(await issued(ben))
  const own = await issued(ana)
  expect((await pass(ana, theirs)).status).toBe(200)
  // A trial says of each what their payment would meet: nobody's own word counts there either.
  const tried = async (by: Person, body: object) => {
    const { data } = await by.ask('POST', '/policies/evaluate', { body })
    return (data['evaluation'] as { decision: string }).decision
  }
  expect(await tried(ana, { contract_id: own })).toBe('needs')
  expect([await tried(ana, { draft: BODY }), await tried(ben, { draft: BODY })]).toEqual(['needs', 'allowed'])
  const key = await ana.ask('POST', '/keys', { body: { name: 'Of Ana', scopes: ['contracts:write', 'policies:read'] } })
  const { id: keyId } = (key.data['key'] ?? {}) as { id: string }
  expect(await tried(ben, { draft: BODY, key: keyId })).toBe('needs')
  expect((await pay(own)).error.code).toBe('verification_required')
  const again = await inReview(own)
  expect((await pass(ana, again)).error.code).toBe('second_person_required')
  expect((await pay(own)).error.code).toBe('verification_required')
  expect((await pass(ben, again)).status).toBe(200)
  expect((await pay(own)).status).toBe(200)
  await world.settle(own)
  await world.ledgerHolds()
})

test('nor whoever wrote the row of a command that acts for somebody else', async () => {
  const owner = await world.newCaller({ funds: { PHP: 1_000_000_00n } })
  const made = await owner.ask('POST', '/verifiers', { body: { kind: 'list', name: 'Not to be paid' } })
  const { id: list } = made.data['verifier'] as { id: string }
  await owner.ask('POST', `/verifiers/${list}/entries`, { body: { entries: [{ name: 'Felix Moravec' }] } })
  await policiesOf(owner).make({ name: 'Known', then: { kind: 'verification', verification: 'list' } })
  const [ana, ben, third] = [
    await joined(world, owner, 'owner'),
    await joined(world, owner, 'owner'),
    await joined(world, owner, 'owner'),
  ]
  const dry = await give(ana, { type: 'transfers.payout', rows: [BODY], dry_run: true })
  await ended(owner, dry.id)
  const { id } = await give(ben, { type: 'transfers.payout', dry_run_id: dry.id })
  const waiting = async () => {
    for (let tries = 0; tries < 500; tries++, await sleep(20)) {
      const { data } = await owner.ask('GET', '/verifications?status=review')
      const [asked] = data['verifications'] as { id: string }[]
      if (asked) return asked.id
    }
    throw new Error('nobody was asked')
  }
  const asked = await waiting()
  const reviewsOf = async ({ ask }: Person) => (await ask('GET', '/overview')).text.includes(asked)
  expect([await reviewsOf(ana), await reviewsOf(third)]).toEqual([false, true])
  const pass = (by: Person) => by.ask('PUT', `/verifications/${asked}/pass`, { body: { reason: 'Known.' } })
  expect((await pass(ana)).error.code).toBe('second_person_required')
  expect((await pass(third)).status).toBe(200)
  await owner.ask('PUT', `/commands/${id}/cancel`)
})
