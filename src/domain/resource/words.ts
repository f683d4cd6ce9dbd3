// What scopes allow and what helps against errors, in words for people.
import type { KeyScope } from '../account/scopes.ts'
import type { ErrorType } from '../contract/refusals.ts'

/** What a key with the scope may do. */
export const SCOPE_WORDS: Readonly<Record<KeyScope, string>> = {
  'contracts:read': 'Read contracts and their activities, channels and prices.',
  'contracts:write': 'Create and change drafts, and open payment contracts.',
  'transfers:issue': 'Issue drafts: freeze their terms and price.',
  'transfers:pay': 'Pay issued transfer contracts, and try failed ones again. Moves money.',
  'transfers:cancel': 'Cancel contracts, before their money has left.',
  'wallets:read': 'Read wallets, balances and ledger entries.',
  'events:read': 'Read the feed of events, and follow it.',
  'webhooks:manage': 'Make, change and delete webhook endpoints, and replay what they missed.',
  'payments:refund': 'Give back money that was paid. Moves money.',
  'events:write': 'Report payments of a receiver of provider events.',
  'accounts:read': 'Read the account, its keys, members and usage.',
  'accounts:write': 'Change the account and its settings.',
  'keys:write': 'Make, change, roll and revoke API keys that can do no more than the maker.',
  'members:write': 'Invite, change and remove members with roles that are no stronger than the inviter’s.',
  'wallets:write': 'Open, change and close wallets.',
  'profiles:read': 'Read profiles and their destinations.',
  'profiles:write': 'Create, change and archive profiles and their destinations.',
  'commands:read': 'Read bulk commands, and schedules. Their rows and files need what reads contracts, too.',
  'commands:write':
    'Start, pause and cancel bulk commands, and make schedules. What a row does needs the scope of that as well.',
  'policies:read': 'Read policies and fees, try them on drafts, and rehearse them on what happened.',
  'policies:write': 'Make, change and end policies. In live mode only people do.',
  'verifiers:read': 'Read verifiers, verifications and lists, and have a recipient verified.',
  'verifiers:write': 'Make, change and end verifiers and lists. In live mode only people do.',
  'audit:read': 'Read the audit list.',
  'metrics:read': 'Read the figures of the whole installation.',
}

/** What to do about an error of the type where its message does not say more. */
export const ERROR_MENDS: Readonly<Record<ErrorType, string>> = {
  invalid_request_error: 'Change what `param` names as the message says, and send the request again.',
  authentication_error: 'Send a valid credential in the header that `param` names.',
  payment_error: 'Nothing was taken. Add money, or choose another wallet or method of payment.',
  permission_error: 'Use a credential that may do this, or have its scopes widened by who made it.',
  not_found_error: 'Check the id, the account and the mode (test or live) of the credential.',
  conflict_error: 'Read the object again: it has another state than the request expects. Then decide anew.',
  idempotency_error: 'Use a new Idempotency-Key for a new request, and the same body for a repeated one.',
  rate_limit_error: 'Wait as Retry-After says, and send the same request again.',
  api_error: 'Send the same request again with the same Idempotency-Key, a little later each time.',
  channel_error: 'Try again later, or choose another channel.',
}
