// Sealing an account's history and ledger, a stretch at a time, so that a command writes nothing for it. A stretch is sealed once,
// whoever does it: seals are counted, and of two with one number the second is not written.
import { randomBytes } from 'node:crypto'
import { SEAL_FORM, type SealedEntry, type SealedWallet, sealText, type Step } from '../../domain/seal/seal.ts'
import type { Stored } from '../../platform/db.ts'
import { rootOf, sha256Hex } from '../../platform/hashes.ts'
import type { Signer } from '../../platform/signing.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import {
  balancesAfter,
  entriesToSeal,
  entryFrom,
  insertSeal,
  keepSealKey,
  lastSeal,
  saveSealProgress,
  type SealEnd,
  sealEndFrom,
  stepFrom,
  stepsBetween,
} from '../../store/seals/seals.ts'
import type { SearchSession } from '../resources/indexing.ts'
import { booksHash, entryHash, marksOf, wholeLeafOf } from './leaves.ts'

/** Positions of a history, and rows of a ledger, in one seal. */
export const STEPS_AT_ONCE = 500
const ENTRIES_AT_ONCE = 5000
const SALT_BYTES = 32

export type SealDeps = {
  readonly session: SearchSession
  readonly signer: Signer
  /** Where the gateway is reached. */
  readonly baseUrl: () => string
  readonly nowMs: () => number
}

/** Seals the next stretch of an account; how many positions and ledger rows that were. */
export async function sealStretch(deps: SealDeps, key: AccountKey): Promise<number> {
  return deps.session.run((own) =>
    own.transaction([lastSeal(key)], ([last]) => {
      const end = sealEndFrom(last?.rows[0])
      const load = [
        stepsBetween(key, end.position + 1, end.position + STEPS_AT_ONCE),
        // After the history: what a step booked is there with it.
        entriesToSeal(key, end.wallets, ENTRIES_AT_ONCE),
      ]
      return {
        load,
        decide: ([history, ledger]): Stored<number> => {
          const steps = unbroken((history?.rows ?? []).map(stepFrom), end.position)
          const position = end.position + steps.length
          const { entries, wallets } = entriesUpTo(position, end.wallets, (ledger?.rows ?? []).map(entryFrom))
          return sealed(deps, key, end, { steps, position, entries, wallets })
        },
      }
    }),
  )
}

/** Positions up to the first that is missing: what comes after it waits until somebody has found out why. */
function unbroken(steps: readonly Step[], after: number): Step[] {
  const gap = steps.findIndex(({ position }, index) => position !== after + index + 1)
  return gap === -1 ? [...steps] : steps.slice(0, gap)
}

/** Of each wallet the rows up to the first one of a later position, and what it had then. */
function entriesUpTo(position: number, before: readonly SealedWallet[], rows: readonly SealedEntry[]) {
  const wallets = new Map(before.map((wallet) => [wallet.id, wallet]))
  const entries = rows.filter((entry) => {
    const { walletId, sequence } = entry
    const isNext = sequence === (wallets.get(walletId)?.sequence ?? 0) + 1
    if (!isNext || (entry.position !== null && entry.position > position)) return false
    wallets.set(walletId, { id: walletId, sequence, balances: balancesAfter(entry) })
    return true
  })
  return { entries, wallets: [...wallets.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)) }
}

type Stretch = {
  readonly steps: readonly Step[]
  /** Of the last step, or where the history stood before. */
  readonly position: number
  readonly entries: readonly SealedEntry[]
  readonly wallets: readonly SealedWallet[]
}

function sealed(deps: SealDeps, key: AccountKey, end: SealEnd, stretch: Stretch): Stored<number> {
  const { steps, position, entries, wallets } = stretch
  const sum = wallets.reduce((total, { sequence }) => total + sequence, 0)
  const count = steps.length + entries.length
  const reached = { position, entries: sum }
  if (count === 0) return { statements: [saveSealProgress(key, { ...reached, number: end.number }, null)], value: 0 }
  const { signer } = deps
  const salt = randomBytes(SALT_BYTES)
  const leaves = steps.map((step) => wholeLeafOf(salt, step))
  const hashes = leaves.map(({ hash }) => hash)
  const entryHashes = Buffer.concat(entries.map(entryHash))
  const walletsText = JSON.stringify(wallets)
  const [number, from] = [end.number + 1, end.position + 1]
  const text = sealText({
    form: SEAL_FORM,
    gateway: deps.baseUrl(),
    installation: end.installation,
    epoch: end.epoch,
    account: key.accountId,
    number,
    from,
    to: position,
    history: rootOf(hashes).toString('hex'),
    books: booksHash(salt, entryHashes, walletsText),
    previous: end.text === null ? null : sha256Hex(end.text),
    sealed_at: new Date(deps.nowMs()).toISOString(),
    key: signer.keyId,
  })
  const bytes = { salt, leaves: Buffer.concat(hashes), marks: marksOf(leaves), entries: entryHashes, walletsText }
  const signature = signer.sign(text)
  const statements = [
    keepSealKey(signer.keyId, signer.publicKey),
    insertSeal(key, { number, from, to: position, text, signature, ...bytes }),
    saveSealProgress(key, { ...reached, number }, signature),
  ]
  return { statements, value: count }
}
