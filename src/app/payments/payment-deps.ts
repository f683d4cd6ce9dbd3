// What use cases of payment contracts may touch beside the books.
import type { Connector } from '../../connectors/connector.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { Freezes } from '../jobs/freezes.ts'
import type { NotedConnectors } from '../jobs/kept-calls.ts'
import type { CheckoutTokens } from './checkout-tokens.ts'
import type { Execute } from '../../engine/command-request.ts'
import type { ReachCrashPoint } from '../../engine/crash-points.ts'

export type PaymentDeps = {
  readonly connectors: ReadonlyMap<string, Connector>
  /** The same for one call each, so that what it exchanges can be kept; absent where nobody is to read it later. */
  readonly noted?: NotedConnectors
  /** What nothing leaves by: a payer's wallet pays at once, without a worker. */
  readonly freezes: Freezes
  /** How long a lease lasts: longer than any call's own deadline. */
  readonly leaseMs: number
  readonly checkout: CheckoutTokens
  /** The payer's page of a contract. */
  readonly checkoutUrl: (contractId: string) => string
  /** The transfer that a payer's wallet pays by, of whichever account; null where there is none. */
  readonly payersTransfer: (id: string) => Promise<Transfer | null>
  readonly crashPoint: ReachCrashPoint
}

export type CollectingDeps = {
  readonly execute: Execute
  readonly payments: PaymentDeps
}
