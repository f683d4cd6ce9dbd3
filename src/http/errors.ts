// Refusals and faults -> status and body. Does not compile until every named code has its number.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { maskCards } from '../domain/text/cards.ts'
import { type NamedCode, type Refusal, refuse, typeOf } from '../domain/contract/refusals.ts'
import { OidcUnavailable } from '../app/members/oidc-provider.ts'
import { SandboxUnavailable } from '../connectors/sandbox/control.ts'
import { TooManyPasswords } from '../platform/passwords.ts'
import { Overloaded, ShuttingDown } from '../engine/batch.ts'
import { Busy } from '../engine/held-line.ts'
import { presentEpochChange, presentEventsRemoved } from '../wire/events.ts'
import { DatabaseUnavailable, isAway, sqlStateOf } from '../platform/db.ts'
import { StandbyFound } from '../platform/postgres/hosts.ts'
import { OtherServer } from '../platform/postgres/standing.ts'
import { LaneElsewhere } from '../platform/servers/absence.ts'

const STATUS: Record<NamedCode, number> = {
  malformed_json: 400,
  card_data_not_allowed: 400,
  body_too_large: 413,
  unsupported_media_type: 415,
  method_not_allowed: 405,
  unknown_parameter: 400,
  unsupported_version: 400,
  unsupported_grant_type: 400,
  request_timeout: 408,
  api_key_required: 401,
  credentials_required: 401,
  invalid_api_key: 401,
  invalid_token: 401,
  invalid_signature: 401,
  credentials_disagree: 401,
  scope_missing: 403,
  address_not_allowed: 403,
  transfer_above_cap: 403,
  policy_denied: 403,
  mandate_exceeded: 403,
  exceeds_own_access: 403,
  person_required: 403,
  test_account_required: 403,
  token_not_for_contract: 403,
  payer_token_required: 401,
  session_required: 401,
  invalid_session: 401,
  sign_in_failed: 401,
  second_factor_required: 401,
  not_proven: 403,
  cross_site_request: 403,
  role_not_allowed: 403,
  code_wrong: 403,
  second_person_required: 403,
  approver_is_maker: 403,
  approver_role_not_asked: 403,
  approval_not_required: 409,
  terms_changed: 409,
  destination_changed: 409,
  insufficient_funds: 402,
  payment_declined: 402,
  contract_not_found: 404,
  channel_not_found: 404,
  wallet_closed: 409,
  wallet_not_empty: 409,
  wallet_is_default: 409,
  wallets_full: 409,
  reference_reused: 409,
  wallet_not_found: 404,
  profile_not_found: 404,
  schedule_not_found: 404,
  destination_not_found: 404,
  verifier_not_found: 404,
  list_entry_not_found: 404,
  verification_not_found: 404,
  policy_not_found: 404,
  event_not_found: 404,
  webhook_endpoint_not_found: 404,
  delivery_not_found: 404,
  key_not_found: 404,
  member_not_found: 404,
  session_not_found: 404,
  passkey_not_found: 404,
  invitation_not_found: 404,
  resource_not_found: 404,
  resolution_not_found: 404,
  review_not_found: 404,
  reconciliation_not_found: 404,
  proof_not_found: 404,
  route_not_found: 404,
  contract_not_draft: 409,
  contract_not_issued: 409,
  contract_expired: 409,
  contract_cancelled: 409,
  contract_already_paid: 409,
  operations_not_offered: 409,
  resolution_not_waiting: 409,
  resolution_exists: 409,
  resolution_overtaken: 409,
  channel_frozen: 409,
  not_sealed_yet: 409,
  history_not_as_sealed: 409,
  proof_running: 409,
  payment_not_payable: 409,
  payment_processing: 409,
  payment_attempts_exhausted: 409,
  payment_not_paid: 409,
  payer_names_exhausted: 409,
  refund_exceeds_payment: 409,
  refunds_exhausted: 409,
  refund_route_missing: 409,
  nothing_in_suspense: 409,
  event_id_reused: 409,
  contract_completed: 409,
  keys_full: 409,
  key_ended: 409,
  member_exists: 409,
  members_full: 409,
  last_owner: 409,
  last_factor: 409,
  account_required: 409,
  oidc_not_configured: 409,
  webhook_endpoints_full: 409,
  webhook_endpoint_disabled: 409,
  payer_not_known: 409,
  command_not_found: 404,
  command_not_movable: 409,
  command_started_before: 409,
  command_row_differs: 409,
  command_empty: 409,
  command_too_large: 409,
  file_not_ready: 409,
  file_expired: 410,
  commands_full: 409,
  schedule_ended: 409,
  schedules_full: 409,
  profile_archived: 409,
  profile_is_own: 409,
  policy_archived: 409,
  policies_full: 409,
  destinations_full: 409,
  verifiers_full: 409,
  verifier_archived: 409,
  list_full: 409,
  verification_not_in_review: 409,
  code_not_waited_for: 409,
  code_not_sent_again: 409,
  transfer_not_failed: 409,
  transfer_not_open: 409,
  channel_not_in_mode: 409,
  credit_not_allowed: 409,
  requirements_not_met: 409,
  approval_required: 409,
  verification_required: 409,
  precondition_failed: 412,
  preview_mismatch: 409,
  idempotency_reply_lost: 409,
  idempotency_in_progress: 409,
  idempotency_key_reused: 422,
  epoch_changed: 409,
  events_removed: 410,
  restored_request: 409,
  rate_limited: 429,
  too_many_streams: 429,
  overloaded: 503,
  shutting_down: 503,
  in_recovery: 503,
  not_in_recovery: 409,
  recovery_not_compared: 409,
  lane_on_other_server: 409,
  lane_lost: 409,
  already_in_recovery: 409,
  account_busy: 503,
  database_unavailable: 503,
  internal_error: 500,
  oidc_unavailable: 503,
  sandbox_unavailable: 503,
  channel_unavailable: 503,
}

