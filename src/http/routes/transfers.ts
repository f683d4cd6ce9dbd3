// The transfer contract's routes (spec 4.1–4.6, docs/requests.md): parse, ask, present.
import { COMMAND, OPENED, TAGGED } from '../openapi/facts.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ContractResult, ReplayedRefusal } from '../../engine/command-request.ts'
import type { CommandAbout } from '../../engine/command-table.ts'
import { cancelContract } from '../../app/payments/payments.ts'
import { profilesNamed } from '../../app/profiles/named.ts'
import { updateTransfer } from '../../app/transfers/payees.ts'
import type { Contract } from '../../domain/contract/contract.ts'
import type { PlainCommand, UpdateTransfer } from '../../domain/transfer/commands.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import type { Access } from '../auth/auth.ts'
import { callerOf, type Context, contractOrRefuse, described, guard, parserOf, type RequestWithId } from '../context.ts'
import { type ReplyOf, sendUnchanged, succeed } from '../replies.ts'
import { type DraftRules, expectedPreview, patchOf, readDraft, readPatch } from '../../app/contracts/draft.ts'
import { outgoingDraft } from '../../app/contracts/outgoing.ts'
import { repeatedOr } from '../../app/contracts/repeats.ts'
import { contractOf } from '../contracts/reading.ts'
import { sendRefusal } from '../errors.ts'
import { commandCallerOf } from '../request/command-caller.ts'
import { maskedOrNull } from '../../app/contracts/recipient.ts'
import { CancelReply, presentContract } from '../../wire/any-contract.ts'
import { IdParams } from '../../wire/api.ts'
import { presentCancellation } from '../../wire/contract.ts'
import { CancelBody, DraftBody, IssueBody, PatchBody, PayBody } from '../../wire/transfer-requests.ts'
import { ContractReply, type OwnersTransfer, presentRefund, presentTransfer, UpdateReply } from '../../wire/transfer.ts'
import { transferFor } from '../views.ts'
import { isKnown, tagged } from '../request/versions.ts'

const TAG = 'Transfer contracts'
const WRITE: Access = { accepts: 'api key', scope: 'contracts:write' }
const ISSUE: Access = { accepts: 'api key', scope: 'transfers:issue' }
const PAY: Access = { accepts: 'api key', scope: 'transfers:pay' }
const CANCEL: Access = { accepts: 'api key', scope: 'transfers:cancel' }
const READ: Access = { accepts: 'api key or token', scope: 'contracts:read' }

export function transferRoutes(context: Context): void {
  createRoute(context)
  updateRoute(context)
  issueRoute(context)
  payRoute(context)
  cancelRoute(context)
  getRoute(context)
}

function createRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'transfers.create',
    'Generate a transfer contract',
    TAG,
    { body: DraftBody, reply: ContractReply },
    WRITE,
    OPENED,
    { refusals: ['channel_not_in_mode'] },
  )
  app.post('/contracts/transfer', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const caller = callerOf(request)
    const { livemode } = caller
    const sent = readDraft(request.body)
    if (isRefusal(sent)) return sendRefusal(reply, sent)
    const requester = commandCallerOf(request)
    if (isRefusal(requester)) return sendRefusal(reply, requester)
    const draft = await outgoingDraft(deps, caller, sent.read, rulesFor(context, request))
    const id = deps.newContractId(requester, requester.idempotency)
    const result = isRefusal(draft)
      ? await repeatedOr(deps.execute, requester, { kind: 'transfer', id, otherwise: draft })
      : await deps.execute({ ...requester, command: { verb: 'create_transfer', id, livemode, pays: null, ...draft } })
    return answerTransfer(context, request, reply, result, (contract) =>
      succeed(reply, 200, 'Transfer contract created.', { contract }),
    )
  })
}

function updateRoute(context: Context): void {
  const schema = described(
    'transfers.update',
    'Update a transfer contract',
    TAG,
    { params: IdParams, body: PatchBody, reply: UpdateReply },
    WRITE,
    COMMAND,
    {
      refusals: [
        'channel_not_in_mode',
        'contract_not_draft',
        'contract_cancelled',
        'contract_expired',
        'contract_already_paid',
      ],
    },
  )
  const { deps } = context
  context.app.patch('/contracts/transfer/:id', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const { id } = request.params
    const sent = readPatch(request.body ?? {})
    if (isRefusal(sent)) return sendRefusal(reply, sent)
    const caller = callerOf(request)
    const named = profilesNamed(deps, caller, sent.read)
    const patch = patchOf(sent.read, rulesFor(context, request), named && (await named))
    const requester = commandCallerOf(request, id)
    if (isRefusal(requester)) return sendRefusal(reply, requester)
    const updated = await updateTransfer(deps, requester, { id, patch, sent: sent.read })
    return answerTransfer(context, request, reply, updated, (contract) =>
      succeed(reply, '200', 'Transfer contract updated.', { contract }),
    )
  })
}

function issueRoute(context: Context): void {
  const schema = described(
    'transfers.issue',
    'Issue a transfer contract',
    TAG,
    { params: IdParams, body: IssueBody, reply: ContractReply },
    ISSUE,
    COMMAND,
    {
      refusals: [
        'contract_not_draft',
        'contract_cancelled',
        'contract_expired',
        'contract_already_paid',
        'preview_mismatch',
        'restored_request',
        'requirements_not_met',
        'channel_not_in_mode',
      ],
    },
  )
  const parse = parserOf(IssueBody)
  context.app.put(
    '/contracts/transfer/:id/issue',
    { schema, onRequest: guard(context, ISSUE) },
    async (request, reply) => {
      const { id } = request.params
      const preview = expectedPreview(parse(request.body ?? {}).preview)
      return runCommand(context, request, reply, { verb: 'issue', id, preview }, (contract) =>
        succeed(reply, 200, 'Transfer contract issued.', { contract }),
      )
    },
  )
}

