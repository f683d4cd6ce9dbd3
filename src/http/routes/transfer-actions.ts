// What is done about a transfer that is stuck: trying it again, and asking where it is and what it waits for.
import { COMMAND } from '../openapi/facts.ts'
import { contractNotFound } from '../../engine/execute.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { frozenChannels } from '../../store/operator/channels.ts'
import { contractWithAttempt, contractWithAttemptFrom } from '../../store/contracts/explained.ts'
import type { Access } from '../auth/auth.ts'
import { type Context, described, guard, parserOf } from '../context.ts'
import { succeed } from '../replies.ts'
import { sendRefusal } from '../errors.ts'
import { IdParams } from '../../wire/api.ts'
import { ExplanationReply, presentExplanation } from '../../wire/explanation.ts'
import { RetryBody } from '../../wire/transfer-requests.ts'
import { ContractReply } from '../../wire/transfer.ts'
import { readableContract, runCommand } from './transfers.ts'

const TAG = 'Transfer contracts'
const PAY: Access = { accepts: 'api key', scope: 'transfers:pay' }
const READ: Access = { accepts: 'api key', scope: 'contracts:read' }

export function transferActionRoutes(context: Context): void {
  retryRoute(context)
  explainRoute(context)
}

function retryRoute(context: Context): void {
  const schema = described(
    'transfers.retry',
    'Try a transfer again that failed for good',
    TAG,
    { params: IdParams, body: RetryBody, reply: ContractReply },
    PAY,
    COMMAND,
    {
      refusals: [
        'insufficient_funds',
        'transfer_above_cap',
        'channel_not_found',
        'channel_not_in_mode',
        'requirements_not_met',
        'transfer_not_failed',
        'wallet_closed',
        'wallet_not_found',
      ],
    },
  )
  const parse = parserOf(RetryBody)
  context.app.put(
    '/contracts/transfer/:id/retry',
    { schema, onRequest: guard(context, PAY) },
    async (request, reply) => {
      const { id } = request.params
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
    'transfers.explain',
    'Explain where a transfer’s money is, who must act and by when, and what a cancel would do now',
    TAG,
    { params: IdParams, reply: ExplanationReply },
    READ,
    { refusals: ['contract_not_found'] },
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
