// Every reason for a refusal, as a value. Codes and text only: http/errors.ts knows the status numbers.

export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'payment_error'
  | 'permission_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'idempotency_error'
  | 'rate_limit_error'
  | 'api_error'
  | 'channel_error'

/** One entry of the catalogue: the error type (spec 7) and what it means to a reader of docs/errors.md. */
type Entry = { readonly type: ErrorType; readonly when: string }

const entry = (type: ErrorType, when: string): Entry => ({ type, when })

/** All codes but the families `missing_<param>` and `invalid_<param>` (docs/design/domain.md). */
export const REFUSALS = {
  malformed_json: entry('invalid_request_error', 'The body is not JSON, or is JSON that a careful reader refuses.'),
  card_data_not_allowed: entry(
    'invalid_request_error',
    'A field is named after card data, or a URL carries a card number. Card numbers are never accepted here.',
  ),
  body_too_large: entry('invalid_request_error', 'The body is larger than the limit.'),
  unsupported_media_type: entry('invalid_request_error', 'The body is not application/json, or is compressed.'),
  method_not_allowed: entry('invalid_request_error', 'The path exists, but not with this method.'),
  unknown_parameter: entry(
    'invalid_request_error',
    'A member of the body or a parameter of the query is not known here. The message names the nearest one.',
  ),
  unsupported_version: entry('invalid_request_error', 'Service-Version names a version that does not exist.'),
  unsupported_grant_type: entry('invalid_request_error', 'Only client_credentials is offered (RFC 6749, 4.4).'),
  request_timeout: entry('invalid_request_error', 'The request did not arrive in time.'),
  api_key_required: entry('authentication_error', 'The operation needs an API key in X-Api-Key; none was sent.'),
  credentials_required: entry('authentication_error', 'The operation needs an API key or a bearer token.'),
  invalid_api_key: entry('authentication_error', 'The API key is unknown, revoked or expired.'),
  invalid_token: entry('authentication_error', 'The bearer token is unknown, revoked or expired.'),
  invalid_signature: entry(
    'authentication_error',
    'The signature of a callback is missing, malformed, forged, or more than five minutes off.',
  ),
  payer_token_required: entry(
    'authentication_error',
    'A payer needs the token of the payment contract, which checkout_url ends with.',
  ),
  credentials_disagree: entry(
    'authentication_error',
    'An API key and a bearer token were sent, of different accounts.',
  ),
  scope_missing: entry('permission_error', 'The API key lacks the scope that the operation needs.'),
  address_not_allowed: entry(
    'permission_error',
    'The API key lists the addresses that it may be used from, and the request comes from another one.',
  ),
  transfer_above_cap: entry(
    'permission_error',
    'More would leave by this API key at a time than it may move, or another currency.',
  ),
  policy_denied: entry('permission_error', 'A policy of the account denies the transfer, in the words of the message.'),
  mandate_exceeded: entry(
    'permission_error',
    'The API key has a mandate, and this is beyond it: more than is left of its total, another recipient, channel or currency, or too late.',
  ),
  exceeds_own_access: entry(
    'permission_error',
    'Nobody gives, changes or renews more than they have: scopes, life, addresses and caps. Nor do they add rows to a command that acts for somebody else, or set its payments going with caps or a mandate of their own.',
  ),
  person_required: entry(
    'permission_error',
    'In live mode this is changed by a person: a member who is signed in, or the operator.',
  ),
  test_account_required: entry('permission_error', 'The sandbox is for test accounts; the caller’s is a live one.'),
  token_not_for_contract: entry('permission_error', 'The token is bound to another contract.'),
  session_required: entry('authentication_error', 'The operation is for a member who is signed in, not for a key.'),
  invalid_session: entry('authentication_error', 'The session has ended. Sign in again.'),
  sign_in_failed: entry(
    'authentication_error',
    'The e-mail address, the password or the code is wrong, or there were too many tries.',
  ),
  second_factor_required: entry(
    'authentication_error',
    'The password is right; the code of a second factor is missing.',
  ),
  not_proven: entry('permission_error', 'The password or the code that a change asks for is wrong or was used before.'),
  cross_site_request: entry(
    'permission_error',
    'A page of another origin sent the request with a session. Sessions work from the gateway’s own pages only.',
  ),
  role_not_allowed: entry('permission_error', 'The role, or the member who has it, is stronger than whoever asks.'),
  code_wrong: entry('permission_error', 'The one-time code is wrong. The message says how many tries are left.'),
  second_person_required: entry('permission_error', 'Somebody else than whoever proposed it confirms it.'),
  approver_is_maker: entry(
    'permission_error',
    'Nobody approves what they made, changed or issued themselves, or by an API key that they made.',
  ),
  approver_role_not_asked: entry('permission_error', 'The approval that is asked for is that of another role.'),
  insufficient_funds: entry('payment_error', 'The wallet holds less than the debit.'),
  payment_declined: entry('payment_error', 'The rail declined the payment. Try another method.'),
  contract_not_found: entry('not_found_error', 'No contract of this account has the id.'),
  channel_not_found: entry('not_found_error', 'No channel has the id.'),
  credit_not_allowed: entry(
    'conflict_error',
    'Money enters a live wallet by a payment contract, or by an operator with evidence, two names and a clearing account.',
  ),
  wallet_closed: entry('conflict_error', 'The wallet is closed: it pays nothing, and no contract can name it.'),
  wallet_not_empty: entry('conflict_error', 'Only an empty wallet can be closed.'),
  wallet_is_default: entry(
    'conflict_error',
    'The default wallet of a currency cannot be closed. Make another one the default first.',
  ),
  wallets_full: entry('conflict_error', 'The account has as many wallets as it may have. Close one.'),
  reference_reused: entry('conflict_error', 'The reference was used before for another amount or wallet.'),
  wallet_not_found: entry('not_found_error', 'No wallet of this account has the id.'),
  profile_not_found: entry('not_found_error', 'No profile of this account has the id.'),
  schedule_not_found: entry('not_found_error', 'No schedule of this account has the id.'),
  destination_not_found: entry('not_found_error', 'No destination of the profile has the id, or it was archived.'),
  verifier_not_found: entry('not_found_error', 'No verifier of this account has the id.'),
  list_entry_not_found: entry('not_found_error', 'The list has no entry with the id.'),
  verification_not_found: entry('not_found_error', 'No verification of this account has the id.'),
  policy_not_found: entry('not_found_error', 'No policy of this account has the id.'),
  event_not_found: entry('not_found_error', 'No event of this account has the id.'),
  webhook_endpoint_not_found: entry('not_found_error', 'No webhook endpoint of this account has the id.'),
  delivery_not_found: entry('not_found_error', 'No delivery of the webhook endpoint has the id.'),
  key_not_found: entry('not_found_error', 'No API key of this account has the id.'),
  member_not_found: entry('not_found_error', 'No member of this account has the id.'),
  session_not_found: entry('not_found_error', 'The member has no live session with the id.'),
  passkey_not_found: entry('not_found_error', 'The member has no passkey with the id.'),
  invitation_not_found: entry(
    'not_found_error',
    'The invitation was used, replaced, has expired, or never was; or it was accepted anew since this enrolment.',
  ),
  resource_not_found: entry(
    'not_found_error',
    'No data set has the name, and nothing that the caller may read has the id.',
  ),
  resolution_not_found: entry('not_found_error', 'No resolution has the id.'),
  review_not_found: entry('not_found_error', 'No transfer with the id waits because a channel contradicted itself.'),
  reconciliation_not_found: entry('not_found_error', 'No reconciliation has the id.'),
  proof_not_found: entry('not_found_error', 'No proof has the id.'),
  route_not_found: entry('not_found_error', 'No operation has this path.'),
  contract_not_draft: entry('conflict_error', 'Only a draft can be updated or issued.'),
  contract_not_issued: entry('conflict_error', 'Only an issued contract can be paid.'),
  approval_not_required: entry('conflict_error', 'Nothing asks for an approval of the contract.'),
  terms_changed: entry('conflict_error', 'The terms that were approved are not those of the contract.'),
  destination_changed: entry(
    'conflict_error',
    'The saved destination that the contract pays has been changed or archived since the contract was made.',
  ),
  contract_expired: entry('conflict_error', 'The contract expired.'),
  contract_cancelled: entry('conflict_error', 'The contract was cancelled.'),
  contract_already_paid: entry('conflict_error', 'The contract is paid and can no longer be changed this way.'),
  contract_completed: entry('conflict_error', 'The money has arrived; a completed contract cannot be cancelled.'),
  keys_full: entry('conflict_error', 'The account has as many live API keys as it may have. Revoke one.'),
  key_ended: entry('conflict_error', 'The API key is revoked or has expired, and cannot be changed any more.'),
  member_exists: entry('conflict_error', 'The e-mail address is that of a member already.'),
  members_full: entry('conflict_error', 'The account has as many members as it may have. Remove one.'),
  last_owner: entry('conflict_error', 'The account would have no owner left.'),
  last_factor: entry('conflict_error', 'The member would have no second factor left.'),
  account_required: entry('conflict_error', 'Several accounts have the e-mail address: account says which is meant.'),
  oidc_not_configured: entry('conflict_error', 'The gateway has no OpenID provider.'),
  webhook_endpoints_full: entry('conflict_error', 'The account has as many webhook endpoints as it may have.'),
  webhook_endpoint_disabled: entry(
    'conflict_error',
    'The webhook endpoint is disabled or paused, so that nothing could be delivered to it.',
  ),
  payer_not_known: entry('conflict_error', 'Nothing is known of the payer of which a profile could be made.'),
  command_not_found: entry('not_found_error', 'No command of the account has this id.'),
  command_not_movable: entry('conflict_error', 'The command does not stand where it could be moved so, or take rows.'),
  command_started_before: entry(
    'conflict_error',
    'The rows of the dry run were started before. again: true does all of them once more.',
  ),
  command_row_differs: entry('conflict_error', 'A row of this index is there already, with another content.'),
  command_empty: entry('conflict_error', 'The command has no rows, so there is nothing to start.'),
  command_too_large: entry(
    'conflict_error',
    'More fits the filter of a command than it may take in, or write into a file.',
  ),
  file_not_ready: entry('conflict_error', 'The command makes no file, or its file is not whole yet.'),
  file_expired: entry('not_found_error', 'The file of a command was kept for seven days, and is gone.'),
  commands_full: entry('conflict_error', 'The account has as many commands that have not ended as it may have.'),
  schedule_ended: entry('conflict_error', 'The schedule has ended, and is not changed any more.'),
  schedules_full: entry('conflict_error', 'The account has as many schedules as it may have.'),
  profile_archived: entry('conflict_error', 'The profile is archived; restore it before it is changed.'),
  profile_is_own: entry('conflict_error', 'The profile is the account’s own, which is never archived.'),
  policy_archived: entry('conflict_error', 'The policy is archived, and stays as it is. Make another one.'),
  policies_full: entry('conflict_error', 'The account has as many policies as it may have, or as many active ones.'),
  destinations_full: entry('conflict_error', 'The profile has as many destinations as it may have.'),
  verifiers_full: entry('conflict_error', 'The account has as many verifiers as it may have. Archive one.'),
  verifier_archived: entry('conflict_error', 'The verifier is archived.'),
  list_full: entry('conflict_error', 'The list has as many entries as it may have.'),
  verification_not_in_review: entry(
    'conflict_error',
    'The verification waits for nobody’s word: it is pending, or has ended.',
  ),
  code_not_waited_for: entry('conflict_error', 'The verification waits for no code, or the code is too old.'),
  code_not_sent_again: entry('conflict_error', 'A code was sent just now, or as often as it may be.'),
  transfer_not_failed: entry('conflict_error', 'Only a transfer that failed for good can be tried again.'),
  transfer_not_open: entry('conflict_error', 'Only a transfer whose outcome is open can be resolved.'),
  operations_not_offered: entry(
    'conflict_error',
    'The gateway is not operated over HTTP: GATEWAY_OPERATIONS is off, or the operators’ database login is not known.',
  ),
  resolution_not_waiting: entry('conflict_error', 'The resolution was confirmed or rejected, or has expired.'),
  resolution_exists: entry('conflict_error', 'A resolution of the transfer waits for a second person already.'),
  resolution_overtaken: entry('conflict_error', 'The transfer has changed since it was looked at. Look at it again.'),
  channel_frozen: entry('conflict_error', 'The channel is frozen already.'),
  not_sealed_yet: entry(
    'conflict_error',
    'The newest step of the contract is not sealed yet: it is within seconds. Wait for Retry-After.',
  ),
  history_not_as_sealed: entry(
    'conflict_error',
    'The contract is not what was sealed of it: somebody changed the database. An operator has to look.',
  ),
  proof_running: entry('conflict_error', 'A proof of the books is running. Wait for it.'),
  payment_not_payable: entry('conflict_error', 'The payment contract does not take this payment.'),
  payment_processing: entry('conflict_error', 'A payment of the contract is being processed; wait for it.'),
  payment_attempts_exhausted: entry('conflict_error', 'There were too many attempts to pay the contract.'),
  payment_not_paid: entry('conflict_error', 'Only a paid payment contract can be refunded.'),
  payer_names_exhausted: entry('conflict_error', 'The payer of the contract was named as other profiles too often.'),
  refund_exceeds_payment: entry('conflict_error', 'No more can be refunded than was paid.'),
  refunds_exhausted: entry(
    'conflict_error',
    'There were too many refunds of the payment. The message says what can still be refunded, and when.',
  ),
  refund_route_missing: entry('conflict_error', 'Nothing says where the money can be sent back to.'),
  nothing_in_suspense: entry('conflict_error', 'Nothing of the payment contract is in suspense.'),
  event_id_reused: entry('conflict_error', 'An event with the same id came before with other bytes.'),
  channel_not_in_mode: entry(
    'conflict_error',
    'The channel moves live money and the contract is a test one, or the other way round.',
  ),
  approval_required: entry(
    'conflict_error',
    'A policy asks that members approve the transfer before it is paid. The message says how many are lacking, and who may.',
  ),
  verification_required: entry(
    'conflict_error',
    'A policy asks for a verification before the transfer is paid. The message says which, and how it stands.',
  ),
  requirements_not_met: entry('conflict_error', 'The preview still has errors; each names what to fix.'),
  precondition_failed: entry(
    'conflict_error',
    'If-Match names a version that the contract no longer has. Read it again.',
  ),
  preview_mismatch: entry('conflict_error', 'The preview sent differs from what would be charged.'),
  idempotency_reply_lost: entry(
    'conflict_error',
    'The request was carried out, and its answer is lost: the process that worked on it died before it was kept, its sealing key is gone, or it is weeks old.',
  ),
  idempotency_in_progress: entry('conflict_error', 'A request with the same key is still being worked on.'),
  idempotency_key_reused: entry('idempotency_error', 'The key was used before with another request.'),
  epoch_changed: entry(
    'conflict_error',
    'The gateway was restored, and what the cursor names was undone. Go on from resume_after.',
  ),
  events_removed: entry(
    'conflict_error',
    'The event happened so long ago that what it told has left the gateway. Read the contract as it stands; the feed goes on from resume_after.',
  ),
  restored_request: entry(
    'conflict_error',
    'The request was taken before the gateway was restored; the message names its contract.',
  ),
  rate_limited: entry('rate_limit_error', 'The key sends faster than its limit. Wait for Retry-After.'),
  too_many_streams: entry('rate_limit_error', 'The account has as many event streams open as it may. Close one.'),
  overloaded: entry('api_error', 'The gateway has as much work queued as it accepts. Wait for Retry-After.'),
  shutting_down: entry('api_error', 'The gateway is stopping. Try again shortly.'),
  in_recovery: entry(
    'api_error',
    'The database is older than what the gateway did: nothing but drafts is written until two operators resume.',
  ),
  not_in_recovery: entry('conflict_error', 'The gateway is not in recovery.'),
  recovery_not_compared: entry(
    'conflict_error',
    'A channel was not compared with its provider since the recovery began, or has orders whose money no wallet has.',
  ),
  lane_on_other_server: entry(
    'conflict_error',
    'A server has accounts of a lane of which home says that it is on another one: one of the two was restored to before a move.',
  ),
  lane_lost: entry(
    'conflict_error',
    'No server has accounts that home says were moved: one was restored to before a move, or home was. Nothing is compared or resumed until their rows are there.',
  ),
  already_in_recovery: entry('conflict_error', 'The gateway is in recovery already.'),
  account_busy: entry(
    'api_error',
    'Somebody else holds the account in the database. Nothing was done. Try again shortly.',
  ),
  database_unavailable: entry('api_error', 'The database does not answer. The message says whether anything was done.'),
  internal_error: entry('api_error', 'Our fault. The request id names it in the log.'),
  oidc_unavailable: entry('api_error', 'The OpenID provider does not answer. Try again shortly.'),
  sandbox_unavailable: entry('api_error', 'The sandbox provider does not answer. It is started again by itself.'),
  channel_unavailable: entry('channel_error', 'The channel is closed at the moment.'),
} as const

