// GCash: signed JSON, amounts in minor units as text; here payouts to mobile wallets, beside it what comes in. A payout
// counts by the status and the code of its result together; every doubtful answer is unknown.
import { createHmac } from 'node:crypto'
import type { Outcome, SendOrder } from '../../domain/channel/outcome.ts'
import { plainText } from '../../formats/iso20022/texts.ts'
import type { OutboundReply } from '../../platform/outbound.ts'
import type { ConnectorCapabilities, EWalletConnector } from '../connector.ts'
import { readAccountName } from '../account-names.ts'
import { isRefund } from '../collecting.ts'
import { answerIn, isAbsent } from './gcash-answers.ts'
import { checkGcashRefund, type GcashCall, gcashCollecting, sendGcashRefund } from './gcash-collect.ts'
import { mobileRefusal } from '../mobile.ts'
import { callbackReportOf, readRailEvents } from '../rail-events.ts'
import {
  callRail,
  type Fields,
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

/** By the provider's list of result codes (docs/sandbox.md), those that speak of the payee or the currency themselves. */
const DEFINITE_REFUSALS: ReadonlySet<string> = new Set([
  'PAYEE_NOT_EXIST',
  'PAYEE_ACCOUNT_CLOSED',
  'CURRENCY_NOT_SUPPORTED',
])
const RETURNED = 'PAYOUT_RETURNED'

const CAPABILITIES: ConnectorCapabilities = {
  acceptsReference: true,
  dedupeLifetimeMs: 24 * 3_600_000,
  inquiry: true,
  notFoundFinalAfterMs: 30_000,
  recall: false,
}

const PAYOUTS = '/gcash/v1/payouts'
const MEMO_MAX = 140

export type GcashSettings = RailSettings & {
  readonly nowMs: () => number
  readonly clientId: string
  /** Signs the requests. */
  readonly secret: string
}

export function gcashConnector(settings: GcashSettings): EWalletConnector {
  const ask: GcashCall = (method, path, body) => call(settings, method, path, body)
  const read: RailReader = (path) => ask('GET', path, null)
  return {
    describe: () => CAPABILITIES,
    ...gcashCollecting(ask),
    async send(order) {
      if (isRefund(order)) return sendGcashRefund(ask, order)
      const refusal = mobileRefusal(order)
      if (refusal) return refusal
      const reply = await ask('POST', PAYOUTS, bodyOf(order))
      return reply.kind === 'response' ? answered(reply, order) : unanswered(reply)
    },
    async check(reference, order) {
      if (isRefund(order)) return checkGcashRefund(ask, reference, order)
      const reply = await read(`${PAYOUTS}/${encodeURIComponent(reference)}`)
      if (reply.kind !== 'response') return uninquired(reply)
      return isAbsent(reply) ? { kind: 'not_found' } : answered(reply, order)
    },
    nameOf: (recipient) => readAccountName(read, '/gcash/v1/accounts', recipient['mobile'] ?? null),
    pollEvents: (position) => readRailEvents('gcash', read, position, DEFINITE_REFUSALS),
    parseCallback: (object) => callbackReportOf('gcash', object, DEFINITE_REFUSALS),
    fetchStatement: (day) => readStatement('gcash', read, day),
    fetchSettlement: (day) => readSettlement(read, '/gcash/v1', day),
  }
}

function call(
  settings: GcashSettings,
  method: 'GET' | 'POST',
  path: string,
  body: string | null,
): Promise<OutboundReply> {
  const { baseUrl, clientId, secret, nowMs } = settings
  const time = new Date(nowMs()).toISOString()
  const { pathname, search } = new URL(baseUrl + path)
  const signed = `${method} ${pathname}${search}\n${clientId}.${time}.${body ?? ''}`
  const signature = createHmac('sha256', secret).update(signed).digest('base64')
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'client-id': clientId,
    'request-time': time,
    signature: `algorithm=HMAC-SHA256, signature=${signature}`,
  }
  return callRail(settings, { method, path, headers, body })
}

function bodyOf({ reference, amountMinor, currency, recipient, description }: SendOrder): string {
  return JSON.stringify({
    requestId: reference,
    payee: { mobile: recipient['mobile'], name: recipient['name'] },
    amount: { currency, value: String(amountMinor) },
    memo: plainText(description, MEMO_MAX) ?? '',
  })
}

function answered(reply: Response, order: SendOrder): Outcome {
  const answer = answerIn(reply, order)
  if (typeof answer === 'string') return unknown(answer)
  return outcomeOf(answer.result, textOf(answer.body['payoutId']))
}

function outcomeOf(result: Fields, providerId: string | null): Outcome {
  const code = textOf(result['code']) ?? ''
  const message = textOf(result['message']) ?? ''
  switch (result['status']) {
    case 'S':
      return code === 'SUCCESS' ? { kind: 'delivered', providerId } : unknown('a success without its code')
    case 'U':
      return code === 'PAYMENT_IN_PROCESS' ? { kind: 'accepted', providerId } : unknown('the provider does not know')
    case 'F':
      if (code === RETURNED) return { kind: 'returned', code, message }
      return DEFINITE_REFUSALS.has(code) ? { kind: 'failed', code, message } : unknown('a refusal without a known code')
    default:
      return unknown('a status without a known meaning')
  }
}
