// A wallet's statement on the wire: its balances at both ends of a period, and what changed `available` in between.
import { transactionIdOf } from '../../domain/contract/ids.ts'
import Type, { type Static } from 'typebox'
import { majorNumber } from '../../domain/money/money.ts'
import type { Balances } from '../../domain/wallet/wallet.ts'
import type { Line, Statement as DomainStatement } from '../../domain/wallet/statement.ts'
import { ListQuery } from '../api.ts'
import { closed, envelope, livemode, nullable, nullableText, time, uuid, type Wire, Currency } from '../shapes.ts'
import { iso } from '../times.ts'
import { moment } from './wallets.ts'

const STATEMENT_FORMATS = ['json', 'csv', 'camt053'] as const

export const StatementQuery = closed({
  ...ListQuery.properties,
  from: moment('Its first moment, or its first day in the account’s time zone; by default the first of this month.'),
  to: moment('Ends before this moment, or with this day; by default now.'),
  format: Type.Optional(
    Type.Enum([...STATEMENT_FORMATS], {
      description: 'json by default, or what Accept asks for: text/csv, application/xml.',
    }),
  ),
})
export type StatementQuery = Static<typeof StatementQuery>

const StatementBalances = Type.Object(
  {
    available: Type.Number(),
    held: Type.Number(),
    in_transit: Type.Number(),
    pending: Type.Number(),
    suspense: Type.Number(),
  },
  { $id: 'StatementBalances' },
)

const StatementLine = Type.Object(
  {
    sequence: Type.Integer(),
    created_at: time('When.'),
    amount: Type.Number({ description: 'What it adds to available; below 0 for what it takes.' }),
    available_after: Type.Number(),
    account: Type.String({ description: 'The ledger account on the other side.' }),
    contract_id: nullable(uuid('The contract that moved it.')),
    transaction_id: nullableText,
    reference: nullableText,
    description: nullableText,
    counterparty: nullable(Type.String({ description: 'The recipient’s name on the contract.' })),
  },
  { $id: 'StatementLine' },
)

export const Statement = Type.Object(
  {
    wallet_id: uuid('The wallet.'),
    livemode,
    currency: Currency,
    label: nullableText,
    from: time('What was booked from then on.'),
    to: time('What was booked before then.'),
    opening: StatementBalances,
    closing: StatementBalances,
    lines: Type.Array(StatementLine, { description: 'Oldest first: each change of available.' }),
  },
  { $id: 'WalletStatement' },
)

export const StatementReply = envelope('number', Type.Object({ statement: Statement, next: nullableText }))

export function presentStatement(
  statement: DomainStatement,
  lines: readonly Line[],
  livemode: boolean,
): Wire<typeof Statement> {
  const { wallet, fromMs, toMs, opening, closing } = statement
  return {
    wallet_id: wallet.id,
    livemode,
    currency: wallet.currency,
    label: wallet.label,
    from: iso(fromMs),
    to: iso(toMs),
    opening: presentBalances(opening, wallet.currency),
    closing: presentBalances(closing, wallet.currency),
    lines: lines.map((line) => presentLine(line, wallet.currency)),
  }
}

function presentBalances(balances: Balances, currency: string): Wire<typeof StatementBalances> {
  const major = (minor: bigint) => majorNumber(minor, currency)
  return {
    available: major(balances.availableMinor),
    held: major(balances.heldMinor),
    in_transit: major(balances.inTransitMinor),
    pending: major(balances.pendingMinor),
    suspense: major(balances.suspenseMinor),
  }
}

function presentLine(line: Line, currency: string): Wire<typeof StatementLine> {
  return {
    sequence: line.sequence,
    created_at: iso(line.atMs),
    amount: majorNumber(line.changeMinor, currency),
    available_after: majorNumber(line.availableAfterMinor, currency),
    account: line.account,
    contract_id: line.contractId,
    transaction_id: transactionIdOf(line),
    reference: line.reference,
    description: line.description,
    counterparty: line.counterparty,
  }
}
