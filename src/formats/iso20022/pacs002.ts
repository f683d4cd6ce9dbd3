// pacs.002.001.10, FIToFIPaymentStatusReport: a bank's or clearing house's report on orders between banks.
import { statedAmount } from './amounts.ts'
import { type Header, headerLeaves, headerOf } from './headers.ts'
import { amountOrNull, each, only, type Reading, readMessage } from './reading.ts'
import {
  expectDistinct,
  type OriginalGroup,
  originalGroupElement,
  originalGroupOf,
  type ReportedTransfer,
  transferElement,
  transferOf,
} from './statuses.ts'
import { group, messageText } from './xml-writing.ts'

export type BankStatusReport = Header & OriginalGroup & { readonly transfers: readonly ReportedTransfer[] }

const KIND = 'pacs.002.001.10'
const AMOUNT = 'IntrBkSttlmAmt'

/** The report as text; a bad identifier or amount throws. */
export function writePacs002(report: BankStatusReport): string {
  const transfers = report.transfers.map((transfer) =>
    transferElement(transfer, (amount) => statedAmount(AMOUNT, amount)),
  )
  return messageText(KIND, group('GrpHdr', headerLeaves(report)), originalGroupElement(report), ...transfers)
}

/** Reads such a report from untrusted bytes. */
export function readPacs002(bytes: Uint8Array): Reading<BankStatusReport> {
  return readMessage(bytes, KIND, (body) => {
    const transfers = each(body, 'TxInfAndSts').map((place) =>
      transferOf(place, (reference) => amountOrNull(reference, AMOUNT)),
    )
    expectDistinct(
      body,
      transfers.map((transfer) => transfer.originalEndToEndId),
    )
    const original = originalGroupOf(only(body, 'OrgnlGrpInfAndSts'))
    return { ...headerOf(only(body, 'GrpHdr')), ...original, transfers }
  })
}
