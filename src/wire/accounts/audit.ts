// The audit list on the wire: who did what, on what, from where; as JSON, and as lines of CSV.
import Type, { type Static } from 'typebox'
import { AUDIT_ACTORS, type AuditEntry as Entry } from '../../domain/account/audit.ts'
import { closed, envelope, moment, nullable, nullableText, time, uuid, type Wire } from '../shapes.ts'
import { ListQuery } from '../api.ts'
import { iso } from '../times.ts'

/** PostgreSQL has no NUL in text. */
const word = (description: string) =>
  Type.Optional(Type.String({ maxLength: 100, pattern: '^[^\\u0000]*$', description }))

export const AuditQuery = closed({
  ...ListQuery.properties,
  actor: word('Only what this key, member or operator did: the id, or an operator’s name.'),
  object: word('Only what was done to this: the id of a key, wallet, profile, member, account…'),
  action: Type.Optional(
    Type.String({ maxLength: 100, pattern: '^[a-z_]+\\.[a-z_]+$', description: 'Such as key.created.' }),
  ),
  from: moment('From then on; a date alone is its first moment, in UTC.'),
  to: moment('Until then, included; a date alone is its last moment, in UTC.'),
  format: Type.Optional(
    Type.Enum(['json', 'csv'], {
      description: 'csv: all of it in one text, without pages. Accept: text/csv asks the same.',
    }),
  ),
})
export type AuditQuery = Static<typeof AuditQuery>

const Values = nullable(Type.Object({}, { additionalProperties: true }))

const AuditEntry = Type.Object(
  {
    id: uuid('The entry.'),
    at: time('When.'),
    actor: Type.Object({
      type: Type.Enum([...AUDIT_ACTORS]),
      id: Type.String({ description: 'A key’s id, a member’s id, an operator’s name.' }),
      address: nullable(Type.String({ description: 'Where the request came from; null for what came by no request.' })),
      request_id: nullableText,
    }),
    action: Type.String({ description: 'Noun and verb: key.created.' }),
    object: Type.Object({ type: Type.String(), id: Type.String() }),
    before: { ...Values, description: 'The members that changed, as they were. Never secrets.' },
    after: { ...Values, description: 'The same as they are since.' },
  },
  { $id: 'AuditEntry' },
)

export const AuditReply = envelope('number', Type.Object({ entries: Type.Array(AuditEntry), next: nullableText }))

export function presentAuditEntry({ id, at, actor, action, object, before, after }: Entry): Wire<typeof AuditEntry> {
  const { kind, id: who, address, requestId } = actor
  const by = { type: kind, id: who, address, request_id: requestId }
  return { id, at: iso(at), actor: by, action, object: { type: object.type, id: object.id }, before, after }
}

export const AUDIT_CSV_HEAD = csvLine([
  'id',
  'at',
  'actor_type',
  'actor',
  'address',
  'request_id',
  'action',
  'object_type',
  'object',
  'before',
  'after',
])

/** One entry as a line of CSV (RFC 4180). */
export function auditCsvLine({ id, at, actor, action, object, before, after }: Entry): string {
  const values = (each: Entry['before']) => (each === null ? '' : JSON.stringify(each))
  const who = [actor.kind, actor.id, actor.address ?? '', actor.requestId ?? '']
  return csvLine([id, iso(at), ...who, action, object.type, object.id, values(before), values(after)])
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** What a spreadsheet would take for a formula begins with an apostrophe. */
function csvCell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
