// What became of collections, as it is sent to the receivers of payments.
import type { Books } from '../books/books.ts'
import type { UndeliveredPayment } from '../collections/collect-state.ts'
import type { Collection, CollectRail, PaymentEvent } from '../collections/collections.ts'
import { exactNumber, exactText } from '../text/exact-json.ts'
import type { Outbox } from './deliveries.ts'

type FailureCodes = Readonly<Record<CollectRail, (code: string) => string>>

/** The events that are not confirmed. A receiver's key and secret are those of today. */
export function paymentOutbox(books: Books, codes: FailureCodes): Outbox<UndeliveredPayment> {
  const { paymentReceivers: payments, durable } = books
  return {
    ...payments,
    durable,
    deliveryOf({ receiverId, event }) {
      const body = bodyOf(payments.collection(event.collection), event, codes)
      return {
        line: `${receiverId} ${event.collection}`,
        times: event.times,
        play: null,
        untrue: [],
        post() {
          const receiver = payments.receiver(receiverId)
          if (!receiver) return null
          return { url: receiver.url, secret: receiver.secret, headers: { 'x-api-key': receiver.apiKey }, body }
        },
      }
    },
  }
}

/** The amount is a number of JSON in major units. */
function bodyOf(collection: Collection, event: PaymentEvent, codes: FailureCodes): string {
  const { id, contractId, rail, reference, currency, payer } = collection
  const { status, amount, failure, atMs } = event
  const object = {
    id,
    ...(contractId === null ? {} : { contract_id: contractId }),
    currency,
    status,
    channel: rail,
    reference,
    ...(failure && { failure: { code: codes[rail](failure.code), message: failure.message } }),
    ...(payer && { payer: { channel: 'instapay', recipient: payer } }),
    amount: exactNumber(shortened(amount)),
  }
  const created_at = Math.floor(atMs / 1_000)
  return exactText({ id: event.id, type: `payment_intent.${status}`, created_at, data: { object } })
}

/** "100.50" as 100.5: what is left of an amount when JSON has read and written it. */
function shortened(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
}
