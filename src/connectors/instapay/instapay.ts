// InstaPay: single transfers between banks of the Philippines in real time. pacs.008 out, pacs.002 back; a rejection counts
// by its code, every doubtful answer is unknown. There is no recall: what is settled is settled within seconds.
import type { Absence, Outcome, SendOrder } from '../../domain/channel/outcome.ts'
import type { Credit } from '../../formats/iso20022/credits.ts'
import { readPacs002 } from '../../formats/iso20022/pacs002.ts'
import { writePacs008 } from '../../formats/iso20022/pacs008.ts'
import { BANK_REFUSALS, type BankSettings, callBank, creditOf, debtorOf, idsOf, reportedOutcome } from '../bank.ts'
import { readAccountName } from '../account-names.ts'
import type {
  Connector,
  ConnectorCapabilities,
  FetchesStatements,
  NamesAccounts,
  ParsesCallbacks,
  PollsEvents,
} from '../connector.ts'
import { callbackReportOf, readRailEvents } from '../rail-events.ts'
import { isAbsence, isXml, type RailReader, type Response, unanswered, uninquired, unknown } from '../rail.ts'
import { readStatement } from '../statements.ts'

const CAPABILITIES: ConnectorCapabilities = {
  acceptsReference: true,
  dedupeLifetimeMs: null,
  inquiry: true,
  // The rail answers or gives up within seconds; what is not in its books by then never comes.
  notFoundFinalAfterMs: 10_000,
  recall: false,
}

const AREA = '/instapay/credit-transfers'

export function instapayConnector(
  settings: BankSettings,
): Connector & PollsEvents & ParsesCallbacks & FetchesStatements & NamesAccounts {
  const read: RailReader = (path) => callBank(settings, { method: 'GET', path, body: null }, 'read')
  return {
    describe: () => CAPABILITIES,
    async send(order) {
      const credit = creditOf(order)
      if ('kind' in credit) return credit
      const body = messageOf(settings, order, credit)
      const reply = await callBank(settings, { method: 'POST', path: AREA, body }, order.reference)
      return reply.kind === 'response' ? answered(reply, order) : unanswered(reply)
    },
    async check(reference, order) {
      const path = `${AREA}/${encodeURIComponent(reference)}`
      const reply = await callBank(settings, { method: 'GET', path, body: null }, reference)
      return reply.kind === 'response' ? inquired(reply, order) : uninquired(reply)
    },
    nameOf: (recipient) => readAccountName(read, '/instapay/accounts', recipient['wallet'] ?? null),
    pollEvents: (position) => readRailEvents('instapay', read, position, BANK_REFUSALS),
    parseCallback: (object) => callbackReportOf('instapay', object, BANK_REFUSALS),
    fetchStatement: (day) => readStatement('instapay', read, day),
  }
}

/** The message has the name of its only transfer, so that a copy of it is the same message. */
function messageOf(settings: BankSettings, order: SendOrder, credit: Credit): string {
  const { reference, amountDecimal, currency } = order
  return writePacs008({
    messageId: reference,
    createdAt: new Date(settings.nowMs()).toISOString(),
    transfers: [
      {
        ...idsOf(reference),
        amountDecimal,
        currency,
        debtor: debtorOf(settings),
        debtorBank: settings.debtorBank,
        ...credit,
      },
    ],
  })
}

function inquired(reply: Response, order: SendOrder): Outcome | Absence {
  return isAbsence(reply) ? { kind: 'not_found' } : answered(reply, order)
}

function answered(reply: Response, order: SendOrder): Outcome {
  if (reply.status !== 200 || !isXml(reply)) return unknown(`answer ${reply.status}`)
  const reading = readPacs002(reply.body)
  if ('fault' in reading) return unknown(`a report that cannot be read: ${reading.fault}`)
  const { originalMessageId, transfers } = reading.message
  if (originalMessageId !== order.reference) return unknown('the report is about another message')
  return reportedOutcome(transfers.length === 1 ? transfers[0] : undefined, order)
}
