// The rows of approvals in the wall between test and live.
import { expect } from 'vitest'
import type { Method } from '../../world.ts'
import { absent, type Crossing, without } from '../callers/modes-crossings.ts'
import { asPerson } from '../callers/modes-members.ts'
import { issued, type Side, stateOf } from '../callers/modes-stage.ts'
import { queue } from '../callers/tenant-contracts.ts'

async function queued(side: Side): Promise<string> {
  const { lane, accountId } = side.caller.account
  const id = await issued(side)
  await queue(side.world, { lane, accountId }, id)
  return id
}
const HASH = { terms_hash: '0'.repeat(64) }

/** One of many that are approved at once is not found, and stays as it is. */
const amongMany: Crossing = async (asking, owning) => {
  const id = await issued(owning)
  const before = await stateOf(owning)
  const { data } = await asking.caller.ask('POST', '/approvals/approve', { body: { items: [{ id, ...HASH }] } })
  expect(data).toMatchObject({ approved: 0, results: [{ id, error: { code: 'contract_not_found' } }] })
  expect(await stateOf(owning)).toEqual(before)
}

const ofPeople = (method: Method, path: string): Crossing => asPerson(absent(method, path, issued, HASH))

export const approvalRows: Readonly<Record<string, Crossing>> = {
  'GET /approvals': without('/approvals', 'approvals', queued),
  'GET /approvals/{id}': absent('GET', '/approvals/{id}', queued),
  'POST /approvals/approve': asPerson(amongMany),
  'PUT /contracts/transfer/{id}/approve': ofPeople('PUT', '/contracts/transfer/{id}/approve'),
  'PUT /contracts/transfer/{id}/reject': ofPeople('PUT', '/contracts/transfer/{id}/reject'),
}