export type NamedCode = keyof typeof REFUSALS
export type RefusalCode = NamedCode | `missing_${string}` | `invalid_${string}`

/** One problem with one request. `param` is the offending parameter, dotted, or null. */
export type Problem = { readonly code: RefusalCode; readonly param: string | null; readonly message: string }

/** A refusal that the caller caused. It changed nothing; where it names a contract, that contract exists and can be used. */
export type Refusal = Problem & {
  readonly kind: 'refusal'
  readonly problems: readonly Problem[]
  readonly contractId?: string
  readonly epochChange?: EpochChange
  readonly eventsRemoved?: EventsRemoved
}

/** Where a reader of the feed goes on, whose next events have left. */
export type EventsRemoved = {
  /** The event after which nothing has left; null where that is not known. */
  readonly resumeAfter: string | null
  /** When the last contract ended of which events have left, in milliseconds since the epoch of clocks. */
  readonly removedUntil: number | null
}

/** Where a reader of events goes on, whose place a restore has undone. */
export type EpochChange = {
  readonly epoch: number
  /** The newest event that still stands; null where there is none. */
  readonly resumeAfter: string | null
  /** When the last step was taken that still stands, in milliseconds since the epoch of clocks. */
  readonly undoneAfter: number | null
}

export function refuse(code: NamedCode, param: string | null, message: string): Refusal {
  return { kind: 'refusal', code, param, message, problems: [] }
}

