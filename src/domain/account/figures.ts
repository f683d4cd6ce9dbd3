// What the step from one version of a contract to the next adds to its account's figures of a day. Pure: from the history alone,
// so that figures can be counted again from its beginning.
import type { Contract } from '../contract/contract.ts'
import type { Payment } from '../payment/payment.ts'
import type { Transfer } from '../transfer/transfer.ts'

export const FIGURE_KINDS = ['transfer', 'refund', 'payment'] as const
/** A refund is a transfer that sends back what a payment brought in. */
export type FigureKind = (typeof FIGURE_KINDS)[number]

/** Upper limits of the times from paid to completed, in seconds; what took longer is counted behind the last. */
export const TOOK_SECONDS = [1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400, 259_200, 604_800] as const

/** Counts of contracts by what became of them, and amounts in minor units. */
export type Figures = {
  readonly created: number
  readonly paid: number
  readonly completed: number
  /** Paid, refused by the channel for good, and ended without delivery. */
  readonly failed: number
  readonly cancelled: number
  readonly expired: number
  /** Delivered, and sent back by the channel. */
  readonly returned: number
  /** Of transfers and refunds what was delivered, of payments what was paid; without the fee. */
  readonly movedMinor: bigint
  readonly feeMinor: bigint
  readonly returnedMinor: bigint
  /** From paid to completed, summed over `completed`. */
  readonly tookSeconds: number
  /** How many of `completed` took up to each of {@link TOOK_SECONDS}, and longer than the last. */
  readonly took: readonly number[]
}

/** What is counted together. `channelId` is null of contracts that name none yet. */
export type FigureOf = { readonly kind: FigureKind; readonly channelId: string | null; readonly currency: string }

/** What was counted of a day, YYYY-MM-DD in the account's time zone. */
export type FigureRow = FigureOf & { readonly day: string; readonly figures: Figures }

export const NO_FIGURES: Figures = {
  created: 0,
  paid: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  expired: 0,
  returned: 0,
  movedMinor: 0n,
  feeMinor: 0n,
  returnedMinor: 0n,
  tookSeconds: 0,
  took: Array.from({ length: TOOK_SECONDS.length + 1 }, () => 0),
}

type Status = Contract['status']

export function figureOf(contract: Contract): FigureOf {
  const { channelId, currency } = contract.terms
  const kind = contract.kind === 'payment' ? 'payment' : contract.origin ? 'refund' : 'transfer'
  return { kind, channelId, currency }
}

/** What a version adds to the figures; null where it is nothing. `before`: the status of the version before, null for the first. */
export function figuresOf(before: Status | null, after: Contract): Figures | null {
  if (before === after.status) return null
  const added = { ...NO_FIGURES, created: before === null ? 1 : 0 }
  return after.kind === 'payment' ? ofPayment(added, before, after) : ofTransfer(added, before, after)
}

function ofTransfer(added: Figures, before: Status | null, after: Transfer): Figures {
  const movedMinor = after.debitMinor - after.feeMinor
  switch (after.status) {
    case 'draft':
    case 'issued':
      return added
    case 'paid':
      return { ...added, paid: 1 }
    case 'completed':
      return { ...added, ...completed(after), movedMinor, feeMinor: after.feeMinor }
    case 'returned':
      return { ...added, returned: 1, returnedMinor: movedMinor }
    case 'cancelled':
      // What came back is counted as that, and its refund to the wallet ends it.
      if (before === 'returned') return added
      return before === 'paid' && after.execution.status === 'failed'
        ? { ...added, failed: 1 }
        : { ...added, cancelled: 1 }
    case 'expired':
      return { ...added, expired: 1 }
  }
}

function ofPayment(added: Figures, before: Status | null, after: Payment): Figures {
  const { feeMinor } = after
  switch (after.status) {
    case 'issued':
      return added
    case 'paid':
      return { ...added, paid: 1, movedMinor: after.debitMinor - feeMinor, feeMinor }
    case 'completed':
      return before === 'paid'
        ? { ...added, ...completed(after) }
        : { ...added, paid: 1, ...completed(after), movedMinor: after.debitMinor - feeMinor, feeMinor }
    case 'cancelled':
      return { ...added, cancelled: 1 }
    case 'expired':
      return { ...added, expired: 1 }
  }
}

function completed({ paidAt, completedAt }: Contract): Pick<Figures, 'completed' | 'tookSeconds' | 'took'> {
  const tookSeconds = Math.max(0, Math.floor(((completedAt ?? 0) - (paidAt ?? completedAt ?? 0)) / 1000))
  const place = placeOf(tookSeconds)
  return { completed: 1, tookSeconds, took: NO_FIGURES.took.map((_, i) => (i === place ? 1 : 0)) }
}

function placeOf(seconds: number): number {
  const found = TOOK_SECONDS.findIndex((limit) => seconds <= limit)
  return found === -1 ? TOOK_SECONDS.length : found
}

export function addedFigures(one: Figures, other: Figures): Figures {
  return {
    created: one.created + other.created,
    paid: one.paid + other.paid,
    completed: one.completed + other.completed,
    failed: one.failed + other.failed,
    cancelled: one.cancelled + other.cancelled,
    expired: one.expired + other.expired,
    returned: one.returned + other.returned,
    movedMinor: one.movedMinor + other.movedMinor,
    feeMinor: one.feeMinor + other.feeMinor,
    returnedMinor: one.returnedMinor + other.returnedMinor,
    tookSeconds: one.tookSeconds + other.tookSeconds,
    took: one.took.map((count, i) => count + (other.took[i] ?? 0)),
  }
}

/**
 * Of all that ended, how many ended well: transfers that were delivered and stayed so, payments that were paid. What its owner
 * cancelled is neither. Null where nothing has ended.
 */
export function successRate(kind: FigureKind, { paid, completed: done, failed, returned, expired }: Figures) {
  const well = kind === 'payment' ? paid : Math.max(0, done - returned)
  const badly = kind === 'payment' ? expired : failed + returned
  return well + badly === 0 ? null : well / (well + badly)
}

/** The limit within which so much of what was completed was completed, in seconds; null for nothing, and beyond the last limit. */
export function tookWithin({ completed: all, took }: Figures, share: number): number | null {
  let within = 0
  for (const [i, limit] of TOOK_SECONDS.entries()) {
    within += took[i] ?? 0
    if (all > 0 && within >= all * share) return limit
  }
  return null
}
