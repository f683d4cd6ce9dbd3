// PESONet: files of transfers, pain.001 in and pain.002 out, settled in batches at the provider's settlement times.
import { createHash } from 'node:crypto'
import type { Books } from '../books/books.ts'
import {
  BANK_CODES,
  findAll,
  groupHeader,
  idAt,
  money,
  moneyAt,
  need,
  payeeOf,
  readMessage,
  rejection,
  statusOf,
  textAt,
} from '../text/iso20022.ts'
import { settlementAfter } from '../text/manila.ts'
import { digestOf, type Entry, type Order, type Plan } from '../books/orders.ts'
import { type Considered, consider, inquiryPlay } from '../play.ts'
import { faulty, noSuchRoute, playedOn, problem, type Reply, xml } from '../replies.ts'
import type { Api, Call } from '../routing.ts'
import { isBefore } from '../scenarios.ts'
import type { FileItem, PaymentFile } from '../books/state.ts'
import { Malformed } from '../text/malformed.ts'
import { documentOf, type Element, leaf, node } from '../text/xml.ts'
import { showHolder } from './accounts.ts'
import { type PayoutForm, payoutHandlers, refuseNameless, refuseOtherThanPesos } from './payouts.ts'

const FILE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'
const STATUS_REPORT = 'urn:iso:std:iso:20022:tech:xsd:pain.002.001.10'

type Item = { readonly order: Order; readonly group: string }
type ReadFile = { readonly id: string; readonly items: readonly Item[] }

export const PESONET_ITEMS: PayoutForm = { rail: 'pesonet', codes: BANK_CODES, present: reportOfItem }

const items = payoutHandlers(PESONET_ITEMS)

export const PESONET: Api = {
  open: items.records,
  refusal: ({ path }) => (path[2] === '' ? noSuchRoute() : null),
  routes: {
    'PUT /pesonet/files/*': putFile,
    'GET /pesonet/files/*': getFile,
    'GET /pesonet/accounts/*': showHolder,
    'GET /pesonet/items/*': items.show(problem(404, 'not_found', 'No item came under this EndToEndId.')),
  },
  malformed: (message) => problem(400, 'invalid_message', message),
}

function putFile({ books, request: { body }, id }: Call): Reply {
  const digest = createHash('sha256').update(body).digest('base64url')
  const known = books.findFile('pesonet', id)
  if (known && known.digest === digest) return reportOfFile(books, known)
  if (known) return problem(409, 'message_mismatch', 'The MsgId stands for another file.')
  const read = fileOf(readMessage(body, FILE), id)
  const considered = itemsToConsider(books, read)
  const before = considered.find(({ wire }) => isBefore(wire))
  if (before) return faulty(before.wire)
  const wire = considered.find((each) => each.wire !== 'answer')?.wire ?? 'answer'
  return playedOn(reportOfFile(books, enter(books, digest, read, considered)), wire)
}

/** Each item that is not a copy of one before it in the file. */
function itemsToConsider(books: Books, { items }: ReadFile): Considered[] {
  const seen = new Set<string>()
  return items.flatMap(({ order }) => {
    if (seen.has(order.reference)) return []
    seen.add(order.reference)
    return [consider(books, order, refuseOtherThanPesos(order) ?? refuseNameless(order))]
  })
}

function enter(books: Books, digest: string, { id, items }: ReadFile, considered: readonly Considered[]): PaymentFile {
  const settleMs = settlementDelayMs(books)
  const fresh = considered.filter(({ known }) => !known)
  const made = new Set(fresh.map(({ order }) => order))
  const file = {
    id,
    digest,
    items: items.map(({ order, group }) => ({ reference: order.reference, group, isDuplicate: !made.has(order) })),
  }
  return books.executeFile(
    file,
    fresh.map(({ order, plan, isTimed }) => ({ order, plan: isTimed ? plan : settled(plan, settleMs) })),
  )
}

/** What would happen at once happens at the settlement, and what would happen later so much later. */
function settled(plan: Plan, settleMs: number): Plan {
  if (plan.verdict.status === 'refused') return plan
  const later = plan.later.map((step) => ({ ...step, afterMs: step.afterMs + settleMs }))
  if (plan.verdict.status === 'accepted') return { ...plan, later }
  const settlement = { afterMs: settleMs, status: 'completed', code: null, message: null } as const
  return { verdict: { ...plan.verdict, status: 'accepted' }, later: [settlement, ...later] }
}

function settlementDelayMs(books: Books): number {
  for (const { script } of books.scripts()) if (script.settleAfterMs !== null) return script.settleAfterMs
  return settlementAfter(books.nowMs()) - books.nowMs()
}

function getFile({ books, id }: Call): Reply {
  const file = books.findFile('pesonet', id)
  const { fault, isHidden } = inquiryPlay(books, { rail: 'pesonet', reference: id }, file?.createdAtMs)
  if (fault) return faulty(fault)
  if (!file || isHidden) return problem(404, 'not_found', 'No file came under this MsgId.')
  return reportOfFile(books, file)
}

