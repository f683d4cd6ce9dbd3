// The schema of camt.053.001.08: a statement of an account.
import { patternType, sequenceType } from './schema-text.ts'
import { SHARED } from './shared-types.ts'

const BODY = sequenceType('Body', 'GrpHdr GroupHeader81\nStmt+ AccountStatement9')

const HEADER = [
  sequenceType('Pagination1', 'PgNb Max5NumericText\nLastPgInd TrueFalseIndicator'),
  sequenceType(
    'GroupHeader81',
    `MsgId     Max35Text
     CreDtTm   ISODateTime
     MsgRcpt?  PartyIdentification135
     MsgPgntn? Pagination1
     AddtlInf? Max500Text`,
  ),
].join('')

const BALANCES = [
  sequenceType('BalanceType13', 'CdOrPrtry CodeOrProprietary\nSubTp? CodeOrProprietary'),
  sequenceType(
    'CashBalance8',
    `Tp        BalanceType13
     Amt       CurrencyAndAmount
     CdtDbtInd CreditDebitCode
     Dt        DateAndDateTime2Choice`,
  ),
].join('')

const ENTRIES = [
  sequenceType('BankTransactionCodeStructure6', 'Cd ExternalCode\nSubFmlyCd ExternalCode'),
  sequenceType('BankTransactionCodeStructure5', 'Cd ExternalCode\nFmly BankTransactionCodeStructure6'),
  sequenceType('ProprietaryBankTransactionCodeStructure1', 'Cd Max35Text\nIssr? Max35Text'),
  sequenceType(
    'BankTransactionCodeStructure4',
    'Domn? BankTransactionCodeStructure5\nPrtry? ProprietaryBankTransactionCodeStructure1',
  ),
  sequenceType(
    'TransactionReferences6',
    `MsgId?       Max35Text
     AcctSvcrRef? Max35Text
     PmtInfId?    Max35Text
     InstrId?     Max35Text
     EndToEndId?  Max35Text
     UETR?        UUIDv4Identifier
     TxId?        Max35Text
     MndtId?      Max35Text
     ChqNb?       Max35Text
     ClrSysRef?   Max35Text`,
  ),
  sequenceType(
    'PaymentReturnReason5',
    `OrgnlBkTxCd? BankTransactionCodeStructure4
     Orgtr?       PartyIdentification135
     Rsn?         CodeOrProprietary
     AddtlInf*    Max105Text`,
  ),
  sequenceType('RemittanceInformation16', 'Ustrd* Max140Text'),
  sequenceType(
    'EntryTransaction10',
    `Refs?      TransactionReferences6
     Amt?       CurrencyAndAmount
     CdtDbtInd? CreditDebitCode
     BkTxCd?    BankTransactionCodeStructure4
     Purp?      CodeOrProprietary
     RmtInf?    RemittanceInformation16
     RtrInf?    PaymentReturnReason5
     AddtlTxInf? Max500Text`,
  ),
  sequenceType('EntryDetails9', 'TxDtls* EntryTransaction10'),
  sequenceType(
    'ReportEntry10',
    `NtryRef?      Max35Text
     Amt           CurrencyAndAmount
     CdtDbtInd     CreditDebitCode
     RvslInd?      TrueFalseIndicator
     Sts           CodeOrProprietary
     BookgDt?      DateAndDateTime2Choice
     ValDt?        DateAndDateTime2Choice
     AcctSvcrRef?  Max35Text
     BkTxCd        BankTransactionCodeStructure4
     NtryDtls*     EntryDetails9
     AddtlNtryInf? Max500Text`,
  ),
].join('')

const STATEMENT = [
  patternType('Max5NumericText', '[0-9]{1,5}'),
  sequenceType('DateTimePeriod1', 'FrDtTm ISODateTime\nToDtTm ISODateTime'),
  sequenceType(
    'CashAccount39',
    `Id    AccountIdentification4Choice
     Tp?   CodeOrProprietary
     Ccy?  CurrencyCode
     Nm?   Max70Text
     Prxy? ProxyAccountIdentification1
     Ownr? PartyIdentification135
     Svcr? BranchAndFinancialInstitutionIdentification6`,
  ),
  sequenceType(
    'AccountStatement9',
    `Id             Max35Text
     StmtPgntn?     Pagination1
     ElctrncSeqNb?  DecimalNumber
     LglSeqNb?      DecimalNumber
     CreDtTm?       ISODateTime
     FrToDt?        DateTimePeriod1
     Acct           CashAccount39
     RltdAcct?      CashAccount38
     Bal+           CashBalance8
     Ntry*          ReportEntry10
     AddtlStmtInf?  Max500Text`,
  ),
].join('')

export const CAMT_053 = SHARED + BODY + HEADER + BALANCES + ENTRIES + STATEMENT
