// The status and reasons that a report gives for one transfer: shared by the bank's report (pacs.002) and the
// customer's (pain.002). What a code means for the money is the connector's to judge: the lists of codes grow every
// quarter.
import { invariant } from '../../domain/invariant.ts'
import { type Amount } from './amounts.ts'
import { ID_MAX } from './headers.ts'
import { each, note, optional, type Place, text, textOf, textOrNull } from './reading.ts'
import { exactOrNull, exactText, plainText } from './texts.ts'
import { group, groupOfAny, leaf, sequence, type Xml } from './xml-writing.ts'

/** Either a code of the standard's list ("AC01") or the rail's own. */
export type StatusReason = {
  readonly code: string | null
  readonly proprietary: string | null
  readonly info: readonly string[]
}

/** The status of the file or message as a whole. */
export type OriginalGroup = {
  readonly originalMessageId: string
  /** "pacs.008.001.08", as the reporter writes it. */
  readonly originalMessageName: string
  readonly groupStatus: string | null
  readonly groupReasons: readonly StatusReason[]
}

/** One transfer of the message or file. */
export type ReportedTransfer = {
  readonly originalInstructionId: string | null
  readonly originalEndToEndId: string
  /** ACCP, ACSP, ACSC, ACCC, RJCT, PDNG, or a code that came later. */
  readonly status: string
  readonly reasons: readonly StatusReason[]
  /** The amount of the order, where the reporter repeats it. */
  readonly amount: Amount | null
}

/** External codes of the standard: statuses and reasons. */
export const CODE_MAX = 4
const INFO_MAX = 105

export function reasonsElement(name: string, reasons: readonly StatusReason[]): Xml {
  return sequence(reasons.map((reason) => reasonElement(name, reason)))
}

export function reasonElement(name: string, { code, proprietary, info }: StatusReason): Xml {
  invariant(code === null || proprietary === null, 'a reason has one code')
  return groupOfAny(
    name,
    groupOfAny('Rsn', leaf('Cd', exactOrNull(code, CODE_MAX)), leaf('Prtry', exactOrNull(proprietary, ID_MAX))),
    sequence(info.map((line) => leaf('AddtlInf', plainText(line, INFO_MAX)))),
  )
}

export function reasonsOf(place: Place, name: string): readonly StatusReason[] {
  return each(place, name).map(reasonOf)
}

export function reasonOf(place: Place): StatusReason {
  const reason = optional(place, 'Rsn')
  return {
    code: reason && textOrNull(reason, 'Cd', CODE_MAX),
    proprietary: reason && textOrNull(reason, 'Prtry', ID_MAX),
    info: each(place, 'AddtlInf').map((line) => textOf(line, INFO_MAX)),
  }
}

export function originalGroupElement(original: OriginalGroup): Xml {
  return group(
    'OrgnlGrpInfAndSts',
    leaf('OrgnlMsgId', exactText(original.originalMessageId, ID_MAX)),
    leaf('OrgnlMsgNmId', exactText(original.originalMessageName, ID_MAX)),
    leaf('GrpSts', exactOrNull(original.groupStatus, CODE_MAX)),
    reasonsElement('StsRsnInf', original.groupReasons),
  )
}

export function originalGroupOf(place: Place): OriginalGroup {
  return {
    originalMessageId: text(place, 'OrgnlMsgId', ID_MAX),
    originalMessageName: text(place, 'OrgnlMsgNmId', ID_MAX),
    groupStatus: textOrNull(place, 'GrpSts', CODE_MAX),
    groupReasons: reasonsOf(place, 'StsRsnInf'),
  }
}

/** `reference` puts the amount where the message has it. */
export function transferElement(transfer: ReportedTransfer, reference: (amount: Amount) => Xml): Xml {
  const { originalInstructionId, originalEndToEndId, status, reasons, amount } = transfer
  return group(
    'TxInfAndSts',
    leaf('OrgnlInstrId', exactOrNull(originalInstructionId, ID_MAX)),
    leaf('OrgnlEndToEndId', exactText(originalEndToEndId, ID_MAX)),
    leaf('TxSts', exactText(status, CODE_MAX)),
    reasonsElement('StsRsnInf', reasons),
    ...(amount === null ? [] : [group('OrgnlTxRef', reference(amount))]),
  )
}

/** `amountIn` finds the amount in what the report repeats of the order. */
export function transferOf(place: Place, amountIn: (reference: Place) => Amount | null): ReportedTransfer {
  const reference = optional(place, 'OrgnlTxRef')
  return {
    originalInstructionId: textOrNull(place, 'OrgnlInstrId', ID_MAX),
    originalEndToEndId: text(place, 'OrgnlEndToEndId', ID_MAX),
    status: text(place, 'TxSts', CODE_MAX),
    reasons: reasonsOf(place, 'StsRsnInf'),
    amount: reference && amountIn(reference),
  }
}

/** Notes a fault when a transfer is named twice: which of two reports about it holds cannot be known. */
export function expectDistinct(place: Place, endToEndIds: readonly string[]): void {
  if (new Set(endToEndIds).size < endToEndIds.length) note(place, 'names a transfer twice')
}
