// InstaPay: single transfers in real time, pacs.008 in and pacs.002 out, PHP only, at most 50,000 each, never recalled.
import type { Books } from '../books/books.ts'
import { digestOf, type Entry, type Order, type Verdict } from '../books/orders.ts'
import { type HttpRequest, problem, type Reply, xml } from '../replies.ts'
import type { Api } from '../routing.ts'
import { knownMinor } from '../text/amounts.ts'
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
} from '../text/iso20022.ts'
import { Malformed } from '../text/malformed.ts'
import { documentOf, leaf, node } from '../text/xml.ts'
import { showHolder } from './accounts.ts'
import {
  type OrderForm,
  payoutHandlers,
  refused,
  refuseNameless,
  refuseOtherThanPesos,
  submitPayout,
} from './payouts.ts'

const CREDIT_TRANSFER = 'urn:iso:std:iso:20022:tech:xsd:pacs.008.001.08'
const STATUS_REPORT = 'urn:iso:std:iso:20022:tech:xsd:pacs.002.001.10'
const LIMIT_MINOR = 5_000_000n

export const INSTAPAY_TRANSFERS: OrderForm = {
  rail: 'instapay',
  codes: BANK_CODES,
  orderOf,
  refusalOf: (order) => refuseOtherThanPesos(order) ?? refuseOverLimit(order) ?? refuseNameless(order),
  present: (books, entry, asked = entry) => report(books, asked, entry, statusOf(entry, 'ACSP')),
  mismatch: (books, known, asked) =>
    report(books, asked, known, rejection('DUPL', 'The EndToEndId stands for another credit transfer.')),
}

const transfers = payoutHandlers(INSTAPAY_TRANSFERS)

export const INSTAPAY: Api = {
  routes: {
    ...transfers.records,
    'POST /instapay/credit-transfers': submitPayout(INSTAPAY_TRANSFERS),
    'GET /instapay/credit-transfers/*': transfers.show(
      problem(404, 'not_found', 'No credit transfer came under this EndToEndId.'),
    ),
    'GET /instapay/accounts/*': showHolder,
    'POST /instapay/credit-transfers/*/recall': () =>
      problem(409, 'too_late', 'A transfer in real time is never recalled.'),
  },
  malformed: (message) => problem(400, 'invalid_message', message),
}

function orderOf({ body }: HttpRequest): Order {
  const message = need(readMessage(body, CREDIT_TRANSFER), 'FIToFICstmrCdtTrf')
  const envelope = idAt(message, 'GrpHdr/MsgId')
  const [transaction, ...others] = findAll(message, 'CdtTrfTxInf')
  if (!transaction || others.length > 0 || need(message, 'GrpHdr/NbOfTxs').text !== '1')
    throw new Malformed('FIToFICstmrCdtTrf has exactly one CdtTrfTxInf here, and GrpHdr/NbOfTxs says 1.')
  const payee = payeeOf(transaction)
  const reference = idAt(transaction, 'PmtId/EndToEndId')
  const paid = moneyAt(transaction, 'IntrBkSttlmAmt')
  return { rail: 'instapay', reference, ...paid, ...payee, envelope, digest: digestOf(payee) }
}

function refuseOverLimit(order: Order): Verdict | null {
  return knownMinor(order) > LIMIT_MINOR ? refused('over_limit', 'A transfer is at most 50,000.00 PHP.') : null
}

/** About the request: the message that it answers and the money in it are those of the caller. */
function report(books: Books, asked: Order, entry: Entry, status: string): Reply {
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
  const header = groupHeader(`S${entry.id}`, books.nowMs())
  return xml(documentOf(STATUS_REPORT, node('FIToFIPmtStsRpt', header, original, transaction)))
}
