// PESONet: files of transfers, pain.001 in and pain.002 out, settled in batches at the provider's settlement times.
import { createHash } from 'node:crypto'
import type { Books } from '../books/books.ts'
import {
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
import { digestOf, type Entry, type Order, type Plan, type Verdict } from '../books/orders.ts'
import { type Considered, consider, inquire, inquireFile } from '../play.ts'
import { type Ask, faulty, noSuchRoute, problem, type Reply, xml } from '../replies.ts'
import { isBefore } from '../scenarios.ts'
import type { FileItem, PaymentFile } from '../books/state.ts'
import { documentOf, type Element, leaf, Malformed, node } from '../text/xml.ts'

const FILE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'
const STATUS_REPORT = 'urn:iso:std:iso:20022:tech:xsd:pain.002.001.10'

type Item = { readonly order: Order; readonly group: string }
type ReadFile = { readonly id: string; readonly items: readonly Item[] }

export function routePesonet(books: Books, ask: Ask): Reply {
  const [, area = '', id = '', ...rest] = ask.path
  if (id === '' || rest.length > 0) return noSuchRoute()
  switch (`${ask.method} ${area}`) {
    case 'PUT files':
      return putFile(books, id, ask.body)
    case 'GET files':
      return getFile(books, id)
    case 'GET items':
      return getItem(books, id)
    default:
      return noSuchRoute()
  }
}

function putFile(books: Books, id: string, body: Buffer): Reply {
  const digest = createHash('sha256').update(body).digest('base64url')
  const known = books.findFile(id)
  if (known && known.digest === digest) return xml(reportOfFile(books, known), 'answer')
  if (known) return problem(409, 'message_mismatch', 'The MsgId stands for another file.')
  const read = readMessage(body, FILE, (document) => fileOf(document, id))
  if ('status' in read) return read
  const considered = itemsToConsider(books, read)
  const before = considered.find(({ wire }) => isBefore(wire))
  if (before) return faulty(before.wire)
  const wire = considered.find((each) => each.wire !== 'answer')?.wire ?? 'answer'
  return xml(reportOfFile(books, enter(books, digest, read, considered)), wire)
}

/** Each item that is not a copy of one before it in the file. */
function itemsToConsider(books: Books, { items }: ReadFile): Considered[] {
  const seen = new Set<string>()
  return items.flatMap(({ order }) => {
    if (seen.has(order.reference)) return []
    seen.add(order.reference)
    return [consider(books, order, ownRefusal(order))]
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

function getFile(books: Books, id: string): Reply {
  const file = books.findFile(id)
  const played = inquireFile(books, id, file?.createdAtMs)
  if (played?.kind === 'fault') return faulty(played.wire)
  if (played || !file) return problem(404, 'not_found', 'No file came under this MsgId.')
  return xml(reportOfFile(books, file), 'answer')
}

function getItem(books: Books, reference: string): Reply {
  const found = inquire(books, 'pesonet', reference)
  if (found.kind === 'fault') return faulty(found.wire)
  if (found.kind === 'not_found') return problem(404, 'not_found', 'No item came under this EndToEndId.')
  const { entry } = found
  const group = groupOf(books, entry)
  return xml(report(books, entry.envelope ?? '', 1, [[group, [itemStatus(entry)]]]), 'answer')
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

function ownRefusal(order: Order): Verdict | null {
  const refuse = (code: string, message: string) => ({ status: 'refused', code, message }) as const
  if (order.currency !== 'PHP') return refuse('wrong_currency', 'Only PHP is taken.')
  return order.name === null ? refuse('name_missing', 'The creditor has no name.') : null
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

function reportOfFile(books: Books, file: PaymentFile): string {
  const groups = new Map<string, ItemStatus[]>()
  for (const item of file.items) {
    const statuses = groups.get(item.group) ?? []
    groups.set(item.group, statuses)
    statuses.push(statusOfItem(books, item))
  }
  return report(books, file.id, file.items.length, [...groups])
}

function statusOfItem(books: Books, { reference, isDuplicate }: FileItem): ItemStatus {
  const entry = books.newest('pesonet', reference)
  if (!entry) throw new Error(`an item of a file is not in the books: ${reference}`)
  return isDuplicate ? duplicateStatus(entry) : itemStatus(entry)
}

function groupOf(books: Books, entry: Entry): string {
  const file = books.findFile(entry.envelope ?? '')
  return file?.items.find(({ reference }) => reference === entry.reference)?.group ?? 'NOTPROVIDED'
}

function report(
  books: Books,
  id: string,
  itemCount: number,
  groups: readonly (readonly [string, readonly ItemStatus[]])[],
): string {
  const all = groups.flatMap(([, statuses]) => statuses)
  const original = node(
    'OrgnlGrpInfAndSts',
    leaf('OrgnlMsgId', id),
    leaf('OrgnlMsgNmId', 'pain.001.001.09'),
    leaf('OrgnlNbOfTxs', String(itemCount)),
    leaf('GrpSts', groupStatus(all)),
  )
  const payments = groups.map(([group, statuses]) =>
    node('OrgnlPmtInfAndSts', leaf('OrgnlPmtInfId', group), ...statuses.map(({ text }) => text)),
  )
  const header = groupHeader(`S${books.nowMs()}`, books.nowMs())
  return documentOf(STATUS_REPORT, node('CstmrPmtStsRpt', header, original, ...payments))
}

function groupStatus(statuses: readonly ItemStatus[]): string {
  const rejected = statuses.filter(({ isRejected }) => isRejected).length
  if (rejected === 0) return 'ACCP'
  return rejected === statuses.length ? 'RJCT' : 'PART'
}
