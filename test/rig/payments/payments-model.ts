// What becomes of one payment contract, written from the design alone: whom money belongs to after each step. It imports
// nothing of the gateway, for the gateway is what it is compared with. Whatever fits no contract is `stray`: in suspense, or
// on its way back, which is not told apart here.

export const KINDS = ['gcash', 'maya', 'qr', 'card'] as const
export type Kind = (typeof KINDS)[number]

/** How a kind is priced: the fee in minor units of a whole number of pesos, and who pays it. */
export type Price = {
  readonly feeMinor: (amountMinor: bigint) => bigint
  readonly onTop: boolean
  readonly settleSeconds: number
  readonly adds: boolean
  /** The rail gives money back by itself. */
  readonly refunds: boolean
}
export type Prices = Readonly<Record<Kind, Price>>

export type Attempt = {
  /** Of a failure that a provider told of before the payer chose anything: the payment that failed. */
  readonly told?: string
  readonly kind: Kind
  readonly feeMinor: bigint
  readonly dueMinor: bigint
  live: boolean
  processing: boolean
  superseded: boolean
  /** Its rail was asked about it after the time of the contract was over. */
  askedLate: boolean
}

/** Money, or a word about it, as a provider would tell it. */
export type Fact = {
  readonly eventId: string
  readonly objectId: string
  readonly says: 'succeeded' | 'failed' | 'processing' | 'something else'
  /** The attempt that its reference names; null where it has none. */
  readonly attempt: number | null
  readonly kind: Kind
  readonly amountMinor: bigint
  readonly currency: string
  /** Whether it says where the money can be sent back to. */
  readonly hasPayer: boolean
  /** What its rail says of the money when it is asked: an event alone is no proof. */
  readonly atRail: 'known' | 'unknown' | 'no answer'
}

export type Booked = { readonly amountMinor: bigint; readonly currency: string; readonly kind: Kind }

export type Model = {
  readonly amountMinor: bigint
  readonly expiresAt: number
  readonly prices: Prices
  status: 'issued' | 'paid' | 'cancelled' | 'expired'
  cancelling: boolean
  readonly attempts: Attempt[]
  readonly events: Set<string>
  /** What was booked, by the provider's id of it. */
  readonly booked: Map<string, Booked>
  readonly stray: Map<string, bigint>
  /** Parts that may still be made up, by kind. */
  readonly parts: Map<Kind, bigint>
  /** Stray money that nobody knows a way back for, or whose way back failed: a person has to look. */
  held: boolean
  /** A rail gave no word on an attempt for so long that nobody asks any more. */
  leftOpen: boolean
  /** A rail once did not say what it was asked: then it is asked again later, and nobody says when. */
  doubted: boolean
  receivedMinor: bigint
  paidMinor: bigint
  feeMinor: bigint
  refundedMinor: bigint
  settlesAt: number
  canRefund: boolean
  /** The rail told of the account that paid. */
  payerKnown: boolean
}

/** 'ok', or the code of a refusal. */
export type Expected = string

export function newModel(amountMinor: bigint, expiresAt: number, prices: Prices): Model {
  return {
    amountMinor,
    expiresAt,
    prices,
    status: 'issued',
    cancelling: false,
    attempts: [],
    events: new Set(),
    booked: new Map(),
    stray: new Map(),
    parts: new Map(),
    held: false,
    leftOpen: false,
    doubted: false,
    receivedMinor: 0n,
    paidMinor: 0n,
    feeMinor: 0n,
    refundedMinor: 0n,
    settlesAt: 0,
    canRefund: false,
    payerKnown: false,
  }
}

const hasLive = (model: Model) => model.attempts.some(({ live }) => live)

export function choose(model: Model, kind: Kind, nowMs: number): Expected {
  if (model.status === 'paid') return 'ok'
  if (model.status === 'cancelled') return 'contract_cancelled'
  if (model.status === 'expired' || model.expiresAt <= nowMs) return 'contract_expired'
  if (model.cancelling) return 'contract_cancelled'
  const last = model.attempts.at(-1)
  if (last?.live && last.kind === kind) return 'ok'
  // Of whichever attempt: that money is on its way.
  if (model.attempts.some((each) => each.live && each.processing)) return 'payment_processing'
  for (const each of model.attempts) if (each.live) each.superseded = true
  const { feeMinor: feeOf, onTop } = model.prices[kind]
  const feeMinor = feeOf(model.amountMinor)
  const dueMinor = model.amountMinor + (onTop ? feeMinor : 0n)
  const standing = { live: true, processing: false, superseded: false, askedLate: false }
  model.attempts.push({ kind, feeMinor, dueMinor, ...standing })
  return 'ok'
}

