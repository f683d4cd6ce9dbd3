// The heads of contracts and their history: each version is one history row, and the head points to the newest.
import { keyColumns } from '../columns.ts'
import type { Contract, Happening } from '../../domain/contract/contract.ts'
import { pastExpiry } from '../../domain/contract/expiry.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import { type ContractKey, transferFrom, transferText } from './documents.ts'
import { paymentFrom, paymentText } from './payment-documents.ts'
import { type Scope, scoped, scopedUpdate } from '../../platform/scope.ts'

const load = scoped(
  'load_contracts',
  `select c.lane, c.account_id, c.id, c.position, c.expires_at <= now() as over, h.document
     from unnest($1::int[], $2::uuid[], $3::uuid[]) k (lane, account_id, id)
     join contracts c on c.lane = k.lane and c.account_id = k.account_id and c.id = k.id
     join contract_versions h on h.lane = c.lane and h.account_id = c.account_id and h.position = c.position
    where $lane(c)`,
)

/** The contracts as they stand. An id that its account does not own is simply absent. */
export function loadContracts(scope: Scope, keys: readonly ContractKey[]): Statement {
  return load(scope, keyColumns(keys))
}

/** A contract with the position of its newest history row. */
export type PlacedContract = { readonly contract: Contract; readonly position: number }

export function placedContractFrom(row: Row): PlacedContract {
  const key = { lane: row['lane'] as number, accountId: row['account_id'] as string, id: row['id'] as string }
  return { contract: contractFrom(key, row['document']), position: Number(row['position']) }
}

/** The contract as it is read: what is over by the database's clock is expired, whether or not it was swept. */
export function readContractFrom(row: Row): Contract {
  const { contract } = placedContractFrom(row)
  return row['over'] === true ? pastExpiry(contract) : contract
}

/** A stored version of either kind. */
export function contractFrom(key: ContractKey, document: unknown): Contract {
  return (document as { kind?: string }).kind === 'payment' ? paymentFrom(key, document) : transferFrom(key, document)
}

function documentText(contract: Contract): string {
  return contract.kind === 'payment' ? paymentText(contract) : transferText(contract)
}

const parents = scoped(
  'load_parents',
  `select c.lane, c.account_id, c.id, c.position, h.document
     from unnest($1::int[], $2::uuid[], $3::uuid[]) k (lane, account_id, id)
     join contracts t on t.lane = k.lane and t.account_id = k.account_id and t.id = k.id and t.parent_id is not null
     join contracts c on c.lane = t.lane and c.account_id = t.account_id and c.id = t.parent_id
     join contract_versions h on h.lane = c.lane and h.account_id = c.account_id and h.position = c.position
    where $lane(c)`,
)

/** The payment contracts whose money these transfers give back. */
export function loadParents(scope: Scope, keys: readonly ContractKey[]): Statement {
  return parents(scope, keyColumns(keys))
}

const insert = scoped(
  'insert_contracts',
  `insert into contracts (lane, account_id, id, kind, status, version, position, currency, amount_minor, held_minor,
                          channel_id, reference_id, expires_at, paid_minor, pending_minor, refunded_minor, parent_id)
   select l.lane, x.account_id, x.id, x.kind, x.status, x.version, x.position, x.currency, x.amount_minor, x.held_minor,
          x.channel_id, x.reference_id, to_timestamp(x.expires_at / 1000), x.paid_minor, x.pending_minor,
          x.refunded_minor, x.parent_id
     from unnest($1::int[], $2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::bigint[], $7::text[], $8::bigint[],
                 $9::bigint[], $10::text[], $11::text[], $12::float8[], $13::bigint[], $14::bigint[], $15::bigint[],
                 $16::text[], $17::uuid[])
          x (lane, account_id, id, status, version, position, currency, amount_minor, held_minor, channel_id,
             reference_id, expires_at, paid_minor, pending_minor, refunded_minor, kind, parent_id)
     join lanes l on l.lane = x.lane
    where $lane(l)`,
)

export function insertContracts(scope: Scope, placed: readonly PlacedContract[]): Statement {
  const contracts = placed.map((each) => each.contract)
  return insert(scope, [
    ...headColumns(placed),
    plainArray(contracts.map((c) => c.kind)),
    plainArray(contracts.map((c) => (c.kind === 'transfer' ? (c.origin?.paymentId ?? null) : null))),
  ])
}