/** Refuses with all problems at once, the first on top (docs/design/areas.md). The list is never empty. */
export function refuseAll(problems: readonly [Problem, ...Problem[]]): Refusal {
  const [first] = problems
  return { kind: 'refusal', ...first, problems: problems.length > 1 ? problems : [] }
}

/** Refuses with one code while listing the problems behind it. */
export function refuseFor(
  code: NamedCode,
  param: string | null,
  message: string,
  problems: readonly Problem[],
): Refusal {
  return { kind: 'refusal', code, param, message, problems }
}

/** Written commands look at their key again: it ended between the door and the write. */
export function keyHasEnded(): Refusal {
  return refuse('invalid_api_key', 'X-Api-Key', 'The API key was revoked or has expired. Use another one.')
}

/** The same of a session, whose member may be none any more. */
export function sessionHasEnded(): Refusal {
  return refuse('invalid_session', 'Cookie', 'The session has ended. Sign in again by POST /sessions.')
}

/** The same idempotency key on a different request. */
export function idempotencyKeyReused(): Refusal {
  const fix = 'The key was used before with another request (method, path or body). Use a new key.'
  return refuse('idempotency_key_reused', 'Idempotency-Key', fix)
}

export function missing(param: string, fix: string): Problem {
  return { code: `missing_${wordOf(param)}`, param, message: `${param} is missing. ${fix}` }
}

export function invalid(param: string, message: string): Problem {
  return { code: `invalid_${wordOf(param)}`, param, message }
}

/**
 * A parameter as the last part of a code. The index in a list is not part of it: `events.3` is reported as
 * invalid_events.
 */
function wordOf(param: string): string {
  return param.replace(/\.\d+/g, '').replaceAll('.', '_')
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'refusal'
}

/** The error type of any code, the two families included. */
export function typeOf(code: RefusalCode): ErrorType {
  const known = (REFUSALS as Record<string, Entry>)[code]
  return known ? known.type : 'invalid_request_error'
}