/** The HTTP status of a code; the families missing_ and invalid_ are 400. */
export function statusOf(code: string): number {
  return (STATUS as Record<string, number>)[code] ?? 400
}

const RETRY_AFTER_SECONDS = '1'

/** The error body (spec 7, docs/design/areas.md). Words that repeat what was sent repeat no card number. */
export function errorBody(refusal: Refusal, requestId: string) {
  const { code, param } = refusal
  const message = maskCards(refusal.message)
  const problems = refusal.problems.map((each) => ({ ...each, message: maskCards(each.message) }))
  const named = refusal.contractId === undefined ? {} : { contract_id: refusal.contractId }
  const changed = refusal.epochChange && presentEpochChange(refusal.epochChange)
  const left = refusal.eventsRemoved && presentEventsRemoved(refusal.eventsRemoved)
  const docUrl = `/docs/errors#${docAnchor(code)}`
  const error = {
    type: typeOf(code),
    message,
    code,
    param,
    ...named,
    ...changed,
    ...left,
    request_id: requestId,
    doc_url: docUrl,
  }
  return { error: problems.length > 0 ? { ...error, errors: problems } : error }
}

function docAnchor(code: string): string {
  return code in STATUS ? code : code.startsWith('missing_') ? 'missing_param' : 'invalid_param'
}

export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  return refused(reply, refusal)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(refusal, reply.request.id)))
}

/** Status and headers of a refusal, for whoever says it in another way. */
export function refused(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const status = statusOf(refusal.code)
  const { observed } = reply.request
  if (observed) observed.code = refusal.code
  if ((status === 503 || status === 429) && !reply.hasHeader('Retry-After'))
    reply.header('Retry-After', RETRY_AFTER_SECONDS)
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer')
  return reply.code(status)
}

/** Whatever was thrown becomes an answer. */
export function sendFault(fault: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendRefusal(reply, refusalOfFault(fault, request))
}

