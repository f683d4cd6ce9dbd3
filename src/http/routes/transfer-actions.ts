// What is done about a transfer beside its way: trying it again that failed for good, and what members say of it.
import { COMMAND } from '../openapi/facts.ts'
import type { Access } from '../auth/auth.ts'
import { type Context, described, guard, parserOf } from '../context.ts'
import { succeed } from '../replies.ts'
import { approvalRoutes } from '../contracts/approvals.ts'
import { IdParams } from '../../wire/api.ts'
import { RetryBody } from '../../wire/transfer-requests.ts'
import { ContractReply } from '../../wire/transfer.ts'
import { runCommand } from './transfers.ts'

const TAG = 'Transfer contracts'
const PAY: Access = { accepts: 'api key', scope: 'transfers:pay' }

export function transferActionRoutes(context: Context): void {
  retryRoute(context)
  approvalRoutes(context)
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
        'mandate_exceeded',
        'policy_denied',
        'approval_required',
        'verification_required',
        'channel_not_found',
        'channel_not_in_mode',
        'requirements_not_met',
        'terms_changed',
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
