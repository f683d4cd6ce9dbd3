// camt.053.001.08 as the gateway gives it for a wallet: written piece by piece, since a period may have any number of entries.
import { type Amount, movedAmount, statedAmount } from './amounts.ts'
import { bodyOf, namespaceOf } from './messages.ts'
import { exactDateTime, exactDay, exactText, isExactText, plainText } from './texts.ts'
import { group, groupOfAny, leaf, type Xml } from './xml-writing.ts'

export type StatementHead = {
  /** 1 to 35 plain characters, as all ids here. */
  readonly id: string
  readonly createdAt: string
  readonly from: string
  readonly to: string
  /** At most 34 plain characters. */
  readonly account: string
  readonly name: string | null
  /** Never below zero: wallets have floors. */
  readonly opening: Amount & { readonly day: string }
  readonly closing: Amount & { readonly day: string }
}

export type StatementEntry = Amount & {
  readonly number: number
  readonly direction: 'credit' | 'debit'
  readonly bookedOn: string
  /** The account servicer's own name of it; left out where the standard cannot carry it whole. */
  readonly servicerReference: string | null
  readonly endToEndId: string | null
  /** Text for people, cut at 140 characters. */
  readonly remittance: string | null
  /** The same at 500 characters. */
  readonly details: string | null
}

const KIND = 'camt.053.001.08'
const ID_MAX = 35
const ACCOUNT_MAX = 34

/** Everything before the first entry. A bad identifier, day or amount throws. */
export function openCamt053(head: StatementHead): string {
  const header = group(
    'GrpHdr',
    leaf('MsgId', exactText(head.id, ID_MAX)),
    leaf('CreDtTm', exactDateTime(head.createdAt)),
  )
  const period = group('FrToDt', leaf('FrDtTm', exactDateTime(head.from)), leaf('ToDtTm', exactDateTime(head.to)))
  const account = group(
    'Acct',
    group('Id', group('Othr', leaf('Id', exactText(head.account, ACCOUNT_MAX)))),
    leaf('Ccy', head.opening.currency),
    leaf('Nm', plainText(head.name, 70)),
    // Who keeps the account: some readers take no statement without it.
    group('Svcr', group('FinInstnId', leaf('Nm', 'Gateway'), group('Othr', leaf('Id', 'GATEWAY')))),
  )
  const statement = [
    leaf('Id', head.id),
    leaf('CreDtTm', head.createdAt),
    period,
    account,
    balance('OPBD', head.opening),
    balance('CLBD', head.closing),
  ]
  const document = `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespaceOf(KIND)}"><${bodyOf(KIND)}>`
  return `${document}${header}<Stmt>${statement.join('')}\n`
}

/** Everything after the last entry. */
export function closeCamt053(): string {
  return `</Stmt></${bodyOf(KIND)}></Document>\n`
}

function balance(code: string, { day, ...amount }: StatementHead['opening']): Xml {
  return group(
    'Bal',
    group('Tp', group('CdOrPrtry', leaf('Cd', code))),
    statedAmount('Amt', amount),
    leaf('CdtDbtInd', 'CRDT'),
    group('Dt', leaf('Dt', exactDay(day))),
  )
}

export function camt053Entry(entry: StatementEntry): string {
  const { direction, servicerReference } = entry
  const reference = servicerReference !== null && isExactText(servicerReference, ID_MAX) ? servicerReference : null
  const details = group(
    'TxDtls',
    groupOfAny('Refs', leaf('AcctSvcrRef', reference), leaf('EndToEndId', entry.endToEndId)),
    movedAmount('Amt', entry),
    leaf('CdtDbtInd', INDICATORS[direction]),
    groupOfAny('RmtInf', leaf('Ustrd', plainText(entry.remittance, 140))),
    leaf('AddtlTxInf', plainText(entry.details, 500)),
  )
  const family = group('Fmly', leaf('Cd', direction === 'debit' ? 'ICDT' : 'RCDT'), leaf('SubFmlyCd', 'DMCT'))
  const whole = group(
    'Ntry',
    leaf('NtryRef', String(entry.number)),
    movedAmount('Amt', entry),
    leaf('CdtDbtInd', INDICATORS[direction]),
    group('Sts', leaf('Cd', 'BOOK')),
    group('BookgDt', leaf('Dt', exactDay(entry.bookedOn))),
    leaf('AcctSvcrRef', reference),
    group('BkTxCd', group('Domn', leaf('Cd', 'PMNT'), family)),
    group('NtryDtls', details),
  )
  return `${whole}\n`
}

const INDICATORS = { credit: 'CRDT', debit: 'DBIT' } as const
