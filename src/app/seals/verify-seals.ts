// Proves that history and ledger are what was sealed: each account's seals one after another, and behind each of them every row. Says
// which is the first that is not, and where it can, which member. Reads only.
import {
  type EntryRange,
  rangesBetween,
  type Seal,
  sealFrom,
  type SealedEntry,
  type Step,
} from '../../domain/seal/seal.ts'
import { laneOf } from '../../domain/contract/ids.ts'
import { removedFrom } from '../../domain/seal/removed.ts'
import type { Finding } from '../../ledger/verify.ts'
import type { Session } from '../../platform/db.ts'
import { hashesIn, rootOf } from '../../platform/hashes.ts'
import { isSignedBy } from '../../platform/signing.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import {
  accountsSealed,
  positionOf,
  sealsAfter,
  type SealHead,
  type StoredSeal,
  storedSealFrom,
} from '../../store/seals/seals.ts'
import { faultOfHead, type SealKeys } from './heads.ts'
import { changedMembers } from './changed-members.ts'
import { booksHash, entryHash, leafOf } from './leaves.ts'
import { goesOnFrom, NOTHING_REACHED, type Reached, reachedBy, rowsBehind } from './reached.ts'

export type ProvedSeals = { readonly findings: readonly Finding[]; readonly seals: number }

export type SealFault = Pick<Finding, 'proof' | 'row' | 'problem'>

const SEALS_AT_ONCE = 10

/**
 * Proves the seals of a lane: the first fault of each account. `since`: by account the newest seal of an earlier proof; the seals up
 * to it are proved, and not what is behind them.
 */
export async function verifySeals(
  session: Session,
  lane: number,
  keys: SealKeys,
  since: ReadonlyMap<string, SealHead> = new Map(),
): Promise<ProvedSeals> {
  const [found] = await session.send([accountsSealed(lane)])
  const findings: Finding[] = []
  let seals = 0
  const [rows, sealed] = [found?.rows ?? [], new Set<string>()]
  for (const row of rows) sealed.add(row['account_id'] as string)
  for (const { accountId, number } of since.values())
    if (laneOf(accountId) === lane && !sealed.has(accountId)) findings.push({ lane, accountId, ...goneFrom(number) })
  for (const row of rows) {
    const accountId = row['account_id'] as string
    const noted = { number: Number(row['number']), position: Number(row['position']) }
    const from = { before: NOTHING_REACHED, noted, since: since.get(accountId) ?? null }
    const proved = await verifyAccount(session, { lane, accountId }, keys, from)
    seals += proved.last.number
    if (proved.fault) findings.push({ lane, accountId, ...proved.fault })
  }
  return { findings, seals }
}

const goneFrom = (number: number) => fault('seal.newest there', { number }, 'the account has no seal any more')

/** The last seal of an account that is as it was made, and why the next one is not; no fault where it is the newest. */
export type ProvedAccount = { readonly last: Reached; readonly fault: SealFault | null }

export type FromSeal = {
  /** What is not proved again. */
  readonly before: Reached
  /** How far the account is sealed by the note of it, and where its history stood. */
  readonly noted: { readonly number: number; readonly position: number }
  /** Behind the seals up to this one nothing is read. */
  readonly since: SealHead | null
  /** Called after each seal; false ends it there. */
  readonly goesOn?: () => Promise<boolean>
}

/** Proves the seals of an account one after another. */
export async function verifyAccount(
  session: Session,
  key: AccountKey,
  keys: SealKeys,
  { before: first, noted, since, goesOn }: FromSeal,
): Promise<ProvedAccount> {
  let before = first
  for (;;) {
    const [page] = await session.send([sealsAfter(key, before.number, SEALS_AT_ONCE)])
    const seals = (page?.rows ?? []).map(storedSealFrom)
    for (const stored of seals) {
      const seal = sealFrom(stored.text)
      if (seal === null) return { last: before, fault: fault('seal.text', stored, 'its text is no text of a seal') }
      const broken =
        faultOfSeal(key, before, stored, seal, keys) ??
        faultOfHeadBeside(stored, since, keys) ??
        (since !== null && stored.number <= since.number ? null : await faultBehind(session, key, before, stored, seal))
      if (broken) return { last: before, fault: broken }
      before = reachedBy(stored)
      if (goesOn && !(await goesOn())) return { last: before, fault: null }
    }
    if (seals.length < SEALS_AT_ONCE) {
      const reached = { ...noted, number: Math.max(noted.number, since?.number ?? 0) }
      return { last: before, fault: await faultOfEnd(session, key, before, reached) }
    }
  }
}

export const fault = (proof: string, { number }: Pick<StoredSeal, 'number'>, problem: string): SealFault => ({
  proof,
  row: `seal ${number}`,
  problem,
})

