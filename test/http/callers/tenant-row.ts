// What the wall between accounts is told of a route.
import type { Scope } from '../../../src/domain/account/scopes.ts'
import type { Caller } from '../../world.ts'

export type Row = {
  readonly access: 'open' | 'key' | 'key or token'
  readonly scope: Scope | null
  readonly body?: unknown
  /**
   * Makes what the id names, in a state in which the request would succeed; absent where the path
   * has no id. Where the path names something in it, too: `id/inner`.
   */
  readonly id?: (owner: Caller) => Promise<string>
  /** The id may be that of anything. */
  readonly anyKind?: true
  /** What the path needs beside. */
  readonly query?: string
  /** The success has no end: its head is enough. */
  readonly endless?: true
}

export type Rows = Readonly<Record<string, Row>>
