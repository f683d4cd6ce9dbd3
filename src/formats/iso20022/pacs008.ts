// pacs.008.001.08, FIToFICustomerCreditTransfer: orders from bank to bank, settled through a clearing system.
import { invariant } from '../../domain/invariant.ts'
import { type Amount, movedAmount } from './amounts.ts'
import { type Credit, creditElements, creditOf, idsElement, idsOf, type TransferIds } from './credits.ts'
import { type Header, headerLeaves, headerOf } from './headers.ts'
import type { Bank } from './banks.ts'
import { bankElement, bankOf, type Party, partyElement, partyOf } from './parties.ts'
import { amount, expectCount, note, only, type Place, type Reading, readMessage, some, text } from './reading.ts'
import { expectDistinct } from './statuses.ts'
import { group, leaf, messageText, type Xml } from './xml-writing.ts'

export type BankTransfer = TransferIds & Amount & { readonly debtor: Party; readonly debtorBank: Bank } & Credit

export type BankTransfers = Header & { readonly transfers: readonly BankTransfer[] }

const KIND = 'pacs.008.001.08'

/** The message as text. Identifiers and amounts go out exactly or not at all: a bad one throws. */
export function writePacs008(message: BankTransfers): string {
  const { transfers } = message
  invariant(transfers.length > 0, 'a message holds a transfer')
  const header = group(
    'GrpHdr',
    headerLeaves(message),
    leaf('NbOfTxs', String(transfers.length)),
    group('SttlmInf', leaf('SttlmMtd', 'CLRG')),
  )
  return messageText(KIND, header, ...transfers.map(transferElement))
}

function transferElement(transfer: BankTransfer): Xml {
  return group(
    'CdtTrfTxInf',
    idsElement(transfer),
    movedAmount('IntrBkSttlmAmt', transfer),
    leaf('ChrgBr', 'SLEV'),
    partyElement('Dbtr', transfer.debtor),
    bankElement('DbtrAgt', transfer.debtorBank),
    creditElements(transfer),
  )
}

/** Reads such a message from untrusted bytes. */
export function readPacs008(bytes: Uint8Array): Reading<BankTransfers> {
  return readMessage(bytes, KIND, (body) => {
    const header = only(body, 'GrpHdr')
    const transfers = some(body, 'CdtTrfTxInf').map(transferOf)
    expectCount(header, 'NbOfTxs', transfers.length)
    expectDistinct(
      body,
      transfers.map((transfer) => transfer.endToEndId),
    )
    const settlement = only(header, 'SttlmInf')
    if (text(settlement, 'SttlmMtd', 4) !== 'CLRG') note(settlement, 'is by other means than clearing')
    return { ...headerOf(header), transfers }
  })
}

function transferOf(place: Place): BankTransfer {
  return {
    ...idsOf(place),
    ...amount(place, 'IntrBkSttlmAmt'),
    debtor: partyOf(only(place, 'Dbtr')),
    debtorBank: bankOf(only(place, 'DbtrAgt')),
    ...creditOf(place),
  }
}
