// Statuses after which a contract expects nothing more by itself. Money may still come back, or late.
import type { Contract } from './contract.ts'

export const ENDED: readonly string[] = [
  'completed',
  'cancelled',
  'expired',
  'returned',
] satisfies readonly Contract['status'][]
