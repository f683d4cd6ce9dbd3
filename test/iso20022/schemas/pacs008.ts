// The schema of pacs.008.001.08: an order between banks.
import { choiceType, codeType, sequenceType, textType } from './schema-text.ts'
import { ORDERS } from './shared-types.ts'

const BODY = sequenceType('Body', 'GrpHdr GroupHeader93\nCdtTrfTxInf+ CreditTransferTransaction39')

const HEADER = [
  codeType('SettlementMethod1Code', 'INDA INGA COVE CLRG'),
  choiceType('ClearingSystemIdentification3Choice', 'Cd ClearingSystem3\nPrtry Max35Text'),
  textType('ClearingSystem3', 1, 3),
  sequenceType(
    'SettlementInstruction7',
    'SttlmMtd SettlementMethod1Code\nSttlmAcct? CashAccount38\nClrSys? ClearingSystemIdentification3Choice',
  ),
  sequenceType(
    'GroupHeader93',
    `MsgId              Max35Text
     CreDtTm            ISODateTime
     BtchBookg?         TrueFalseIndicator
     NbOfTxs            Max15NumericText
     CtrlSum?           DecimalNumber
     TtlIntrBkSttlmAmt? CurrencyAndAmount
     IntrBkSttlmDt?     ISODate
     SttlmInf           SettlementInstruction7
     PmtTpInf?          PaymentTypeInformation
     InstgAgt?          BranchAndFinancialInstitutionIdentification6
     InstdAgt?          BranchAndFinancialInstitutionIdentification6`,
  ),
].join('')

const TRANSFER = [
  sequenceType(
    'PaymentIdentification7',
    `InstrId?   Max35Text
     EndToEndId Max35Text
     TxId?      Max35Text
     UETR?      UUIDv4Identifier
     ClrSysRef? Max35Text`,
  ),
  sequenceType(
    'CreditTransferTransaction39',
    `PmtId          PaymentIdentification7
     PmtTpInf?      PaymentTypeInformation
     IntrBkSttlmAmt CurrencyAndAmount
     IntrBkSttlmDt? ISODate
     AccptncDtTm?   ISODateTime
     InstdAmt?      CurrencyAndAmount
     ChrgBr         ChargeBearerType1Code
     InstgAgt?      BranchAndFinancialInstitutionIdentification6
     InstdAgt?      BranchAndFinancialInstitutionIdentification6
     UltmtDbtr?     PartyIdentification135
     InitgPty?      PartyIdentification135
     Dbtr           PartyIdentification135
     DbtrAcct?      CashAccount38
     DbtrAgt        BranchAndFinancialInstitutionIdentification6
     DbtrAgtAcct?   CashAccount38
     CdtrAgt        BranchAndFinancialInstitutionIdentification6
     CdtrAgtAcct?   CashAccount38
     Cdtr           PartyIdentification135
     CdtrAcct?      CashAccount38
     UltmtCdtr?     PartyIdentification135
     Purp?          CodeOrProprietary
     RmtInf?        RemittanceInformation16`,
  ),
].join('')

export const PACS_008 = ORDERS + BODY + HEADER + TRANSFER
