// The words of the payment contract's moves: its statuses, and what can be asked of it. move-table.ts says which moves
// there are.

export const PAYMENT_STATUSES = ['issued', 'paid', 'completed', 'cancelled', 'expired'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** What can be asked of a payment contract: by its caller, its payer, the clock, the rails and the workers. */
export const PAYMENT_VERBS = [
  'choose',
  'process_due',
  'report_collection',
  'receive',
  'cancel',
  'expire',
  'refund',
  'return',
  'name_payer',
] as const
export type PaymentVerb = (typeof PAYMENT_VERBS)[number]
