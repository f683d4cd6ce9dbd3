// The kinds of sagas of money that goes out, how far each has come when a process dies in it, and the points that it passes
// from there. Words only: what they mean is in saga-stage.ts.
import type { CrashPoint } from '../../../src/engine/crash-points.ts'

/** How far a contract has come when the process starts that is to die. After "then" is what is asked of that process. */
export type Stage =
  | 'issued, then paid'
  | 'paid'
  | 'sent'
  | 'sent, then cancelled'
  | 'sent and cancelled'
  | 'sent and told'
  | 'sent, then called back'
  | 'sent and absent'
  | 'sent, then retried'
  | 'sent and retried'

export type Leg = { readonly from: Stage; readonly points: readonly CrashPoint[]; readonly attempt?: 2 }

export type SagaKind = {
  readonly name: string
  readonly channel: 'sandbox' | 'files' | 'wallet' | 'chain'
  /** The recipient's account, which chooses what the provider does (docs/sandbox.md). */
  readonly account: string
  /** What becomes of a payout that failed for good, by the account's settings. */
  readonly onFailure: 'refund' | 'hold' | 'fall back'
  /** What the caller does when it was held. */
  readonly byHand?: 'cancel' | 'retry'
  readonly ends: 'completed' | 'cancelled'
  readonly legs: readonly Leg[]
}

const ACCEPTING = ['before a batch is committed', 'after a batch is committed'] as const
const SUBMITTING = ['before submit is committed', 'after submit is committed'] as const
const CALLING = [...SUBMITTING, 'after the rail was called', 'after the report is committed'] as const
const INQUIRING = ['before inquire is committed', 'after inquire is committed'] as const
const ASKING = [...INQUIRING, 'after the rail was asked', 'after the report is committed'] as const
const READING = [
  'before rail events are recorded',
  'before the position in the rail events is saved',
  'after the position in the rail events is saved',
] as const

export const SAGA_KINDS: readonly SagaKind[] = [
  {
    name: 'delivered at once',
    channel: 'sandbox',
    account: 'sandbox-completes',
    onFailure: 'refund',
    ends: 'completed',
    legs: [
      { from: 'issued, then paid', points: ACCEPTING },
      { from: 'paid', points: CALLING },
    ],
  },
  {
    name: 'accepted, then delivered',
    channel: 'sandbox',
    account: 'accepted-first',
    onFailure: 'refund',
    ends: 'completed',
    legs: [
      { from: 'paid', points: CALLING },
      { from: 'sent', points: ASKING },
      { from: 'sent and told', points: READING },
      { from: 'sent, then called back', points: ['before a callback is recorded', 'after a callback is recorded'] },
    ],
  },
  {
    name: 'refused for good, refunded at once',
    channel: 'sandbox',
    account: 'sandbox-account-closed',
    onFailure: 'refund',
    ends: 'cancelled',
    legs: [{ from: 'paid', points: CALLING }],
  },
  {
    name: 'refused for good, refunded by hand',
    channel: 'sandbox',
    account: 'sandbox-account-closed',
    onFailure: 'hold',
    byHand: 'cancel',
    ends: 'cancelled',
    legs: [
      { from: 'paid', points: CALLING },
      { from: 'sent, then cancelled', points: ACCEPTING },
    ],
  },
  {
    name: 'done without an answer',
    channel: 'sandbox',
    account: 'sandbox-timeout-after',
    onFailure: 'refund',
    ends: 'completed',
    legs: [
      { from: 'paid', points: CALLING },
      { from: 'sent', points: ASKING },
    ],
  },
  {
    name: 'neither done nor answered',
    channel: 'sandbox',
    account: 'sandbox-timeout-before',
    onFailure: 'refund',
    ends: 'completed',
    legs: [
      { from: 'paid', points: CALLING },
      { from: 'sent', points: ASKING },
      { from: 'sent and absent', points: CALLING },
    ],
  },
  {
    name: 'cancelled and recalled',
    channel: 'sandbox',
    account: 'sandbox-stuck',
    onFailure: 'refund',
    byHand: 'cancel',
    ends: 'cancelled',
    legs: [
      { from: 'sent, then cancelled', points: ACCEPTING },
      {
        from: 'sent and cancelled',
        points: [
          ...INQUIRING,
          'before the rail is asked to recall',
          'after the rail was asked to recall',
          'after the report is committed',
        ],
      },
    ],
  },
  {
    name: 'bounced and refunded',
    channel: 'sandbox',
    account: 'sandbox-bounce',
    onFailure: 'refund',
    ends: 'cancelled',
    legs: [
      { from: 'paid', points: CALLING },
      {
        from: 'sent and told',
        points: [
          ...READING,
          'after the arrival of a return is recorded',
          'before the refund of a return',
          'after the refund of a return',
        ],
      },
    ],
  },
  {
    name: 'refused, then by another channel',
    channel: 'sandbox',
    account: 'refused-first',
    onFailure: 'fall back',
    ends: 'completed',
    legs: [
      { from: 'paid', points: CALLING },
      { from: 'sent', points: CALLING, attempt: 2 },
    ],
  },
  {
    name: 'refused, then retried by hand',
    channel: 'sandbox',
    account: 'refused-first',
    onFailure: 'hold',
    byHand: 'retry',
    ends: 'completed',
    legs: [
      { from: 'sent, then retried', points: ACCEPTING },
      { from: 'sent and retried', points: CALLING, attempt: 2 },
    ],
  },
  {
    name: 'one of a file',
    channel: 'files',
    account: 'FILE-PAID',
    onFailure: 'refund',
    ends: 'completed',
    legs: [
      {
        from: 'paid',
        points: [
          ...SUBMITTING,
          'before a file is sent',
          'after a file was sent',
          'after half of a file is reported',
          'after a file is reported',
        ],
      },
      { from: 'sent', points: ASKING },
    ],
  },
  {
    name: 'the one of a file that is refused',
    channel: 'files',
    account: 'FILE-REFUSED',
    onFailure: 'refund',
    ends: 'cancelled',
    legs: [
      {
        from: 'paid',
        points: ['after a file was sent', 'after half of a file is reported', 'after a file is reported'],
      },
    ],
  },
  {
    name: 'to a wallet of this gateway',
    channel: 'wallet',
    account: 'wallet',
    onFailure: 'refund',
    ends: 'completed',
    legs: [{ from: 'paid', points: [...CALLING, 'before a wallet is credited', 'after a wallet was credited'] }],
  },
  {
    name: 'on a chain',
    channel: 'chain',
    account: 'anybody',
    onFailure: 'refund',
    ends: 'completed',
    legs: [
      {
        from: 'paid',
        points: [...CALLING, 'before a send on a chain is claimed', 'after a send on a chain is claimed'],
      },
      { from: 'sent', points: [...ASKING, 'after the progress of a send is recorded'] },
    ],
  },
]
