// The kinds of sagas of money that comes in, how far each has come when a process dies in it, and the points that it passes
// from there. Words only: what they mean is in payment-saga-stage.ts.
import type { CrashPoint } from '../../../src/engine/crash-points.ts'

/** How far a contract has come when the process starts that is to die. After "then" is what is asked of that process. */
export type PaymentStage =
  | 'issued, then paid'
  | 'open, then cancelled'
  | 'open and cancelled'
  | 'paid at the rail'
  | 'paid from a wallet'
  | 'paid, then refunded'
  | 'refund begun'
  | 'paid at the rail, and heard of too late'
  | 'paid at the rail too late'
  | 'return begun'

export type PaymentLeg = { readonly from: PaymentStage; readonly points: readonly CrashPoint[] }

export type PaymentSagaKind = {
  readonly name: string
  readonly does: 'pays' | 'cancels' | 'pays from a wallet' | 'refunds' | 'pays late'
  readonly ends: 'completed' | 'cancelled' | 'expired'
  readonly legs: readonly PaymentLeg[]
}

const ACCEPTING = ['before a batch is committed', 'after a batch is committed'] as const
const CALLING = [
  'before submit is committed',
  'after submit is committed',
  'after the rail was called',
  'after the report is committed',
] as const
const RECORDING = ['before a collection is recorded', 'after a collection is recorded'] as const
const CLOSING = ['before a rail is asked to close', 'after a rail was asked to close', ...RECORDING] as const

export const PAYMENT_SAGA_KINDS: readonly PaymentSagaKind[] = [
  {
    name: 'a payment by an e-wallet',
    does: 'pays',
    ends: 'completed',
    legs: [
      {
        from: 'issued, then paid',
        points: [...ACCEPTING, 'before a rail is asked to collect', 'after a rail was asked to collect', ...RECORDING],
      },
      { from: 'paid at the rail', points: RECORDING },
      { from: 'paid at the rail, and heard of too late', points: CLOSING },
    ],
  },
  {
    name: 'a payment that is cancelled while it is open',
    does: 'cancels',
    ends: 'cancelled',
    legs: [
      { from: 'open, then cancelled', points: [...ACCEPTING, ...CLOSING] },
      { from: 'open and cancelled', points: CLOSING },
    ],
  },
  {
    name: 'a payment from a wallet of this gateway',
    does: 'pays from a wallet',
    ends: 'completed',
    legs: [
      {
        from: 'paid from a wallet',
        points: [...CALLING, 'before a wallet pays a contract', 'after a wallet paid a contract'],
      },
    ],
  },
  {
    name: 'a payment that is refunded',
    does: 'refunds',
    ends: 'completed',
    legs: [
      { from: 'paid, then refunded', points: ACCEPTING },
      { from: 'refund begun', points: CALLING },
    ],
  },
  {
    name: 'a payment that comes late and is returned',
    does: 'pays late',
    ends: 'expired',
    legs: [
      { from: 'paid at the rail too late', points: [...ACCEPTING, ...CLOSING] },
      { from: 'return begun', points: CALLING },
    ],
  },
]
