// Tells the receivers of payments what became of collections, signed, again and again until they confirm, one collection
// in order. What is not confirmed when the process ends is told again after its next start.
import { setMaxListeners } from 'node:events'
import type { Books } from '../books/books.ts'
import type { UntoldPayment } from '../collections/collect-state.ts'
import type { Collection, PaymentEvent } from '../collections/collections.ts'
import { openPoster, type Poster } from './signed-posts.ts'
import { failureWord } from '../text/words.ts'

const LOOK_EVERY_MS = 50

type Teller = {
  readonly books: Books
  readonly stopped: AbortSignal
  readonly poster: Poster
  /** By receiver and collection, the last telling under way. */
  readonly lines: Map<string, Promise<void>>
  readonly underWay: Set<string>
}

/** Looks for news every moment until it is closed, which waits for nothing. */
export function startPaymentNews(books: Books): { close(): Promise<void> } {
  const stop = new AbortController()
  // Every telling listens to it.
  setMaxListeners(0, stop.signal)
  const poster = openPoster(stop.signal)
  const teller: Teller = { books, stopped: stop.signal, poster, lines: new Map(), underWay: new Set() }
  const timer = setInterval(() => look(teller), LOOK_EVERY_MS)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      stop.abort()
      await Promise.all(teller.lines.values())
    },
  }
}

function look(teller: Teller): void {
  const { books, lines, underWay } = teller
  books.paymentReceivers.settle()
  for (const untold of books.paymentReceivers.untold()) {
    const { key, receiverId, event } = untold
    if (underWay.has(key)) continue
    underWay.add(key)
    const line = `${receiverId} ${event.collection}`
    const telling = tell(teller, untold, lines.get(line))
    lines.set(line, telling)
    void telling.then(() => {
      underWay.delete(key)
      if (lines.get(line) === telling) lines.delete(line)
    })
  }
}

/** As often as the event wants; the receiver's key and secret are those of today. */
async function tell({ books, stopped, poster }: Teller, untold: UntoldPayment, before: Promise<void> | undefined) {
  const { key, receiverId, event } = untold
  const { paymentReceivers: payments } = books
  const body = noticeOf(payments.collection(event.collection), event)
  const next = () => {
    const receiver = payments.receiver(receiverId)
    if (!receiver || !payments.isUntold(key)) return null
    return { url: receiver.url, secret: receiver.secret, headers: { 'x-api-key': receiver.apiKey }, body }
  }
  await before
  try {
    await books.durable()
    for (let count = 0; count < event.times; count += 1) await poster.postUntilConfirmed(next)
    if (payments.isUntold(key)) payments.told(key)
  } catch (fault) {
    if (!stopped.aborted) console.error(fault)
  }
}

/** The amount is a number of JSON in major units, written from its digits. */
function noticeOf(collection: Collection, event: PaymentEvent): string {
  const { id, contractId, rail, reference, currency, payer } = collection
  const { status, amount, failure, atMs } = event
  const object = {
    id,
    ...(contractId === null ? {} : { contract_id: contractId }),
    currency,
    status,
    channel: rail,
    reference,
    ...(failure && { failure: { code: failureWord(rail, failure.code), message: failure.message } }),
    ...(payer && { payer: { channel: 'instapay', recipient: payer } }),
  }
  const createdAt = Math.floor(atMs / 1_000)
  const head = JSON.stringify({ id: event.id, type: `payment_intent.${status}`, created_at: createdAt }).slice(0, -1)
  const text = JSON.stringify(object).slice(0, -1)
  return `${head},"data":{"object":${text},"amount":${numberOf(amount)}}}}`
}

/** "100.50" as 100.5: what is left of an amount when JSON has read and written it. */
function numberOf(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
}
