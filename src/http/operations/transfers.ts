// GET /operations/transfers: what waits for an operator, of all accounts. And closing what contradicts itself, once it is understood.
import { closeReviewOf, FROM_THE_FIRST, waitingTransfers } from '../../app/transfers/waiting-transfers.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { canBeResolved } from '../../domain/transfer/resolution.ts'
import type { WaitingCursor } from '../../store/operator/waiting-transfers.ts'
import {
  CloseBody,
  ClosedReply,
  OperationsQuery,
  presentWaitingTransfer,
  WaitingTransfersReply,
} from '../../wire/operations/transfers.ts'
import { IdParams } from '../../wire/api.ts'
import { type Context, described, guard, parserOf, queryParserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { badCursor, limitOf } from '../pages.ts'
import { succeed } from '../replies.ts'
import { deedBy, deskOf, OFFERED, OPERATIONS, READ, WRITE } from './doors.ts'

export function waitingTransferRoutes(context: Context): void {
  listRoute(context)
  closeRoute(context)
}

function closeRoute(context: Context): void {
  const { app } = context
  const shapes = { params: IdParams, body: CloseBody, reply: ClosedReply }
  const summary = 'Close a transfer that waits because a channel contradicted itself'
  const schema = described('operations.close_transfer', summary, OPERATIONS, shapes, WRITE, OFFERED, {
    description: 'The books stay as they are: what went wrong is settled with the channel.',
    refusals: ['review_not_found'],
  })
  const parse = parserOf(CloseBody)
  app.put('/operations/transfers/:id/close', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const { evidence } = parse(request.body ?? {})
    const desk = await deskOf(context)
    const { id } = request.params
    const refusal = await closeReviewOf(desk, id, await deedBy(desk, request, evidence, 'operations:write'))
    if (isRefusal(refusal)) return sendRefusal(reply, refusal)
    return succeed(reply, '200', 'Closed.', { contract_id: id })
  })
}

function listRoute(context: Context): void {
  const { app } = context
  const schema = described(
    'operations.transfers',
    'List transfers of all accounts that wait for an operator, oldest first',
    OPERATIONS,
    { querystring: OperationsQuery, reply: WaitingTransfersReply },
    READ,
    OFFERED,
    {
      description:
        'Outcomes that nobody knows, money behind a frozen channel, and channels that contradict themselves. What is settled while the page is read is left out: a page may be short, and have a next one.',
    },
  )
  const parse = queryParserOf(OperationsQuery)
  app.get('/operations/transfers', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    const desk = await deskOf(context)
    const { transfers, next } = await waitingTransfers(desk, cursorOf(query.after), limitOf(query))
    const nowMs = desk.ids.nowMs()
    const shown = transfers.map((seen) =>
      presentWaitingTransfer({
        ...seen,
        canBeResolved: seen.attempt !== null && canBeResolved(seen.attempt, 'delivered', nowMs),
      }),
    )
    const cursor = next && `${next.sinceMs}.${next.contractId}`
    return succeed(reply, 200, 'Transfers found.', { transfers: shown, next: cursor })
  })
}

function cursorOf(text: string | undefined): WaitingCursor {
  if (text === undefined) return FROM_THE_FIRST
  const [, sinceMs = '', contractId = ''] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(text) ?? []
  if (sinceMs === '' || !isUuid(contractId)) throw badCursor()
  return { sinceMs: Number(sinceMs), contractId }
}
