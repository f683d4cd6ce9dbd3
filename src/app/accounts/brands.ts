// How an account shows itself to its payers: looked up for the payment page, and changed by whoever holds a key for it.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { changed } from '../../domain/account/audit.ts'
import { type Brand, type BrandPatch, patchedBrand } from '../../domain/account/brand.ts'
import { type Problem, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import { logoUri, readLogo } from '../../formats/logo-image.ts'
import type { Session } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { type BrandedAccount, brandFrom, findBrand, saveBrand } from '../../store/accounts/brands.ts'
import { type AccountBrand, presentAccountBrand } from '../../wire/accounts/brand.ts'
import type { Wire } from '../../wire/shapes.ts'
import { changeAccount, type ChangeDeps, type Changer, unchanged } from './changes.ts'

/** Whom a payer pays: the name of the brand or else of the account, and what else is shown. */
export type ShownBrand = Brand & { readonly name: string }

/** Looks brands up for the payment page. A change holds after a second. */
export function openBrands(reader: Session, monotonicMs: () => number): (key: AccountKey) => Promise<ShownBrand> {
  const perf = { now: monotonicMs }
  const known = new LRUCache<string, ShownBrand>({ max: REMEMBERED_MAX, ttl: REMEMBERED_MS, ttlResolution: 0, perf })
  return async ({ lane, accountId }) => {
    const found = known.get(accountId)
    if (found) return found
    const shown = shownBrand(await brandOf(reader, { lane, accountId }))
    known.set(accountId, shown)
    return shown
  }
}

const REMEMBERED_MS = 1000
/** A logo has some 40 kB. */
const REMEMBERED_MAX = 500

const shownBrand = ({ accountName, brand }: BrandedAccount): ShownBrand => ({
  ...brand,
  name: brand.name ?? accountName,
})

/** The brand of an account that exists. */
export async function brandOf(reader: Session, key: AccountKey): Promise<BrandedAccount> {
  const [result] = await reader.send([findBrand(key)])
  const row = result?.rows[0]
  if (!row) throw new Error('a caller without its account')
  return brandFrom(row)
}

/** Changes what payers see of an account, and says it: to the audit list and in an event. */
export async function changeBrand(
  deps: ChangeDeps,
  changer: Changer,
  patch: BrandPatch,
): Promise<Wire<typeof AccountBrand> | Refusal> {
  const { accountId } = changer
  return changeAccount(deps, changer, [findBrand(changer)], ([found]) => {
    const row = found?.rows[0]
    if (!row) throw new Error('a held account is not there')
    const account = brandFrom(row)
    const problems: Problem[] = []
    const brand = patchedBrand(account.brand, patch, keptLogo, problems)
    const [first, ...others] = problems
    if (first) return refuseAll([first, ...others])
    const shown = presentAccountBrand(accountId, { ...account, brand })
    const audited = changed(auditedBrand(account.brand), auditedBrand(brand))
    if (audited === null) return unchanged(shown)
    const object = { type: 'account', id: accountId }
    return {
      statements: [saveBrand(changer, brand)],
      audited: [{ action: 'account.updated', object, ...audited }],
      events: [{ type: 'account.updated', object: shown }],
      value: shown,
    }
  })
}

function keptLogo(uri: string) {
  const read = readLogo(uri)
  return 'fault' in read ? read : { uri: logoUri(read) }
}

/** What of the brand an audit list keeps: of a logo only which it was. */
function auditedBrand({ name, logo, colour, support }: Brand) {
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
