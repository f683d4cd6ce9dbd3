// pain.002.001.10, CustomerPaymentStatusReport: a bank's report to its customer on a file of orders, item by item.
import { statedAmount } from './amounts.ts'
import { type Header, headerLeaves, headerOf, ID_MAX } from './headers.ts'
import {
  amountOrNull,
  each,
  only,
  optional,
  type Place,
  type Reading,
  readMessage,
  text,
  textOrNull,
} from './reading.ts'
import {
  CODE_MAX,
  expectDistinct,
  type OriginalGroup,
  originalGroupElement,
  originalGroupOf,
  type ReportedTransfer,
  reasonsElement,
  reasonsOf,
  type StatusReason,
  transferElement,
  transferOf,
} from './statuses.ts'
import { exactOrNull, exactText } from './texts.ts'
import { group, leaf, messageText, type Xml } from './xml-writing.ts'

/** One group of the file. Its own status applies to items that are not named. */
export type ReportedPayment = {
  readonly originalPaymentId: string
  readonly status: string | null
  readonly reasons: readonly StatusReason[]
  readonly items: readonly ReportedTransfer[]
}

export type FileStatusReport = Header & OriginalGroup & { readonly payments: readonly ReportedPayment[] }

const KIND = 'pain.002.001.10'

/** The report as text; a bad identifier or amount throws. */
export function writePain002(report: FileStatusReport): string {
  const payments = report.payments.map(paymentElement)
  return messageText(KIND, group('GrpHdr', headerLeaves(report)), originalGroupElement(report), ...payments)
}

function paymentElement({ originalPaymentId, status, reasons, items }: ReportedPayment): Xml {
  return group(
    'OrgnlPmtInfAndSts',
    leaf('OrgnlPmtInfId', exactText(originalPaymentId, ID_MAX)),
    leaf('PmtInfSts', exactOrNull(status, CODE_MAX)),
    reasonsElement('StsRsnInf', reasons),
    ...items.map((item) => transferElement(item, (amount) => group('Amt', statedAmount('InstdAmt', amount)))),
  )
}

/** Reads such a report from untrusted bytes. */
export function readPain002(bytes: Uint8Array): Reading<FileStatusReport> {
  return readMessage(bytes, KIND, (body) => {
    const payments = each(body, 'OrgnlPmtInfAndSts').map(paymentOf)
    expectDistinct(
      body,
      payments.flatMap((payment) => payment.items.map((item) => item.originalEndToEndId)),
    )
    const original = originalGroupOf(only(body, 'OrgnlGrpInfAndSts'))
    return { ...headerOf(only(body, 'GrpHdr')), ...original, payments }
  })
}

function paymentOf(place: Place): ReportedPayment {
  return {
    originalPaymentId: text(place, 'OrgnlPmtInfId', ID_MAX),
    status: textOrNull(place, 'PmtInfSts', CODE_MAX),
    reasons: reasonsOf(place, 'StsRsnInf'),
    items: each(place, 'TxInfAndSts').map((item) =>
      transferOf(item, (reference) => {
        const stated = optional(reference, 'Amt')
        return stated && amountOrNull(stated, 'InstdAmt')
      }),
    ),
  }
}
