// A wallet at a moment and over a period. A moment that rows may still be written for is read while the account is held: a batch
// stamps its rows before it commits them. What is asked for later is the same, then, for ever.
import { type Refusal, refuseAll, invalid } from '../../domain/contract/refusals.ts'
import type { Line, Standing, Statement } from '../../domain/wallet/statement.ts'
import type { Wallet } from '../../domain/wallet/wallet.ts'
import { findTimeZone, lineFrom, listLines, standingAt, standingFrom } from '../../ledger/moments.ts'
import { loadWallets, walletFrom } from '../../ledger/wallets.ts'
import { CLOCK, databaseTimeFrom } from '../../store/contracts/expiry.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { scopeOf } from '../../platform/scope.ts'
import { whileHeld } from '../accounts/held-account.ts'
import type { Deps } from '../deps.ts'

type MomentDeps = Pick<Deps, 'reader' | 'changes'>

/** What dates are read by. */
export type Today = { readonly nowMs: number; readonly timeZone: string }

/** The account's wallets, by the database's clock and in the account's time zone. */
export async function walletsToday(
  { reader }: Pick<Deps, 'reader'>,
  owner: AccountKey,
): Promise<Today & { readonly wallets: readonly Wallet[] }> {
  const [clock, zone, wallets] = await reader.send([CLOCK, findTimeZone(owner), loadWallets(scopeOf([owner]), [owner])])
  return {
    nowMs: databaseTimeFrom(clock),
    timeZone: (zone?.rows[0]?.['time_zone'] as string | undefined) ?? 'UTC',
    wallets: (wallets?.rows ?? []).map(walletFrom),
  }
}

/** No transaction of the write path is open for so long: its statements and its pauses have limits of seconds. */
const SETTLED_AFTER_MS = 600_000

/** How the wallet stood at each of the moments. None may be later than `nowMs`, the database's clock. */
export async function standingsAt(
  { reader, changes }: MomentDeps,
  wallet: Wallet,
  moments: readonly number[],
  nowMs: number,
): Promise<readonly Standing[]> {
  const asked = moments.map((atMs) => standingAt(wallet, atMs))
  if (moments.every((atMs) => atMs <= nowMs - SETTLED_AFTER_MS)) {
    const results = await reader.send(asked)
    return results.map(({ rows }) => standingFrom(rows[0]))
  }
  return whileHeld(changes.serialSession, wallet, asked, (_, results) => ({
    statements: [],
    value: results.map(({ rows }) => standingFrom(rows[0])),
  }))
}

/** Refuses a moment that has not come: what is booked before it is not known. */
export function refuseFuture(param: string): Refusal {
  return refuseAll([invalid(param, `${param} is in the future. Give a moment that has passed.`)])
}

export async function statementOf(
  deps: MomentDeps,
  wallet: Wallet,
  fromMs: number,
  toMs: number,
  nowMs: number,
): Promise<Statement> {
  const [opening, closing] = await standingsAt(deps, wallet, [fromMs, toMs], nowMs)
  if (!opening || !closing) throw new Error('a wallet stands somewhere at each moment')
  return { wallet, fromMs, toMs, opening, closing }
}

/** A page of the lines after a number, one more than the limit where there are more. Rows never change. */
export async function pageOfLines(
  { reader }: Pick<Deps, 'reader'>,
  { wallet, opening, closing }: Statement,
  after: number | null,
  limit: number,
): Promise<Line[]> {
  const begin = Math.max(after ?? 0, opening.sequence)
  const [result] = await reader.send([listLines(wallet, begin, closing.sequence, limit)])
  return (result?.rows ?? []).map(lineFrom)
}

const LINES_AT_ONCE = 500

/** All lines, a page at a time: however long the period, a page is all that is held. */
export async function* allLines(deps: Pick<Deps, 'reader'>, statement: Statement): AsyncGenerator<readonly Line[]> {
  let after: number | null = null
  do {
    const found: Line[] = await pageOfLines(deps, statement, after, LINES_AT_ONCE)
    const page = found.slice(0, LINES_AT_ONCE)
    yield page
    after = found.length > LINES_AT_ONCE ? (page.at(-1)?.sequence ?? null) : null
  } while (after !== null)
}
