// Statuses after which a contract expects nothing more by itself. Money may still come back, or late.
import type { Contract } from './contract.ts'

export const ENDED: readonly Contract['status'][] = ['completed', 'cancelled', 'expired', 'returned']
