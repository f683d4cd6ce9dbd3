// Which refusals an operation can give: those of its door, of its headers, of what it takes, and its own.
import { type NamedCode, REFUSALS } from '../../domain/contract/refusals.ts'
import { keepsWhole } from '../request/keyed.ts'
import type { Door } from './facts.ts'
import { requestHeader } from './headers.ts'
import { headersRead, isWrite, type Operation } from './operations.ts'

/** Any request may meet these, whatever it is about. */
const ALWAYS: readonly NamedCode[] = [
  'request_timeout',
  'overloaded',
  'shutting_down',
  'database_unavailable',
  'internal_error',
]

const BODY: readonly NamedCode[] = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
  'card_data_not_allowed',
]

/** The families of codes that name a parameter, as the catalogue of errors calls them. */
const FAMILIES = ['missing_<param>', 'invalid_<param>'] as const
export type ShownCode = NamedCode | (typeof FAMILIES)[number]

/** The codes, in the order of the catalogue, the families last. */
export function refusalsOf(operation: Operation): ShownCode[] {
  const { schema } = operation
  const { access, facts, body, querystring } = schema
  const isPage = schema.tags.includes('Health')
  const takes = body !== undefined || querystring !== undefined
  const codes = new Set<NamedCode>([
    ...ALWAYS,
    ...ofDoor(access),
    ...headersRead(operation).flatMap((name) => requestHeader(name).refusals),
    ...(isPage ? [] : (['unknown_parameter'] as const)),
    ...(isWrite(operation) ? BODY : []),
    ...(isWrite(operation) && keepsWhole(schema.tags[0]) ? (['account_busy', 'in_recovery'] as const) : []),
    ...(facts.refusals ?? []),
  ])
  const named = (Object.keys(REFUSALS) as NamedCode[]).filter((code) => codes.has(code))
  const byHeader = headersRead(operation).some((name) => name === 'Idempotency-Key' || name === 'If-Match')
  return takes ? [...named, ...FAMILIES] : byHeader ? [...named, 'invalid_<param>'] : named
}

function ofDoor({ accepts, scope }: Door): NamedCode[] {
  if (accepts === 'anybody') return []
  const lacking: NamedCode[] = scope === null ? [] : ['scope_missing']
  const session: NamedCode[] = ['invalid_session', 'cross_site_request', 'rate_limited', ...lacking]
  if (accepts === 'session') return ['session_required', ...session]
  const key: NamedCode[] = ['invalid_api_key', 'address_not_allowed', ...session]
  if (accepts === 'api key') return ['api_key_required', ...key]
  return ['credentials_required', 'invalid_token', 'credentials_disagree', ...key]
}
