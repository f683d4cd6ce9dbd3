// camt.053.001.08, BankToCustomerStatement: what was booked on an account, between two balances.
import { type Amount, statedAmount } from './amounts.ts'
import { type Header, headerLeaves, headerOf, ID_MAX } from './headers.ts'
import { accountElement, accountOf } from './parties.ts'
import {
  amount,
  amountOrNull,
  day,
  each,
  note,
  only,
  optional,
  type Place,
  type Reading,
  readMessage,
  some,
  text,
  textOf,
  textOrNull,
} from './reading.ts'
import { CODE_MAX, reasonElement, reasonOf, type StatusReason } from './statuses.ts'
import { exactDay, exactOrNull, exactText } from './texts.ts'
import { group, groupOfAny, leaf, messageText, type Xml } from './xml-writing.ts'

/** As the account's owner sees it: a debit went out. */
export type Direction = 'credit' | 'debit'

export type Balance = Amount & { readonly direction: Direction; readonly day: string }

/** One transfer within an entry. */
export type EntryTransfer = {
  readonly endToEndId: string | null
  /** Null where the bank gives the entry's amount alone. */
  readonly amount: Amount | null
  /** Why it came back, where the bank says so. */
  readonly returned: StatusReason | null
  /** Whether its own code says that it is a return; where it has none, that of its entry speaks. */
  readonly isReturn: boolean
}

export type Entry = Amount & {
  readonly reference: string | null
  readonly direction: Direction
  /** BOOK for what is final; PDNG and INFO moved nothing. */
  readonly status: string
  readonly bookedOn: string
  /** Undoes an entry of the other direction: a credit that is a reversal gives back a debit, and a debit takes back a credit. */
  readonly isReversal: boolean
  /** Whether its code says that it is a return. */
  readonly isReturn: boolean
  readonly transfers: readonly EntryTransfer[]
}

export type Statement = Header & {
  readonly statementId: string
  readonly account: string
  readonly opening: Balance
  readonly closing: Balance
  readonly entries: readonly Entry[]
}

const KIND = 'camt.053.001.08'
const INDICATORS: Readonly<Record<Direction, string>> = { credit: 'CRDT', debit: 'DBIT' }
const OPENING = 'OPBD'
const CLOSING = 'CLBD'

/** The statement as text; a bad identifier, day or amount throws. */
export function writeCamt053(statement: Statement): string {
  const body = group(
    'Stmt',
    leaf('Id', exactText(statement.statementId, ID_MAX)),
    leaf('CreDtTm', statement.createdAt),
    accountElement('Acct', statement.account),
    balanceElement(OPENING, statement.opening),
    balanceElement(CLOSING, statement.closing),
    ...statement.entries.map(entryElement),
  )
  return messageText(KIND, group('GrpHdr', headerLeaves(statement)), body)
}

function balanceElement(code: string, balance: Balance): Xml {
  return group(
    'Bal',
    group('Tp', group('CdOrPrtry', leaf('Cd', code))),
    statedAmount('Amt', balance),
    leaf('CdtDbtInd', INDICATORS[balance.direction]),
    group('Dt', leaf('Dt', exactDay(balance.day))),
  )
}

function entryElement(entry: Entry): Xml {
  return group(
    'Ntry',
    leaf('NtryRef', exactOrNull(entry.reference, ID_MAX)),
    statedAmount('Amt', entry),
    leaf('CdtDbtInd', INDICATORS[entry.direction]),
    leaf('RvslInd', entry.isReversal ? 'true' : null),
    group('Sts', leaf('Cd', exactText(entry.status, 4))),
    group('BookgDt', leaf('Dt', exactDay(entry.bookedOn))),
    transactionCode(entry),
    groupOfAny('NtryDtls', ...entry.transfers.map((transfer) => transferElement(transfer, entry))),
  )
}

/** Reversals because of a return and of a cancellation, in the standard's list of transaction codes. */
const RETURNS: readonly string[] = ['RRTN', 'RPCR']

/** Payments, issued or received credit transfers, domestic or returned. */
function transactionCode({ direction, isReturn }: CodedAs): Xml {
  const family = group(
    'Fmly',
    leaf('Cd', direction === 'debit' ? 'ICDT' : 'RCDT'),
    leaf('SubFmlyCd', isReturn ? 'RRTN' : 'DMCT'),
  )
  return group('BkTxCd', group('Domn', leaf('Cd', 'PMNT'), family))
}

type CodedAs = Pick<Entry, 'direction' | 'isReturn'>

