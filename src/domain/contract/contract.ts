// A contract of either kind; the two share one namespace of ids (docs/design/domain.md).
import type { EventType } from '../transfer/moves.ts'
import type { Payment } from '../payment/payment.ts'
import type { Transfer } from '../transfer/transfer.ts'

export type Contract = Transfer | Payment

/** What has happened with one stored version: the row that is activity, event and document at once. */
export type Happening = { readonly contract: Contract; readonly event: EventType | null }
