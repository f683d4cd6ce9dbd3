// The books of the installation: trial balance, the ledger's rows, and proofs that somebody asks for.
import { allEntries, trialBalance } from '../../app/operator/books.ts'
import { pageOfProofs, proofWith, startProof } from '../../app/operator/proofs.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import type { EntryCursor } from '../../ledger/all-entries.ts'
import { IdParams, ListQuery } from '../../wire/api.ts'
import { EmptyBody } from '../../wire/members/sessions.ts'
import {
  BalancesReply,
  LedgerQuery,
  LedgerReply,
  presentBalance,
  presentLedgerEntry,
  presentProof,
  presentSums,
  ProofReply,
  ProofsReply,
} from '../../wire/operations/books.ts'
import { type Context, described, guard, parserOf, queryParserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'
import { succeed } from '../replies.ts'
import { deedBy, deskOf, OFFERED, OPERATIONS, READ, WRITE } from './doors.ts'

export function bookRoutes(context: Context): void {
  balancesRoute(context)
  entriesRoute(context)
  proofRoutes(context)
  startRoute(context)
}

function balancesRoute(context: Context): void {
  const { app } = context
  const summary = 'The trial balance: what each kind of ledger account gave and took'
  const schema = described('operations.balances', summary, OPERATIONS, { reply: BalancesReply }, READ, OFFERED, {
    description:
      'Of all accounts, by currency and mode. Sums are kept; asking costs the rows that were written since it was last asked, and one of each wallet.',
  })
  app.get('/operations/balances', { schema, onRequest: guard(context, READ) }, async (_, reply) => {
    const lines = await trialBalance(await deskOf(context))
    return succeed(reply, 200, 'Balances found.', { balances: lines.map(presentBalance), sums: presentSums(lines) })
  })
}

function entriesRoute(context: Context): void {
  const { app } = context
  const shapes = { querystring: LedgerQuery, reply: LedgerReply }
  const summary = 'List ledger rows of all accounts, newest first'
  const schema = described('operations.entries', summary, OPERATIONS, shapes, READ, OFFERED)
  const parse = queryParserOf(LedgerQuery)
  app.get('/operations/entries', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    const desk = await deskOf(context)
    const { entries, hasMore } = await allEntries(desk, {
      before: cursorOf(query.after),
      accountId: query.account_id ?? null,
      contractId: query.contract_id ?? null,
      ledgerAccount: query.ledger_account ?? null,
      limit: limitOf(query),
    })
    const last = entries.at(-1)
    const next = hasMore && last ? `${last.atMs}.${last.walletId}.${last.sequence}` : null
    return succeed(reply, 200, 'Entries found.', { entries: entries.map(presentLedgerEntry), next })
  })
}

function cursorOf(text: string | undefined): EntryCursor | null {
  if (text === undefined) return null
  const [, atMs = '', walletId = '', sequence = ''] = /^(\d{1,15})\.([0-9a-f-]{36})\.([1-9]\d{0,14})$/.exec(text) ?? []
  if (atMs === '' || !isUuid(walletId)) throw badCursor()
  return { atMs: Number(atMs), walletId, sequence: Number(sequence) }
}

function proofRoutes(context: Context): void {
  const { app } = context
  const shapes = { querystring: ListQuery, reply: ProofsReply }
  const list = described('proofs.list', 'List proofs of the books, newest first', OPERATIONS, shapes, READ, OFFERED)
  const parse = queryParserOf(ListQuery)
  app.get('/operations/proofs', { schema: list, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    if (query.after !== undefined && !isUuid(query.after)) throw badCursor()
    const limit = limitOf(query)
    const found = await pageOfProofs(await deskOf(context), query.after ?? null, limit)
    const { rows, next } = pageOf(found, limit, ({ id }) => id)
    return succeed(reply, 200, 'Proofs found.', { proofs: rows.map(presentProof), next })
  })
  const one = { params: IdParams, reply: ProofReply }
  const get = described('proofs.get', 'Get a proof, and how far it has come', OPERATIONS, one, READ, OFFERED, {
    refusals: ['proof_not_found'],
  })
  app.get('/operations/proofs/:id', { schema: get, onRequest: guard(context, READ) }, async (request, reply) => {
    const found = await proofWith(await deskOf(context), request.params.id)
    if (isRefusal(found)) return sendRefusal(reply, found)
    return succeed(reply, 200, 'Proof found.', { proof: presentProof(found) })
  })
}

function startRoute(context: Context): void {
  const { app } = context
  const shapes = { body: EmptyBody, reply: ProofReply }
  const schema = described('proofs.create', 'Prove the books now', OPERATIONS, shapes, WRITE, OFFERED, {
    description: 'In the background; one at a time. It reads all of the books and changes nothing of them.',
    refusals: ['proof_running'],
  })
  const parse = parserOf(EmptyBody)
  app.post('/operations/proofs', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    parse(request.body ?? {})
    const desk = await deskOf(context)
    const { operator } = await deedBy(desk, request, '', 'operations:write')
    const started = await startProof(desk, operator)
    if (isRefusal(started)) return sendRefusal(reply, started)
    return succeed(reply, 200, 'The books are being proved.', { proof: presentProof(started) })
  })
}
