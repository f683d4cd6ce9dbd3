// What each type of command needs of whoever gives it, beside commands:write. The gateway looks again.
import type { CommandType, MemberScope } from '../../../sdk/src/index.ts'

export const NEEDED: Readonly<Record<CommandType, readonly MemberScope[]>> = {
  'transfers.create': ['contracts:write'],
  'transfers.issue': ['transfers:issue'],
  'transfers.pay': ['transfers:pay'],
  'transfers.cancel': ['transfers:cancel'],
  'transfers.payout': ['contracts:write', 'transfers:issue', 'transfers:pay'],
}
