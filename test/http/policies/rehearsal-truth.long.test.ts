// A rehearsal tells what comes true, on a whole gateway: what one account paid is rehearsed under policies, and paid once more by
// another account that has them from the beginning. Both meet the very same: denied by the same policy, held back by the same, at
// the same fees. The long form: REHEARSALS=10000 npm run test:long -- test/http/policies/rehearsal-truth
import { afterAll, expect, test } from 'vitest'
import type { RehearsalReply } from '../../../src/wire/policies/rehearsal.ts'
import type { Wire } from '../../../src/wire/shapes.ts'
import { diceOf, newSeed } from '../../rig/dice.ts'
import { type Story, storyOf } from '../../rig/policies/stories.ts'
import { type Caller, type ContractBody, openWorld, type Reply } from '../../world.ts'
import { joined, type Person } from '../members/people.ts'
import { policiesOf } from './policy-stage.ts'

const HISTORIES = Number(process.env['REHEARSALS'] ?? 60)
const SEED = Number(process.env['REHEARSAL_SEED'] ?? newSeed())
const AT_ONCE = 6

// Nothing leaves meanwhile, so that what is cancelled comes back at once.
const world = await openWorld({ undoSeconds: 3600, workers: 'resting' })
afterAll(async () => {
  await world.ledgerHolds()
  await world.stop()
})

type Rehearsal = Wire<typeof RehearsalReply>['data']['rehearsal']

/** What a payment met: the policy that denied it, those that held it back; and what it cost, in cents, where it was paid. */
type Met = { readonly denied: string | null; readonly heldBy: readonly string[] }
const NOTHING: Met = { denied: null, heldBy: [] }
type Fees = Readonly<Record<string, number>>

const contractIn = ({ data }: Reply) => data['contract'] as ContractBody
const url = (id: string, verb: string) => `/contracts/transfer/${id}/${verb}`

async function done(reply: Promise<Reply>): Promise<Reply> {
  const found = await reply
  if (found.status !== 200) throw new Error(found.text)
  return found
}

async function withKeys(caller: Caller): Promise<readonly [Caller, Caller]> {
  return [caller, await world.withKey(caller, {})]
}

async function issued(by: Caller, terms: object): Promise<string> {
  const drafted = contractIn(await done(by.ask('POST', '/contracts/transfer', { body: terms })))
  await done(by.ask('PUT', url(drafted.id, 'issue')))
  return drafted.id
}

/** Everything as it is wanted, by an account without policies; then what its policies would have made of it. */
async function rehearsed({ steps, policies }: Story): Promise<{ told: Met[]; fees: Fees }> {
  const keys = await withKeys(await world.newCaller())
  const [caller] = keys
  const paid: string[] = []
  for (const step of steps) {
    if (step.kind === 'take back') {
      const id = paid[step.step]
      if (id) await done(caller.ask('DELETE', `/contracts/transfer/${id}`, { body: {} }))
      paid.push('')
      continue
    }
    const id = await issued(keys[step.by], step.terms)
    await done(keys[step.by].ask('PUT', url(id, 'pay')))
    paid.push(id)
  }
  const ids = keys.map(({ keyId }) => keyId)
  const documents = policies.map(({ of }) => of(ids))
  // The last of them is tried before it is saved.
  for (const each of documents.slice(0, -1)) await policiesOf(caller).make(each)
  const body = { policy: documents.at(-1), days: 1 }
  const { data } = await done(caller.ask('POST', '/policies/rehearse', { body }))
  const { contracts, currencies } = data['rehearsal'] as Rehearsal
  const told = paid.map((id): Met => {
    const reasons = contracts.find(({ contract }) => contract === id)?.reasons ?? []
    return {
      denied: reasons.find(({ effect }) => effect === 'denied')?.name ?? null,
      heldBy: reasons.flatMap(({ effect, name }) => (effect === 'approvals' ? [name] : [])).toSorted(),
    }
  })
  return { told, fees: Object.fromEntries(currencies.map(({ currency, fees }) => [currency, cents(fees.would_be)])) }
}