/** The rail will never be paid for this attempt. */
export function attemptEnds(model: Model, attempt: Attempt, nowMs: number): void {
  attempt.live = false
  endWhenDone(model, nowMs)
}

function endWhenDone(model: Model, nowMs: number): void {
  if (model.status !== 'issued' || hasLive(model)) return
  if (model.cancelling) model.status = 'cancelled'
  else if (model.expiresAt <= nowMs) model.status = 'expired'
}

/** Whether the rail is to be told that nobody needs the attempt any more. */
export function mustClose(model: Model, attempt: Attempt, nowMs: number): boolean {
  return (
    attempt.live && (model.status !== 'issued' || model.expiresAt <= nowMs || model.cancelling || attempt.superseded)
  )
}

export function tell(model: Model, fact: Fact, nowMs: number): void {
  if (model.events.has(fact.eventId)) return
  model.events.add(fact.eventId)
  const attempt = attemptNamed(model, fact)
  if (fact.says === 'processing' && attempt?.live && model.status === 'issued') attempt.processing = true
  if (fact.says === 'failed' && attempt?.live) attemptEnds(model, attempt, nowMs)
  if (fact.says === 'failed' && fact.attempt === null && model.status === 'issued') allowedChannels(model, fact, nowMs)
  if (fact.says === 'succeeded') moneyCame(model, fact, attempt, nowMs)
}

/** What the payer chose last; where nothing was chosen, what was told of is nobody's choice. */
export const chosenLast = ({ attempts }: Model) => attempts.findLast((each) => each.told === undefined)

/** The attempt that a fact names; one that nobody chose here has no name. */
export function attemptNamed({ attempts }: Model, { attempt }: Fact): Attempt | undefined {
  const named = attempt === null ? undefined : attempts[attempt - 1]
  return named?.told === undefined ? named : undefined
}

/** A failure of a payer who chose nothing here is an attempt, once for each payment of the provider. */
function allowedChannels(model: Model, { kind, objectId }: Fact, nowMs: number): void {
  if (chosenLast(model) || model.attempts.some((each) => each.told === objectId)) return
  const price = { feeMinor: 0n, dueMinor: model.amountMinor }
  const standing = { live: false, processing: false, superseded: false, askedLate: false }
  const attempt: Attempt = { told: objectId, kind, ...price, ...standing }
  model.attempts.push(attempt)
  attemptEnds(model, attempt, nowMs)
}

/** The price of money that came without a choice: that of its kind, the fee on top only where it came on top. */
function unchosenPrice({ prices, amountMinor: ownMinor }: Model, kind: Kind, amountMinor: bigint) {
  const { feeMinor: feeOf, onTop } = prices[kind]
  const feeMinor = feeOf(ownMinor)
  if (onTop && amountMinor !== ownMinor) return { feeMinor, dueMinor: ownMinor + feeMinor }
  return { feeMinor: feeMinor < ownMinor ? feeMinor : 0n, dueMinor: ownMinor }
}

function moneyCame(model: Model, fact: Fact, attempt: Attempt | undefined, nowMs: number): void {
  const { objectId, amountMinor, currency } = fact
  // An unknown currency is no money that could be booked; an id names one payment for ever.
  if (currency === 'XXX' || model.booked.has(objectId)) return
  const kind = attempt?.kind ?? fact.kind
  model.booked.set(objectId, { amountMinor, currency, kind })
  if (currency === 'PHP') model.receivedMinor += amountMinor
  const isOpen = model.status === 'issued' && (nowMs < model.expiresAt || hasLive(model))
  const last = chosenLast(model)
  const { dueMinor } = last ? (attempt ?? last) : unchosenPrice(model, kind, amountMinor)
  const adds = model.prices[kind].adds && model.attempts.some((each) => each.kind === kind && each.told === undefined)
  const sumMinor = amountMinor + (adds ? (model.parts.get(kind) ?? 0n) : 0n)
  const fits = isOpen && currency === 'PHP' && (adds ? sumMinor >= dueMinor : amountMinor === dueMinor)
  if (fits) return paid(model, fact, attempt, dueMinor, nowMs)
  model.stray.set(currency, (model.stray.get(currency) ?? 0n) + amountMinor)
  const isPart = isOpen && currency === 'PHP' && adds
  if (isPart) {
    model.parts.set(kind, sumMinor)
    // The rest may be paid by any method: nothing more is on its way.
    if (attempt) attempt.processing = false
  }
  if (!canGoBack(model, fact, kind)) model.held = true
  // Money of another amount was this attempt's answer; a part waits for the rest.
  if (!isPart && attempt?.live) attemptEnds(model, attempt, nowMs)
}

