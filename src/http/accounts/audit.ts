// GET /audit: who did what to the account, newest first; a page as JSON, or all of it as CSV, which streams.
import type { Access } from '../auth/auth.ts'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUuid } from '../../domain/contract/ids.ts'
import type { AuditEntry } from '../../domain/account/audit.ts'
import type { Session } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { auditEntryFrom, type AuditFilter, listAuditEntries } from '../../store/accounts/audit.ts'
import { AUDIT_CSV_HEAD, AuditQuery, auditCsvLine, AuditReply, presentAuditEntry } from '../../wire/accounts/audit.ts'
import { callerOf, type Context, described, guard, parserOf } from '../context.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'
import { succeed } from '../replies.ts'
import { momentOf } from '../../domain/text/moments.ts'

/** Read at once for an export: as many are in memory. */
const EXPORT_PAGE = 500

const READ: Access = { accepts: 'api key', scope: 'audit:read' }

export function auditRoutes(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'audit.list',
    'List who did what to the account, newest first',
    'Audit',
    { querystring: AuditQuery, reply: AuditReply },
    READ,
    {
      description:
        'Every change by a key, a member or an operator that is no contract’s: what is done to a contract stands in its activities. With format=csv, or Accept: text/csv, all entries that fit come as one text.',
    },
    { files: { 'text/csv': 'A line for each entry.' }, sends: ['Content-Disposition'] },
  )
  const parse = parserOf(AuditQuery)
  const onRequest = guard(context, READ)
  app.get('/audit', { schema, onRequest }, async (request, reply) => {
    const query = parse(request.query)
    const caller = callerOf(request)
    const filter = filterOf(query)
    if (wantsCsv(query, request)) {
      const file = `attachment; filename="audit-${caller.accountId}.csv"`
      const lines = csvOf(deps.reader, caller, filter)
      const plain: FastifyReply = reply
      return plain.header('content-disposition', file).type('text/csv; charset=utf-8').send(Readable.from(lines))
    }
    const limit = limitOf(query)
    const found = await pageOfAudit(deps.reader, caller, { ...filter, limit })
    const { rows, next } = pageOf(found, limit, ({ id }) => id)
    return succeed(reply, 200, 'Audit entries found.', { entries: rows.map(presentAuditEntry), next })
  })
}

function filterOf(query: AuditQuery): AuditFilter {
  if (query.after !== undefined && !isUuid(query.after)) throw badCursor()
  return {
    actorId: query.actor ?? null,
    objectId: query.object ?? null,
    action: query.action ?? null,
    fromMs: momentOf(query.from, '00:00:00.000'),
    toMs: momentOf(query.to, '23:59:59.999'),
    after: query.after ?? null,
    limit: EXPORT_PAGE,
  }
}

function wantsCsv({ format }: AuditQuery, { headers }: FastifyRequest): boolean {
  return format === undefined ? /^\s*text\/csv\b/i.test(headers.accept ?? '') : format === 'csv'
}

/** The entries of a page, one more than its limit. */
async function pageOfAudit(reader: Session, owner: AccountKey, filter: AuditFilter): Promise<AuditEntry[]> {
  const [result] = await reader.send([listAuditEntries(owner, filter)])
  return (result?.rows ?? []).map(auditEntryFrom)
}

/** The next page is read once the one before has been taken. */
async function* csvOf(reader: Session, owner: AccountKey, filter: AuditFilter): AsyncGenerator<string> {
  yield AUDIT_CSV_HEAD
  let after = filter.after
  do {
    const found = await pageOfAudit(reader, owner, { ...filter, after })
    const { rows, next } = pageOf(found, filter.limit, ({ id }) => id)
    yield rows.map(auditCsvLine).join('')
    after = next
  } while (after !== null)
}