/** What is said of whatever was thrown; only our own faults are logged as errors. */
export function refusalOfFault(fault: FastifyError | Error, request: FastifyRequest): Refusal {
  const refusal = refusalOf(fault)
  if (statusOf(refusal.code) === 500) request.log.error({ err: fault, request_id: request.id }, 'internal error')
  else if (statusOf(refusal.code) === 503)
    request.log.warn({ err: fault, lasting: refusal.code, request_id: request.id }, refusal.code)
  return refusal
}

function refusalOf(fault: FastifyError | Error): Refusal {
  if (fault instanceof RefusedRequest) return fault.refusal
  if (fault instanceof Overloaded)
    return refuse('overloaded', null, 'The gateway has as much work as it accepts. Try again after Retry-After.')
  if (fault instanceof ShuttingDown) return refuse('shutting_down', null, 'The gateway is stopping. Try again shortly.')
  if (fault instanceof Busy)
    return refuse(
      'account_busy',
      null,
      'Somebody else holds the account at the moment. Nothing was done. Try again after Retry-After.',
    )
  if (fault instanceof TooManyPasswords)
    return refuse('overloaded', null, 'Too many people sign in at the moment. Try again after Retry-After.')
  if (fault instanceof OidcUnavailable)
    return refuse('oidc_unavailable', null, 'The OpenID provider does not answer. Sign in otherwise, or try again.')
  if (fault instanceof SandboxUnavailable)
    return refuse('sandbox_unavailable', null, 'The sandbox provider does not answer. Try again after Retry-After.')
  if (isAway(fault)) return refuse('database_unavailable', null, databaseWords(fault))
  switch ((fault as FastifyError).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refuse('body_too_large', 'body', 'The body is larger than the limit.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refuse('unsupported_media_type', 'Content-Type', 'Send the body as Content-Type: application/json.')
    case 'FST_ERR_BAD_URL':
      return refuse('route_not_found', null, 'The path is no URL: % stands before two hexadecimal digits, or is %25.')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return refuse('route_not_found', null, 'A part of the path is longer than any id there is.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return refuse('malformed_json', 'Content-Length', 'Content-Length does not fit the body.')
    default:
      return isBrokenUpload(fault)
        ? refuse('malformed_json', 'body', 'The body did not arrive whole.')
        : refuse('internal_error', null, 'Something went wrong on our side. Quote request_id when you report it.')
  }
}

/** The reader of bodies marks what went wrong with the sender's bytes: it went away, or broke off. */
const isBrokenUpload = (fault: FastifyError | Error) => 'statusCode' in fault && fault.statusCode === 400

const STATES: readonly (readonly [RegExp, string])[] = [
  [/^53100/, 'The database has no room left on its disk.'],
  [/^53/, 'The database has too little memory or too few connections.'],
  [/^55P03/, 'The database is locked by somebody else.'],
  [/^57014/, 'The database took too long.'],
  [/^25006/, 'The database only reads at the moment.'],
]

/** What became of a request that the database failed, without its own words: they name files and rows. */
export function databaseWords(fault: unknown): string {
  if (
    fault instanceof DatabaseUnavailable &&
    (fault.cause instanceof OtherServer || fault.cause instanceof StandbyFound || fault.cause instanceof LaneElsewhere)
  )
    return 'The database is being handed over to another server. Nothing was done. Try again after Retry-After.'
  if (fault instanceof DatabaseUnavailable)
    return fault.inDoubt
      ? 'The database was lost while it answered: the request may have taken effect. Send it again with the same Idempotency-Key, or read the contract first.'
      : 'The database does not answer. Nothing was done. Try again shortly.'
  const state = sqlStateOf(fault) ?? ''
  const words = STATES.find(([codes]) => codes.test(state))?.[1] ?? 'The database cannot read or write its files.'
  return `${words} Nothing was done. Try again after Retry-After.`
}

/** Carries a refusal out of a hook or parser, where a value cannot be returned. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest'
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}
