// Transfers as they are drafted, mended, issued and paid, while the workers rest.
import { idIn, NOBODY, type Stage } from '../stage.ts'
import { receiptOf } from './receipts.ts'

export const SALARY = {
  amount: 1500,
  currency: 'PHP',
  channel: 'sandbox',
  recipient: { name: 'Maria Santos', mobile: '+639171234567', wallet: '000123456789', country: 'PH' },
  description: 'October salary',
  deliverable: { type: 'salary', reference_id: 'payroll-2026-10-0042' },
}

export async function transfers(stage: Stage): Promise<void> {
  const { ask } = stage.played
  const first = idIn(await ask('transfers.create', { body: SALARY }), 'contract')
  await ask('transfers.create', { body: { amount: 1500 } })
  await ask('transfers.update', { params: first, body: { amount: 1600 } })
  await ask('transfers.pay', { params: first, body: {} })
  await ask('transfers.issue', { params: first, body: {} })
  await ask('transfers.update', { params: first, body: { amount: 1700 } })
  await ask('transfers.issue', { params: NOBODY, body: {} })
  await ask('transfers.pay', { params: first, body: {} })
  await ask('transfers.get', { params: first })
  await ask('transfers.get', { params: NOBODY })
  await ask('transfers.list', { query: { status: 'paid', limit: '10' } })
  await ask('transfers.list', { query: { limit: '1000' } })
  await ask('transfers.activities', { params: first })
  await ask('transfers.activities', { params: NOBODY })
  await ask('transfers.explain', { params: first })
  await ask('transfers.explain', { params: NOBODY })
  await ask('transfers.entries', { params: first })
  await receiptOf(stage, 'transfers', first)
  await ask('transfers.entries', { params: NOBODY })
  await ask('transfers.retry', { params: first, body: {} })
  const second = idIn(await ask('transfers.create', { body: SALARY }), 'contract')
  await ask('transfers.cancel', { params: second, body: { reason: 'Ordered twice.' } })
  await ask('transfers.pay', { params: second, body: {} })
  const dear = idIn(await ask('transfers.create', { body: { ...SALARY, amount: 90_000_000 } }), 'contract')
  await ask('transfers.issue', { params: dear, body: {} })
  await ask('channels.compare', { body: { amount: 1500, currency: 'PHP', recipient: SALARY.recipient } })
  await ask('channels.compare', { body: { amount: 1500 } })
}
