// The schema of pain.001.001.09: a file of orders for a bank.
import { choiceType, codeType, sequenceType } from './schema-text.ts'
import { ORDERS } from './shared-types.ts'

const BODY = sequenceType('Body', 'GrpHdr GroupHeader85\nPmtInf+ PaymentInstruction30')

const HEADER = sequenceType(
  'GroupHeader85',
  `MsgId    Max35Text
   CreDtTm  ISODateTime
   NbOfTxs  Max15NumericText
   CtrlSum? DecimalNumber
   InitgPty PartyIdentification135
   FwdgAgt? BranchAndFinancialInstitutionIdentification6`,
)

const PAYMENT = [
  codeType('PaymentMethod3Code', 'CHK TRF TRA'),
  sequenceType(
    'PaymentInstruction30',
    `PmtInfId     Max35Text
     PmtMtd       PaymentMethod3Code
     BtchBookg?   TrueFalseIndicator
     NbOfTxs?     Max15NumericText
     CtrlSum?     DecimalNumber
     PmtTpInf?    PaymentTypeInformation
     ReqdExctnDt  DateAndDateTime2Choice
     Dbtr         PartyIdentification135
     DbtrAcct     CashAccount38
     DbtrAgt      BranchAndFinancialInstitutionIdentification6
     DbtrAgtAcct? CashAccount38
     UltmtDbtr?   PartyIdentification135
     ChrgBr?      ChargeBearerType1Code
     ChrgsAcct?   CashAccount38
     CdtTrfTxInf+ CreditTransferTransaction34`,
  ),
].join('')

const TRANSFER = [
  sequenceType('PaymentIdentification6', 'InstrId? Max35Text\nEndToEndId Max35Text\nUETR? UUIDv4Identifier'),
  choiceType('AmountType4Choice', 'InstdAmt CurrencyAndAmount'),
  sequenceType(
    'CreditTransferTransaction34',
    `PmtId        PaymentIdentification6
     PmtTpInf?    PaymentTypeInformation
     Amt          AmountType4Choice
     ChrgBr?      ChargeBearerType1Code
     UltmtDbtr?   PartyIdentification135
     CdtrAgt?     BranchAndFinancialInstitutionIdentification6
     CdtrAgtAcct? CashAccount38
     Cdtr?        PartyIdentification135
     CdtrAcct?    CashAccount38
     UltmtCdtr?   PartyIdentification135
     Purp?        CodeOrProprietary
     RmtInf?      RemittanceInformation16`,
  ),
].join('')

export const PAIN_001 = ORDERS + BODY + HEADER + PAYMENT + TRANSFER
