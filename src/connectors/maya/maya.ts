// Maya: JSON whose amounts are numbers, written from the digits of the order and compared as digits; here disbursements to
// mobile wallets, beside it what comes in. Every doubtful answer is unknown.
import { readAccountName } from '../account-names.ts'
import type { Absence, Outcome, SendOrder } from '../../domain/channel/outcome.ts'
import type { OutboundReply } from '../../platform/outbound.ts'
import type { ConnectorCapabilities, EWalletConnector } from '../connector.ts'
import { isRefund } from '../collecting.ts'
import { checkMayaRefund, type MayaCall, mayaCollecting, sendMayaRefund } from './maya-collect.ts'
import { fieldsIn, strangeness, withTotal } from './maya-messages.ts'
import { mobileRefusal } from '../mobile.ts'
import { callbackReportOf, readRailEvents } from '../rail-events.ts'
import {
  callRail,
  type Fields,
  fieldsOf,
  type RailReader,
  type RailSettings,
  type Response,
  textOf,
  unanswered,
  uninquired,
  unknown,
} from '../rail.ts'
import { readSettlement } from '../settlements.ts'
import { readStatement } from '../statements.ts'

/** By the provider's list of error codes (docs/sandbox.md), those that speak of the recipient or the currency themselves. */
const DEFINITE_REFUSALS: ReadonlySet<string> = new Set([
  'RECIPIENT_NOT_FOUND',
  'RECIPIENT_ACCOUNT_CLOSED',
  'CURRENCY_NOT_SUPPORTED',
])
const RETURNED = 'DISBURSEMENT_RETURNED'

const CAPABILITIES: ConnectorCapabilities = {
  acceptsReference: true,
  dedupeLifetimeMs: 24 * 3_600_000,
  inquiry: true,
  notFoundFinalAfterMs: 30_000,
  recall: false,
}

const DISBURSEMENTS = '/maya/disbursements'

export type MayaSettings = RailSettings & { readonly apiKey: string }

export function mayaConnector(settings: MayaSettings): EWalletConnector {
  const ask: MayaCall = (method, path, reference, body) => call(settings, method, path, reference, body)
  const read: RailReader = (path) => ask('GET', path, 'read', null)
  return {
    describe: () => CAPABILITIES,
    ...mayaCollecting(ask),
    async send(order) {
      if (isRefund(order)) return sendMayaRefund(ask, order)
      const refusal = mobileRefusal(order)
      if (refusal) return refusal
      const reply = await ask('POST', DISBURSEMENTS, order.reference, bodyOf(order))
      if (reply.kind !== 'response') return unanswered(reply)
      return outcomeOf(fieldsIn(reply), order)
    },
    async check(reference, order) {
      if (isRefund(order)) return checkMayaRefund(ask, reference, order)
      const query = `requestReferenceNumber=${encodeURIComponent(reference)}`
      const reply = await ask('GET', `${DISBURSEMENTS}?${query}`, reference, null)
      return reply.kind === 'response' ? inquired(reply, order) : uninquired(reply)
    },
    nameOf: (recipient) => readAccountName(read, '/maya/accounts', recipient['mobile'] ?? null),
    pollEvents: (position) => readRailEvents('maya', read, position, DEFINITE_REFUSALS),
    parseCallback: (object) => callbackReportOf('maya', object, DEFINITE_REFUSALS),
    fetchStatement: (day) => readStatement('maya', read, day),
    fetchSettlement: (day) => readSettlement(read, '/maya', day),
  }
}

function call(
  settings: MayaSettings,
  method: 'GET' | 'POST',
  path: string,
  reference: string,
  body: string | null,
): Promise<OutboundReply> {
  const authorization = `Basic ${Buffer.from(`${settings.apiKey}:`).toString('base64')}`
  const json = { accept: 'application/json', 'content-type': 'application/json' }
  return callRail(settings, { method, path, headers: { ...json, authorization, 'idempotency-key': reference }, body })
}

function bodyOf(order: SendOrder): string {
  const payee = { type: 'MOBILE', value: order.recipient['mobile'], name: order.recipient['name'] }
  return withTotal({ requestReferenceNumber: order.reference, recipient: payee }, order)
}

/** The list holds every disbursement of a reference: none is an absence; with two it is not known which is ours. */
function inquired(reply: Response, order: SendOrder): Outcome | Absence {
  const list = fieldsIn(reply)?.['data']
  if (!Array.isArray(list)) return unknown(`answer ${reply.status} to the inquiry`)
  if (list.length === 0) return { kind: 'not_found' }
  return list.length === 1 ? outcomeOf(fieldsOf(list[0]), order) : unknown('the reference stands for several')
}

function outcomeOf(body: Fields | null, order: SendOrder): Outcome {
  const strange = strangeness(body, order)
  if (body === null || strange !== null) return unknown(strange ?? 'no answer of the provider')
  const providerId = textOf(body['id'])
  switch (body['status']) {
    case 'COMPLETED':
      return { kind: 'delivered', providerId }
    case 'PENDING':
      return { kind: 'accepted', providerId }
    case 'FAILED':
      return failure(fieldsOf(body['error']))
    default:
      return unknown('a status without a known meaning')
  }
}

function failure(error: Fields | null): Outcome {
  const code = textOf(error?.['code']) ?? ''
  const message = textOf(error?.['message']) ?? ''
  if (code === RETURNED) return { kind: 'returned', code, message }
  return DEFINITE_REFUSALS.has(code) ? { kind: 'failed', code, message } : unknown('a refusal without a known code')
}
