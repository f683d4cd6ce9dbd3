// PESONet: files of transfers between banks of the Philippines, settled in batches. pain.001 out, pain.002 back, an outcome
// for each item by its own code. A single order goes as a file of one. The provider offers no recall.
import { readAccountName } from '../account-names.ts'
import type { Absence, Outcome, SendOrder } from '../../domain/channel/outcome.ts'
import type { Credit } from '../../formats/iso20022/credits.ts'
import { writePain001 } from '../../formats/iso20022/pain001.ts'
import { readPain002 } from '../../formats/iso20022/pain002.ts'
import type { ReportedTransfer } from '../../formats/iso20022/statuses.ts'
import type { OutboundReply } from '../../platform/outbound.ts'
import { BANK_REFUSALS, type BankSettings, callBank, creditOf, debtorOf, idsOf, reportedOutcome } from '../bank.ts'
import type {
  SendsFiles,
  ParsesCallbacks,
  FetchesStatements,
  PollsEvents,
  Connector,
  ConnectorCapabilities,
  NamesAccounts,
} from '../connector.ts'
import { callbackReportOf, readRailEvents } from '../rail-events.ts'
import {
  isAbsence,
  isXml,
  jsonFields,
  type RailReader,
  type Response,
  unanswered,
  uninquired,
  unknown,
} from '../rail.ts'
import { readStatement } from '../statements.ts'

const CAPABILITIES: ConnectorCapabilities = {
  acceptsReference: true,
  dedupeLifetimeMs: null,
  inquiry: true,
  // A long file may wait before it is taken apart.
  notFoundFinalAfterMs: 60_000,
  recall: false,
}

const MANILA_OFFSET_MS = 8 * 3_600_000

export type PesonetSettings = BankSettings & {
  /** The account that the files are paid from, by the number of its bank. */
  readonly debtorAccount: string
}

type Item = { readonly order: SendOrder; readonly credit: Credit }

export function pesonetConnector(
  settings: PesonetSettings,
): Connector & SendsFiles & PollsEvents & ParsesCallbacks & FetchesStatements & NamesAccounts {
  const read: RailReader = (path) => callBank(settings, { method: 'GET', path, body: null }, 'read')
  const sendFile = (reference: string, orders: readonly SendOrder[]) => sentFile(settings, reference, orders)
  return {
    describe: () => CAPABILITIES,
    async send(order) {
      const outcomes = await sendFile(order.reference, [order])
      return outcomes.get(order.reference) ?? unknown('the report leaves the order out')
    },
    sendFile,
    async check(reference, order) {
      const reply = await read(`/pesonet/items/${encodeURIComponent(reference)}`)
      return reply.kind === 'response' ? inquired(reply, order) : uninquired(reply)
    },
    nameOf: (recipient) => readAccountName(read, '/pesonet/accounts', recipient['wallet'] ?? null),
    pollEvents: (position) => readRailEvents('pesonet', read, position, BANK_REFUSALS),
    parseCallback: (object) => callbackReportOf('pesonet', object, BANK_REFUSALS),
    fetchStatement: (day) => readStatement('pesonet', read, day),
  }
}

/** Items that no rail could carry fail here and are not in the file; the others are sent. */
async function sentFile(
  settings: PesonetSettings,
  fileReference: string,
  orders: readonly SendOrder[],
): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  const items: Item[] = []
  for (const order of orders) {
    const credit = creditOf(order)
    if ('kind' in credit) outcomes.set(order.reference, credit)
    else items.push({ order, credit })
  }
  if (items.length === 0) return outcomes
  const said = filed(await filedReply(settings, fileReference, items), fileReference)
  for (const { order } of items) {
    const outcome = 'kind' in said ? said : itemOutcome(said, order)
    if (outcome) outcomes.set(order.reference, outcome)
  }
  return outcomes
}

/** The provider's reply to the file; where it already has the file in another form, its report on that one. */
async function filedReply(
  settings: PesonetSettings,
  fileReference: string,
  items: readonly Item[],
): Promise<OutboundReply> {
  const path = `/pesonet/files/${encodeURIComponent(fileReference)}`
  const body = fileOf(settings, fileReference, items)
  const reply = await callBank(settings, { method: 'PUT', path, body }, fileReference)
  const isKnown =
    reply.kind === 'response' && reply.status === 409 && jsonFields(reply)?.['code'] === 'message_mismatch'
  if (!isKnown) return reply
  const asked = await callBank(settings, { method: 'GET', path, body: null }, fileReference)
  // The file itself was sent, whatever becomes of the inquiry about it.
  return asked.kind === 'not_sent' ? { kind: 'no_answer', reason: asked.reason } : asked
}

/** The same text all day for the same orders: a copy of it is the same file to the provider. */
function fileOf(settings: PesonetSettings, fileReference: string, items: readonly Item[]): string {
  const day = new Date(settings.nowMs() + MANILA_OFFSET_MS).toISOString().slice(0, 10)
  return writePain001({
    messageId: fileReference,
    createdAt: `${day}T00:00:00+08:00`,
    paymentId: fileReference,
    executeOn: day,
    debtor: debtorOf(settings),
    debtorAccount: settings.debtorAccount,
    debtorBank: settings.debtorBank,
    currency: 'PHP',
    items: items.map(({ order, credit }) => ({
      ...idsOf(order.reference),
      amountDecimal: order.amountDecimal,
      ...credit,
    })),
  })
}

type Report = ReadonlyMap<string, ReportedTransfer>

/** The items of the report on a file, or the outcome of all of them where it reports on none. */
function filed(reply: OutboundReply, fileReference: string): Report | Outcome {
  if (reply.kind !== 'response') return unanswered(reply)
  const report = reportIn(reply)
  if ('kind' in report) return report
  return report.fileReference === fileReference ? report.items : unknown('the report is about another file')
}

/** Nothing for an item that the report leaves out. */
function itemOutcome(report: Report, order: SendOrder): Outcome | null {
  const item = report.get(order.reference)
  return item ? reportedOutcome(item, order) : null
}

function inquired(reply: Response, order: SendOrder): Outcome | Absence {
  if (isAbsence(reply)) return { kind: 'not_found' }
  const report = reportIn(reply)
  return 'kind' in report ? report : reportedOutcome(report.items.get(order.reference), order)
}

function reportIn(reply: Response): { readonly fileReference: string; readonly items: Report } | Outcome {
  if (reply.status !== 200 || !isXml(reply)) return unknown(`answer ${reply.status}`)
  const reading = readPain002(reply.body)
  if ('fault' in reading) return unknown(`a report that cannot be read: ${reading.fault}`)
  const { originalMessageId: fileReference, payments } = reading.message
  const items = payments.flatMap((payment) => payment.items)
  return { fileReference, items: new Map(items.map((item) => [item.originalEndToEndId, item])) }
}
