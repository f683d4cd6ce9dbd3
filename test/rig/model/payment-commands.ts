// What can be asked of one payment contract in memory, each as a step that takes the contract further.
import { payerProfileId } from '../../../src/domain/contract/ids.ts'
import type { PayerPlace } from '../../../src/domain/channel/collection.ts'
import type { PaymentKind } from '../../../src/domain/payment/kinds.ts'
import type {
  PaymentReport,
  CollectionResult,
  LookedReceipt,
  PaymentCommand,
  SeenAt,
} from '../../../src/domain/payment/commands.ts'
import { isLiveAttempt, type Payment } from '../../../src/domain/payment/payment.ts'
import { askPayment, endChild, fund, type OnePayment } from './one-payment.ts'

const HOUR_MS = 3_600_000
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'

export const BANK: PayerPlace = { channelId: 'gcash', recipient: { name: 'Ana', wallet: '1' } }
/** Where a fee comes on top. */
export const DEAR: PayerPlace = { ...BANK, channelId: 'bank' }

export type PaymentMove = (one: OnePayment) => void
const asked =
  (make: (one: OnePayment) => PaymentCommand): PaymentMove =>
  (one) =>
    void askPayment(one, make(one))

export const choose = (kind: PaymentKind, asset = 'USDC') => asked((one) => choosing(one, kind, asset))
export const says = (word: CollectionResult, ago = 0) => asked((one) => saying(one, word, ago))
export const told = (report: Partial<PaymentReport>) => asked((one) => telling(one, report))
/** Told by an event, of which its rail knows as much as it says when it is asked. */
export const toldByEvent = (report: Partial<PaymentReport>) => asked((one) => telling(one, report, 'event'))
/** What the rail answers about the amount that is to be looked for, to whoever had the lease so many leases ago. */
export const looked = (found: LookedReceipt, ago = 0) => asked((one) => looking(one, found, ago))
export const wait =
  (hours: number): PaymentMove =>
  (one) =>
    void (one.nowMs += hours * HOUR_MS)
export const processDue = asked(({ payment: { id } }) => processingDue(id))
export const cancel = asked(({ payment: { id } }) => ({ verb: 'cancel', id, reason: 'why', actor: 'account' }))
export const expire = asked(({ payment: { id } }) => ({ verb: 'expire', id }))
export const refund = (amount: number | null, route: PayerPlace | null = null, reason: string | null = 'why') =>
  asked((one) => refunding(one, amount, route, reason))
export const giveBack = (route: PayerPlace | null) => asked((one) => returning(one, route))
export const namedAs = (number: number) =>
  asked(({ payment: { id } }) => ({
    verb: 'name_payer',
    id,
    profile: { profile: `profile ${number}`, profileVersion: 1 },
  }))
export const namePayer = asked(({ payment: { id } }) => ({
  verb: 'name_payer',
  id,
  profile: { profile: payerProfileId(id), profileVersion: 1 },
}))
export const ends =
  (kind: Parameters<typeof endChild>[1]): PaymentMove =>
  (one) =>
    endChild(one, kind)
/** A recovery has adopted the return of what is in suspense. */
export const hasReturned: PaymentMove = (one) => void (one.hasReturned = true)
/** The account has money from elsewhere. */
export const funded: PaymentMove = (one) => fund(one, 1_000_000n)

export const PENDING = {
  kind: 'open',
  status: 'pending',
  providerId: 'p1',
  nextAction: null,
  shown: {},
} as const satisfies CollectionResult
export const OPEN = [choose('gcash'), says(PENDING)]
/** Its rail is asked and does not answer, so often that the clock ends a contract whose time has passed. */
export const SILENCE: readonly PaymentMove[] = Array.from({ length: 4 }, () => [
  wait(1 / 30),
  processDue,
  says({ kind: 'unknown', reason: 'timeout' }),
]).flat()
export const MONEY = { outcome: 'succeeded', amountMinor: 10_000n, currency: 'PHP' } as const
/** Paid, and to be settled; paid, and settled at once. */
export const PAID = [...OPEN, told(MONEY)]
export const DONE = [choose('maya'), told(MONEY)]

function newId(one: OnePayment): string {
  return `01890000-0000-7000-8000-${String(one.nextId++).padStart(12, '0')}`
}

export function refunding(
  one: OnePayment,
  amount: number | null,
  route: PayerPlace | null = null,
  reason: string | null = 'why',
): PaymentCommand {
  const transferId = newId(one)
  return { verb: 'refund', id: one.payment.id, transferId, amount, reason, route, allowed: 'may pay' }
}

export function returning(one: OnePayment, route: PayerPlace | null): PaymentCommand {
  return { verb: 'return', id: one.payment.id, transferId: newId(one), route, allowed: 'may pay' }
}

function choosing({ payment: { id } }: OnePayment, kind: PaymentKind, asset: string): PaymentCommand {
  const details: Record<string, string> =
    kind === 'crypto' ? { asset, network: 'eip155:1', refund_address: ADDRESS } : {}
  return { verb: 'choose', id, method: { kind, details, secret: null }, actor: 'payer', leaseMs: 1000 }
}

function saying({ payment, job }: OnePayment, word: CollectionResult, ago: number): PaymentCommand {
  const number = payment.attempts.find(isLiveAttempt)?.number ?? 1
  const seen = seenOf(payment, number)
  return { verb: 'report_collection', id: payment.id, number, fence: (job?.fence ?? 0) - ago, result: word, seen }
}

/** How an attempt stands, as whoever asks its rail now remembers it. */
export function seenOf({ attempts, receivedMinor }: Payment, number: number): SeenAt {
  const { status, receivedUnits } = attempts[number - 1] ?? { status: 'starting', receivedUnits: 0n }
  return { by: 'inquiry', status, receivedMinor, receivedUnits }
}

export const processingDue = (id: string) => ({ verb: 'process_due', id, leaseMs: 1000, found: null }) as const

function looking({ payment, job, receipts }: OnePayment, found: LookedReceipt, ago: number): PaymentCommand {
  const receipt = [...receipts.values()].find(
    ({ reportedBy, suspenseMinor }) => reportedBy === 'event' && suspenseMinor > 0n,
  )
  const fence = (job?.fence ?? 0) - ago
  return { ...processingDue(payment.id), looked: { objectId: receipt?.objectId ?? 'none', fence, found } }
}

export function telling(
  one: OnePayment,
  report: Partial<PaymentReport>,
  by: 'event' | 'gateway' = 'gateway',
): Extract<PaymentCommand, { verb: 'receive' }> {
  const name = `object ${one.nextId++}`
  const whole: PaymentReport = {
    outcome: 'succeeded',
    objectId: name,
    attempt: one.payment.attempts.length || null,
    channelId: null,
    amountMinor: null,
    currency: null,
    assetUnits: null,
    failure: null,
    payer: null,
    shown: {},
    ...report,
  }
  const bytes = by === 'event' ? '{}' : null
  const event = { id: name, type: 'any', body: bytes, bodyHash: bytes }
  return { verb: 'receive', id: one.payment.id, event, report: whole, unallocated: 'suspense' }
}
