// GET /contracts/{kind}/{id}/attempts: every attempt at a contract, with what the channel was asked and answered where it ended in
// no definite success.
import { contractNotFound } from '../../engine/execute.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { attemptsMade } from '../../domain/transfer/attempts-made.ts'
import { contractWithJob, contractWithJobFrom } from '../../store/contracts/explained.ts'
import { listChannelCalls, shownCallFrom } from '../../store/jobs/channel-calls.ts'
import { IdParams, ListQuery } from '../../wire/api.ts'
import {
  PaymentAttemptsReply,
  presentPaymentAttempt,
  presentTransferAttempt,
  TransferAttemptsReply,
} from '../../wire/contracts/attempts.ts'
import { type Context, described, guard, parserOf, type RequestWithId } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { limitOf, pageOf } from '../pages.ts'
import { succeed } from '../replies.ts'
import { placeAfter, READ, readableContract, TAGS } from './reading.ts'

export function contractAttemptRoutes(context: Context): void {
  transferAttempts(context)
  paymentAttempts(context)
}

const REFUSALS = { refusals: ['contract_not_found'] } as const
const parse = parserOf(ListQuery)

function transferAttempts(context: Context): void {
  const schema = described(
    'transfers.attempts',
    'List the attempts at a transfer contract, first to last, with what the channel said where one did not succeed',
    TAGS.transfer,
    { params: IdParams, querystring: ListQuery, reply: TransferAttemptsReply },
    READ,
    REFUSALS,
  )
  const path = '/contracts/transfer/:id/attempts'
  context.app.get(path, { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    const from = placeAfter(query.after)
    const found = await readAttempts(context, request)
    if (isRefusal(found)) return sendRefusal(reply, found)
    const { contract, job, calls } = found
    if (contract.kind !== 'transfer') return sendRefusal(reply, contractNotFound(contract))
    const made = attemptsMade(contract, job?.kind === 'payout' ? job : null)
    const { rows, next } = pageFrom(made, from, limitOf(query))
    const attempts = rows.map((attempt) => presentTransferAttempt(attempt, calls))
    return succeed(reply, 200, 'Attempts found.', { attempts, next })
  })
}

function paymentAttempts(context: Context): void {
  const schema = described(
    'payments.attempts',
    'List the attempts at a payment contract, first to last, with what the channel said where one did not succeed',
    TAGS.payment,
    { params: IdParams, querystring: ListQuery, reply: PaymentAttemptsReply },
    READ,
    REFUSALS,
  )
  const path = '/contracts/payment/:id/attempts'
  context.app.get(path, { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const query = parse(request.query)
    const from = placeAfter(query.after)
    const found = await readAttempts(context, request)
    if (isRefusal(found)) return sendRefusal(reply, found)
    const { contract, calls } = found
    if (contract.kind !== 'payment') return sendRefusal(reply, contractNotFound(contract))
    const { rows, next } = pageFrom(contract.attempts, from, limitOf(query))
    const attempts = rows.map((attempt) => presentPaymentAttempt(contract, attempt, calls))
    return succeed(reply, 200, 'Attempts found.', { attempts, next })
  })
}

async function readAttempts({ deps }: Context, request: RequestWithId) {
  const key = readableContract(request)
  if (isRefusal(key)) return key
  const [found, kept] = await deps.reader.send([contractWithJob(key), listChannelCalls(key)])
  const row = found?.rows[0]
  return row ? { ...contractWithJobFrom(row), calls: (kept?.rows ?? []).map(shownCallFrom) } : contractNotFound()
}

/** A contract has a handful of attempts; they are only ever added at the end. */
function pageFrom<T extends { readonly number: number }>(attempts: readonly T[], from: number, limit: number) {
  return pageOf(attempts.slice(from, from + limit + 1), limit, ({ number }) => String(number - 1))
}
