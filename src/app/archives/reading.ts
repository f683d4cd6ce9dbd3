// Reads the sealed past of an account stretch by stretch, each proved before it is handed on. A sealed past does not change, so no
// snapshot is held over the whole of it, which would keep the server from cleaning up behind a gateway at work.
import { sealFrom } from '../../domain/seal/seal.ts'
import { ALL_LANES, laneOf } from '../../domain/contract/ids.ts'
import type { Session } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { accountsSealed, sealsAfter, type StoredSeal, storedSealFrom } from '../../store/seals/seals.ts'
import type { SealKeys } from '../seals/heads.ts'
import { NOTHING_REACHED, type Reached, reachedBy, rowsBehind, sealAt } from '../seals/reached.ts'
import { proved, type ProvedStretch, type Stretch } from './stretch.ts'

const SEALS_AT_ONCE = 10

/** The accounts that have seals, or that one alone. */
export async function sealedAccounts(session: Session, accountId: string | null): Promise<AccountKey[]> {
  const lanes = accountId === null ? ALL_LANES : [laneOf(accountId)]
  const found = await session.send(lanes.map(accountsSealed))
  const keys = found.flatMap(({ rows }, i) =>
    rows.map((row): AccountKey => ({ lane: lanes[i] ?? 0, accountId: row['account_id'] as string })),
  )
  return accountId === null ? keys : keys.filter((key) => key.accountId === accountId)
}

/** Where an archive stands that ends with a seal of this text: null where the account's seal of that number is another one. */
export async function reachedBefore(
  session: Session,
  key: AccountKey,
  number: number,
  text: string,
): Promise<Reached | null> {
  if (number === 0) return NOTHING_REACHED
  const stored = await sealAt(session, key, number)
  return stored?.text === text ? reachedBy(stored) : null
}

/** The stretches after `reached` that were sealed before a moment (ISO 8601, UTC), in their order. Throws PastInDoubt at the first that is not what was sealed. */
export async function* stretchesAfter(
  session: Session,
  key: AccountKey,
  reached: Reached,
  before: string,
  keys: SealKeys,
): AsyncGenerator<ProvedStretch> {
  let at = reached
  for (;;) {
    const [page] = await session.send([sealsAfter(key, at.number, SEALS_AT_ONCE)])
    const seals = (page?.rows ?? []).map(storedSealFrom)
    for (const stored of seals) {
      const sealedAt = sealFrom(stored.text)?.sealed_at
      if (sealedAt !== undefined && sealedAt >= before) return
      const next = proved(key.accountId, at, await stretchOf(session, key, at, stored), keys)
      at = next.reached
      yield next
    }
    if (seals.length < SEALS_AT_ONCE) return
  }
}

async function stretchOf(session: Session, key: AccountKey, before: Reached, stored: StoredSeal): Promise<Stretch> {
  const { number, text, signature, salt, walletsText } = stored
  return { seal: { number, text, signature, salt, walletsText }, ...(await rowsBehind(session, key, before, stored)) }
}
