// Two who confirm at once, one who rejects meanwhile, and the channel's own report at the same moment: the money moves once.
import { afterAll, expect, test } from 'vitest'
import type { Person } from '../members/people.ts'
import { openStage, report, unknown } from './operations-stage.ts'

const stage = await openStage()
const { world, merchant, operator, approver, owner } = stage
afterAll(async () => {
  await world.ledgerHolds()
  await stage.stop()
})

const ROUNDS = 8
const evidence = 'letter of the bank, ticket 4711'
const put = (by: Person, id: string, what: 'approve' | 'reject') =>
  by.ask('PUT', `/operations/resolutions/${id}/${what}`, { body: {} })

async function proposed(as: 'delivered' | 'failed'): Promise<{ id: string; contractId: string }> {
  const contractId = await unknown(stage, 60_000)
  const reply = await operator.ask('POST', '/operations/resolutions', {
    body: { contract_id: contractId, as, evidence },
  })
  return { contractId, id: (reply.data['resolution'] as { id: string }).id }
}

const resolvedLines = async (id: string) =>
  (await merchant.get(id)).activities.filter(({ type }) => type === 'resolved').length

test.each(['delivered', 'failed'] as const)('two confirm %s at once: one does', async (as) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id, contractId } = await proposed(as)
    const replies = await Promise.all([put(approver, id, 'approve'), put(owner, id, 'approve')])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await resolvedLines(contractId)).toBe(1)
  }
})

test('one confirms and one rejects at once: either, and the transfer agrees', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id, contractId } = await proposed('failed')
    const [approved, rejected] = await Promise.all([put(approver, id, 'approve'), put(owner, id, 'reject')])
    expect([approved.status, rejected.status].toSorted()).toEqual([200, 409])
    const { status } = await merchant.get(contractId)
    expect(status).toBe(approved.status === 200 ? 'cancelled' : 'paid')
  }
})

test.each(['delivered', 'failed'] as const)(
  'the channel says %s while it is confirmed as the contrary: one story',
  async (said) => {
    const as = said === 'delivered' ? 'failed' : 'delivered'
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await merchant.balance('PHP')
      const { id, contractId } = await proposed(as)
      const [approved] = await Promise.all([put(approver, id, 'approve'), report(stage, merchant, contractId, said)])
      const { status } = await merchant.get(contractId)
      const counts = approved.status === 200 ? as : said
      expect([200, 409]).toContain(approved.status)
      expect(await resolvedLines(contractId)).toBe(approved.status === 200 ? 1 : 0)
      expect(status, `${approved.status} ${approved.text}`).toBe(counts === 'delivered' ? 'completed' : 'cancelled')
      const left = before - (await merchant.balance('PHP'))
      expect(left === 0).toBe(counts === 'failed')
    }
  },
)
