// What the supervisor of several processes and each of them say to one another, and how one asks another and waits for the answer.
import type { StopManner } from '../../http/connections/drain.ts'
import type { Figures } from '../../platform/metrics.ts'
import type { Development } from '../development.ts'
import type { Place } from './place.ts'

/** What a process says when it is ready. */
export type Ready = {
  /** Of its row in the table of processes. */
  readonly processId: string
  readonly url: string
  readonly port: number
  readonly publicUrl: string
  readonly development: (Development & { readonly sandboxUrl: string }) | null
  readonly inRecovery: boolean
}

/** What is asked of a process, and by a process of all of them. */
export type Question = { readonly about: 'figures' } | { readonly about: 'requests'; readonly accountId: string }

/** Either says to the other. */
export type Exchange =
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  /** These accounts have new history. */
  | { readonly kind: 'told'; readonly accountIds: readonly string[] }

/** From the supervisor. */
export type Order =
  | Exchange
  | { readonly kind: 'begin'; readonly place: Place }
  | { readonly kind: 'stop'; readonly manner: StopManner }
  /** Another one has died. */
  | { readonly kind: 'gone'; readonly processId: string }
  /** Whether its event loop turns. */
  | { readonly kind: 'ping' }

/** From a process. */
export type Report =
  | Exchange
  /** It listens to orders. */
  | { readonly kind: 'here' }
  | { readonly kind: 'pong' }
  | { readonly kind: 'ready'; readonly ready: Ready }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  /** Its figures at its end. */
  | { readonly kind: 'last'; readonly figures: Figures }
  | { readonly kind: 'outdated'; readonly migration: string }
