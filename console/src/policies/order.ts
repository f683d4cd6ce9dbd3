// The order in which policies are asked: by priority, then by age.
import type { Policy } from '../../../sdk/src/index.ts'

export const inOrder = (policies: readonly Policy[]): Policy[] =>
  policies.toSorted((one, other) => one.priority - other.priority || (one.id < other.id ? -1 : 1))
