// How accounts show themselves to those who pay them: a row each, apart from the account's own, which every batch rewrites.
import type { Brand } from '../../domain/account/brand.ts'
import type { Row, Statement } from '../../platform/db.ts'
import type { AccountKey } from './accounts.ts'

/** What {@link brandFrom} reads, of accounts a. */
export const BRAND_COLUMNS = `b.name as brand_name, b.logo, b.colour, b.support_email, b.support_phone, b.support_url`
export const WITH_BRAND = `left join account_brands b on b.lane = a.lane and b.account_id = a.account_id`

/** The brand as it is, with the name that stands in where it has none. No row where there is no such account. */
export function findBrand({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'find_brand',
    text: `select a.name, ${BRAND_COLUMNS} from accounts a ${WITH_BRAND} where a.lane = $1 and a.account_id = $2`,
    values: [lane, accountId],
  }
}

export function brandFrom(row: Row): Brand {
  const text = (name: string) => (row[name] as string | null) ?? null
  return {
    name: text('brand_name'),
    logo: text('logo'),
    colour: text('colour'),
    support: { email: text('support_email'), phone: text('support_phone'), url: text('support_url') },
  }
}

/** The whole brand, in place of the one before. */
export function saveBrand({ lane, accountId }: AccountKey, { name, logo, colour, support }: Brand): Statement {
  const { email, phone, url } = support
  return {
    name: 'save_brand',
    text: `insert into account_brands (lane, account_id, name, logo, colour, support_email, support_phone, support_url)
           values ($1, $2, $3, $4, $5, $6, $7, $8)
           on conflict (lane, account_id) do update
              set name = excluded.name, logo = excluded.logo, colour = excluded.colour, support_email = excluded.support_email,
                  support_phone = excluded.support_phone, support_url = excluded.support_url`,
    values: [lane, accountId, name, logo, colour, email, phone, url],
  }
}
