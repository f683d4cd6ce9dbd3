// The internal channel: from a wallet of this gateway to another, which may live on another lane. It is a saga like any
// other: the credit goes through the other lane's own write path with the attempt's reference, exactly once.
import type { SendOrder } from '../../domain/channel/outcome.ts'
import type { Connector, ConnectorCapabilities } from '../connector.ts'

/**
 * The result of a credit. A wallet that does not exist, or holds another currency, is a definite no; `too late` is none about an
 * earlier call.
 */
export type Credited = 'credited' | 'no such wallet' | 'other currency' | 'wallet closed' | 'not now'

/** The result of paying a payment contract of this gateway. `not payable` is a definite no: nothing was taken. */
export type ContractPaid = 'paid' | 'not payable' | 'no such contract' | 'not now'

export type WalletDeps = {
  readonly pay: (paymentId: string, order: SendOrder) => Promise<ContractPaid>
  /** Whether the contract has been paid under the reference. */
  readonly isPaid: (paymentId: string, reference: string) => Promise<boolean>
  readonly credit: (walletId: string, order: SendOrder) => Promise<Credited>
  /** Whether the wallet has been credited with the reference. */
  readonly isCredited: (walletId: string, reference: string) => Promise<boolean>
}

// Whether a credit can still come after "not found" is final. A lease of L began at T; all below is time that passes, so that no two
// clocks are compared:
// - the receiver's books decide while `isInTime` holds, so before T + L/2 by the clocks of the process that has the lease;
// - a process that stands still after that keeps its transaction for 10 s at most (idle_in_transaction_session_timeout of LIMITS,
//   main/database/database.ts), so that its COMMIT begins before T + L/2 + 10 s;
// - others inquire after T + L, and find nothing for 2 × notFoundFinalAfterMs = 10 s more before that is final: T + L + 10 s.
// L/2 is left for the statements between, 7.5 s of the 15 that a lease has where nothing is set. Raise this one with that timeout.
const CAPABILITIES: ConnectorCapabilities = {
  acceptsReference: true,
  dedupeLifetimeMs: null,
  inquiry: true,
  notFoundFinalAfterMs: 5000,
  recall: false,
}

const REFUSED = {
  'not now': {
    kind: 'unknown',
    reason: 'the books did not take it: the lease was over, or the gateway is in recovery',
  },
  'not payable': {
    kind: 'failed',
    code: 'payment_not_payable',
    message: 'The payment contract does not take this payment any more.',
  },
  'no such contract': { kind: 'failed', code: 'invalid_contract', message: 'There is no such payment contract.' },
  'no such wallet': {
    kind: 'failed',
    code: 'invalid_account',
    message: 'No wallet of this gateway has the id in recipient.wallet.',
  },
  'wallet closed': {
    kind: 'failed',
    code: 'account_closed',
    message: 'The wallet in recipient.wallet is closed.',
  },
  'other currency': {
    kind: 'failed',
    code: 'currency_mismatch',
    message: 'The wallet in recipient.wallet holds another currency.',
  },
} as const

export function walletConnector(deps: WalletDeps): Connector {
  return {
    describe: () => CAPABILITIES,
    async send(order) {
      if (order.pays !== null) {
        const paid = await deps.pay(order.pays, order)
        return paid === 'paid' ? { kind: 'delivered', providerId: null } : REFUSED[paid]
      }
      const walletId = order.recipient['wallet'] ?? ''
      const credited = await deps.credit(walletId, order)
      return credited === 'credited' ? { kind: 'delivered', providerId: null } : REFUSED[credited]
    },
    async check(reference, order) {
      const isThere =
        order.pays === null
          ? await deps.isCredited(order.recipient['wallet'] ?? '', reference)
          : await deps.isPaid(order.pays, reference)
      return isThere ? { kind: 'delivered', providerId: null } : { kind: 'not_found' }
    },
  }
}
