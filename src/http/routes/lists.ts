// Lists of contracts. Pages end with `next`, null on the last.
import { paymentFor, transferFor } from '../views.ts'
import { callerOf, type Context, described, guard, queryParserOf } from '../context.ts'
import { succeed } from '../replies.ts'
import { type ContractFilter, LOOKED_AT_MAX } from '../../store/contracts/lists.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal, refuse } from '../../domain/contract/refusals.ts'
import { contractFilter, type ContractsAsked, pageOfContracts } from '../../app/contracts/listing.ts'
import type { Caller } from '../../app/accounts/callers.ts'
import { RefusedRequest } from '../errors.ts'
import { badCursor, limitOf } from '../pages.ts'
import type { ListQuery } from '../../wire/api.ts'
import { PaymentQuery } from '../../wire/payment-requests.ts'
import { PaymentsReply } from '../../wire/payment.ts'
import { ContractQuery } from '../../wire/transfer-requests.ts'
import { ContractsReply } from '../../wire/transfer.ts'

export function listRoutes(context: Context): void {
  transferList(context)
  paymentList(context)
}

const ACCESS = { accepts: 'api key or token', scope: 'contracts:read' } as const

const SHORT_PAGES = `A page looks at ${LOOKED_AT_MAX} contracts at most: where few of them fit it is shorter than asked for, or empty, and next goes on.`

function transferList(context: Context): void {
  const { app, presenter } = context
  const shapes = { querystring: ContractQuery, reply: ContractsReply }
  const schema = described(
    'transfers.list',
    'List transfer contracts, newest first',
    'Transfer contracts',
    shapes,
    ACCESS,
    { description: SHORT_PAGES, refusals: ['token_not_for_contract'] },
  )
  const parse = queryParserOf(ContractQuery)
  app.get('/contracts/transfer', { schema, onRequest: guard(context, ACCESS) }, async (request, reply) => {
    const caller = unbound(callerOf(request))
    const query = parse(request.query)
    const page = await pageOfContracts(context.deps, caller, filterOf('transfer', query, limitOf(query)))
    const contracts = page.contracts.flatMap((contract) =>
      contract.kind === 'transfer' ? transferFor(request, presenter, contract, caller.profileId) : [],
    )
    return succeed(reply, 200, 'Transfer contracts found.', { contracts, next: page.next })
  })
}

function paymentList(context: Context): void {
  const { app, presenter } = context
  const shapes = { querystring: PaymentQuery, reply: PaymentsReply }
  const schema = described(
    'payments.list',
    'List payment contracts, newest first',
    'Payment contracts',
    shapes,
    ACCESS,
    { description: SHORT_PAGES, refusals: ['token_not_for_contract'] },
  )
  const parse = queryParserOf(PaymentQuery)
  app.get('/contracts/payment', { schema, onRequest: guard(context, ACCESS) }, async (request, reply) => {
    const caller = unbound(callerOf(request))
    const query = parse(request.query)
    const page = await pageOfContracts(context.deps, caller, filterOf('payment', query, limitOf(query)))
    const contracts = page.contracts.flatMap((contract) =>
      contract.kind === 'payment' ? paymentFor(request, presenter, contract, caller.profileId) : [],
    )
    return succeed(reply, 200, 'Payment contracts found.', { contracts, next: page.next })
  })
}

/** A page as the query asks for it, or the refusal thrown. */
function filterOf(
  kind: 'transfer' | 'payment',
  { after, limit: _, ...asked }: ContractsAsked & ListQuery,
  limit: number,
): ContractFilter {
  if (after !== undefined && !isUuid(after)) throw badCursor()
  const filter = contractFilter(kind, asked, { after: after ?? null, limit })
  if (isRefusal(filter)) throw new RefusedRequest(filter)
  return filter
}

/** The caller, for a list: a token that is bound to one contract sees none. */
function unbound(caller: Caller): Caller {
  if (caller.contractId !== null)
    throw new RefusedRequest(
      refuse('token_not_for_contract', null, 'The token is bound to one contract and cannot list others.'),
    )
  return caller
}
