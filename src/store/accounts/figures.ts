// The figures of accounts by day, and how far each account's history is counted in them. Behind the history, never ahead.
import { type FigureKind, type FigureRow, NO_FIGURES, TOOK_SECONDS } from '../../domain/account/figures.ts'
import type { Contract } from '../../domain/contract/contract.ts'
import { date, insertRows, int8, ms, text, word } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement } from '../../platform/db.ts'
import { OWNER } from '../columns.ts'
import { contractFrom } from '../contracts/contracts.ts'
import { removedStatus, standingDocument, withStatus } from '../contracts/removed.ts'
import type { AccountKey } from './accounts.ts'

type StoredRow = AccountKey & FigureRow

const TOOK = NO_FIGURES.took.map((_, i) => [`took_${i}`, int8((row: StoredRow) => row.figures.took[i] ?? 0)] as const)

const COUNTED = {
  created: int8((row: StoredRow) => row.figures.created),
  paid: int8((row: StoredRow) => row.figures.paid),
  completed: int8((row: StoredRow) => row.figures.completed),
  failed: int8((row: StoredRow) => row.figures.failed),
  cancelled: int8((row: StoredRow) => row.figures.cancelled),
  expired: int8((row: StoredRow) => row.figures.expired),
  returned: int8((row: StoredRow) => row.figures.returned),
  moved_minor: int8((row: StoredRow) => row.figures.movedMinor),
  fee_minor: int8((row: StoredRow) => row.figures.feeMinor),
  returned_minor: int8((row: StoredRow) => row.figures.returnedMinor),
  took_seconds: int8((row: StoredRow) => row.figures.tookSeconds),
  ...Object.fromEntries(TOOK),
}

const added = Object.keys(COUNTED).map((name) => `${name} = figures.${name} + excluded.${name}`)

/** Adds to what is counted already. The account's progress is held, so nobody else adds at the moment. */
export const addFigures = insertRows(
  'add_figures',
  'figures',
  {
    ...OWNER,
    day: date((row: StoredRow) => row.day),
    kind: word((row: StoredRow) => row.kind),
    currency: word((row: StoredRow) => row.currency),
    channel_id: text((row: StoredRow) => row.channelId ?? ''),
    ...COUNTED,
  },
  `on conflict (lane, account_id, day, kind, currency, channel_id) do update set ${added.join(', ')}`,
)

/** Forgets all figures of an account: they are counted anew. */
export function deleteFigures({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'delete_figures',
    text: `delete from figures f where f.lane = $1 and f.account_id = $2`,
    values: [lane, accountId],
  }
}

/** The days of an account, both included, in one currency or in all. */
export function figuresBetween(
  { lane, accountId }: AccountKey,
  { from, to, currency }: { readonly from: string; readonly to: string; readonly currency: string | null },
): Statement {
  const columns = Object.keys(COUNTED).map((name) => `f.${name}::text as ${name}`)
  return {
    name: 'figures_between',
    text: `select f.day::text as day, f.kind, f.currency, f.channel_id, ${columns.join(', ')}
             from figures f
            where f.lane = $1 and f.account_id = $2 and f.day between $3::date and $4::date
              and ($5::text is null or f.currency = $5)
            order by f.day, f.kind, f.currency, f.channel_id`,
    values: [lane, accountId, from, to, currency],
  }
}

export function figureRowFrom(row: Row): FigureRow {
  const count = (name: string) => Number(row[name])
  const minor = (name: string) => BigInt(row[name] as string)
  return {
    day: row['day'] as string,
    kind: row['kind'] as FigureKind,
    currency: row['currency'] as string,
    channelId: (row['channel_id'] as string) || null,
    figures: {
      created: count('created'),
      paid: count('paid'),
      completed: count('completed'),
      failed: count('failed'),
      cancelled: count('cancelled'),
      expired: count('expired'),
      returned: count('returned'),
      movedMinor: minor('moved_minor'),
      feeMinor: minor('fee_minor'),
      returnedMinor: minor('returned_minor'),
      tookSeconds: count('took_seconds'),
      took: [...TOOK_SECONDS, null].map((_, i) => count(`took_${i}`)),
    },
  }
}

