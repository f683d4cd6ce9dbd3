// The seals of accounts: the newest one with what follows it, one by one for whoever checks them, and how far each account is sealed.
// Who checks them takes a seal that is not found for a removed one: the lane has to be on the server that is asked.
import type { EntryRange, SealedEntry, SealedWallet, Step } from '../../domain/seal/seal.ts'
import { exact } from '../../platform/columns.ts'
import { plainArray, type Row, type Statement } from '../../platform/db.ts'
import { definite } from '../../platform/servers/absence.ts'
import type { AccountKey } from '../accounts/accounts.ts'

/** A seal as it is stored; `leaves` and `marks` belong to its positions, `entries` to its ledger rows. */
export type StoredSeal = {
  readonly number: number
  readonly from: number
  readonly to: number
  readonly text: string
  readonly signature: Buffer
  readonly salt: Buffer
  readonly leaves: Buffer
  readonly marks: Buffer
  readonly entries: Buffer
  readonly wallets: readonly SealedWallet[]
  /** As they are stored: what is hashed. */
  readonly walletsText: string
}

const SEAL_COLUMNS =
  's.number, s.from_position, s.to_position, s.text, s.signature, s.salt, s.leaves, s.marks, s.entries, s.balances'

export function storedSealFrom(row: Row): StoredSeal {
  const walletsText = row['balances'] as string
  return {
    number: Number(row['number']),
    from: Number(row['from_position']),
    to: Number(row['to_position']),
    text: row['text'] as string,
    signature: row['signature'] as Buffer,
    salt: row['salt'] as Buffer,
    leaves: row['leaves'] as Buffer,
    marks: row['marks'] as Buffer,
    entries: row['entries'] as Buffer,
    wallets: walletsFrom(walletsText),
    walletsText,
  }
}

/** None where the text is not what was written: its hash says so. */
export function walletsFrom(text: string): SealedWallet[] {
  try {
    return JSON.parse(text) as SealedWallet[]
  } catch {
    return []
  }
}

/** Where sealing goes on: the end of the newest seal, and what every seal says of the installation. */
export type SealEnd = {
  readonly number: number
  readonly position: number
  readonly text: string | null
  readonly wallets: readonly SealedWallet[]
  readonly installation: string
  readonly epoch: number
}

export function lastSeal({ lane, accountId }: AccountKey): Statement {
  return {
    name: 'last_seal',
    text: `select i.id as installation, (select max(e.number) from epochs e) as epoch, s.number, s.to_position, s.text, s.balances
             from installation i
             left join lateral (
                    select s.number, s.to_position, s.text, s.balances
                      from seals s
                     where s.lane = $1 and s.account_id = $2
                     order by s.number desc
                     limit 1) s on true`,
    values: [lane, accountId],
  }
}

export function sealEndFrom(row: Row | undefined): SealEnd {
  if (!row) throw new Error('the books have no installation')
  const text = row['text'] as string | null
  return {
    number: Number(row['number'] ?? 0),
    position: Number(row['to_position'] ?? 0),
    text,
    wallets: text === null ? [] : walletsFrom(row['balances'] as string),
    installation: row['installation'] as string,
    epoch: row['epoch'] as number,
  }
}

/** The account's history between two positions, both included. */
export function stepsBetween({ lane, accountId }: AccountKey, from: number, to: number): Statement {
  return {
    name: 'steps_to_seal',
    text: `select h.position, h.is_contract, h.contract_id as object, h.version, h.sequence, h.event, h.subject,
                  ${exact('h.at')} as at, h.document::text as document
             from account_steps h
            where h.lane = $1 and h.account_id = $2 and h.position between $3 and $4
            order by h.position`,
    values: [lane, accountId, from, to],
  }
}

/** The versions of a contract from one on, in their order. */
export function stepsOfContract({ lane, accountId }: AccountKey, id: string): Statement {
  return {
    name: 'steps_of_contract',
    text: `select v.position, true as is_contract, v.contract_id as object, v.version, v.sequence, v.event, null as subject,
                  ${exact('v.at')} as at, v.document::text as document
             from contract_versions v
            where v.lane = $1 and v.account_id = $2 and v.contract_id = $3 and v.version > 0
            order by v.version`,
    values: [lane, accountId, id],
  }
}

export function stepFrom(row: Row): Step {
  return {
    position: Number(row['position']),
    isContract: row['is_contract'] as boolean,
    object: row['object'] as string,
    version: row['version'] as number,
    sequence: row['sequence'] as number | null,
    event: row['event'] as string | null,
    subject: row['subject'] as string | null,
    at: row['at'] as string,
    document: row['document'] as string,
  }
}

