// pain.001.001.09, CustomerCreditTransferInitiation: a file of orders that a customer gives its bank, for one day, one
// account and one currency, with a count and a sum to check it by.
import { invariant } from '../../domain/invariant.ts'
import { type Amount, amountText, movedAmount, sumText } from './amounts.ts'
import { type Credit, creditElements, creditOf, idsElement, idsOf, type TransferIds } from './credits.ts'
import { type Header, headerLeaves, headerOf, ID_MAX } from './headers.ts'
import type { Bank } from './banks.ts'
import { accountElement, accountOf, bankElement, bankOf, type Party, partyElement, partyOf } from './parties.ts'
import {
  amount,
  day,
  expectCount,
  note,
  only,
  optional,
  type Place,
  type Reading,
  readMessage,
  some,
  text,
  textOf,
} from './reading.ts'
import { expectDistinct } from './statuses.ts'
import { exactDay, exactText } from './texts.ts'
import { group, leaf, messageText, sequence, type Xml } from './xml-writing.ts'

export type FileItem = TransferIds & Credit & { readonly amountDecimal: string }

export type TransferFile = Header & {
  readonly paymentId: string
  /** The day of execution: "2026-07-01". */
  readonly executeOn: string
  readonly debtor: Party
  readonly debtorAccount: string
  readonly debtorBank: Bank
  /** Of every item. */
  readonly currency: string
  readonly items: readonly FileItem[]
}

const KIND = 'pain.001.001.09'
const SUM_LENGTH_MAX = 40

/** The file as text. Identifiers and amounts go out exactly or not at all: a bad one throws, as does an item named twice. */
export function writePain001(file: TransferFile): string {
  const { items, currency } = file
  invariant(items.length > 0, 'a file holds an item')
  invariant(new Set(items.map((item) => item.endToEndId)).size === items.length, 'an item is named once')
  const totals = sequence([leaf('NbOfTxs', String(items.length)), leaf('CtrlSum', sumOf(items, currency))])
  const header = group('GrpHdr', headerLeaves(file), totals, partyElement('InitgPty', file.debtor))
  const payment = group(
    'PmtInf',
    leaf('PmtInfId', exactText(file.paymentId, ID_MAX)),
    leaf('PmtMtd', 'TRF'),
    // One entry of the statement for each order: an entry for all of them names none.
    leaf('BtchBookg', 'false'),
    totals,
    group('ReqdExctnDt', leaf('Dt', exactDay(file.executeOn))),
    partyElement('Dbtr', file.debtor),
    accountElement('DbtrAcct', file.debtorAccount),
    bankElement('DbtrAgt', file.debtorBank),
    leaf('ChrgBr', 'SLEV'),
    ...items.map((item) => itemElement(item, currency)),
  )
  return messageText(KIND, header, payment)
}

function itemElement(item: FileItem, currency: string): Xml {
  const { amountDecimal } = item
  return group(
    'CdtTrfTxInf',
    idsElement(item),
    group('Amt', movedAmount('InstdAmt', { amountDecimal, currency })),
    creditElements(item),
  )
}

/** Reads such a file from untrusted bytes; one whose count or sum is wrong is a fault as a whole. */
export function readPain001(bytes: Uint8Array): Reading<TransferFile> {
  return readMessage(bytes, KIND, (body) => {
    const header = only(body, 'GrpHdr')
    const payment = only(body, 'PmtInf')
    const items = some(payment, 'CdtTrfTxInf').map(itemOf)
    const currency = items[0]?.currency ?? ''
    if (items.some((item) => item.currency !== currency)) note(payment, 'holds more than one currency')
    expectDistinct(
      payment,
      items.map((item) => item.endToEndId),
    )
    expectCount(header, 'NbOfTxs', items.length)
    if (optional(payment, 'NbOfTxs') !== null) expectCount(payment, 'NbOfTxs', items.length)
    expectSum(header, items, currency)
    expectSum(payment, items, currency)
    return {
      ...headerOf(header),
      paymentId: text(payment, 'PmtInfId', ID_MAX),
      executeOn: day(payment, 'ReqdExctnDt'),
      debtor: partyOf(only(payment, 'Dbtr')),
      debtorAccount: accountOf(only(payment, 'DbtrAcct')),
      debtorBank: bankOf(only(payment, 'DbtrAgt')),
      currency,
      items: items.map(({ currency: _same, ...item }) => item),
    }
  })
}

function expectSum(place: Place, items: readonly FileItem[], currency: string): void {
  const written = optional(place, 'CtrlSum')
  // What is wrong already has no sum.
  if (written === null || place.faults.length > 0) return
  const sum = sumOf(items, currency)
  if (amountText(textOf(written, SUM_LENGTH_MAX).trim(), currency) !== sum) note(written, `is not ${sum}`)
}

function sumOf(items: readonly FileItem[], currency: string): string {
  const amountDecimals = items.map((item) => item.amountDecimal)
  return sumText(amountDecimals, currency)
}

function itemOf(place: Place): FileItem & Amount {
  return { ...idsOf(place), ...amount(only(place, 'Amt'), 'InstdAmt'), ...creditOf(place) }
}
