// The receiving side of a transfer, alike in orders between banks (pacs.008) and in files for a bank (pain.001).
import { ID_MAX } from './headers.ts'
import type { Bank } from './banks.ts'
import { accountElement, accountOf, bankElement, bankOf, type Party, partyElement, partyOf } from './parties.ts'
import { each, only, optional, type Place, textOf, textOrNull, text } from './reading.ts'
import { exactOrNull, exactText, plainText } from './texts.ts'
import { group, groupOfAny, leaf, sequence, type Xml } from './xml-writing.ts'

export type TransferIds = {
  readonly instructionId: string | null
  /** The reference that the rail knows the transfer by, the same at every try. */
  readonly endToEndId: string
  /** A version 4 UUID in small letters. */
  readonly uetr: string | null
}

export type Credit = {
  readonly creditorBank: Bank
  readonly creditor: Party
  readonly creditorAccount: string
  /** Text for the recipient, cut at 140 characters. */
  readonly remittance: string | null
}

const UETR_MAX = 36
const REMITTANCE_MAX = 140

export function idsElement({ instructionId, endToEndId, uetr }: TransferIds): Xml {
  return group(
    'PmtId',
    leaf('InstrId', exactOrNull(instructionId, ID_MAX)),
    leaf('EndToEndId', exactText(endToEndId, ID_MAX)),
    leaf('UETR', exactOrNull(uetr, UETR_MAX)),
  )
}

export function idsOf(transfer: Place): TransferIds {
  const ids = only(transfer, 'PmtId')
  return {
    instructionId: textOrNull(ids, 'InstrId', ID_MAX),
    endToEndId: text(ids, 'EndToEndId', ID_MAX),
    uetr: textOrNull(ids, 'UETR', UETR_MAX),
  }
}

export function creditElements({ creditorBank, creditor, creditorAccount, remittance }: Credit): Xml {
  return sequence([
    bankElement('CdtrAgt', creditorBank),
    partyElement('Cdtr', creditor),
    accountElement('CdtrAcct', creditorAccount),
    groupOfAny('RmtInf', leaf('Ustrd', plainText(remittance, REMITTANCE_MAX))),
  ])
}

export function creditOf(transfer: Place): Credit {
  const information = optional(transfer, 'RmtInf')
  // There may be more lines from other systems; ours is the only one.
  const [line] = information === null ? [] : each(information, 'Ustrd')
  return {
    creditorBank: bankOf(only(transfer, 'CdtrAgt')),
    creditor: partyOf(only(transfer, 'Cdtr')),
    creditorAccount: accountOf(only(transfer, 'CdtrAcct')),
    remittance: line === undefined ? null : textOf(line, REMITTANCE_MAX),
  }
}