/** What each ledger row says that its wallet has after it. */
export const BALANCES = [
  'available_after_minor',
  'held_after_minor',
  'in_transit_after_minor',
  'pending_after_minor',
  'suspense_after_minor',
] as const
/** The columns of a row whose values are sealed, before its moment. */
const ENTRY_COLUMNS = ['contract_id', 'debit', 'credit', 'amount_minor', ...BALANCES, 'reference', 'outside'] as const
/** The names of {@link SealedEntry.values}, in their order. */
export const ENTRY_VALUES = [...ENTRY_COLUMNS, 'at'] as const
const FIRST_BALANCE = ENTRY_COLUMNS.indexOf(BALANCES[0])

const SELECTED_ENTRY = [
  'g.wallet_id',
  'g.sequence',
  'g.position',
  ...ENTRY_COLUMNS.map((name) => `g.${name}::text as ${name}`),
  `${exact('g.at')} as at`,
].join(', ')

/** The ledger rows of each wallet of the account after those that are sealed, so many at most. */
export function entriesToSeal(
  { lane, accountId }: AccountKey,
  sealed: readonly SealedWallet[],
  limit: number,
): Statement {
  return {
    name: 'entries_to_seal',
    text: `select ${SELECTED_ENTRY}
             from wallets w
             left join unnest($3::uuid[], $4::bigint[]) s (id, sequence) on s.id = w.id
            cross join lateral (
                   select g.*
                     from ledger g
                    where g.lane = $1 and g.account_id = $2 and g.wallet_id = w.id and g.sequence > coalesce(s.sequence, 0)
                    order by g.sequence
                    limit $5) g
            where w.lane = $1 and w.account_id = $2
            order by w.id, g.sequence
            limit $5`,
    values: [
      lane,
      accountId,
      plainArray(sealed.map(({ id }) => id)),
      plainArray(sealed.map(({ sequence }) => sequence)),
      limit,
    ],
  }
}

export function entriesSealed({ lane, accountId }: AccountKey, ranges: readonly EntryRange[]): Statement {
  return {
    name: 'entries_sealed',
    text: `select ${SELECTED_ENTRY}
             from unnest($3::uuid[], $4::bigint[], $5::bigint[]) r (wallet_id, after, upto)
             join ledger g on g.lane = $1 and g.account_id = $2 and g.wallet_id = r.wallet_id
              and g.sequence > r.after and g.sequence <= r.upto
            order by g.wallet_id, g.sequence`,
    values: [
      lane,
      accountId,
      plainArray(ranges.map(({ walletId }) => walletId)),
      plainArray(ranges.map(({ after }) => after)),
      plainArray(ranges.map(({ to }) => to)),
    ],
  }
}

export function entryFrom(row: Row): SealedEntry {
  return {
    walletId: row['wallet_id'] as string,
    sequence: Number(row['sequence']),
    position: row['position'] === null ? null : Number(row['position']),
    values: ENTRY_VALUES.map((name) => row[name] as string | null),
  }
}

/** What the wallet had after a row. */
export const balancesAfter = ({ values }: SealedEntry) => values.slice(FIRST_BALANCE, FIRST_BALANCE + BALANCES.length)

/** Writes a seal, unless another gateway has just written one of this number. */
export function insertSeal({ lane, accountId }: AccountKey, seal: Omit<StoredSeal, 'wallets'>): Statement {
  const { number, from, to, text, signature, salt, leaves, marks, entries, walletsText } = seal
  return {
    name: 'insert_seal',
    text: `insert into seals (lane, account_id, number, from_position, to_position, text, signature, salt, leaves, marks, entries, balances)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
               on conflict (lane, account_id, number) do nothing`,
    values: [lane, accountId, number, from, to, text, signature, salt, leaves, marks, entries, walletsText],
  }
}

export type SealProgress = { readonly number: number; readonly position: number; readonly entries: number }

/** `signature`: of the seal that goes that far. Where another one was written in its place, nothing is noted. */
export function saveSealProgress(
  { lane, accountId }: AccountKey,
  progress: SealProgress,
  signature: Buffer | null,
): Statement {
  const { number, position, entries } = progress
  return {
    name: 'save_seal_progress',
    text: `insert into seal_progress as p (lane, account_id, number, position, entries, looked_at)
           select l.lane, $2::uuid, $3::bigint, $4::bigint, $5::bigint, now()
             from lanes l
            where l.lane = $1 and ($6::bytea is null or exists (
                  select 1 from seals s where s.lane = $1 and s.account_id = $2 and s.number = $3 and s.signature = $6))
               on conflict (lane, account_id) do update
              set number = greatest(p.number, excluded.number), position = greatest(p.position, excluded.position),
                  entries = greatest(p.entries, excluded.entries), looked_at = excluded.looked_at`,
    values: [lane, accountId, number, position, entries, signature],
  }
}

