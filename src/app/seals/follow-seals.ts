// Follows the chains of seals while the gateway works: what was sealed since the last look is proved, and that the seal of that look
// is still there. What was seen is in this process's memory, where nobody who writes the database comes: an end that is cut off is
// found without a file of heads. Older pasts are for gateway verify.
import { laneOf } from '../../domain/contract/ids.ts'
import type { Finding } from '../../ledger/verify.ts'
import type { Session } from '../../platform/db.ts'
import { sha256Hex } from '../../platform/hashes.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { accountsSealed } from '../../store/seals/seals.ts'
import type { SealKeys } from './heads.ts'
import { NOTHING_REACHED, type Reached, reachedBy, sealAt } from './reached.ts'
import { fault, type SealFault, verifyAccount } from './verify-seals.ts'

/** By account, the newest seal that was proved: its number and the hash of its text. */
export type SeenSeals = Map<string, { readonly number: number; readonly hash: string }>

/** So many of the newest seals are proved where none was seen yet. */
const FIRST_LOOK = 10

/** Looks at every account of a lane; the first fault of each. `goesOn`: called after each seal, false ends the look. */
export async function followSeals(
  session: Session,
  lane: number,
  keys: SealKeys,
  seen: SeenSeals,
  goesOn: () => Promise<boolean>,
): Promise<Finding[]> {
  const [found] = await session.send([accountsSealed(lane)])
  const noted = new Map(
    (found?.rows ?? []).map((row) => [
      row['account_id'] as string,
      { number: Number(row['number']), position: Number(row['position']) },
    ]),
  )
  // Of an account whose seals are all gone nothing in the database tells.
  for (const accountId of seen.keys())
    if (laneOf(accountId) === lane && !noted.has(accountId)) noted.set(accountId, { number: 0, position: 0 })
  const findings: Finding[] = []
  for (const [accountId, reached] of noted) {
    const key = { lane, accountId }
    const before = await beginning(session, key, reached.number, seen)
    const proved =
      'proof' in before
        ? { last: null, fault: before }
        : await verifyAccount(session, key, keys, { before, noted: reached, since: null, goesOn })
    if (proved.last && proved.last.text !== null)
      seen.set(accountId, { number: proved.last.number, hash: sha256Hex(proved.last.text) })
    if (proved.fault) findings.push({ lane, accountId, ...proved.fault })
  }
  return findings
}

/** The seal that was seen, or one of the newest; a fault where it is not what was seen. */
async function beginning(
  session: Session,
  key: AccountKey,
  newest: number,
  seen: SeenSeals,
): Promise<Reached | SealFault> {
  const known = seen.get(key.accountId)
  const number = known?.number ?? newest - FIRST_LOOK
  if (number <= 0) return NOTHING_REACHED
  const stored = await sealAt(session, key, number)
  if (stored === null) {
    const when = known ? 'it was there when it was looked for last, and is not any more' : 'later ones are noted'
    return fault('seal.newest there', { number }, when)
  }
  if (known && sha256Hex(stored.text) !== known.hash)
    return fault('seal = seen seal', stored, 'another one was in its place when it was looked for last')
  return reachedBy(stored)
}
