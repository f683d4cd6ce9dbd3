// How far the sealed past of an account is believed, what goes on from there, and the rows behind a seal: for the proof of the books,
// for the look that follows them, and for archives.
import { rangesBetween, type Seal, type SealedEntry, type SealedWallet, type Step } from '../../domain/seal/seal.ts'
import type { Session } from '../../platform/db.ts'
import { sha256Hex } from '../../platform/hashes.ts'
import { definite } from '../../platform/servers/absence.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import {
  entriesSealed,
  entryFrom,
  sealsAfter,
  stepFrom,
  stepsBetween,
  type StoredSeal,
  storedSealFrom,
} from '../../store/seals/seals.ts'

export type Reached = {
  readonly number: number
  readonly to: number
  /** The text of its newest seal; null before the first. */
  readonly text: string | null
  readonly wallets: readonly SealedWallet[]
}

export const NOTHING_REACHED: Reached = { number: 0, to: 0, text: null, wallets: [] }

export const reachedBy = ({ number, to, text, wallets }: StoredSeal): Reached => ({ number, to, text, wallets })

/** Whether the seal says that it was made after that one. */
export const goesOnFrom = ({ text, to }: Reached, seal: Seal): boolean =>
  seal.previous === (text === null ? null : sha256Hex(text)) && seal.from === to + 1

/** The seal of that number; null where the account has none. */
export async function sealAt(session: Session, key: AccountKey, number: number): Promise<StoredSeal | null> {
  const [page] = await session.send([sealsAfter(key, number - 1, 1)])
  const [stored] = (page?.rows ?? []).map(storedSealFrom)
  return stored?.number === number ? stored : null
}

/** The steps and ledger rows that a seal is about, as they are now. */
export async function rowsBehind(
  session: Session,
  key: AccountKey,
  before: Reached,
  { from, to, wallets }: StoredSeal,
): Promise<{ readonly steps: readonly Step[]; readonly entries: readonly SealedEntry[] }> {
  const [history, ledger] = await session.send([
    definite(stepsBetween(key, from, to)),
    definite(entriesSealed(key, rangesBetween(before.wallets, wallets))),
  ])
  return { steps: (history?.rows ?? []).map(stepFrom), entries: (ledger?.rows ?? []).map(entryFrom) }
}
