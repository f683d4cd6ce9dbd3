// The schema of pain.002.001.10: a report on a file of orders.
import { sequenceType } from './schema-text.ts'
import { REPORTS } from './shared-types.ts'

const BODY = sequenceType(
  'Body',
  `GrpHdr             GroupHeader86
   OrgnlGrpInfAndSts  OriginalGroupHeader17
   OrgnlPmtInfAndSts* OriginalPaymentInstruction32`,
)

const HEADER = sequenceType(
  'GroupHeader86',
  `MsgId     Max35Text
   CreDtTm   ISODateTime
   InitgPty? PartyIdentification135
   FwdgAgt?  BranchAndFinancialInstitutionIdentification6
   DbtrAgt?  BranchAndFinancialInstitutionIdentification6
   CdtrAgt?  BranchAndFinancialInstitutionIdentification6`,
)

const PAYMENT = sequenceType(
  'OriginalPaymentInstruction32',
  `OrgnlPmtInfId  Max35Text
   OrgnlNbOfTxs?  Max15NumericText
   OrgnlCtrlSum?  DecimalNumber
   PmtInfSts?     ExternalCode
   StsRsnInf*     StatusReasonInformation12
   NbOfTxsPerSts* NumberOfTransactionsPerStatus5
   TxInfAndSts*   PaymentTransaction105`,
)

const TRANSFER = [
  sequenceType(
    'OriginalTransactionReference28',
    `Amt?         AmountType4Choice
     ReqdExctnDt? DateAndDateTime2Choice
     PmtTpInf?    PaymentTypeInformation
     RmtInf?      RemittanceInformation16
     DbtrAcct?    CashAccount38
     DbtrAgt?     BranchAndFinancialInstitutionIdentification6
     CdtrAgt?     BranchAndFinancialInstitutionIdentification6
     CdtrAcct?    CashAccount38`,
  ),
  sequenceType(
    'PaymentTransaction105',
    `StsId?           Max35Text
     OrgnlInstrId?    Max35Text
     OrgnlEndToEndId? Max35Text
     OrgnlUETR?       UUIDv4Identifier
     TxSts?           ExternalCode
     StsRsnInf*       StatusReasonInformation12
     AccptncDtTm?     ISODateTime
     AcctSvcrRef?     Max35Text
     ClrSysRef?       Max35Text
     OrgnlTxRef?      OriginalTransactionReference28`,
  ),
].join('')

export const PAIN_002 = REPORTS + BODY + HEADER + PAYMENT + TRANSFER
