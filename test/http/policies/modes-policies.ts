// The rows of policies in the wall between test and live. A person writes them on both sides: in live mode no key does.
import { expect } from 'vitest'
import { LARGE } from './policy-stage.ts'
import { ABSENT, absent, all, type Crossing, without, words } from '../callers/modes-crossings.ts'
import { asPerson, personOf } from '../callers/modes-members.ts'
import { drafted, type Side } from '../callers/modes-stage.ts'

type Made = { readonly id: string; readonly livemode: boolean }

async function policy(side: Side): Promise<string> {
  const { ask } = await personOf(side)
  const { data } = await ask('POST', '/policies', { body: { ...LARGE, status: 'paused' } })
  return (data['policy'] as Made).id
}

/** Told to be of the other mode it is of one's own nevertheless: what a policy shows may be sent back. */
const ownPolicy: Crossing = async (asking) => {
  const isLive = asking.word === 'live'
  const { ask } = await personOf(asking)
  const { status, data } = await ask('POST', '/policies', { body: { ...LARGE, status: 'paused', livemode: !isLive } })
  expect([status, (data['policy'] as Made).livemode]).toEqual([200, isLive])
}

/** The other side's channel is none that a policy could be about. */
const channelOf =
  (path: string): Crossing =>
  async (asking, owning) => {
    const { ask } = await personOf(asking)
    const condition = { field: 'channel', op: 'in', values: [owning.draft['channel']] }
    const { status, error } = await ask('POST', path, { body: { ...LARGE, when: [condition] } })
    expect([status, error.code, error.param]).toEqual([400, 'invalid_when_values', 'when.0.values.0'])
  }

/** The other side's policy has no place among one's own. */
const placedBefore: Crossing = async (asking, owning) => {
  const { ask } = await personOf(asking)
  const path = `/policies/${await policy(asking)}/place`
  const { status, error } = await ask('PUT', path, { body: { before: await policy(owning) } })
  expect([status, error.code, error.param]).toEqual([400, 'invalid_before', 'before'])
}

/** The other side's contract is nothing to try. */
const triedAt =
  (path: string, make: (side: Side) => Promise<string>): Crossing =>
  async (asking, owning) => {
    const url = path.replace('{id}', await make(asking))
    const ask = (id: string) => asking.caller.ask('POST', url, { body: { contract_id: id } })
    const [theirs, none] = [await ask(await drafted(owning)), await ask(ABSENT)]
    expect([theirs.status, theirs.error.code, words(theirs)]).toEqual([404, 'contract_not_found', words(none)])
  }

const DRAFT = { draft: { amount: 5, currency: 'PHP' } }

/** The other side's policy is none to rehearse. */
const rehearsed: Crossing = async (asking, owning) => {
  const ask = (id: string) => asking.caller.ask('POST', '/policies/rehearse', { body: { policy_id: id } })
  const [theirs, none] = [await ask(await policy(owning)), await ask(ABSENT)]
  expect([theirs.status, theirs.error.code, words(theirs)]).toEqual([404, 'policy_not_found', words(none)])
}

export const policyRows: Readonly<Record<string, Crossing>> = {
  'POST /policies': all(ownPolicy, channelOf('/policies')),
  'GET /policies': without('/policies', 'policies', policy),
  'GET /policies/{id}': absent('GET', '/policies/{id}', policy),
  'GET /policies/{id}/versions': absent('GET', '/policies/{id}/versions', policy),
  'PATCH /policies/{id}': asPerson(absent('PATCH', '/policies/{id}', policy, { name: 'mine now' })),
  'PUT /policies/{id}/pause': asPerson(absent('PUT', '/policies/{id}/pause', policy)),
  'PUT /policies/{id}/resume': asPerson(absent('PUT', '/policies/{id}/resume', policy)),
  'DELETE /policies/{id}': asPerson(absent('DELETE', '/policies/{id}', policy)),
  'PUT /policies/{id}/place': all(asPerson(absent('PUT', '/policies/{id}/place', policy)), placedBefore),
  'POST /policies/preview': channelOf('/policies/preview'),
  'POST /policies/rehearse': rehearsed,
  'POST /policies/evaluate': triedAt('/policies/evaluate', async () => ''),
  'POST /policies/{id}/evaluate': all(
    absent('POST', '/policies/{id}/evaluate', policy, DRAFT),
    triedAt('/policies/{id}/evaluate', policy),
  ),
}