const update = scopedUpdate(
  'update_contracts',
  `update contracts c
      set status = x.status, version = x.version, position = x.position, currency = x.currency,
          amount_minor = x.amount_minor, held_minor = x.held_minor, channel_id = x.channel_id,
          reference_id = x.reference_id, expires_at = to_timestamp(x.expires_at / 1000), paid_minor = x.paid_minor,
          pending_minor = x.pending_minor, refunded_minor = x.refunded_minor
     from unnest($2::int[], $3::uuid[], $4::uuid[], $5::text[], $6::int[], $7::bigint[], $8::text[], $9::bigint[],
                 $10::bigint[], $11::text[], $12::text[], $13::float8[], $14::bigint[], $15::bigint[], $16::bigint[],
                 $17::int[])
          x (lane, account_id, id, status, version, position, currency, amount_minor, held_minor, channel_id,
             reference_id, expires_at, paid_minor, pending_minor, refunded_minor, version_before)
    where c.lane = x.lane and c.account_id = x.account_id and c.id = x.id and c.version = x.version_before and $lane(c)`,
)

/** Writes heads that stood at `versionBefore` when they were decided on; any other version fails the batch. */
export function updateContracts(
  scope: Scope,
  placed: readonly (PlacedContract & { readonly versionBefore: number })[],
): Statement {
  const before = plainArray(placed.map((each) => each.versionBefore))
  return update(scope, [placed.length, ...headColumns(placed), before])
}

function headColumns(placed: readonly PlacedContract[]): string[] {
  const contracts = placed.map((each) => each.contract)
  return [
    ...keyColumns(contracts),
    plainArray(contracts.map((c) => c.status)),
    plainArray(contracts.map((c) => c.version)),
    plainArray(placed.map((each) => each.position)),
    plainArray(contracts.map((c) => c.terms.currency)),
    plainArray(contracts.map((c) => c.terms.amountMinor)),
    plainArray(contracts.map((c) => c.heldMinor)),
    textArray(contracts.map((c) => c.terms.channelId)),
    textArray(contracts.map((c) => c.terms.deliverable?.referenceId ?? null)),
    plainArray(contracts.map((c) => c.expiresAt)),
    plainArray(contracts.map((c) => (c.kind === 'payment' ? c.paidMinor : 0n))),
    plainArray(contracts.map((c) => (c.kind === 'payment' ? c.pendingMinor : 0n))),
    plainArray(contracts.map((c) => (c.kind === 'payment' ? c.refundedMinor : 0n))),
  ]
}

const insertVersions = scoped(
  'insert_contract_versions',
  `insert into contract_versions (lane, account_id, position, contract_id, version, sequence, event, at, document)
   select l.lane, x.account_id, x.position, x.contract_id, x.version, x.sequence, x.event, to_timestamp(x.at / 1000),
          x.document
     from rows from (unnest($1::int[]), unnest($2::uuid[]), unnest($3::bigint[]), unnest($4::uuid[]), unnest($5::int[]),
                     unnest($6::int[]), unnest($7::text[]), unnest($8::float8[]), json_array_elements($9::json))
          x (lane, account_id, position, contract_id, version, sequence, event, at, document)
     join lanes l on l.lane = x.lane
    where $lane(l)`,
)

/** Appends versions: activity, event and document in one row each. */
export function insertContractVersions(
  scope: Scope,
  rows: readonly (Happening & { readonly position: number })[],
): Statement {
  const contracts = rows.map((row) => row.contract)
  return insertVersions(scope, [
    plainArray(contracts.map((c) => c.lane)),
    plainArray(contracts.map((c) => c.accountId)),
    plainArray(rows.map((row) => row.position)),
    plainArray(contracts.map((c) => c.id)),
    plainArray(contracts.map((c) => c.version)),
    plainArray(rows.map((row) => (row.event ? row.contract.sequence : null))),
    plainArray(rows.map((row) => row.event)),
    plainArray(contracts.map((c) => c.updatedAt)),
    // One JSON array: an array of text would need every quote of every document escaped.
    `[${contracts.map(documentText).join(',')}]`,
  ])
}

export type ContractOwner = { readonly accountId: string; readonly livemode: boolean }

export function contractOwnerFrom(row: Row): ContractOwner {
  return { accountId: row['account_id'] as string, livemode: row['livemode'] as boolean }
}

/** Whose a contract is and of which mode, for an id that came without a credential: its lane's few accounts are asked one by one. */
export function findContractOwner(lane: number, contractId: string): Statement {
  return {
    name: 'find_contract_owner',
    text: `select c.account_id, a.livemode
             from accounts a join contracts c on c.lane = a.lane and c.account_id = a.account_id and c.id = $2
            where a.lane = $1 and c.lane = $1`,
    values: [lane, contractId],
  }
}
