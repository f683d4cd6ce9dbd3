// The audit list: who did what, on what, from where. Appended, and never changed.
import type { AuditEntry } from '../../domain/account/audit.ts'
import { insertRows, json, ms, text, time, uuid, word } from '../../platform/columns.ts'
import type { Row, Statement } from '../../platform/db.ts'
import { OWNER } from '../columns.ts'
import type { AccountKey } from './accounts.ts'

export type StoredAuditEntry = AccountKey & AuditEntry

export const insertAuditEntries = insertRows('insert_audit_entries', 'audit_entries', {
  ...OWNER,
  id: uuid((row: StoredAuditEntry) => row.id),
  at: time((row: StoredAuditEntry) => row.at),
  actor_kind: word((row: StoredAuditEntry) => row.actor.kind),
  actor_id: text((row: StoredAuditEntry) => row.actor.id),
  action: text((row: StoredAuditEntry) => row.action),
  object_type: text((row: StoredAuditEntry) => row.object.type),
  object_id: text((row: StoredAuditEntry) => row.object.id),
  address: text((row: StoredAuditEntry) => row.actor.address),
  request_id: text((row: StoredAuditEntry) => row.actor.requestId),
  before: json((row: StoredAuditEntry) => row.before),
  after: json((row: StoredAuditEntry) => row.after),
})

export type AuditFilter = {
  readonly actorId: string | null
  readonly objectId: string | null
  readonly action: string | null
  readonly fromMs: number | null
  readonly toMs: number | null
  /** The entry that the page before ended with. */
  readonly after: string | null
  readonly limit: number
}

/** Entries, newest first, one more than the limit. Their ids rise with time. */
export function listAuditEntries({ lane, accountId }: AccountKey, filter: AuditFilter): Statement {
  const values: unknown[] = [lane, accountId, filter.limit + 1]
  const place = (value: unknown) => `$${values.push(value)}`
  const { actorId, objectId, action, fromMs, toMs, after } = filter
  // A filter that is not used is not in the text, so that the planner can take the index that fits the others.
  const conditions = [
    ...(actorId === null ? [] : [['actor', `e.actor_id = ${place(actorId)}`] as const]),
    ...(objectId === null ? [] : [['object', `e.object_id = ${place(objectId)}`] as const]),
    ...(action === null ? [] : [['action', `e.action = ${place(action)}`] as const]),
    ...(fromMs === null ? [] : [['from', `e.at >= to_timestamp(${place(fromMs)}::float8 / 1000)`] as const]),
    ...(toMs === null ? [] : [['to', `e.at <= to_timestamp(${place(toMs)}::float8 / 1000)`] as const]),
    ...(after === null ? [] : [['after', `e.id < ${place(after)}`] as const]),
  ]
  return {
    name: `list_audit_${conditions.map(([name]) => name).join('_')}`,
    text: `select e.id, ${ms('e.at')} as at, e.actor_kind, e.actor_id, e.action, e.object_type, e.object_id, e.address,
                  e.request_id, e.before, e.after
             from audit_entries e
            where e.lane = $1 and e.account_id = $2${conditions.map(([, condition]) => ` and ${condition}`).join('')}
            order by e.id desc
            limit $3`,
    values,
  }
}

export function auditEntryFrom(row: Row): AuditEntry {
  return {
    id: row['id'] as string,
    at: row['at'] as number,
    actor: {
      kind: row['actor_kind'] as AuditEntry['actor']['kind'],
      id: row['actor_id'] as string,
      address: row['address'] as string | null,
      requestId: row['request_id'] as string | null,
    },
    action: row['action'] as AuditEntry['action'],
    object: { type: row['object_type'] as string, id: row['object_id'] as string },
    before: row['before'] as AuditEntry['before'],
    after: row['after'] as AuditEntry['after'],
  }
}
