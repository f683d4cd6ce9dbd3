// Lists of contracts. Pages end with `next`, null on the last.
import { paymentFor, transferFor } from '../views.ts'
import { callerOf, type Context, described, guard, queryParserOf } from '../context.ts'
import { succeed } from '../replies.ts'
import { type ContractFilter, lastLookedAt, listContracts, LOOKED_AT_MAX } from '../../store/contracts/lists.ts'
import { readContractFrom } from '../../store/contracts/contracts.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { invalid, refuse, refuseAll } from '../../domain/contract/refusals.ts'
import { minorDigits } from '../../domain/money/currencies.ts'
import { parseDecimal } from '../../domain/money/money.ts'
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
    { description: SHORT_PAGES, refusals: ['token_not_for_contract'] },
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

/**
 * A page of the contracts that fit. Only so many are looked at for it (lists.ts), so that it may hold fewer than were asked for, or
 * none, and yet not be the last.
 */
async function contractsFound({ deps }: Context, caller: Caller, filter: ContractFilter) {
  const [result] = await deps.reader.send([listContracts(caller, filter)])
  const page = pageOf((result?.rows ?? []).map(readContractFrom), filter.limit, (contract) => contract.id)
  if (page.next !== null) return page
  const [last] = await deps.reader.send([lastLookedAt(caller, filter)])
  return { rows: page.rows, next: (last?.rows[0]?.['id'] as string | undefined) ?? null }
}

function filterOf(
  kind: ContractFilter['kind'],
  query: Omit<ContractQuery, 'status'> & { readonly status?: ContractFilter['statuses'] },
): ContractFilter {
  if (query.after !== undefined && !isUuid(query.after)) throw badCursor()
  const currency = query.currency?.toUpperCase() ?? null
  return {
    kind,
    statuses: query.status ?? null,
    channelId: query.channel ?? null,
    currency,
    referenceId: query.reference_id ?? null,
    amountFromMinor: minorOf('amount_from', query.amount_from, currency),
    amountToMinor: minorOf('amount_to', query.amount_to, currency),
    profileId: query.profile?.toLowerCase() ?? null,
    createdFromMs: momentOf(query.created_from, '00:00:00.000'),
    createdToMs: momentOf(query.created_to, '23:59:59.999'),
    after: query.after ?? null,
    limit: limitOf(query),
  }
}

/** An amount says nothing without its currency. */
function minorOf(param: string, text: string | undefined, currency: string | null): bigint | null {
  if (text === undefined) return null
  const digits = currency === null ? undefined : minorDigits(currency)
  const parsed = digits === undefined ? null : parseDecimal(Number(text), digits)
  if (parsed && 'scaled' in parsed) return parsed.scaled
  const why = currency === null ? `Send currency beside ${param}.` : `${param} is no amount in ${currency}.`
  throw new RefusedRequest(refuseAll([invalid(param, why)]))
}

/** The caller, for a list: a token that is bound to one contract sees none. */
function unbound(caller: Caller): Caller {
  if (caller.contractId !== null)
    throw new RefusedRequest(
      refuse('token_not_for_contract', null, 'The token is bound to one contract and cannot list others.'),
    )
  return caller
}
