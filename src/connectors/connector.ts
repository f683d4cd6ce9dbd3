// The contract of every connector: a small core and optional capabilities. A connector moves money one way and knows no
// database; what its rail reports is put in the terms of domain/outcome.ts.
import type { CollectOrder, Collection, FoundReceipt } from '../domain/channel/collection.ts'
import type { Absence, Outcome, SendOrder } from '../domain/channel/outcome.ts'

/** What a connector promises about its rail; the workers decide by it what may be sent again, and when. */
export type ConnectorCapabilities = {
  /** Whether the rail itself sees our reference and refuses to execute it twice. */
  readonly acceptsReference: boolean
  /** How long the rail knows a reference again; null for ever. */
  readonly dedupeLifetimeMs: number | null
  /** Whether an order can be looked up by its reference. */
  readonly inquiry: boolean
  /** How long an inquiry's "not found" proves nothing. */
  readonly notFoundFinalAfterMs: number
  /** The longest wait between inquiries about an accepted order that nothing else moves on; else they grow rare. */
  readonly inquiryDelayMs?: number
  readonly recall: boolean
}

export interface Connector {
  describe(): ConnectorCapabilities
  /** Same reference, same money, at most once. Never throws for what the rail does: doubt is `unknown`. */
  send(order: SendOrder): Promise<Outcome>
  /** Inquires what became of an order, at any later time. Never `not_sent`: that would be about the order. */
  check(reference: string, order: SendOrder): Promise<Outcome | Absence>
}

export interface Recalls {
  /** `refused` is definite: the order went through or ended otherwise, and an inquiry shows how. */
  recall(reference: string): Promise<'recalled' | 'refused' | 'unknown'>
}

/** Whether a connector can recall; `describe().recall` says the same. */
export function recalls(connector: Connector): connector is Connector & Recalls {
  return 'recall' in connector && typeof connector.recall === 'function'
}

export interface SendsFiles {
  /**
   * Sends many orders as one file, under a reference that is the same for the same orders. The outcome of each by its own
   * reference; what became of one that is left out is unknown.
   */
  sendFile(fileReference: string, orders: readonly SendOrder[]): Promise<ReadonlyMap<string, Outcome>>
}

/** Whether a connector sends files: its orders wait for a cut-off and leave together. */
export function sendsFiles(connector: Connector): connector is Connector & SendsFiles {
  return 'sendFile' in connector && typeof connector.sendFile === 'function'
}

/** One booked line of a provider's statement. */
export type StatementLine = {
  readonly reference: string
  readonly kind: 'sent' | 'returned'
  /** Major units with all decimals, as the provider wrote it. */
  readonly amountDecimal: string
  readonly currency: string
}

export interface FetchesStatements {
  /**
   * The provider's statement of one of its days (YYYY-MM-DD), whole, or null where it could not be had or read. What it shows as
   * pending is `accepted`.
   */
  fetchStatement(day: string): Promise<readonly TakenOrder[] | null>
}

export function fetchesStatements(connector: Connector): connector is Connector & FetchesStatements {
  return 'fetchStatement' in connector && typeof connector.fetchStatement === 'function'
}

/**
 * One line of what a rail settled for us. `received`: a payer's money. `refunded`, `refund_accepted`: it went back, or is about to,
 * under the reference of the refund's own attempt.
 */
export type SettledLine = Omit<StatementLine, 'kind'> & {
  readonly kind: 'received' | 'refunded' | 'refund_accepted'
}

export interface FetchesSettlements {
  /** What came in and went back on one of the provider's days (YYYY-MM-DD), whole, or null where it could not be had or read. */
  fetchSettlement(day: string): Promise<readonly SettledLine[] | null>
}

export function fetchesSettlements(connector: Connector): connector is Connector & FetchesSettlements {
  return 'fetchSettlement' in connector && typeof connector.fetchSettlement === 'function'
}

export interface ListsOrders {
  /**
   * The orders that the provider took for a channel since a moment, in milliseconds since the epoch, and has or had the money of.
   * Null, or a fault that says why, where they could not be had or read whole. For a rail that has no statements.
   */
  listOrders(channelId: string, sinceMs: number): Promise<readonly TakenOrder[] | null>
}

/** `accepted`: it has not gone yet. `sent`: it went. `returned`: it went, and came back. */
export type TakenOrder = Omit<StatementLine, 'kind'> & {
  readonly kind: 'accepted' | StatementLine['kind']
  /** A credit that came under a reference like ours and that nothing says is a return: a deposit, unless that very order is out. */
  readonly isUnmarked?: true
  /** What else is known of an order under a reference that is not ours, as a sentence. */
  readonly note?: string
}

export function listsOrders(connector: Connector): connector is Connector & ListsOrders {
  return 'listOrders' in connector && typeof connector.listOrders === 'function'
}

export interface FindsLost {
  /**
   * The references of those orders whose money is no longer where it was brought: for a rail that is these books themselves, and may
   * have come back older at the receiver's end. Such an order is sent again, under its reference.
   */
  findLost(orders: readonly SendOrder[]): Promise<ReadonlySet<string>>
}