/** Where an account's history is, and up to where it is counted; days are those of `timeZone`, to be those of `wantedZone`. */
export type Counted = {
  readonly position: number
  readonly counted: number
  readonly timeZone: string
  readonly wantedZone: string
}

/** Holds the account's progress until commit: figures and progress change together, by one at a time. */
export function holdProgress({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'hold_figures_progress',
    text: `insert into figures_progress as p (lane, account_id, position, time_zone)
           select a.lane, a.account_id, 0, a.time_zone from accounts a where a.lane = $1 and a.account_id = $2
               on conflict (lane, account_id) do update set position = p.position
           returning p.position, p.time_zone`,
    values: [lane, accountId],
  }
}

export function countedProgress({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'figures_progress',
    text: `select a.position, a.time_zone as wanted_zone, coalesce(p.position, 0) as counted,
                  coalesce(p.time_zone, a.time_zone) as time_zone
             from accounts a
             left join figures_progress p on p.lane = a.lane and p.account_id = a.account_id
            where a.lane = $1 and a.account_id = $2`,
    values: [lane, accountId],
  }
}

export function countedFrom(row: Row | undefined): Counted {
  return {
    position: Number(row?.['position'] ?? 0),
    counted: Number(row?.['counted'] ?? 0),
    timeZone: (row?.['time_zone'] as string | undefined) ?? 'UTC',
    wantedZone: (row?.['wanted_zone'] as string | undefined) ?? 'UTC',
  }
}

/** Only where the progress is held. */
export function saveProgress({ lane, accountId }: AccountKey, position: number, timeZone: string): Statement {
  return {
    name: 'save_figures_progress',
    text: `update figures_progress set position = $3, time_zone = $4 where lane = $1 and account_id = $2`,
    values: [lane, accountId, position, timeZone],
  }
}

/** Accounts whose history is not counted whole, or in another time zone; those with the least missing first. */
export function accountsUncounted(lanes: readonly number[], limit: number): Statement {
  return {
    name: 'accounts_uncounted',
    merge: { isPartial: true },
    text: `select a.lane, a.account_id
             from accounts a
             left join figures_progress p on p.lane = a.lane and p.account_id = a.account_id
            where a.lane = any($1::int[]) and (a.position > coalesce(p.position, 0) or a.time_zone <> p.time_zone)
            order by a.position - coalesce(p.position, 0), a.account_id
            limit $2`,
    values: [plainArray(lanes), limit],
  }
}

/**
 * A step of an account's history: of a contract its version and the status of the one before, else only where it is. Of a version
 * whose document has left, the contract as it stands with the status of then.
 */
export type Step = {
  readonly position: number
  readonly atMs: number
  readonly contract: Contract | null
  readonly hasLeft: boolean
  readonly before: Contract['status'] | null
}

/** The next steps after what is counted. After {@link holdProgress} in the same transaction. */
export function stepsToCount({ lane, accountId }: AccountKey, limit: number): Statement {
  return {
    name: 'steps_to_count',
    text: `select h.lane, h.account_id, h.position, h.contract_id as id, ${ms('h.at')} as at,
                  case when h.is_contract then ${standingDocument('h')} end as document, b.status as before,
                  case when h.is_contract then ${removedStatus('h')} end as removed_status
             from account_steps h
             -- By its whole key, whatever the planner believes: of a join it may look at each version that the account has.
             left join lateral (
                    select v.document ->> 'status' as status from contract_versions v
                     where h.is_contract and v.lane = $1 and v.account_id = $2 and v.contract_id = h.contract_id
                       and v.version = h.version - 1 and v.version > 0 offset 0) b on true
            where h.lane = $1 and h.account_id = $2
              and h.position > (select p.position from figures_progress p where p.lane = $1 and p.account_id = $2)
            order by h.position
            limit $3`,
    values: [lane, accountId, limit],
  }
}

export function stepFrom(key: AccountKey, row: Row): Step {
  const document: unknown = row['document']
  const status = row['removed_status'] as string | null
  return {
    position: Number(row['position']),
    atMs: row['at'] as number,
    contract:
      document === null ? null : withStatus(contractFrom({ ...key, id: row['id'] as string }, document), status),
    hasLeft: status !== null,
    before: row['before'] as Contract['status'] | null,
  }
}
