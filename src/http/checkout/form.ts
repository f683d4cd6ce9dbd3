// The payer's choice as the page's form sends it -> what parseMethod reads; and who may send it. Knows no contract.
import type { IncomingHttpHeaders } from 'node:http'
import { isPaymentKind, PAYMENT_METHODS, schemeOf } from '../../domain/payment/kinds.ts'
import type { Refusal } from '../../domain/contract/refusals.ts'
import type { Problem } from './parts.ts'

/** The fields of a form; of two of one name, the first that is not empty. */
export function formFields(body: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(body)) if (!fields[name]) fields[name] = value.trim()
  return fields
}

/** The body of the API's own call for the same choice. A card is typed at its provider, never here. */
export function methodBody({ type = '', asset, network, refund_address }: Readonly<Record<string, string>>) {
  if (!isPaymentKind(type)) return { type, [type]: {} }
  switch (PAYMENT_METHODS[type].form) {
    case 'code':
      return { type, [type]: { scheme: schemeOf(type) } }
    case 'card_token':
      return { type, [type]: { hosted: true } }
    case 'asset':
      return { type, [type]: { asset: asset ?? '', network: network ?? '', refund_address: refund_address || null } }
    case 'e_wallet':
    case 'own_wallet':
      return { type, [type]: {} }
  }
}

/** Whether another site has sent it, by the browser's headers: it sends no Referer, so its Origin may be "null". */
export function isFromElsewhere(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin, host } = headers
  if (origin === undefined || origin === 'null') return false
  const sender = URL.parse(origin)?.host
  return sender !== host && sender !== URL.parse(baseUrl)?.host
}

/** The page itself shows why. */
const SEEN: ReadonlySet<string> = new Set([
  'contract_expired',
  'contract_cancelled',
  'contract_already_paid',
  'contract_completed',
])

const PROBLEMS: Readonly<Record<string, Problem>> = {
  payment_processing: 'processing',
  payment_attempts_exhausted: 'exhausted',
  rate_limited: 'away',
  channel_unavailable: 'away',
}

/** The problem shown to a payer for a refusal; null where the page shows why without it. */
export function problemOf({ code, param }: Refusal): Problem | null {
  if (SEEN.has(code)) return null
  const known = PROBLEMS[code]
  if (known) return known
  return param?.endsWith('refund_address') ? 'refundAddress' : 'method'
}
