// The schema of pacs.002.001.10: a report on orders between banks.
import { sequenceType } from './schema-text.ts'
import { REPORTS } from './shared-types.ts'

const BODY = sequenceType(
  'Body',
  `GrpHdr             GroupHeader91
   OrgnlGrpInfAndSts* OriginalGroupHeader17
   TxInfAndSts*       PaymentTransaction110`,
)

const HEADER = sequenceType(
  'GroupHeader91',
  `MsgId     Max35Text
   CreDtTm   ISODateTime
   InstgAgt? BranchAndFinancialInstitutionIdentification6
   InstdAgt? BranchAndFinancialInstitutionIdentification6`,
)

const TRANSFER = [
  sequenceType('OriginalGroupInformation29', 'OrgnlMsgId Max35Text\nOrgnlMsgNmId Max35Text\nOrgnlCreDtTm? ISODateTime'),
  sequenceType(
    'OriginalTransactionReference28',
    `IntrBkSttlmAmt? CurrencyAndAmount
     Amt?            AmountType4Choice
     IntrBkSttlmDt?  ISODate
     ReqdExctnDt?    DateAndDateTime2Choice
     PmtTpInf?       PaymentTypeInformation
     RmtInf?         RemittanceInformation16
     DbtrAcct?       CashAccount38
     DbtrAgt?        BranchAndFinancialInstitutionIdentification6
     CdtrAgt?        BranchAndFinancialInstitutionIdentification6
     CdtrAcct?       CashAccount38`,
  ),
  sequenceType(
    'PaymentTransaction110',
    `StsId?             Max35Text
     OrgnlGrpInf?       OriginalGroupInformation29
     OrgnlInstrId?      Max35Text
     OrgnlEndToEndId?   Max35Text
     OrgnlTxId?         Max35Text
     OrgnlUETR?         UUIDv4Identifier
     TxSts?             ExternalCode
     StsRsnInf*         StatusReasonInformation12
     AccptncDtTm?       ISODateTime
     FctvIntrBkSttlmDt? DateAndDateTime2Choice
     AcctSvcrRef?       Max35Text
     ClrSysRef?         Max35Text
     InstgAgt?          BranchAndFinancialInstitutionIdentification6
     InstdAgt?          BranchAndFinancialInstitutionIdentification6
     OrgnlTxRef?        OriginalTransactionReference28`,
  ),
].join('')

export const PACS_002 = REPORTS + BODY + HEADER + TRANSFER