/** By the rail that brought it, or to the account that the rail names where it knows the money. */
const canGoBack = ({ prices }: Model, { atRail }: Fact, kind: Kind) => prices[kind].refunds || atRail === 'known'

function paid(model: Model, fact: Fact, attempt: Attempt | undefined, dueMinor: bigint, nowMs: number): void {
  const kind = attempt?.kind ?? fact.kind
  const last = chosenLast(model)
  const partsMinor = model.prices[kind].adds ? (model.parts.get(kind) ?? 0n) : 0n
  const excessMinor = partsMinor + fact.amountMinor - dueMinor
  model.stray.set('PHP', (model.stray.get('PHP') ?? 0n) - partsMinor + excessMinor)
  if (excessMinor > 0n && !canGoBack(model, fact, kind)) model.held = true
  model.parts.delete(kind)
  model.status = 'paid'
  model.cancelling = false
  model.paidMinor = dueMinor
  model.feeMinor = (last ? (attempt ?? last) : unchosenPrice(model, kind, fact.amountMinor)).feeMinor
  model.settlesAt = nowMs + model.prices[kind].settleSeconds * 1000
  model.payerKnown = fact.hasPayer
  model.canRefund = fact.hasPayer || model.prices[kind].refunds
  if (attempt) attempt.live = false
}

export function cancel(model: Model, nowMs: number): Expected {
  if (model.status === 'paid') return 'contract_already_paid'
  if (model.status === 'expired' || isOver(model, nowMs)) return 'contract_expired'
  if (model.status === 'cancelled') return 'ok'
  model.cancelling = true
  endWhenDone(model, nowMs)
  return 'ok'
}

/** Whether it reads as expired, swept or not. */
const isOver = (model: Model, nowMs: number) =>
  model.status === 'issued' && !model.cancelling && model.expiresAt <= nowMs && !hasLive(model)

/** The sweep; `forced` when the rails have had their time to answer. */
export function expire(model: Model, nowMs: number, forced: 'forced' | 'if nothing is open'): void {
  if (model.status !== 'issued' || model.expiresAt > nowMs) return
  if (forced === 'forced' || !hasLive(model)) model.status = 'expired'
}

/**
 * `amountMinor` null: all that is left. `hasRoute`: it is to go to the account that the rail tells of where it tells of one;
 * by a key that may not pay others. `openingMinor` is what the wallet had before.
 */
export function refund(model: Model, amountMinor: bigint | null, hasRoute: boolean, openingMinor: bigint): Expected {
  if (model.status === 'cancelled') return 'contract_cancelled'
  if (model.status === 'expired') return 'contract_expired'
  if (model.status === 'issued') return 'payment_not_paid'
  const leftMinor = model.paidMinor - model.refundedMinor
  const wantedMinor = amountMinor ?? leftMinor
  if (leftMinor === 0n || wantedMinor > leftMinor) return 'refund_exceeds_payment'
  if (hasRoute && !model.payerKnown) return 'scope_missing'
  if (!model.canRefund) return 'refund_route_missing'
  if (wantedMinor > openingMinor + model.paidMinor - model.feeMinor - model.refundedMinor) return 'insufficient_funds'
  model.refundedMinor += wantedMinor
  return 'ok'
}

/** A transfer that gave money back failed for good: it is where it was before. */
export function cameBack(model: Model, from: 'payment' | 'suspense', amountMinor: bigint): void {
  if (from === 'payment') model.refundedMinor -= amountMinor
  else model.held = true
}

/** Money is somewhere, always: what arrived is what was paid and what is stray. */
export function isBalanced({ receivedMinor, paidMinor, stray }: Model): boolean {
  return receivedMinor === paidMinor + (stray.get('PHP') ?? 0n)
}
