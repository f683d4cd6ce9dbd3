// What policies hold back, and what members say of it: approved one by one and several at once, and rejected.
import { asks } from '../../../http/approvals/policies.ts'
import { joined } from '../../../http/members/people.ts'
import { NOBODY, type Stage } from '../stage.ts'

export async function approvals({ world, played: { ask, event } }: Stage): Promise<void> {
  const house = await world.newCaller()
  await asks(world, house, [{ count: 1, role: null }])
  const { cookie } = await joined(world, house, 'approver', 'bea.approver@example.com')
  const as = { cookie, origin: 'http://gateway.test' }
  const waiting = async () => {
    const { id, approval } = await house.issued({ amount: 60_000, description: 'Rent of March' })
    return { id, terms_hash: approval?.terms_hash ?? '' }
  }
  const [first, second, third, fourth] = [await waiting(), await waiting(), await waiting(), await waiting()]
  await ask('approvals.list', { query: { status: 'waiting', limit: '2' }, as })
  await ask('approvals.list', { query: { status: 'lost' }, as })
  await ask('approvals.get', { params: first, as })
  await ask('approvals.get', { params: NOBODY, as })
  await ask('approvals.approve', { params: first, body: { terms_hash: first.terms_hash }, as })
  await ask('approvals.approve', { params: second, body: { terms_hash: first.terms_hash }, as })
  await ask('approvals.reject', {
    params: second,
    body: { terms_hash: second.terms_hash, reason: 'Paid in February already.' },
    as,
  })
  await ask('approvals.reject', { params: first, body: { terms_hash: second.terms_hash }, as })
  await ask('approvals.approve_all', { body: { items: [third, fourth], dry_run: true }, as })
  await ask('approvals.approve_all', { body: { items: [third, fourth] }, as })
  await ask('approvals.approve_all', { body: { items: [] }, as })
  for (const each of await house.all<{ readonly type: string }>('/events', 'events')) event(each)
}
