// A sealed stretch with all that is behind it, and the proof that it is what was sealed and goes on from the one before: the same
// proof before it is written to a file as when the file is read, with no more than public keys.
import {
  type EntryRange,
  rangesBetween,
  type Seal,
  sealFrom,
  type SealedEntry,
  type SealedWallet,
  type Step,
} from '../../domain/seal/seal.ts'
import { rootOf } from '../../platform/hashes.ts'
import { isSignedBy } from '../../platform/signing.ts'
import { BALANCES, balancesAfter, type StoredSeal, walletsFrom } from '../../store/seals/seals.ts'
import type { SealKeys } from '../seals/heads.ts'
import { booksHash, entryHash, leafOf } from '../seals/leaves.ts'
import { goesOnFrom, type Reached } from '../seals/reached.ts'

/** Hashes of steps and rows are not in it: they follow from these. */
export type ArchivedSeal = Pick<StoredSeal, 'number' | 'text' | 'signature' | 'salt' | 'walletsText'>

export type Stretch = {
  readonly seal: ArchivedSeal
  readonly steps: readonly Step[]
  /** In the order of wallets, and in each by its number. */
  readonly entries: readonly SealedEntry[]
}

/** Why a stretch is not believed. */
export type Doubt = { readonly row: string; readonly problem: string }

/** What is read is not what was sealed. */
export class PastInDoubt extends Error {
  override readonly name = 'PastInDoubt'
  readonly row: string
  readonly problem: string
  constructor({ row, problem }: Doubt) {
    super(`${row}: ${problem}`)
    this.row = row
    this.problem = problem
  }
}

export type ProvedStretch = { readonly stretch: Stretch; readonly seal: Seal; readonly reached: Reached }

/** The stretch as the one after what was reached before. Throws {@link PastInDoubt} where it is not believed. */
export function proved(accountId: string, before: Reached, stretch: Stretch, keys: SealKeys): ProvedStretch {
  const { number, text, walletsText } = stretch.seal
  const seal = sealFrom(text)
  if (seal === null || seal.number !== number)
    throw new PastInDoubt({ row: `seal ${number}`, problem: 'its text is no text of this seal' })
  const problem = problemOfSeal(accountId, before, seal, stretch, keys)
  if (problem !== null) throw new PastInDoubt({ row: `seal ${number}`, problem })
  const wallets = walletsFrom(walletsText)
  const wrong = wrongEntry(before.wallets, wallets, stretch.entries)
  if (wrong !== null) throw new PastInDoubt(wrong)
  return { stretch, seal, reached: { number, to: seal.to, text, wallets } }
}

function problemOfSeal(
  accountId: string,
  before: Reached,
  seal: Seal,
  { seal: { number, text, signature, salt, walletsText }, steps, entries }: Stretch,
  keys: SealKeys,
): string | null {
  if (seal.account !== accountId) return `it is of account ${seal.account}`
  const publicKey = keys.known(seal.key)
  if (publicKey === null) return `it is signed by the key ${seal.key}, which is not trusted here`
  if (!isSignedBy(publicKey, text, signature)) return `its text is not what the key ${seal.key} has signed`
  if (number !== before.number + 1 || !goesOnFrom(before, seal)) return `it does not go on from seal ${before.number}`
  const isWhole = steps.length === seal.to - seal.from + 1 && steps.every((step, i) => step.position === seal.from + i)
  if (!isWhole) return `its steps are not positions ${seal.from} to ${seal.to}`
  if (rootOf(steps.map((step) => leafOf(salt, step).hash)).toString('hex') !== seal.history)
    return `the steps at positions ${seal.from} to ${seal.to} are not what was sealed on ${seal.sealed_at}`
  if (booksHash(salt, Buffer.concat(entries.map(entryHash)), walletsText) !== seal.books)
    return `its ledger rows, or its wallets, are not what was sealed on ${seal.sealed_at}`
  return null
}

/** The first row that is not the next of its wallet, or after which the wallet has not what it had and what moved. */
function wrongEntry(
  before: readonly SealedWallet[],
  after: readonly SealedWallet[],
  entries: readonly SealedEntry[],
): Doubt | null {
  const had = new Map(before.map(({ id, balances }) => [id, balances]))
  const due = rangesBetween(before, after).flatMap(numbersOf)
  for (const [place, entry] of entries.entries()) {
    const { walletId, sequence } = entry
    const row = `ledger row ${sequence} of wallet ${walletId}`
    if (due[place] !== `${walletId}/${sequence}`) return { row, problem: `${due[place] ?? 'no row'} belongs there` }
    const balances = balancesAfter(entry)
    if (!isMoved(had.get(walletId) ?? BALANCES.map(() => '0'), entry, balances))
      return { row, problem: 'the balances after it are not those before it and what moved' }
    had.set(walletId, balances)
  }
  if (due.length > entries.length) return { row: `ledger row ${due[entries.length]}`, problem: 'it is not there' }
  const closed = after.find(({ id, balances }) => JSON.stringify(balances) !== JSON.stringify(had.get(id)))
  return closed ? { row: `wallet ${closed.id}`, problem: 'its closing balances are not those of its last row' } : null
}

const numbersOf = ({ walletId, after, to }: EntryRange) =>
  Array.from({ length: to - after }, (_, i) => `${walletId}/${after + 1 + i}`)

type Balances = readonly (string | null)[]

/** Rows of early releases do not say all of their balances. */
function isMoved(before: Balances, { values }: SealedEntry, after: Balances): boolean {
  const [, debit, credit, amount] = values
  return BALANCES.every((column, i) => {
    const [was, is, name] = [before[i] ?? null, after[i] ?? null, column.replace('_after_minor', '')]
    if (was === null || is === null) return true
    const moved = name === credit ? BigInt(amount ?? 0) : name === debit ? -BigInt(amount ?? 0) : 0n
    return BigInt(was) + moved === BigInt(is)
  })
}
