// Contracts of an account for which some rail was asked to move money, newest first: what the books of a provider can be
// compared with.
import { type Statement, textArray } from '../../platform/db.ts'
import type { AccountKey } from '../accounts/accounts.ts'

export type SentFilter = {
  /** Those that any attempt went through. */
  readonly channelIds: readonly string[]
  /** This contract alone; null for all. */
  readonly contractId: string | null
  /** The id that the page before ended with. */
  readonly after: string | null
  readonly limit: number
}

/** One row more than the limit, to tell whether there is a next page. */
export function listSentContracts({ lane, accountId }: AccountKey, filter: SentFilter): Statement {
  const { channelIds, contractId, after, limit } = filter
  return {
    name: 'list_sent_contracts',
    text: `select c.lane, c.account_id, c.id, c.position, c.expires_at <= now() as over, h.document
             from contracts c
             join jobs j on j.lane = c.lane and j.account_id = c.account_id and j.contract_id = c.id
             join contract_versions h on h.lane = c.lane and h.account_id = c.account_id and h.position = c.position
            where c.lane = $1 and c.account_id = $2
                  and ($5::uuid is null or c.id = $5) and ($6::uuid is null or c.id < $6)
                  and (c.channel_id = any($4::text[]) or j.channel_id = any($4::text[]) or exists (
                         select 1 from json_array_elements(h.document -> 'attempts') t
                          where t ->> 'channelId' = any($4::text[])))
            order by c.id desc
            limit $3`,
    values: [lane, accountId, limit + 1, textArray(channelIds), contractId, after],
  }
}
