// InstaPay: single transfers in real time, pacs.008 in and pacs.002 out, PHP only, at most 50,000 each, never recalled.
import { knownMinor } from '../text/amounts.ts'
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
} from '../text/iso20022.ts'
import { digestOf, type Entry, type Order, type Verdict } from '../books/orders.ts'
import { inquire, submit } from '../play.ts'
import { type Ask, faulty, noSuchRoute, problem, type Reply, xml } from '../replies.ts'
import { documentOf, type Element, leaf, Malformed, node } from '../text/xml.ts'

const CREDIT_TRANSFER = 'urn:iso:std:iso:20022:tech:xsd:pacs.008.001.08'
const STATUS_REPORT = 'urn:iso:std:iso:20022:tech:xsd:pacs.002.001.10'
const LIMIT_MINOR = 5_000_000n

export function routeInstapay(books: Books, ask: Ask): Reply {
  const [, area, reference = '', action, ...rest] = ask.path
  if (area !== 'credit-transfers' || rest.length > 0) return noSuchRoute()
  switch ([ask.method, ask.path.length > 2 ? '*' : '', action ?? ''].join(' ').trim()) {
    case 'POST':
      return postCreditTransfer(books, ask)
    case 'GET *':
      return getCreditTransfer(books, reference)
    case 'POST * recall':
      return problem(409, 'too_late', 'A transfer in real time is never recalled.')
    default:
      return noSuchRoute()
  }
}

function postCreditTransfer(books: Books, ask: Ask): Reply {
  const order = readMessage(ask.body, CREDIT_TRANSFER, orderOf)
  if ('status' in order) return order
  const submitted = submit(books, order, ownRefusal(order))
  if (submitted.kind === 'nothing') return faulty(submitted.wire)
  const { entry, wire } = submitted
  const status =
    submitted.kind === 'done'
      ? statusOf(entry, 'ACSP')
      : rejection('DUPL', 'The EndToEndId stands for another credit transfer.')
  return xml(report(order, entry, status, books.nowMs()), wire)
}

function getCreditTransfer(books: Books, reference: string): Reply {
  const found = inquire(books, 'instapay', reference)
  if (found.kind === 'fault') return faulty(found.wire)
  if (found.kind === 'not_found') return problem(404, 'not_found', 'No credit transfer came under this EndToEndId.')
  return xml(report(found.entry, found.entry, statusOf(found.entry, 'ACSP'), books.nowMs()), 'answer')
}

function orderOf(document: Element): Order {
  const message = need(document, 'FIToFICstmrCdtTrf')
  const envelope = idAt(message, 'GrpHdr/MsgId')
  const [transaction, ...others] = findAll(message, 'CdtTrfTxInf')
  if (!transaction || others.length > 0 || need(message, 'GrpHdr/NbOfTxs').text !== '1')
    throw new Malformed('FIToFICstmrCdtTrf has exactly one CdtTrfTxInf here, and GrpHdr/NbOfTxs says 1.')
  const payee = payeeOf(transaction)
  return {
    rail: 'instapay',
    reference: idAt(transaction, 'PmtId/EndToEndId'),
    ...moneyAt(transaction, 'IntrBkSttlmAmt'),
    ...payee,
    envelope,
    digest: digestOf(payee),
  }
}

function ownRefusal(order: Order): Verdict | null {
  const refuse = (code: string, message: string) => ({ status: 'refused', code, message }) as const
  if (order.currency !== 'PHP') return refuse('wrong_currency', 'Only PHP is taken.')
  if (knownMinor(order) > LIMIT_MINOR) return refuse('over_limit', 'A transfer is at most 50,000.00 PHP.')
  return order.name === null ? refuse('name_missing', 'The creditor has no name.') : null
}

/** About what was asked: the message that it answers and the money in it are those of the caller. */
function report(asked: Order, entry: Entry, status: string, nowMs: number): string {
  const original = node(
    'OrgnlGrpInfAndSts',
    leaf('OrgnlMsgId', asked.envelope),
    leaf('OrgnlMsgNmId', 'pacs.008.001.08'),
  )
  const transaction = node(
    'TxInfAndSts',
    leaf('OrgnlEndToEndId', asked.reference),
    status,
    leaf('AcctSvcrRef', entry.id),
    node('OrgnlTxRef', money('IntrBkSttlmAmt', asked)),
  )
  const header = groupHeader(`S${entry.id}`, nowMs)
  return documentOf(STATUS_REPORT, node('FIToFIPmtStsRpt', header, original, transaction))
}