function payRoute(context: Context): void {
  const schema = described(
    'transfers.pay',
    'Pay a transfer contract',
    TAG,
    { params: IdParams, body: PayBody, reply: ContractReply },
    PAY,
    COMMAND,
    {
      refusals: [
        'insufficient_funds',
        'transfer_above_cap',
        'policy_denied',
        'approval_required',
        'verification_required',
        'mandate_exceeded',
        'wallet_not_found',
        'wallet_closed',
        'contract_not_issued',
        'contract_cancelled',
        'contract_expired',
        'contract_already_paid',
        'preview_mismatch',
        'restored_request',
        'requirements_not_met',
        'channel_unavailable',
      ],
    },
  )
  const parse = parserOf(PayBody)
  context.app.put('/contracts/transfer/:id/pay', { schema, onRequest: guard(context, PAY) }, async (request, reply) => {
    const { id } = request.params
    const { preview, source } = parse(request.body ?? {})
    const command: PlainCommand = {
      verb: 'pay',
      id,
      preview: expectedPreview(preview),
      walletId: source?.toLowerCase() ?? null,
    }
    return runCommand(context, request, reply, command, (contract) =>
      succeed(reply, 200, 'Transfer contract paid.', { contract }),
    )
  })
}

/** Cancels both kinds: the id decides (docs/design/domain.md). */
function cancelRoute(context: Context): void {
  const shapes = { params: IdParams, body: CancelBody, reply: CancelReply }
  const transfer = described('transfers.cancel', 'Cancel a transfer contract', TAG, shapes, CANCEL, COMMAND, {
    refusals: ['contract_already_paid', 'contract_cancelled', 'contract_completed', 'contract_expired'],
  })
  const payment = described(
    'payments.cancel',
    'Cancel a payment contract',
    'Payment contracts',
    shapes,
    CANCEL,
    COMMAND,
    { refusals: ['contract_already_paid', 'contract_cancelled', 'contract_completed', 'contract_expired'] },
  )
  const parse = parserOf(CancelBody)
  const cancel = async (request: RequestWithId, reply: ReplyOf<typeof CancelReply>) => {
    const { id } = request.params
    const reason = maskedOrNull(parse(request.body ?? {}).reason)
    const requester = commandCallerOf(request, id)
    if (isRefusal(requester)) return sendRefusal(reply, requester)
    const answer = contractOrRefuse(reply, await cancelContract(context.deps, requester, id, reason))
    if (!answer) return reply
    const { contract } = answer
    tagged(reply, contract)
    return succeed(reply, '200', cancelWords(contract), {
      contract: presentContract(context.presenter, contract, callerOf(request).profileId),
      refund: contract.kind === 'transfer' ? presentRefund(contract) : null,
      cancellation: presentCancellation(contract.cancellation),
    })
  }
  context.app.delete('/contracts/transfer/:id', { schema: transfer, onRequest: guard(context, CANCEL) }, cancel)
  context.app.delete('/contracts/payment/:id', { schema: payment, onRequest: guard(context, CANCEL) }, cancel)
}

function cancelWords(contract: Contract): string {
  if (contract.status === 'cancelled')
    return contract.kind === 'transfer' && contract.refund ? 'Contract cancelled and refunded.' : 'Contract cancelled.'
  return contract.kind === 'transfer'
    ? 'Cancellation requested. The channel decides: the contract ends either completed, or cancelled and refunded.'
    : 'Cancellation requested. The rail decides: the contract ends either cancelled, or paid.'
}

function getRoute(context: Context): void {
  const { app, presenter } = context
  const schema = described(
    'transfers.get',
    'Get a transfer contract',
    TAG,
    { params: IdParams, reply: ContractReply },
    READ,
    TAGGED,
    { refusals: ['contract_not_found', 'token_not_for_contract'] },
  )
  app.get('/contracts/transfer/:id', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const contract = await contractOf(context, request, 'transfer')
    if (isRefusal(contract)) return sendRefusal(reply, contract)
    tagged(reply, contract)
    if (isKnown(request, contract)) return sendUnchanged(reply)
    return succeed(reply, 200, 'Transfer contract found.', {
      contract: transferFor(request, presenter, contract, callerOf(request).profileId),
    })
  })
}

export function rulesFor({ settings }: Context, request: FastifyRequest): DraftRules {
  return { currencies: settings.currencies, livemode: callerOf(request).livemode }
}

type Present = (contract: OwnersTransfer, result: ContractResult<Transfer>) => FastifyReply

/** One command through the write path: refused, replayed or presented. */
export async function runCommand(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  command: Exclude<CommandAbout<'transfer'>, CommandAbout<'payment'> | UpdateTransfer>,
  present: Present,
): Promise<FastifyReply> {
  const requester = commandCallerOf(request, command.id)
  if (isRefusal(requester)) return sendRefusal(reply, requester)
  return answerTransfer(context, request, reply, await context.deps.execute({ ...requester, command }), present)
}

function answerTransfer(
  { presenter }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: ContractResult<Transfer> | Refusal | ReplayedRefusal,
  present: Present,
): FastifyReply {
  const result = contractOrRefuse(reply, answer)
  if (!result) return reply
  tagged(reply, result.contract)
  return present(presentTransfer(presenter, result.contract, callerOf(request).profileId), result)
}
