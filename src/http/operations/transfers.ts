// GET /operations/transfers: what waits for an operator, of all accounts. And closing what contradicts itself, once it is understood.
import { FROM_THE_FIRST, waitingTransfers } from '../../app/operator/waiting-transfers.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { canBeResolved } from '../../domain/transfer/resolution.ts'
import type { WaitingCursor } from '../../store/operator/waiting-transfers.ts'
import { OperationsQuery, presentWaitingTransfer, WaitingTransfersReply } from '../../wire/operations/transfers.ts'
import { type Context, described, guard, queryParserOf } from '../context.ts'
import { badCursor, limitOf } from '../pages.ts'
import { succeed } from '../replies.ts'
import { deskOf, OFFERED, OPERATIONS, READ } from './doors.ts'

export function waitingTransferRoutes(context: Context): void {
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