export function findsLost(connector: Connector): connector is Connector & FindsLost {
  return 'findLost' in connector && typeof connector.findLost === 'function'
}

/** Whose account something is, as whoever keeps it says. `no_answer` proves nothing, and may be asked again. */
export type AccountHolder =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'no_account' }
  | { readonly kind: 'no_answer'; readonly reason: string }

export interface NamesAccounts {
  /**
   * In whose name the recipient's account is. Moves nothing; never throws for what the rail does. It is shown what results are found
   * again by: no address, and of a question about a number alone no name and no e-mail either.
   */
  nameOf(recipient: SendOrder['recipient']): Promise<AccountHolder>
}

export function namesAccounts(connector: Connector): connector is Connector & NamesAccounts {
  return 'nameOf' in connector && typeof connector.nameOf === 'function'
}

export interface InspectsAddresses {
  /** What is behind an address of the chain. */
  holderKind(address: string): Promise<'account' | 'contract' | 'no_answer'>
}

export function inspectsAddresses(connector: Connector): connector is Connector & InspectsAddresses {
  return 'holderKind' in connector && typeof connector.holderKind === 'function'
}

/** What a rail reports unprompted: late completions and bounces, in its own order. */
export type RailEvent = { readonly reference: string; readonly outcome: Outcome }

export interface PollsEvents {
  /** Events after `position`, with the position to continue from. Throws nothing: no answer is no events. */
  pollEvents(position: number): Promise<{ readonly items: readonly RailEvent[]; readonly position: number }>
}

export function pollsEvents(connector: Connector): connector is Connector & PollsEvents {
  return 'pollEvents' in connector && typeof connector.pollEvents === 'function'
}

/** What a rail reports by callback, with the amount it names: to be checked against the order before it counts. */
export type CallbackReport = RailEvent & {
  /** Major units with all decimals of the currency. */
  readonly amountDecimal: string
  readonly currency: string
}

export interface ParsesCallbacks {
  /** The report in a callback's object; null where it is not about an order of this rail. Throws nothing. */
  parseCallback(object: Readonly<Record<string, unknown>>): CallbackReport | null
}

export function parsesCallbacks(connector: Connector): connector is Connector & ParsesCallbacks {
  return 'parseCallback' in connector && typeof connector.parseCallback === 'function'
}

/** What a connector that brings money in promises about its rail. */
export type CollectCapabilities = {
  /** Whether an attempt can be looked up by its reference. */
  readonly inquiry: boolean
  /** Whether the rail itself can refund a payment: `send` with `refundOf`. */
  readonly refunds: boolean
  /** Whether payers can give their card on a page of the rail's own: `collect` without a token answers with it. */
  readonly hosted?: true
}

export interface Collects {
  describeCollect(): CollectCapabilities
  /** Same reference, same attempt, however often called. Never throws for what the rail does: doubt is `unknown`. */
  collect(order: CollectOrder): Promise<Collection>
  /** Inquires what became of an attempt; `not_found` where the rail does not know it. */
  checkCollection(order: CollectOrder): Promise<Collection | Absence>
  /**
   * Closes an attempt. `voided` is definite: it can no longer be paid. `refused`: it was paid, or is about to be. `nowMs`: by the database's clock, which
   * the order's moments are of.
   */
  voidCollection(order: CollectOrder, nowMs: number): Promise<'voided' | 'refused' | 'unknown'>
}

/** Whether a connector brings money in. */
export function collects(connector: Connector): connector is Connector & Collects {
  return 'collect' in connector && typeof connector.collect === 'function'
}

/** A payment, by the id that the rail refunds it by, and the reference of the attempt that it is to have been made under. */
export type Claimed = { readonly id: string; readonly reference: string }
/** `not_found`: no such payment was made under that reference. */
export type PaymentUnder = { readonly kind: 'found' } | Absence | { readonly kind: 'unknown'; readonly reason: string }

export interface RefundsPayments {
  /** Whether a payment was made under an attempt's reference: a rail refunds by its own id, whoever asks. Throws nothing. */
  paymentUnder(payment: Claimed): Promise<PaymentUnder>
}

/** Whether a rail refunds by itself, and says whose payments are. */
export function refundsPayments(connector: Connector): connector is Connector & RefundsPayments {
  return 'paymentUnder' in connector && typeof connector.paymentUnder === 'function'
}

export interface FindsReceipts {
  /** The payment of this id that came by an attempt, with who paid: an event alone is no proof of either. Throws nothing. */
  findReceipt(order: CollectOrder, objectId: string): Promise<FoundReceipt>
}

/** Whether single payments of a rail can be looked for. Rails that refund by themselves need it not: they know who paid. */
export function findsReceipts(connector: Connector): connector is Connector & FindsReceipts {
  return 'findReceipt' in connector && typeof connector.findReceipt === 'function'
}

/** What a connector of an e-wallet is: it pays out and brings money in, refunds by itself, reports both ways, and says whose accounts are. */
export type EWalletConnector = Connector &
  PollsEvents &
  ParsesCallbacks &
  FetchesStatements &
  FetchesSettlements &
  Collects &
  RefundsPayments &
  NamesAccounts
