// The books of the installation on the wire: trial balance, ledger rows of all accounts, and proofs.
import Type from 'typebox'
import { majorNumber } from '../../domain/money/money.ts'
import { LANE_COUNT } from '../../domain/contract/ids.ts'
import { ListQuery } from '../api.ts'
import {
  closed,
  Currency,
  envelope,
  livemode,
  nullable,
  nullableText,
  nullableTime,
  time,
  uuid,
  type Wire,
} from '../shapes.ts'
import { iso, isoOrNull } from '../times.ts'

const Balance = Type.Object(
  {
    account: Type.String({
      description:
        'available, held, in_transit, pending and suspense are wallets’; fee_revenue, external and clearing:… are not.',
    }),
    currency: Currency,
    livemode,
    debit: Type.Number({ description: 'All that it gave.' }),
    credit: Type.Number({ description: 'All that it received.' }),
    balance: Type.Number({ description: 'credit less debit.' }),
    kept: nullable(
      Type.Number({
        description: 'What the wallets themselves say that they hold; null for accounts that no wallet has.',
      }),
    ),
  },
  { $id: 'TrialBalanceLine' },
)
const Sum = Type.Object(
  {
    currency: Currency,
    livemode,
    debit: Type.Number(),
    credit: Type.Number(),
    is_balanced: Type.Boolean({ description: 'Debit is credit, and every wallet holds what its rows say.' }),
  },
  { $id: 'TrialBalanceSum' },
)
export const BalancesReply = envelope('number', Type.Object({ balances: Type.Array(Balance), sums: Type.Array(Sum) }))

type Line = {
  readonly account: string
  readonly currency: string
  readonly livemode: boolean
  readonly debitMinor: bigint
  readonly creditMinor: bigint
  readonly keptMinor: bigint | null
}

export function presentBalance({ account, currency, livemode: isLive, ...line }: Line): Wire<typeof Balance> {
  return {
    account,
    currency,
    livemode: isLive,
    debit: majorNumber(line.debitMinor, currency),
    credit: majorNumber(line.creditMinor, currency),
    balance: majorNumber(line.creditMinor - line.debitMinor, currency),
    kept: line.keptMinor === null ? null : majorNumber(line.keptMinor, currency),
  }
}

/** One sum for each currency and mode. */
export function presentSums(lines: readonly Line[]): Wire<typeof Sum>[] {
  const groups = new Map<string, Line[]>()
  for (const line of lines) {
    const key = `${line.currency} ${line.livemode}`
    groups.set(key, [...(groups.get(key) ?? []), line])
  }
  return [...groups.values()].map((group) => {
    const [{ currency, livemode: isLive } = { currency: '', livemode: false }] = group
    const debit = group.reduce((sum, { debitMinor }) => sum + debitMinor, 0n)
    const credit = group.reduce((sum, { creditMinor }) => sum + creditMinor, 0n)
    const isKept = group.every(
      ({ keptMinor, debitMinor, creditMinor }) => keptMinor === null || keptMinor === creditMinor - debitMinor,
    )
    return {
      currency,
      livemode: isLive,
      debit: majorNumber(debit, currency),
      credit: majorNumber(credit, currency),
      is_balanced: debit === credit && isKept,
    }
  })
}

export const LedgerQuery = closed({
  ...ListQuery.properties,
  after: Type.Optional(Type.String({ maxLength: 80, description: 'data.next of the page before.' })),
  account_id: Type.Optional(uuid('Only rows of this account.')),
  contract_id: Type.Optional(uuid('Only what this contract moved.')),
  ledger_account: Type.Optional(
    Type.String({
      pattern: '^[a-z_]{1,40}(:[A-Za-z0-9._-]{1,64})?$',
      description: 'Only what this ledger account gave or took: available, fee_revenue, clearing: and a channel, …',
    }),
  ),
})

const LedgerEntry = Type.Object(
  {
    account_id: uuid('Whose it is.'),
    wallet_id: uuid('The wallet.'),
    livemode,
    sequence: Type.Integer({ description: 'Of the wallet, without gaps.' }),
    debit: Type.String({ description: 'The ledger account that the amount leaves.' }),
    credit: Type.String({ description: 'The ledger account that receives it.' }),
    amount: Type.Number(),
    currency: Currency,
    contract_id: nullable(uuid('The contract that moved it.')),
    reference: nullableText,
    created_at: time('When.'),
  },
  { $id: 'LedgerEntry' },
)
export const LedgerReply = envelope('number', Type.Object({ entries: Type.Array(LedgerEntry), next: nullableText }))

type Row = {
  readonly accountId: string
  readonly walletId: string
  readonly livemode: boolean
  readonly sequence: number
  readonly debit: string
  readonly credit: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly contractId: string | null
  readonly reference: string | null
  readonly atMs: number
}

export function presentLedgerEntry(row: Row): Wire<typeof LedgerEntry> {
  return {
    account_id: row.accountId,
    wallet_id: row.walletId,
    livemode: row.livemode,
    sequence: row.sequence,
    debit: row.debit,
    credit: row.credit,
    amount: majorNumber(row.amountMinor, row.currency),
    currency: row.currency,
    contract_id: row.contractId,
    reference: row.reference,
    created_at: iso(row.atMs),
  }
}

const Counted = Type.Integer()
const Proof = Type.Object(
  {
    id: uuid('The proof.'),
    started_by: Type.String({ description: 'Who asked for it.' }),
    started_at: time('When.'),
    finished_at: nullableTime,
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'How much of the books has been read.' }),
    verdict: nullable(
      Type.Enum(['holds', 'broken', 'interrupted'], {
        description: 'Null while it runs. interrupted: it says nothing about the books; run it again.',
      }),
    ),
    findings: Type.Array(
      Type.Object({ proof: Type.String(), account_id: Type.String(), row: Type.String(), problem: Type.String() }),
      {
        description:
          'The first row of each proof and lane that does not hold. account_id is empty where it is of a whole lane.',
      },
    ),
    counts: nullable(
      Type.Object(
        { wallets: Counted, entries: Counted, contracts: Counted, versions: Counted },
        { description: 'How many rows were read.' },
      ),
    ),
  },
  { $id: 'Proof' },
)
export const ProofReply = envelope('number', Type.Object({ proof: Proof }))
export const ProofsReply = envelope('number', Type.Object({ proofs: Type.Array(Proof), next: nullableText }))

type StoredProof = {
  readonly id: string
  readonly startedBy: string
  readonly startedAt: number
  readonly finishedAt: number | null
  readonly lanesDone: number
  readonly verdict: 'holds' | 'broken' | 'interrupted' | null
  readonly findings: readonly {
    readonly proof: string
    readonly accountId: string
    readonly row: string
    readonly problem: string
  }[]
  readonly counts: Wire<typeof Proof>['counts']
}

export function presentProof(proof: StoredProof): Wire<typeof Proof> {
  return {
    id: proof.id,
    started_by: proof.startedBy,
    started_at: iso(proof.startedAt),
    finished_at: isoOrNull(proof.finishedAt),
    progress: proof.lanesDone / LANE_COUNT,
    verdict: proof.verdict,
    findings: proof.findings.map(({ accountId, proof: name, row, problem }) => ({
      proof: name,
      account_id: accountId,
      row,
      problem,
    })),
    counts: proof.counts,
  }
}
