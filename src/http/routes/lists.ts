// Lists of contracts. Pages end with `next`, null on the last.
import { paymentFor, transferFor } from '../views.ts'
import { callerOf, type Context, described, guard, queryParserOf } from '../context.ts'
import { succeed } from '../replies.ts'
import { type ContractFilter, listContracts } from '../../store/contracts/lists.ts'
import { readContractFrom } from '../../store/contracts/contracts.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { refuse } from '../../domain/contract/refusals.ts'
import type { Caller } from '../../app/accounts/callers.ts'
import { RefusedRequest } from '../errors.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'
import { momentOf } from '../request/moments.ts'
import { PaymentQuery } from '../../wire/payment-requests.ts'
import { PaymentsReply } from '../../wire/payment.ts'
import { ContractQuery } from '../../wire/transfer-requests.ts'
import { ContractsReply } from '../../wire/transfer.ts'

export function listRoutes(context: Context): void {
  transferList(context)
  paymentList(context)
}

const ACCESS = { accepts: 'api key or token', scope: 'contracts:read' } as const

function transferList(context: Context): void {
  const { app, presenter } = context
  const shapes = { querystring: ContractQuery, reply: ContractsReply }
  const schema = described(
    'transfers.list',
    'List transfer contracts, newest first',
    'Transfer contracts',
    shapes,
    ACCESS,
    { refusals: ['token_not_for_contract'] },
  )
  const parse = queryParserOf(ContractQuery)
  app.get('/contracts/transfer', { schema, onRequest: guard(context, ACCESS) }, async (request, reply) => {
    const caller = unbound(callerOf(request))
    const { rows, next } = await contractsFound(context, caller, filterOf('transfer', parse(request.query)))
    const contracts = rows.flatMap((contract) =>
      contract.kind === 'transfer' ? transferFor(request, presenter, contract, caller.profileId) : [],
    )
    return succeed(reply, 200, 'Transfer contracts found.', { contracts, next })
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
    { refusals: ['token_not_for_contract'] },
  )
  const parse = queryParserOf(PaymentQuery)
  app.get('/contracts/payment', { schema, onRequest: guard(context, ACCESS) }, async (request, reply) => {
    const caller = unbound(callerOf(request))
    const { rows, next } = await contractsFound(context, caller, filterOf('payment', parse(request.query)))
    const contracts = rows.flatMap((contract) =>
      contract.kind === 'payment' ? paymentFor(request, presenter, contract, caller.profileId) : [],
    )
    return succeed(reply, 200, 'Payment contracts found.', { contracts, next })
  })
}

async function contractsFound({ deps }: Context, caller: Caller, filter: ContractFilter) {
  const [result] = await deps.reader.send([listContracts(caller, filter)])
  const found = (result?.rows ?? []).map(readContractFrom)
  return pageOf(found, filter.limit, (contract) => contract.id)
}

function filterOf(
  kind: ContractFilter['kind'],
  query: Omit<ContractQuery, 'status'> & { readonly status?: ContractFilter['statuses'] },
): ContractFilter {
  if (query.after !== undefined && !isUuid(query.after)) throw badCursor()
  return {
    kind,
    statuses: query.status ?? null,
    channelId: query.channel ?? null,
    currency: query.currency?.toUpperCase() ?? null,
    referenceId: query.reference_id ?? null,
    createdFromMs: momentOf(query.created_from, '00:00:00.000'),
    createdToMs: momentOf(query.created_to, '23:59:59.999'),
    after: query.after ?? null,
    limit: limitOf(query),
  }
}

/** The caller, for a list: a token that is bound to one contract sees none. */
function unbound(caller: Caller): Caller {
  if (caller.contractId !== null)
    throw new RefusedRequest(
      refuse('token_not_for_contract', null, 'The token is bound to one contract and cannot list others.'),
    )
  return caller
}
