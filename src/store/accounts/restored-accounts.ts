// Which accounts a restore of the database was of, and which of them were told.
import { forRows } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement } from '../../platform/db.ts'
import { KEY } from '../columns.ts'
import type { AccountKey } from './accounts.ts'

/** An account that was there when an epoch began, whose recovery has ended since. */
export type RestoredAccount = AccountKey & { readonly epoch: number }

/** Those of these epochs, in one order, after one of them. */
export function restoredAccounts(epochs: readonly number[], after: RestoredAccount | null, limit: number): Statement {
  return {
    name: 'restored_accounts',
    merge: {
      order: [
        ['lane', 'up'],
        ['account_id', 'up'],
        ['epoch', 'up'],
      ],
      limit: 4,
    },
    text: `-- every lane: an epoch is everybody's
           select p.lane, p.account_id, p.epoch
             from epoch_positions p
            where p.epoch = any($5::int[]) and (p.lane, p.account_id, p.epoch) > ($1::int, $2::uuid, $3::int)
            order by p.lane, p.account_id, p.epoch
            limit $4`,
    values: [after?.lane ?? -1, after?.accountId ?? NOBODY, after?.epoch ?? 0, limit, plainArray(epochs)],
  }
}

const NOBODY = '00000000-0000-0000-0000-000000000000'

export const restoredAccountFrom = (row: Row): RestoredAccount => ({
  lane: row['lane'] as number,
  accountId: row['account_id'] as string,
  epoch: row['epoch'] as number,
})

/** The newest epoch of the account's history; null in the first. */
export function newestEpochOf({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'newest_epoch_of_account',
    text: `select max(p.epoch) as epoch from epoch_positions p where p.lane = $1 and p.account_id = $2`,
    values: [lane, accountId],
  }
}

/** Which of these events of accounts are in their histories. */
export const toldEvents = forRows(
  'told_events',
  KEY,
  (events) => `select e.id
     from ${events}
     join account_events e on e.lane = x.lane and e.account_id = x.account_id and e.id = x.id
    where $lane(e)`,
)