function transferElement({ endToEndId, amount, returned, isReturn }: EntryTransfer, { direction }: CodedAs): Xml {
  return group(
    'TxDtls',
    groupOfAny('Refs', leaf('EndToEndId', exactOrNull(endToEndId, ID_MAX))),
    ...(amount === null ? [] : [statedAmount('Amt', amount)]),
    ...(isReturn ? [transactionCode({ direction, isReturn })] : []),
    ...(returned === null ? [] : [reasonElement('RtrInf', returned)]),
  )
}

/** Reads a message of one statement from untrusted bytes. */
export function readCamt053(bytes: Uint8Array): Reading<Statement> {
  return readMessage(bytes, KIND, (body) => {
    const statement = only(body, 'Stmt')
    const balances = some(statement, 'Bal')
    return {
      ...headerOf(only(body, 'GrpHdr')),
      statementId: text(statement, 'Id', ID_MAX),
      account: accountOf(only(statement, 'Acct')),
      opening: balanceOf(statement, balances, OPENING),
      closing: balanceOf(statement, balances, CLOSING),
      entries: each(statement, 'Ntry').map(entryOf),
    }
  })
}

/** The one balance of this code; the standard has others, which are skipped. */
function balanceOf(statement: Place, balances: readonly Place[], code: string): Balance {
  const found = balances.filter((balance) => codeOf(only(only(balance, 'Tp'), 'CdOrPrtry')) === code)
  if (found.length !== 1) note(statement, `has ${found.length} balances ${code}`)
  const balance = found[0] ?? { ...statement, node: null }
  return { ...amount(balance, 'Amt'), direction: directionOf(balance), day: day(balance, 'Dt') }
}

function entryOf(place: Place): Entry {
  const direction = directionOf(place)
  const transfers = each(place, 'NtryDtls').flatMap((details) => each(details, 'TxDtls'))
  for (const transfer of transfers)
    if (optional(transfer, 'CdtDbtInd') !== null && directionOf(transfer) !== direction)
      note(transfer, 'goes the other way than its entry')
  // One alone is worth its entry, and what its details say may be without the charges.
  const amountOf = transfers.length === 1 ? ownAmountOf : detailedAmountOf
  return {
    reference: textOrNull(place, 'NtryRef', ID_MAX),
    ...amount(place, 'Amt'),
    direction,
    status: codeOf(only(place, 'Sts')),
    bookedOn: day(place, 'BookgDt'),
    isReversal: isReversal(place),
    isReturn: isReturn(place),
    transfers: transfers.map((transfer) => ({ ...transferOf(transfer), amount: amountOf(transfer) })),
  }
}

const ownAmountOf = (place: Place) => amountOrNull(place, 'Amt')

/** Banks write the amount of a transfer in its own place, or among its details. */
function detailedAmountOf(place: Place): Amount | null {
  const details = optional(place, 'AmtDtls')
  const transaction = details && optional(details, 'TxAmt')
  return ownAmountOf(place) ?? (transaction && amountOrNull(transaction, 'Amt'))
}

function transferOf(place: Place): Omit<EntryTransfer, 'amount'> {
  const references = optional(place, 'Refs')
  const returned = optional(place, 'RtrInf')
  return {
    endToEndId: references && textOrNull(references, 'EndToEndId', ID_MAX),
    returned: returned && reasonOf(returned),
    isReturn: isReturn(place),
  }
}

function isReversal(place: Place): boolean {
  const found = optional(place, 'RvslInd')
  if (found === null) return false
  const written = textOf(found, 'false'.length).trim()
  if (!['true', '1', 'false', '0'].includes(written)) note(found, 'is neither true nor false')
  return written === 'true' || written === '1'
}

/** A bank may give a code of its own in place of the standard's, which says nothing here. */
function isReturn(place: Place): boolean {
  const code = optional(place, 'BkTxCd')
  const domain = code && optional(code, 'Domn')
  const family = domain && optional(domain, 'Fmly')
  return family !== null && RETURNS.includes(textOrNull(family, 'SubFmlyCd', CODE_MAX) ?? '')
}

function directionOf(place: Place): Direction {
  const found = only(place, 'CdtDbtInd')
  const written = found.node?.text
  if (written === 'CRDT') return 'credit'
  if (found.node !== null && written !== 'DBIT') note(found, 'is neither CRDT nor DBIT')
  return 'debit'
}

/** A code of the standard's, or the bank's own. */
function codeOf(place: Place): string {
  return textOrNull(place, 'Cd', 4) ?? text(place, 'Prtry', ID_MAX)
}
