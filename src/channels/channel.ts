// The contract of every connector: a small core and optional powers. A connector moves money one way and knows no
// database; what its rail says is told in the words of domain/outcome.ts.
import type { Absence, Outcome, SendOrder } from '../domain/outcome.ts'

/** What a connector promises about its rail; the workers decide by it what may be sent again, and when. */
export type ConnectorCapabilities = {
  /** Whether the rail itself sees our reference and refuses to execute it twice. */
  readonly acceptsReference: boolean
  /** How long the rail knows a reference again; null for ever. */
  readonly dedupeLifetimeMs: number | null
  /** Whether an order can be asked about by its reference. */
  readonly inquiry: boolean
  /** How long an inquiry's "not found" proves nothing. */
  readonly notFoundFinalAfterMs: number
  readonly recall: boolean
}

export interface Channel {
  describe(): ConnectorCapabilities
  /** Same reference, same money, at most once. Never throws for what the rail does: doubt is `unknown`. */
  send(order: SendOrder): Promise<Outcome>
  /** Asks what became of an order; may be asked for ever. Never `not_sent`: that would be said of the order. */
  check(reference: string, order: SendOrder): Promise<Outcome | Absence>
}

export interface CanRecall {
  /** `refused` is definite: the order went through or ended otherwise, and an inquiry tells how. */
  recall(reference: string): Promise<'recalled' | 'refused' | 'unknown'>
}

/** Whether a connector has the power to recall; `describe().recall` says the same. */
export function canRecall(channel: Channel): channel is Channel & CanRecall {
  return 'recall' in channel && typeof channel.recall === 'function'
}

/** What a rail tells of its own accord: late completions and bounces, in its own order. */
export type News = { readonly reference: string; readonly outcome: Outcome }

export interface CanTell {
  /** News after `position`, with the position to ask from next time. Throws nothing: no answer is no news. */
  news(position: number): Promise<{ readonly items: readonly News[]; readonly position: number }>
}

export function canTell(channel: Channel): channel is Channel & CanTell {
  return 'news' in channel && typeof channel.news === 'function'
}
