// What each type of command needs of whoever gives it, beside commands:write. The gateway looks again.
import type { CommandType, MemberScope } from '../../../sdk/src/index.ts'

/** What the console does from a file; files that are made and events that are told again are no payouts. */
export type PayoutType = Extract<CommandType, `transfers.${string}`>

export const NEEDED: Readonly<Record<PayoutType, readonly MemberScope[]>> = {
  'transfers.create': ['contracts:write'],
  'transfers.issue': ['transfers:issue'],
  'transfers.pay': ['transfers:pay'],
  'transfers.cancel': ['transfers:cancel'],
  'transfers.payout': ['contracts:write', 'transfers:issue', 'transfers:pay'],
}

/** What is needed to set one going; of what the console does not do, nothing is known here, and the gateway says it. */
export const neededFor = (type: CommandType): readonly MemberScope[] =>
  type in NEEDED ? NEEDED[type as PayoutType] : []
