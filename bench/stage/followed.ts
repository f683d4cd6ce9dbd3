// What follows the history of seeded contracts, written by the database itself as well: the index of search, whose terms are
// those of the contract that was copied, and how far search and figures are. Otherwise a gateway would work for hours to catch up
// with millions of contracts while it is measured. Seals are left to it: they take a tenth of a processor whatever is behind.
import type pg from 'pg'
import { contractFacts, termsOf } from '../../src/domain/resource/terms.ts'
import { contractFrom } from '../../src/store/contracts/contracts.ts'
import type { Original, Owner } from './seed.ts'

// A statement a term, in the order of the key: so the index grows at its end.
const TERM = `
insert into search_terms (lane, account_id, term, object_id, kind)
select c.lane, c.account_id, replace($3, $4, c.reference_id), c.id, 'c'
  from contracts c
 where c.lane = $1 and c.account_id = any($2::uuid[])
 order by c.account_id, 3, c.id
    on conflict do nothing`

const FOLLOWED = [
  `insert into search_progress (lane, account_id, position)
   select a.lane, a.account_id, a.position from accounts a where a.lane = $1 and a.account_id = any($2::uuid[])
       on conflict (lane, account_id) do update set position = excluded.position`,
  `insert into figures_progress (lane, account_id, position, time_zone)
   select a.lane, a.account_id, a.position, a.time_zone
     from accounts a where a.lane = $1 and a.account_id = any($2::uuid[])
       on conflict (lane, account_id) do update set position = excluded.position`,
]

/** Has search and figures behind none of these owners' contracts, all of which are copies. */
export async function seedFollowed(client: pg.Client, original: Original, owners: readonly Owner[]): Promise<void> {
  const terms = await termsOfOriginal(client, original)
  for (const { lane, accountId } of owners) {
    const key = [lane, [accountId]]
    for (const term of terms) await client.query(TERM, [...key, term, original.referenceId])
    for (const text of FOLLOWED) await client.query(text, key)
  }
}

async function termsOfOriginal(client: pg.Client, original: Original): Promise<string[]> {
  const { lane, accountId, contractId } = original
  const { rows } = await client.query<{ document: unknown }>(
    `select h.document
       from contracts c
       join contract_versions h on h.lane = c.lane and h.account_id = c.account_id and h.position = c.position
      where c.lane = $1 and c.account_id = $2 and c.id = $3`,
    [lane, accountId, contractId],
  )
  return termsOf(contractFacts(contractFrom({ lane, accountId, id: contractId }, rows[0]?.document)))
}
