// Facts of a story as a provider tells them.
import { attemptReference } from '../../../src/domain/contract/ids.ts'
import type { Fact } from './payments-model.ts'

const CHANNEL_OF = { gcash: 'gcash', maya: 'maya', qr: 'qrph', card: 'card' } as const

/** The account that pays, where a provider tells of it: one that takes whatever amount the dice make. */
export const PAYER = {
  channel: 'instapay',
  recipient: { name: 'Ana Reyes', wallet: 'sandbox-completes', tag: 'BOPIPHMM' },
}

/** The event of a fact, as a provider writes it. */
export function eventOf(fact: Fact, contractId: string) {
  const { eventId: id, objectId, says, attempt, kind, amountMinor, currency, hasPayer } = fact
  const object = {
    id: objectId,
    contract_id: contractId,
    amount: Number(amountMinor) / 100,
    currency,
    status: says,
    channel: CHANNEL_OF[kind],
    ...(attempt === null ? {} : { reference: attemptReference(contractId, attempt) }),
    ...(says === 'failed' ? { failure: { code: 'declined', message: 'No.' } } : {}),
    ...(hasPayer ? { payer: PAYER } : {}),
  }
  const type = `payment_intent.${says === 'something else' ? 'requires_action' : says}`
  return { id, type, created_at: 1_800_000_000, data: { object } }
}