/** The seal by itself, and as the one after the seal before it. */
function faultOfSeal(
  key: AccountKey,
  before: Reached,
  stored: StoredSeal,
  seal: Seal,
  keys: SealKeys,
): SealFault | null {
  if (stored.number !== before.number + 1)
    return fault('seal.number gapless', stored, `it stands where seal ${before.number + 1} belongs: seals were removed`)
  const publicKey = keys.known(seal.key)
  if (publicKey === null)
    return fault('seal.key known', stored, `it is signed by the key ${seal.key}, which is not here`)
  if (!isSignedBy(publicKey, stored.text, stored.signature))
    return fault('seal.signature', stored, `its text is not what the key ${seal.key} has signed`)
  const { number, from, to, account } = seal
  if (account !== key.accountId || number !== stored.number || from !== stored.from || to !== stored.to)
    return fault(
      'seal.place = text',
      stored,
      `its text is that of seal ${number} of ${account}, positions ${from} to ${to}`,
    )
  if (!goesOnFrom(before, seal))
    return fault('seal.previous', stored, `it was not made after seal ${before.number} as it is`)
  const leaves = hashesIn(stored.leaves)
  if (leaves.length !== to - from + 1 || rootOf(leaves).toString('hex') !== seal.history)
    return fault('seal.history = leaves', stored, 'the hashes of its steps are not those that it was made of')
  if (booksHash(stored.salt, stored.entries, stored.walletsText) !== seal.books)
    return fault('seal.books = entries', stored, 'the hashes of its ledger rows, or its wallets, are not those of then')
  return null
}

/** The seal beside the one that an earlier proof ended with. */
function faultOfHeadBeside(stored: StoredSeal, since: SealHead | null, keys: SealKeys): SealFault | null {
  if (since === null || stored.number !== since.number) return null
  const problem = faultOfHead(since, keys) ?? (stored.text === since.text ? null : 'another one was kept of it')
  return problem === null ? null : fault('seal = kept head', stored, problem)
}

/** Seals that were there, and a history that is shorter than what was sealed of it. */
async function faultOfEnd(
  session: Session,
  key: AccountKey,
  last: Reached,
  noted: { readonly number: number; readonly position: number },
): Promise<SealFault | null> {
  if (noted.number > last.number)
    return fault('seal.newest there', { number: noted.number }, `the newest that is there is seal ${last.number}`)
  if (noted.position >= last.to) return null
  // A gateway at work may have gone on, and sealed that, since it was noted.
  const [stands] = await session.send([positionOf(key)])
  const position = Number(stands?.rows[0]?.['position'] ?? 0)
  return position >= last.to
    ? null
    : fault('seal.position reached', last, `it ends at position ${last.to}, the account stands at ${position}`)
}

/** What the seal is about, row by row. */
async function faultBehind(
  session: Session,
  key: AccountKey,
  before: Reached,
  stored: StoredSeal,
  seal: Seal,
): Promise<SealFault | null> {
  const { steps, entries } = await rowsBehind(session, key, before, stored)
  const bad = firstBad(stored, steps)
  if (bad !== null) return faultOfStep(session, key, stored, seal, bad, steps)
  return faultOfEntries(stored, seal, rangesBetween(before.wallets, stored.wallets), entries)
}

/** The first position that is not as it was sealed. */
function firstBad(stored: StoredSeal, steps: readonly Step[]): number | null {
  const leaves = hashesIn(stored.leaves)
  for (const [place, leaf] of leaves.entries()) {
    const step = steps[place]
    const position = stored.from + place
    const isAlone = steps[place + 1]?.position !== position
    if (step?.position !== position || !isAlone || !leafOf(stored.salt, step).hash.equals(leaf)) return position
  }
  return null
}

async function faultOfStep(
  session: Session,
  key: AccountKey,
  stored: StoredSeal,
  seal: Seal,
  position: number,
  all: readonly Step[],
): Promise<SealFault> {
  const [step, second] = all.filter((each) => each.position === position)
  const at = `position ${position}`
  if (!step)
    return {
      proof: 'history = seal',
      row: at,
      problem: `it was sealed on ${seal.sealed_at}, and is not there any more`,
    }
  if (second)
    return {
      proof: 'history = seal',
      row: at,
      problem: `two rows have the position, one was sealed on ${seal.sealed_at}`,
    }
  const leaf = leafOf(stored.salt, step)
  const { names, kind } = await changedMembers(session, key, step, leaf, stored.marks, position - stored.from)
  const what = step.isContract ? `version ${step.version} of contract ${step.object}` : `event ${step.object}`
  const of = step.isContract ? `${kind} ${step.object}` : `event ${step.object}`
  const isRemoved = step.isContract && removedFrom(step.document) !== null
  const lost = isRemoved
    ? 'what is kept of its document, its number, event or moment'
    : 'a member that is gone, its number, event or moment'
  const words = names.length === 0 ? `the step of ${of} (${lost})` : names.map((name) => `${name} of ${of}`).join(', ')
  const problem = `${words} is not what was sealed on ${seal.sealed_at}`
  return { proof: 'history = seal', row: `${what} at ${at}`, problem }
}

function faultOfEntries(
  { entries }: StoredSeal,
  { sealed_at: sealedAt }: Seal,
  ranges: readonly EntryRange[],
  found: readonly SealedEntry[],
): SealFault | null {
  const there = new Map(found.map((entry) => [`${entry.walletId}/${entry.sequence}`, entry]))
  const hashes = hashesIn(entries)
  let place = 0
  for (const { walletId, after, to } of ranges) {
    for (let sequence = after + 1; sequence <= to; sequence++, place++) {
      const entry = there.get(`${walletId}/${sequence}`)
      const row = `ledger row ${sequence} of wallet ${walletId}`
      if (!entry)
        return { proof: 'ledger = seal', row, problem: `it was sealed on ${sealedAt}, and is not there any more` }
      if (!hashes[place]?.equals(entryHash(entry)))
        return { proof: 'ledger = seal', row, problem: `it is not what was sealed on ${sealedAt}` }
    }
  }
  return null
}