/** Accounts with history or ledger rows that are not sealed, those that nobody has looked at for longest first. */
export function accountsUnsealed(lanes: readonly number[], limit: number): Statement {
  return {
    name: 'accounts_unsealed',
    merge: { isPartial: true },
    text: `select a.lane, a.account_id
             from accounts a
             left join seal_progress p on p.lane = a.lane and p.account_id = a.account_id
            where a.lane = any($1::int[])
              and (p.looked_at is null or p.looked_at < now() - interval '2 seconds')
              and (a.position > coalesce(p.position, 0)
                   or (select coalesce(sum(w.sequence), 0) from wallets w
                        where w.lane = a.lane and w.account_id = a.account_id) > coalesce(p.entries, 0))
            order by p.looked_at nulls first, a.account_id
            limit $2`,
    values: [plainArray(lanes), limit],
  }
}

/** Keeps the public half of the key that signs. */
export function keepSealKey(id: string, publicKey: Buffer): Statement {
  return {
    name: 'keep_seal_key',
    text: `insert into seal_keys (id, public_key) values ($1, $2) on conflict (id) do nothing`,
    values: [id, publicKey],
  }
}

/** The accounts of a lane that have been sealed, up to which seal, and where their history stands. */
export function accountsSealed(lane: number): Statement {
  return definite({
    name: 'accounts_sealed',
    text: `select x.account_id, coalesce(p.number, 0) as number, coalesce(a.position, 0) as position
             from (select p.account_id from seal_progress p where p.lane = $1
                   union
                   select s.account_id from seals s where s.lane = $1) x
             left join seal_progress p on p.lane = $1 and p.account_id = x.account_id
             left join accounts a on a.lane = $1 and a.account_id = x.account_id
            order by x.account_id`,
    values: [lane],
  })
}

/** Where the history of an account stands. */
export function positionOf({ lane, accountId }: AccountKey): Statement {
  return definite({
    name: 'position_of_account',
    text: `select a.position from accounts a where a.lane = $1 and a.account_id = $2`,
    values: [lane, accountId],
  })
}

/** The next seals of an account after one. */
export function sealsAfter({ lane, accountId }: AccountKey, number: number, limit: number): Statement {
  return definite({
    name: 'seals_after',
    text: `select ${SEAL_COLUMNS}
             from seals s
            where s.lane = $1 and s.account_id = $2 and s.number > $3
            order by s.number
            limit $4`,
    values: [lane, accountId, number, limit],
  })
}

/** The newest seal of each account of a lane. From account to account by the key: an account has more seals than a lane has accounts. */
export function headsOf(lane: number): Statement {
  return {
    name: 'seal_heads',
    text: `with recursive sealed (account_id) as (
             (select s.account_id from seals s where s.lane = $1 order by s.account_id limit 1)
             union all
             select (select s.account_id from seals s where s.lane = $1 and s.account_id > x.account_id order by s.account_id limit 1)
               from sealed x where x.account_id is not null)
           select h.account_id, h.number, h.text, h.signature
             from sealed x
            cross join lateral (
                   select s.account_id, s.number, s.text, s.signature
                     from seals s
                    where s.lane = $1 and s.account_id = x.account_id
                    order by s.number desc
                    limit 1) h
            order by h.account_id`,
    values: [lane],
  }
}

/** What was signed of an account's seals from one on, without what is behind them. */
export function sealTextsFrom({ lane, accountId }: AccountKey, number: number, limit: number): Statement {
  return definite({
    name: 'seal_texts',
    text: `select s.account_id, s.number, s.text, s.signature
             from seals s
            where s.lane = $1 and s.account_id = $2 and s.number >= $3
            order by s.number
            limit $4`,
    values: [lane, accountId, number, limit],
  })
}

/** The newest seal of an account, as it was signed. */
export type SealHead = {
  readonly accountId: string
  readonly number: number
  readonly text: string
  readonly signature: Buffer
}

export function sealHeadFrom(row: Row): SealHead {
  return {
    accountId: row['account_id'] as string,
    number: Number(row['number']),
    text: row['text'] as string,
    signature: row['signature'] as Buffer,
  }
}

/** The ids of the keys that have signed. */
export function sealKeyIds(): Statement {
  return { name: 'seal_key_ids', merge: { once: 'id' }, text: `select k.id from seal_keys k`, values: [] }
}

/** Of each position the seal that it is in, and the public half of the key that signed it. */
export function sealsOfPositions({ lane, accountId }: AccountKey, positions: readonly number[]): Statement {
  return {
    name: 'seals_of_positions',
    text: `select distinct on (s.number) ${SEAL_COLUMNS}, k.public_key
             from unnest($3::bigint[]) p (position)
            cross join lateral (
                   select s.*
                     from seals s
                    where s.lane = $1 and s.account_id = $2 and s.to_position >= p.position
                    order by s.to_position, s.number
                    limit 1) s
             join seal_keys k on k.id = s.text::json ->> 'key'
            where s.from_position <= p.position
            order by s.number`,
    values: [lane, accountId, plainArray(positions)],
  }
}

export type VouchedSeal = StoredSeal & { readonly publicKey: Buffer }

export function vouchedSealFrom(row: Row): VouchedSeal {
  return { ...storedSealFrom(row), publicKey: row['public_key'] as Buffer }
}
