// How a server says where it stands.
import type { Statement } from '../../platform/db.ts'

export type Placed = {
  readonly read: () => Statement
  /** Counts one mark more; null where the server has no books of its own to count in. */
  readonly count: (() => Statement) | null
}
