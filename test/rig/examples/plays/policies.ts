// Policies: made, tried on a transfer, changed, paused and archived.
import { idIn, NOBODY, type Stage } from '../stage.ts'

const LARGE = {
  name: 'Large transfers to new recipients',
  priority: 10,
  when: [
    { field: 'amount', op: 'above', value: 50_000, currency: 'PHP' },
    { field: 'recipient.new', within_days: 3 },
  ],
  then: { kind: 'deny', words: 'Large transfers to somebody new wait three days. Send less, or ask an admin.' },
}
const SEEN = {
  name: 'Two see it',
  when: [{ field: 'amount', op: 'above', value: 1000, currency: 'PHP' }],
  then: { kind: 'approvals', count: 2 },
}
const DRAFT = {
  amount: 60_000,
  currency: 'PHP',
  channel: 'sandbox',
  recipient: { name: 'Maria Santos', wallet: '000987654321' },
}

export async function policies({ played: { ask } }: Stage): Promise<void> {
  const made = idIn(await ask('policies.create', { body: LARGE }), 'policy')
  await ask('policies.create', { body: { ...LARGE, then: { kind: 'deny' } } })
  await ask('policies.get', { params: made })
  await ask('policies.get', { params: NOBODY })
  await ask('policies.list', { query: { status: 'active' } })
  await ask('policies.list', { query: { limit: '1000' } })
  await ask('policies.evaluate', { params: made, body: { draft: DRAFT } })
  await ask('policies.evaluate', { params: NOBODY, body: { draft: DRAFT } })
  await ask('policies.evaluate_all', { body: { draft: { ...DRAFT, amount: 500 } } })
  await ask('policies.evaluate_all', { body: { contract_id: NOBODY.id } })
  await ask('policies.preview', { body: LARGE })
  await ask('policies.preview', { body: { ...LARGE, then: { kind: 'deny' } } })
  await ask('policies.place', { params: made, body: {} })
  await ask('policies.place', { params: made, body: { before: NOBODY.id } })
  await ask('policies.rehearse', { body: { policy: SEEN, days: 7 } })
  await ask('policies.rehearse', { body: { policy_id: NOBODY.id } })
  await ask('policies.update', { params: made, body: { priority: 5 } })
  await ask('policies.update', { params: made, body: { priority: -1 } })
  await ask('policies.versions', { params: made })
  await ask('policies.versions', { params: NOBODY })
  await ask('policies.pause', { params: made })
  await ask('policies.pause', { params: NOBODY })
  await ask('policies.resume', { params: made })
  await ask('policies.resume', { params: NOBODY })
  await ask('policies.archive', { params: made })
  await ask('policies.archive', { params: NOBODY })
}
