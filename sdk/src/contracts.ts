// Which contract an operation takes, and which it gives back: what a contract's status allows, as types.
import type { NEXT, STEPS } from './operations.gen.ts'
import type { Payment, Transfer } from './types.gen.ts'

/** An id, or what has one. */
export type Ref = string | { readonly id: string }

/** A contract by its id alone, of which nobody says how it stands: the gateway decides, and may refuse. */
export type ById = { readonly id: string; readonly kind?: undefined; readonly status?: undefined }

type Id = keyof typeof STEPS
export type KindName = keyof typeof NEXT

/** A contract in a status that allows the operation. */
export type Standing<I extends Id, K extends KindName> = {
  readonly id: string
  readonly kind: K
  readonly status: keyof (typeof STEPS)[I]
}

/** How the contract stands afterwards; in any status where nothing was said of the one before. */
export type After<I extends Id, K extends KindName, C> = C extends {
  readonly status: infer S extends keyof (typeof STEPS)[I]
}
  ? InStatus<K, Extract<(typeof STEPS)[I][S] extends readonly (infer To)[] ? To : never, string>>
  : InStatus<K, keyof (typeof NEXT)[K] & string>

/** A contract of the kind in one of the statuses. */
export type InStatus<K extends KindName, S extends string> = K extends 'transfer'
  ? Transfer<Extract<S, keyof (typeof NEXT)['transfer']>>
  : Payment<Extract<S, keyof (typeof NEXT)['payment']>>