function fileOf(document: Element, id: string): ReadFile {
  const message = need(document, 'CstmrCdtTrfInitn')
  if (idAt(message, 'GrpHdr/MsgId') !== id) throw new Malformed('GrpHdr/MsgId is not the one of the address.')
  const items = findAll(message, 'PmtInf').flatMap((payment) => {
    const group = idAt(payment, 'PmtInfId')
    if (need(payment, 'PmtMtd').text !== 'TRF') throw new Malformed('PmtInf/PmtMtd is not TRF.')
    return findAll(payment, 'CdtTrfTxInf').map((transaction) => ({ group, order: orderOf(transaction, id) }))
  })
  if (items.length === 0) throw new Malformed('CstmrCdtTrfInitn has no PmtInf/CdtTrfTxInf.')
  if (need(message, 'GrpHdr/NbOfTxs').text !== String(items.length))
    throw new Malformed(`GrpHdr/NbOfTxs is not ${items.length}.`)
  const sum = items.reduce((total, { order }) => total + (thousandths(order.amount) ?? 0n), 0n)
  const written = textAt(message, 'GrpHdr/CtrlSum', 20)
  if (written !== null && thousandths(written) !== sum)
    throw new Malformed('GrpHdr/CtrlSum is not the sum of the items.')
  return { id, items }
}

/** The control sum adds plain numbers, whatever their currency; no currency has more than three decimals. */
function thousandths(text: string): bigint | null {
  const [, whole, fraction = ''] = /^(\d{1,18})(?:\.(\d{1,3}))?$/.exec(text) ?? []
  return whole === undefined ? null : BigInt(whole + fraction.padEnd(3, '0'))
}

function orderOf(transaction: Element, envelope: string): Order {
  const payee = payeeOf(transaction)
  const reference = idAt(transaction, 'PmtId/EndToEndId')
  const paid = moneyAt(transaction, 'Amt/InstdAmt')
  return { rail: 'pesonet', reference, ...paid, ...payee, envelope, digest: digestOf(payee) }
}

type ItemStatus = { readonly isRejected: boolean; readonly text: string }

function itemStatus(entry: Entry): ItemStatus {
  return { isRejected: entry.status === 'refused', text: transactionOf(entry, statusOf(entry, 'ACCP')) }
}

function duplicateStatus(entry: Entry): ItemStatus {
  const status = rejection('DUPL', 'The EndToEndId came in an earlier item.')
  return { isRejected: true, text: transactionOf(entry, status) }
}

function transactionOf(entry: Entry, status: string): string {
  const amount = node('OrgnlTxRef', node('Amt', money('InstdAmt', entry)))
  return node('TxInfAndSts', leaf('OrgnlEndToEndId', entry.reference), status, leaf('AcctSvcrRef', entry.id), amount)
}

function reportOfFile(books: Books, file: PaymentFile): Reply {
  const groups = new Map<string, ItemStatus[]>()
  for (const item of file.items) {
    const statuses = groups.get(item.group) ?? []
    groups.set(item.group, statuses)
    statuses.push(statusOfItem(books, item))
  }
  return report(books, file.id, file.items.length, groups)
}

/** As if it were the only one of its file. */
function reportOfItem(books: Books, entry: Entry): Reply {
  const file = books.findFile('pesonet', entry.envelope ?? '')
  const group = file?.items.find(({ reference }) => reference === entry.reference)?.group ?? 'NOTPROVIDED'
  return report(books, entry.envelope ?? '', 1, new Map([[group, [itemStatus(entry)]]]))
}

function statusOfItem(books: Books, { reference, isDuplicate }: FileItem): ItemStatus {
  const entry = books.newest('pesonet', reference)
  if (!entry) throw new Error(`an item of a file is not in the books: ${reference}`)
  return isDuplicate ? duplicateStatus(entry) : itemStatus(entry)
}

type Groups = ReadonlyMap<string, readonly ItemStatus[]>

function report(books: Books, id: string, itemCount: number, groups: Groups): Reply {
  const all = [...groups.values()].flat()
  const original = node(
    'OrgnlGrpInfAndSts',
    leaf('OrgnlMsgId', id),
    leaf('OrgnlMsgNmId', 'pain.001.001.09'),
    leaf('OrgnlNbOfTxs', String(itemCount)),
    leaf('GrpSts', groupStatus(all)),
  )
  const payments = [...groups].map(([group, statuses]) =>
    node('OrgnlPmtInfAndSts', leaf('OrgnlPmtInfId', group), ...statuses.map(({ text }) => text)),
  )
  const header = groupHeader(`S${books.nowMs()}`, books.nowMs())
  return xml(documentOf(STATUS_REPORT, node('CstmrPmtStsRpt', header, original, ...payments)))
}

function groupStatus(statuses: readonly ItemStatus[]): string {
  const rejected = statuses.filter(({ isRejected }) => isRejected).length
  if (rejected === 0) return 'ACCP'
  return rejected === statuses.length ? 'RJCT' : 'PART'
}