const cents = (major: number) => Math.round(major * 100)

/** The same by an account that has the policies from the beginning, and members who approve at once. */
async function cameTrue({ steps, policies }: Story): Promise<{ told: Met[]; fees: Fees }> {
  const keys = await withKeys(await world.newCaller())
  const [caller] = keys
  const ids = keys.map(({ keyId }) => keyId)
  for (const { of } of policies) await policiesOf(caller).make(of(ids))
  const members = [await joined(world, caller, 'approver'), await joined(world, caller, 'approver')]
  const paid: string[] = []
  const told: Met[] = []
  const fees: Record<string, number> = {}
  for (const step of steps) {
    if (step.kind === 'take back') {
      const id = paid[step.step]
      if (id) await done(caller.ask('DELETE', `/contracts/transfer/${id}`, { body: {} }))
      paid.push('')
      told.push(NOTHING)
      continue
    }
    const id = await issued(keys[step.by], step.terms)
    const met = await paidOrMet(keys[step.by], id, members)
    told.push(met)
    paid.push(met.denied === null ? id : '')
    const { currency, preview } = await caller.get(id)
    fees[currency] = (fees[currency] ?? 0) + (met.denied === null ? cents(preview.fees?.total ?? 0) : 0)
  }
  return { told, fees }
}

async function paidOrMet(by: Caller, id: string, members: readonly Person[]): Promise<Met> {
  const first = await by.ask('PUT', url(id, 'pay'))
  if (first.status === 200) return NOTHING
  if (first.error.code === 'policy_denied') {
    const [, denied = ''] = /policy “(.*)”/.exec(first.error.message) ?? []
    return { denied, heldBy: [] }
  }
  if (first.error.code !== 'approval_required') throw new Error(first.text)
  const { approval } = await by.get(id)
  for (const member of members)
    await done(member.ask('PUT', url(id, 'approve'), { body: { terms_hash: approval?.terms_hash } }))
  await done(by.ask('PUT', url(id, 'pay')))
  return { denied: null, heldBy: (approval?.required ?? []).map(({ policy }) => policy?.name ?? '').toSorted() }
}

test(`${HISTORIES} histories come true as they were rehearsed`, { timeout: 4 * 3_600_000 }, async () => {
  const findings: string[] = []
  const seen = { pays: 0, denied: 0, held: 0, taken: 0 }
  let next = 0
  const worker = async () => {
    for (let number = next++; number < HISTORIES; number = next++) {
      const story = storyOf(diceOf(SEED).part(String(number)))
      const [would, did] = [await rehearsed(story), await cameTrue(story)]
      seen.pays += story.steps.filter(({ kind }) => kind === 'pay').length
      seen.taken += story.steps.filter(({ kind }) => kind === 'take back').length
      seen.denied += did.told.filter(({ denied }) => denied !== null).length
      seen.held += did.told.filter(({ heldBy }) => heldBy.length > 0).length
      if (JSON.stringify(would.told) !== JSON.stringify(did.told) || !isSame(would.fees, did.fees))
        findings.push(JSON.stringify({ number, would, did, policies: story.policies.map(({ of }) => of(['a', 'b'])) }))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  console.log(`seed ${SEED}, ${HISTORIES} histories:`, JSON.stringify(seen))
  expect(findings.slice(0, 3), `seed ${SEED}`).toEqual([])
  // Otherwise the histories would prove nothing.
  expect(seen.denied).toBeGreaterThan(seen.pays / 20)
  expect(seen.held).toBeGreaterThan(seen.pays / 40)
})

/** A currency in which nothing was paid costs nothing. */
const isSame = (one: Fees, other: Fees) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every((code) => (one[code] ?? 0) === (other[code] ?? 0))
