// What payers see of an account: looked up for its payment pages, and as an audit list keeps it.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Brand } from '../../domain/account/brand.ts'
import { logoUri, readLogo } from '../../formats/logo-image.ts'
import type { Session } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { brandFrom, findBrand } from '../../store/accounts/brands.ts'

/** Whom a payer pays: the name of the brand or else of the account, and what else is shown. */
export type ShownBrand = Brand & { readonly name: string }

/** Looks brands up for the payment page. A change holds after a second. */
export function openBrands(reader: Session, monotonicMs: () => number): (key: AccountKey) => Promise<ShownBrand> {
  const perf = { now: monotonicMs }
  const known = new LRUCache<string, ShownBrand>({ max: REMEMBERED_MAX, ttl: REMEMBERED_MS, ttlResolution: 0, perf })
  return async ({ lane, accountId }) => {
    const found = known.get(accountId)
    if (found) return found
    const [result] = await reader.send([findBrand({ lane, accountId })])
    const row = result?.rows[0]
    if (!row) throw new Error('a contract without its account')
    const brand = brandFrom(row)
    const shown = { ...brand, name: brand.name ?? (row['name'] as string) }
    known.set(accountId, shown)
    return shown
  }
}

const REMEMBERED_MS = 1000
/** A logo has some 40 kB. */
const REMEMBERED_MAX = 500

/** A logo as it is kept: rebuilt from the parts that draw it. */
export function keptLogo(uri: string) {
  const read = readLogo(uri)
  return 'fault' in read ? read : { uri: logoUri(read) }
}

/** What of the brand an audit list keeps: of a logo only which it was. */
export function auditedBrand({ name, logo, colour, support }: Brand) {
  const { email, phone, url } = support
  return {
    brand_name: name,
    brand_logo: logo === null ? null : `sha256:${createHash('sha256').update(logo).digest('hex').slice(0, 32)}`,
    brand_colour: colour,
    support_email: email,
    support_phone: phone,
    support_url: url,
  }
}
