// GET /contracts/{kind}/{id}/activities: all that ever happened to a contract, oldest first. The contract itself shows the
// newest of them.
import type { Contract } from '../../domain/contract/contract.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import type { Activity } from '../../domain/transfer/transfer.ts'
import { listActivities, listedActivityFrom } from '../../store/contracts/activities.ts'
import type { Access } from '../auth/auth.ts'
import { callerOf, type Context, described, guard, parserOf } from '../context.ts'
import { succeed } from '../replies.ts'
import { contractOf } from '../contracts/reading.ts'
import { sendRefusal } from '../errors.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'
import { ActivitiesReply, presentActivity } from '../../wire/activities.ts'
import { IdParams, ListQuery } from '../../wire/api.ts'

const READ: Access = { accepts: 'api key', scope: 'contracts:read' }

export function activityRoutes(context: Context): void {
  activityList(context, 'transfer', 'Transfer contracts')
  activityList(context, 'payment', 'Payment contracts')
}

function activityList(context: Context, kind: Contract['kind'], tag: string): void {
  const { app } = context
  const schema = described(
    `${kind}s.activities`,
    `List the activities of a ${kind} contract, oldest first`,
    tag,
    { params: IdParams, querystring: ListQuery, reply: ActivitiesReply },
    READ,
    { refusals: ['contract_not_found'] },
  )
  const parse = parserOf(ListQuery)
  app.get(`/contracts/${kind}/:id/activities`, { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    if (query.after !== undefined && !/^(?:0|[1-9]\d{0,8})$/.test(query.after)) throw badCursor()
    const contract = await contractOf(context, request, kind)
    if (isRefusal(contract)) return sendRefusal(reply, contract)
    const limit = limitOf(query)
    const from = query.after === undefined ? 0 : Number(query.after) + 1
    const found = await activitiesFrom(context, contract, from, limit + 1)
    const page = pageOf(found, limit, ({ index }) => String(index))
    const { profileId } = callerOf(request)
    return succeed(reply, 200, 'Activities found.', {
      activities: page.rows.map(({ line, index }) => presentActivity(contract, line, index, profileId)),
      next: page.next,
    })
  })
}

type Placed = { readonly line: Activity; readonly index: number }

/** So many activities from an index on. Those that the contract folded away are read from the versions that made them. */
async function activitiesFrom({ deps }: Context, contract: Contract, from: number, count: number): Promise<Placed[]> {
  const { activities } = contract
  const folded = contract.kind === 'transfer' ? (contract.folded ?? 0) : 0
  const repeated = activities.map((line, place) => ({ line, index: place === 0 ? 0 : place + folded }))
  const first = Math.max(1, from)
  const last = Math.min(folded, from + count - 1)
  const read: Placed[] = []
  if (first <= last) {
    // Each of them is an update, which made the version after its index.
    const [result] = await deps.reader.send([listActivities(contract, first + 1, last + 1)])
    for (const [i, row] of (result?.rows ?? []).entries())
      read.push({ line: listedActivityFrom(row), index: first + i })
  }
  const [created, ...rest] = repeated
  return [...(created ? [created] : []), ...read, ...rest].filter(({ index }) => index >= from).slice(0, count)
}
