// What is done about a transfer that is stuck: trying it again, and asking where it is and what it waits for.
import type { FastifyRequest } from 'fastify'
import { contractNotFound } from '../../engine/execute.ts'
import { explain, type Payouts } from '../../domain/transfer/explain.ts'
import { majorNumber } from '../../domain/money/money.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import type { Attempt, Transfer } from '../../domain/transfer/transfer.ts'
import { frozenChannels } from '../../store/operator/channels.ts'
import { contractWithAttempt, contractWithAttemptFrom } from '../../store/contracts/explained.ts'
import type { Access } from '../auth/auth.ts'
import { type Context, described, guard, KEY_ONLY, parserOf, succeed } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { ContractReply, IdParams } from '../../wire/schemas.ts'
import { isoOrNull } from '../../wire/times.ts'
import { ExplanationReply, RetryBody } from '../../wire/transfer-action-schemas.ts'
import { readableContract, runCommand } from './transfers.ts'

const TAG = 'Transfer contracts'
const PAY: Access = { accepts: 'api key', scope: 'transfers:pay' }
const READ: Access = { accepts: 'api key', scope: 'contracts:read' }

type WithId = FastifyRequest<{ Params: { id: string } }>

export function transferActionRoutes(context: Context): void {
  retryRoute(context)
  explainRoute(context)
}

function retryRoute(context: Context): void {
  const schema = described(
    'Try a transfer again that failed for good',
    TAG,
    { params: IdParams, body: RetryBody, reply: ContractReply },
    KEY_ONLY,
  )
  const parse = parserOf<RetryBody>(RetryBody)
  context.app.put(
    '/contracts/transfer/:id/retry',
    { schema, onRequest: guard(context, PAY) },
    async (request, reply) => {
      const { id } = (request as WithId).params
      const channelId = parse(request.body ?? {}).channel ?? null
      return runCommand(context, request, reply, { verb: 'retry', id, channelId }, (contract) =>
        succeed(reply, 200, 'The transfer is tried again.', { contract }),
      )
    },
  )
}

function explainRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'Explain where a transfer’s money is, who must act and by when, and what a cancel would do now',
    TAG,
    { params: IdParams, reply: ExplanationReply },
    KEY_ONLY,
  )
  app.get('/contracts/transfer/:id/explain', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const key = readableContract(request)
    if (isRefusal(key)) return sendRefusal(reply, key)
    const [found, frozen] = await deps.reader.send([contractWithAttempt(key), frozenChannels()])
    const row = found?.rows[0]
    if (!row) return sendRefusal(reply, contractNotFound())
    const { contract, attempt } = contractWithAttemptFrom(row)
    const isFrozen = frozen?.rows.some((each) => each['channel_id'] === attempt?.channelId) ?? false
    const explanation = presentExplanation(contract, attempt, isFrozen ? 'frozen' : 'flowing')
    return succeed(reply, 200, 'Transfer explained.', { explanation })
  })
}

function presentExplanation(contract: Transfer, attempt: Attempt | null, payouts: Payouts) {
  const { currency } = contract.terms
  const { summary, places, waitsFor, byMs, cancelNow } = explain(contract, attempt, payouts)
  return {
    summary,
    places: places.map(({ account, amountMinor }) => ({
      account,
      amount: majorNumber(amountMinor, currency),
      currency,
    })),
    waits_for: waitsFor,
    by: isoOrNull(byMs),
    cancel_now: cancelNow,
    attempt: attempt && presentAttempt(attempt),
  }
}

function presentAttempt({ number, channelId, reference, status, tries, submittedAt, dueAt }: Attempt) {
  const times = { submitted_at: isoOrNull(submittedAt), next_at: isoOrNull(dueAt) }
  return { number, channel: channelId, reference, status, tries, ...times }
}
