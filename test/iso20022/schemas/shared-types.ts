// Types that several messages share: texts, codes, amounts, dates, parties, banks and accounts.
import {
  amountType,
  choiceType,
  codeType,
  facet,
  patternType,
  sequenceType,
  simpleType,
  textType,
} from './schema-text.ts'

const TEXTS = [4, 16, 34, 35, 70, 105, 140, 256, 350, 500, 2048]
  .map((max) => textType(`Max${max}Text`, 1, max))
  .join('')

const CODES = [
  textType('ExternalCode', 1, 4),
  textType('ExternalCode35', 1, 35),
  textType('ExternalClearingSystem', 1, 5),
  patternType('CurrencyCode', '[A-Z]{3,3}'),
  patternType('CountryCode', '[A-Z]{2,2}'),
  patternType('Max15NumericText', '[0-9]{1,15}'),
  patternType('PhoneNumber', '\\+[0-9]{1,3}-[0-9()+\\-]{1,30}'),
  patternType('BICFIDec2014Identifier', '[A-Z0-9]{4,4}[A-Z]{2,2}[A-Z0-9]{2,2}([A-Z0-9]{3,3}){0,1}'),
  patternType('LEIIdentifier', '[A-Z0-9]{18,18}[0-9]{2,2}'),
  patternType('IBAN2007Identifier', '[A-Z]{2,2}[0-9]{2,2}[a-zA-Z0-9]{1,30}'),
  patternType('UUIDv4Identifier', '[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}'),
  codeType('CreditDebitCode', 'CRDT DBIT'),
  codeType('ChargeBearerType1Code', 'DEBT CRED SHAR SLEV'),
  codeType('Priority2Code', 'HIGH NORM'),
].join('')

const NUMBERS = [
  simpleType('DecimalNumber', 'xs:decimal', facet('fractionDigits', 17) + facet('totalDigits', 18)),
  simpleType('ISODate', 'xs:date', ''),
  simpleType('ISODateTime', 'xs:dateTime', ''),
  simpleType('TrueFalseIndicator', 'xs:boolean', ''),
  amountType('CurrencyAndAmount'),
].join('')

const CHOICES = [
  choiceType('DateAndDateTime2Choice', 'Dt ISODate\nDtTm ISODateTime'),
  choiceType('CodeOrProprietary', 'Cd ExternalCode\nPrtry Max35Text'),
  choiceType('LongCodeOrProprietary', 'Cd ExternalCode35\nPrtry Max35Text'),
  choiceType('ClearingSystemIdentification', 'Cd ExternalClearingSystem\nPrtry Max35Text'),
].join('')

const PARTIES = [
  sequenceType(
    'PostalAddress24',
    `Dept?        Max70Text
     SubDept?     Max70Text
     StrtNm?      Max70Text
     BldgNb?      Max16Text
     BldgNm?      Max35Text
     Flr?         Max70Text
     PstBx?       Max16Text
     Room?        Max70Text
     PstCd?       Max16Text
     TwnNm?       Max35Text
     TwnLctnNm?   Max35Text
     DstrctNm?    Max35Text
     CtrySubDvsn? Max35Text
     Ctry?        CountryCode
     AdrLine{7}   Max70Text`,
  ),
  sequenceType(
    'Contact4',
    `Nm?        Max140Text
     PhneNb?    PhoneNumber
     MobNb?     PhoneNumber
     FaxNb?     PhoneNumber
     EmailAdr?  Max2048Text
     EmailPurp? Max35Text`,
  ),
  sequenceType(
    'PartyIdentification135',
    `Nm?        Max140Text
     PstlAdr?   PostalAddress24
     CtryOfRes? CountryCode
     CtctDtls?  Contact4`,
  ),
  sequenceType('GenericIdentification', 'Id Max35Text\nIssr? Max35Text'),
  sequenceType('ClearingSystemMemberIdentification2', 'ClrSysId? ClearingSystemIdentification\nMmbId Max35Text'),
  sequenceType(
    'FinancialInstitutionIdentification18',
    `BICFI?       BICFIDec2014Identifier
     ClrSysMmbId? ClearingSystemMemberIdentification2
     LEI?         LEIIdentifier
     Nm?          Max140Text
     PstlAdr?     PostalAddress24
     Othr?        GenericIdentification`,
  ),
  sequenceType('BranchData3', 'Id? Max35Text\nLEI? LEIIdentifier\nNm? Max140Text\nPstlAdr? PostalAddress24'),
  sequenceType(
    'BranchAndFinancialInstitutionIdentification6',
    'FinInstnId FinancialInstitutionIdentification18\nBrnchId? BranchData3',
  ),
].join('')

const ACCOUNTS = [
  sequenceType('GenericAccountIdentification1', 'Id Max34Text\nSchmeNm? CodeOrProprietary\nIssr? Max35Text'),
  choiceType('AccountIdentification4Choice', 'IBAN IBAN2007Identifier\nOthr GenericAccountIdentification1'),
  sequenceType('ProxyAccountIdentification1', 'Tp? CodeOrProprietary\nId Max2048Text'),
  sequenceType(
    'CashAccount38',
    `Id    AccountIdentification4Choice
     Tp?   CodeOrProprietary
     Ccy?  CurrencyCode
     Nm?   Max70Text
     Prxy? ProxyAccountIdentification1`,
  ),
].join('')

/** Types of every message. */
export const SHARED = TEXTS + CODES + NUMBERS + CHOICES + PARTIES + ACCOUNTS

const PAYMENTS = [
  sequenceType(
    'PaymentTypeInformation',
    `InstrPrty? Priority2Code
     SvcLvl*    CodeOrProprietary
     LclInstrm? LongCodeOrProprietary
     CtgyPurp?  CodeOrProprietary`,
  ),
  sequenceType('RemittanceInformation16', 'Ustrd* Max140Text'),
].join('')

/** Types of the orders: pacs.008 and pain.001. */
export const ORDERS = SHARED + PAYMENTS

/** Types of the reports on orders: pacs.002 and pain.002. */
export const REPORTS = [
  ORDERS,
  sequenceType(
    'StatusReasonInformation12',
    'Orgtr? PartyIdentification135\nRsn? CodeOrProprietary\nAddtlInf* Max105Text',
  ),
  sequenceType(
    'NumberOfTransactionsPerStatus5',
    'DtldNbOfTxs Max15NumericText\nDtldSts ExternalCode\nDtldCtrlSum? DecimalNumber',
  ),
  sequenceType(
    'OriginalGroupHeader17',
    `OrgnlMsgId    Max35Text
     OrgnlMsgNmId  Max35Text
     OrgnlCreDtTm? ISODateTime
     OrgnlNbOfTxs? Max15NumericText
     OrgnlCtrlSum? DecimalNumber
     GrpSts?       ExternalCode
     StsRsnInf*    StatusReasonInformation12
     NbOfTxsPerSts* NumberOfTransactionsPerStatus5`,
  ),
  choiceType('AmountType4Choice', 'InstdAmt CurrencyAndAmount'),
].join('')
