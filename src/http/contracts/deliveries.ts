// GET /contracts/{kind}/{id}/deliveries: what became of the contract's events at every webhook endpoint. It tells of endpoints
// and their receivers, so it asks for the scope that the list of an endpoint's deliveries asks for; what a contract is can be
// read with it anyway, in the events themselves.
import type { Contract } from '../../domain/contract/contract.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import type { ContractDelivery } from '../../domain/webhook/shown.ts'
import {
  contractDeliveryFrom,
  type ContractDeliveryPlace,
  listContractDeliveries,
} from '../../store/webhooks/contract-deliveries.ts'
import { IdParams, ListQuery } from '../../wire/api.ts'
import { ContractDeliveriesReply, presentContractDelivery } from '../../wire/contracts/deliveries.ts'
import type { Access } from '../auth/auth.ts'
import { callerOf, type Context, described, guard, parserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'
import { succeed } from '../replies.ts'
import { contractOf, TAGS } from './reading.ts'

const MANAGE: Access = { accepts: 'api key', scope: 'webhooks:manage' }

export function contractDeliveryRoutes(context: Context): void {
  deliveryList(context, 'transfer')
  deliveryList(context, 'payment')
}

function deliveryList(context: Context, kind: Contract['kind']): void {
  const { app, deps } = context
  const schema = described(
    `${kind}s.deliveries`,
    `List the webhook deliveries of a ${kind} contract’s events, newest event first`,
    TAGS[kind],
    { params: IdParams, querystring: ListQuery, reply: ContractDeliveriesReply },
    MANAGE,
    {
      description: 'An event that no endpoint has been tried with yet has no delivery.',
      refusals: ['contract_not_found'],
    },
  )
  const parse = parserOf(ListQuery)
  app.get(
    `/contracts/${kind}/:id/deliveries`,
    { schema, onRequest: guard(context, MANAGE) },
    async (request, reply) => {
      const query = parse(request.query)
      const after = query.after === undefined ? null : placeOf(query.after)
      const contract = await contractOf(context, request, kind)
      if (isRefusal(contract)) return sendRefusal(reply, contract)
      const limit = limitOf(query)
      const [result] = await deps.reader.send([listContractDeliveries(contract, after, limit)])
      const page = pageOf((result?.rows ?? []).map(contractDeliveryFrom), limit, cursorOf)
      const { livemode } = callerOf(request)
      const deliveries = page.rows.map((each) => presentContractDelivery(each, livemode))
      return succeed(reply, 200, 'Deliveries found.', { deliveries, next: page.next })
    },
  )
}

const cursorOf = ({ position, replay, endpointId }: ContractDelivery) => `${position}_${replay}_${endpointId}`

function placeOf(cursor: string): ContractDeliveryPlace {
  const [, position, replay, endpointId = ''] = /^([1-9]\d{0,14})_(0|[1-9]\d{0,8})_([0-9a-f-]{36})$/.exec(cursor) ?? []
  if (!isUuid(endpointId)) throw badCursor()
  return { position: Number(position), replay: Number(replay), endpointId }
}
