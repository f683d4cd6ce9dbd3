// The heads of contracts and their history: each version is one history row, and the head points to the newest.
import { KEY } from '../columns.ts'
import type { Contract, Happening } from '../../domain/contract/contract.ts'
import { pastExpiry } from '../../domain/contract/expiry.ts'
import { tagIn } from '../../domain/contract/ids.ts'
import {
  assigned,
  documents,
  forRows,
  insertRows,
  int,
  int8,
  text,
  time,
  updateRows,
  uuid,
  word,
} from '../../platform/columns.ts'
import { plainArray, type Row, type Statement, textArray } from '../../platform/db.ts'
import { definite } from '../../platform/servers/absence.ts'
import type { ContractKey } from './documents.ts'
import { paymentFrom, paymentText } from './payment-documents.ts'
import { transferFrom, transferText } from './transfer-documents.ts'

/** The newest version of a contract `c`. */
const NEWEST = `cross join lateral (
          select h.document from contract_versions h
           where h.lane = c.lane and h.account_id = c.account_id and h.position = c.position and $lane(h) offset 0) h`

/** The contracts as they stand. An id that its account does not own is simply absent. */
export const loadContracts = forRows(
  'load_contracts',
  KEY,
  (keys) => `select c.lane, c.account_id, c.id, c.position, c.expires_at <= now() as over, h.document
     from ${keys}
    cross join lateral (
          select c.lane, c.account_id, c.id, c.position, c.expires_at from contracts c
           where c.lane = x.lane and c.account_id = x.account_id and c.id = x.id and $lane(c) offset 0) c
    ${NEWEST}`,
)

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

/** The payment contracts whose money these transfers refund. */
export const loadParents = forRows(
  'load_parents',
  KEY,
  (keys) => `select c.lane, c.account_id, c.id, c.position, h.document
     from ${keys}
    cross join lateral (
          select t.lane, t.account_id, t.parent_id from contracts t
           where t.lane = x.lane and t.account_id = x.account_id and t.id = x.id and t.parent_id is not null and $lane(t) offset 0) t
    cross join lateral (
          select c.lane, c.account_id, c.id, c.position from contracts c
           where c.lane = t.lane and c.account_id = t.account_id and c.id = t.parent_id and $lane(c) offset 0) c
    ${NEWEST}`,
)

const HEAD_KEY = {
  lane: int((row: PlacedContract) => row.contract.lane),
  account_id: uuid((row: PlacedContract) => row.contract.accountId),
  id: uuid((row: PlacedContract) => row.contract.id),
}

/** What of a contract is found or summed by, as it stands. */
const HEAD = {
  status: word((row: PlacedContract) => row.contract.status),
  version: int((row: PlacedContract) => row.contract.version),
  position: int8((row: PlacedContract) => row.position),
  currency: word((row: PlacedContract) => row.contract.terms.currency),
  amount_minor: int8((row: PlacedContract) => row.contract.terms.amountMinor),
  held_minor: int8((row: PlacedContract) => row.contract.heldMinor),
  channel_id: text((row: PlacedContract) => row.contract.terms.channelId),
  reference_id: text((row: PlacedContract) => row.contract.terms.deliverable?.referenceId ?? null),
  expires_at: time((row: PlacedContract) => row.contract.expiresAt),
  paid_minor: int8(({ contract }: PlacedContract) => (contract.kind === 'payment' ? contract.paidMinor : 0n)),
  pending_minor: int8(({ contract }: PlacedContract) => (contract.kind === 'payment' ? contract.pendingMinor : 0n)),
  refunded_minor: int8(({ contract }: PlacedContract) => (contract.kind === 'payment' ? contract.refundedMinor : 0n)),
}

export const insertContracts = insertRows('insert_contracts', 'contracts', {
  ...HEAD_KEY,
  ...HEAD,
  kind: word((row: PlacedContract) => row.contract.kind),
  parent_id: uuid(({ contract }: PlacedContract) =>
    contract.kind === 'transfer' ? (contract.origin?.paymentId ?? null) : null,
  ),
})

/** Writes heads that stood at `versionBefore` when they were decided on; any other version fails the batch. */
export const updateContracts = updateRows(
  'update_contracts',
  {
    ...HEAD_KEY,
    ...HEAD,
    version_before: int((row: PlacedContract & { readonly versionBefore: number }) => row.versionBefore),
  },
  (rows) => `update contracts c
      set ${assigned(HEAD)}
     from ${rows}
    where c.lane = x.lane and c.account_id = x.account_id and c.id = x.id and c.version = x.version_before and $lane(c)`,
)

type PlacedHappening = Happening & { readonly position: number }

/** Appends versions: activity, event and document in one row each. */
export const insertContractVersions = insertRows('insert_contract_versions', 'contract_versions', {
  lane: int((row: PlacedHappening) => row.contract.lane),
  account_id: uuid((row: PlacedHappening) => row.contract.accountId),
  position: int8((row: PlacedHappening) => row.position),
  contract_id: uuid((row: PlacedHappening) => row.contract.id),
  version: int((row: PlacedHappening) => row.contract.version),
  sequence: int((row: PlacedHappening) => (row.event ? row.contract.sequence : null)),
  event: word((row: PlacedHappening) => row.event),
  at: time((row: PlacedHappening) => row.contract.updatedAt),
  document: documents((row: PlacedHappening) => documentText(row.contract)),
})

export type ContractOwner = { readonly accountId: string; readonly livemode: boolean }

export function contractOwnerFrom(row: Row): ContractOwner {
  return { accountId: row['account_id'] as string, livemode: row['livemode'] as boolean }
}

/**
 * The owner and mode of a contract, for an id that came without a credential: its lane's few accounts are tried one by
 * one.
 */
export function findContractOwner(lane: number, contractId: string): Statement {
  return definite({
    name: 'find_contract_owner',
    text: `select c.account_id, a.livemode
             from accounts a join contracts c on c.lane = a.lane and c.account_id = a.account_id and c.id = $2
            where a.lane = $1 and c.lane = $1`,
    values: [lane, contractId],
  })
}

/**
 * Who owns each of these contracts of a lane. `tag`: only under accounts that the ids themselves point to, of which there are few; ids
 * that are older than tags point to none, and are looked for under all accounts of the lane.
 */
export function findContractOwners(lane: number, contractIds: readonly string[], by: 'tag' | 'lane'): Statement {
  return definite({
    name: `find_contract_owners_by_${by}`,
    text: `select c.id, c.account_id
             from unnest($2::uuid[], $3::text[]) x (id, tag)
             join accounts a on a.lane = $1${by === 'tag' ? ' and right(a.account_id::text, 4) = x.tag' : ''}
             join contracts c on c.lane = $1 and c.account_id = a.account_id and c.id = x.id`,
    values: [lane, plainArray(contractIds), textArray(contractIds.map(tagIn))],
  })
}
