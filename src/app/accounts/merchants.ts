// Who stands behind an account, for payers and for those who look at its contracts without its key.
import { LRUCache } from 'lru-cache'
import type { Session } from '../../platform/db.ts'
import { type AccountKey, findAccountName } from '../../store/accounts/accounts.ts'

/** `sites`: where its payers may be sent to; none for anywhere. */
export type Merchant = { readonly profileId: string; readonly name: string; readonly sites: readonly string[] }

/** Looks accounts up; what was found is cached for a while, for a profile never changes and a name seldom does. */
export function openMerchants(reader: Session, monotonicMs: () => number): (key: AccountKey) => Promise<Merchant> {
  const perf = { now: monotonicMs }
  const known = new LRUCache<string, Merchant>({ max: REMEMBERED_MAX, ttl: REMEMBERED_MS, ttlResolution: 0, perf })
  return async ({ lane, accountId }) => {
    const found = known.get(accountId)
    if (found) return found
    const [result] = await reader.send([findAccountName({ lane, accountId })])
    const row = result?.rows[0]
    if (!row) throw new Error('a contract without its account')
    const sites = (row['sites'] as string[] | null) ?? []
    const merchant = { profileId: row['profile_id'] as string, name: row['name'] as string, sites }
    known.set(accountId, merchant)
    return merchant
  }
}

const REMEMBERED_MS = 60_000
const REMEMBERED_MAX = 10_000
