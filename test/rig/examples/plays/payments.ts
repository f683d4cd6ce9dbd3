// Payments as they are opened, chosen and cancelled, while nobody pays.
import { idIn, NOBODY, type Stage } from '../stage.ts'
import { receiptOf } from './receipts.ts'

export async function payments(stage: Stage): Promise<void> {
  const { ask } = stage.played
  const body = {
    amount: 500,
    currency: 'PHP',
    description: 'Coffee, two bags',
    deliverable: { type: 'order', reference_id: 'order-17' },
    return_url: 'https://shop.example.com/thanks',
  }
  const opened = idIn(await ask('payments.create', { body }), 'contract')
  await ask('payments.create', { body: { amount: -1, currency: 'PHP' } })
  await ask('payments.pay', { params: opened, body: { type: 'gcash', gcash: { mobile: '09171234567' } } })
  await ask('payments.pay', { params: opened, body: { type: 'cash' } })
  await ask('payments.get', { params: opened })
  await ask('payments.get', { params: NOBODY })
  await ask('payments.list', { query: { status: 'issued' } })
  await ask('payments.list', { query: { status: 'lost' } })
  await ask('payments.activities', { params: opened })
  await ask('payments.activities', { params: NOBODY })
  await ask('payments.explain', { params: opened })
  await ask('payments.explain', { params: NOBODY })
  await receiptOf(stage, 'payments', opened)
  await ask('payments.refund', { params: opened, body: { amount: 100, reason: 'One bag was torn.' } })
  await ask('payments.return', { params: opened, body: {} })
  await ask('payments.save_payer', { params: opened, body: {} })
  const other = idIn(await ask('payments.create', { body }), 'contract')
  await ask('payments.cancel', { params: other, body: { reason: 'Out of stock.' } })
}
