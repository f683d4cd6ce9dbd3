// A wallet's ledger entries of a period: between which rows they stand, and how one is shown.
import { transactionIdOf } from '../../domain/contract/ids.ts'
import { majorNumber } from '../../domain/money/money.ts'
import type { Wallet } from '../../domain/wallet/wallet.ts'
import type { Entry } from '../../ledger/entries.ts'
import { rowsBefore, timesOfContract } from '../../ledger/moments.ts'
import type { Wire } from '../../wire/shapes.ts'
import type { WalletEntry } from '../../wire/wallets/wallets.ts'
import type { Deps } from '../deps.ts'

/** Milliseconds since the epoch, the end not included; null for no bound. */
export type EntriesAsked = {
  readonly fromMs: number | null
  readonly toMs: number | null
  readonly contractId: string | null
}

/** The numbers between which rows of the period, and of the contract, stand; neither is included. */
export async function entryBounds(
  { reader }: Pick<Deps, 'reader'>,
  wallet: Wallet,
  asked: EntriesAsked,
): Promise<{ readonly after: number; readonly before: number }> {
  let { fromMs, toMs } = asked
  if (asked.contractId !== null) {
    const [times] = await reader.send([timesOfContract(wallet, asked.contractId)])
    const { first_ms: firstMs = null, last_ms: lastMs = null } = times?.rows[0] ?? {}
    if (typeof firstMs !== 'number' || typeof lastMs !== 'number') return { after: 0, before: 0 }
    fromMs = Math.max(fromMs ?? firstMs, firstMs)
    toMs = Math.min(toMs ?? lastMs + 1, lastMs + 1)
  }
  const moments = [fromMs, toMs].flatMap((atMs) => (atMs === null ? [] : [rowsBefore(wallet, atMs)]))
  const found = (await reader.send(moments)).map(({ rows }) => Number(rows[0]?.['sequence'] ?? 0))
  return {
    after: fromMs === null ? 0 : (found[0] ?? 0),
    before: toMs === null ? Number.MAX_SAFE_INTEGER : (found.at(-1) ?? 0) + 1,
  }
}

export function presentEntry({ currency }: Wallet, entry: Entry): Wire<typeof WalletEntry> {
  return {
    sequence: entry.sequence,
    debit: entry.debit,
    credit: entry.credit,
    amount: majorNumber(entry.amountMinor, currency),
    currency,
    available_after: majorNumber(entry.availableAfterMinor, currency),
    contract_id: entry.contractId,
    transaction_id: transactionIdOf(entry),
    reference: entry.reference,
    created_at: new Date(entry.atMs).toISOString(),
  }
}
