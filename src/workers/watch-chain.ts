// Watches a chain for money that comes in: reads it, then books what is final, and shows payers how far theirs is. A
// payment is marked as reported only after it is booked, so that a crash books it again.
import { paymentIsPutOff, paymentIsReported, unreportedPayments } from '../app/crypto/chain-addresses.ts'
import type { ChainDepth } from '../app/crypto/chain-payments.ts'
import type { Watcher } from '../connectors/crypto/watcher.ts'
import type { FinalChainPayment } from '../domain/payment/chain-payments.ts'
import type { Session } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'

export type WatchDeps = {
  readonly session: Session
  /** Books a payment, once for each id however often it is called. `later`: not now; it is tried again. */
  readonly book: (payment: FinalChainPayment) => Promise<'booked' | 'later'>
  readonly progress: (reference: string, depth: ChainDepth) => Promise<void>
  readonly log: Log
}

const BOOKED_PER_ROUND = 100

/** One read of a chain, and all that follows; how much there was to do. */
export async function watchRound(deps: WatchDeps, watcher: Watcher): Promise<number> {
  const look = await watcher.look()
  const { network, asset, confirmations: of } = watcher
  if (look.kind === 'waits') deps.log.warn({ network, asset, reason: look.reason }, 'the chain is not followed')
  else if (look.doubt !== null) deps.log.warn({ network, reason: look.doubt }, 'coins that contracts pay are not seen')
  const booked = await bookFinal(deps, watcher)
  if (look.kind === 'waits') return booked
  for (const { reference, confirmations, top } of look.progress)
    await deps.progress(reference, { confirmations, of, top })
  return booked + look.blocks
}

/** Also what an earlier process left unreported, and while the node is away: what is final is in the book. */
async function bookFinal({ session, book, log }: WatchDeps, { network, asset }: Watcher): Promise<number> {
  let booked = 0
  for (const payment of await unreportedPayments(session, { network, asset }, BOOKED_PER_ROUND)) {
    // One that cannot be booked keeps no other waiting; it stays, and is logged each time until an operator looks into
    // it.
    const result = await book(payment).catch((fault: unknown) => {
      log.error({ err: fault, payment: payment.id, reference: payment.reference }, 'a payment could not be booked')
      return 'later' as const
    })
    if (result === 'later') {
      await paymentIsPutOff(session, payment.id)
      continue
    }
    await paymentIsReported(session, payment.id)
    booked += 1
  }
  return booked
}
