// What the write path knows of approvals: whom it checks, and where what was asked for stands after each step. No I/O.
import { approvingRole, type Role } from '../domain/account/roles.ts'
import type { Command } from '../domain/contract/command.ts'
import type { Checks } from '../domain/contract/decision.ts'
import type { EventType } from '../domain/transfer/moves.ts'
import type { Transfer } from '../domain/transfer/transfer.ts'
import type { Row } from '../platform/db.ts'
import type { ApprovalRow } from '../store/contracts/approvals.ts'
import { termsHashOf } from '../wire/contracts/approval.ts'

/** By `account/…`, as it stands under the account's lock. */
export type LoadedChecks = {
  readonly members: Map<string, { readonly role: Role; readonly name: string | null }>
  /** The members who made the keys. */
  readonly makers: Map<string, string>
  /** By the contract: the version of the destination in use that it was made with. */
  readonly destinations: Map<string, number>
}

/** What members say with their session, and no key. */
export const isChecked = (command: Command): boolean =>
  command.verb === 'approve' || command.verb === 'reject' || (command.verb === 'verify' && command.by !== null)

export const noChecks = (): LoadedChecks => ({ members: new Map(), makers: new Map(), destinations: new Map() })

const under = (row: Row, column: string) => `${row['account_id'] as string}/${row[column] as string}`

export function readMembers({ members }: LoadedChecks, rows: readonly Row[]): void {
  for (const row of rows)
    members.set(under(row, 'id'), { role: row['role'] as Role, name: row['name'] as string | null })
}

export function readMakers({ makers }: LoadedChecks, rows: readonly Row[]): void {
  for (const row of rows) makers.set(under(row, 'key_id'), row['made_by_member'] as string)
}

export function readDestinations({ destinations }: LoadedChecks, rows: readonly Row[]): void {
  for (const row of rows) destinations.set(under(row, 'id'), row['destination_version'] as number)
}

/** The member behind a key. Who approves is a member: an id that is no key's is one, or somebody who approves nothing. */
export const memberBehind =
  ({ makers }: Pick<LoadedChecks, 'makers'>, accountId: string) =>
  (proxy: string): string =>
    makers.get(`${accountId}/${proxy}`) ?? proxy

/** What an approval of the contract is checked against. */
export function checksFor({ members, makers, destinations }: LoadedChecks, contract: Transfer): Checks {
  const { accountId, id } = contract
  return {
    termsHash: termsHashOf(contract),
    nameOf: (memberId) => members.get(`${accountId}/${memberId}`)?.name ?? null,
    roleOf: (memberId) => approvingRole(members.get(`${accountId}/${memberId}`)?.role),
    memberBehind: memberBehind({ makers }, accountId),
    destinationVersion: destinations.get(`${accountId}/${id}`) ?? null,
  }
}

type Asked = { readonly askedBy: string | null; readonly nowMs: number }

/** Where the contract stands in the queue of approvals after a step; null where the step changes nothing of that. */
export function queuedAfter(
  before: Transfer,
  after: Transfer,
  event: EventType | null,
  { askedBy, nowMs }: Asked,
): ApprovalRow | null {
  const { lane, accountId, id: contractId, requirements } = after
  if (!requirements || requirements.approvals.length === 0) return null
  const status = statusAfter(before, after, event)
  if (status === null) return null
  const by = status === 'waiting' ? askedBy : null
  return { lane, accountId, contractId, status, askedAt: requirements.askedAt, askedBy: by, changedAt: nowMs }
}

function statusAfter(before: Transfer, after: Transfer, event: EventType | null): ApprovalRow['status'] | null {
  if (event === 'contract.approval_requested') return 'waiting'
  if (event === 'contract.approved') return 'approved'
  if (event === 'contract.rejected') return 'rejected'
  if (before.status !== 'issued' || after.status === 'issued') return null
  // What was rejected is cancelled in the same moment, and stays what it is.
  return before.activities.at(-1)?.type === 'rejected' ? null : 'ended'
}
