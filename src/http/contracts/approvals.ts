// The routes of approvals: one contract or many are approved by a member who is signed in, one is rejected; and the queue.
import { approvalOf, approvalsOf, tryApprovals } from '../../app/transfers/approval-queue.ts'
import { approveAll } from '../../app/transfers/approvals.ts'
import { maskedOrNull } from '../../app/contracts/recipient.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { isRefusal, refuse } from '../../domain/contract/refusals.ts'
import { IdParams } from '../../wire/api.ts'
import { ApproveAllBody, ApproveBody, RejectBody } from '../../wire/contracts/approval.ts'
import {
  ApprovalReply,
  ApprovalsQuery,
  ApprovalsReply,
  ApproveAllReply,
  presentOutcome,
  presentQueued,
  presentTotals,
} from '../../wire/contracts/approvals.ts'
import { ContractReply } from '../../wire/transfer.ts'
import type { FastifyRequest } from 'fastify'
import type { Access } from '../auth/auth.ts'
import { callerOf, type Context, described, guard, parserOf, queryParserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { COMMAND, type Facts } from '../openapi/facts.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'
import { succeed } from '../replies.ts'
import { runCommand } from '../routes/transfers.ts'

const TAG = 'Approvals'
const APPROVE: Access = { accepts: 'session', scope: 'approvals:write' }
const READ: Access = { accepts: 'api key', scope: 'contracts:read' }

export function approvalRoutes(context: Context): void {
  approveRoute(context)
  rejectRoute(context)
  listRoute(context)
  getRoute(context)
  approveAllRoute(context)
}

const DECIDING: Facts = {
  refusals: [
    'approval_not_required',
    'terms_changed',
    'contract_not_issued',
    'contract_cancelled',
    'contract_expired',
    'contract_already_paid',
    'contract_completed',
  ],
}

/** The member whose session it is. No route here lets a key in. */
function memberOf(request: FastifyRequest): string {
  const { memberId } = callerOf(request)
  if (memberId === null) throw new Error('a session without a member came in')
  return memberId
}

function approveRoute(context: Context): void {
  const schema = described(
    'approvals.approve',
    'Approve a transfer that waits for it',
    TAG,
    { params: IdParams, body: ApproveBody, reply: ContractReply },
    APPROVE,
    COMMAND,
    DECIDING,
    {
      description:
        'For members, with their session. Nobody approves what they made, changed or issued, themselves or by an API key that they made. Who approves the same again changes nothing.',
      refusals: ['approver_is_maker', 'approver_role_not_asked', 'destination_changed'],
    },
  )
  const parse = parserOf(ApproveBody)
  const onRequest = guard(context, APPROVE)
  context.app.put('/contracts/transfer/:id/approve', { schema, onRequest }, async (request, reply) => {
    const { id } = request.params
    const { terms_hash: termsHash } = parse(request.body ?? {})
    const command = { verb: 'approve', id, termsHash, memberId: memberOf(request) } as const
    return runCommand(context, request, reply, command, (contract) => {
      const isComplete = contract.approval?.status === 'approved'
      const words = isComplete ? 'Approved. It can be paid.' : 'Approved. It waits for others still.'
      return succeed(reply, 200, words, { contract })
    })
  })
}

function rejectRoute(context: Context): void {
  const schema = described(
    'approvals.reject',
    'Reject a transfer that waits for approval: it is cancelled',
    TAG,
    { params: IdParams, body: RejectBody, reply: ContractReply },
    APPROVE,
    COMMAND,
    DECIDING,
  )
  const parse = parserOf(RejectBody)
  const onRequest = guard(context, APPROVE)
  context.app.put('/contracts/transfer/:id/reject', { schema, onRequest }, async (request, reply) => {
    const { id } = request.params
    const { terms_hash: termsHash, reason } = parse(request.body ?? {})
    const said = { termsHash, memberId: memberOf(request), reason: maskedOrNull(reason) }
    return runCommand(context, request, reply, { verb: 'reject', id, ...said }, (contract) =>
      succeed(reply, 200, 'Rejected, and cancelled.', { contract }),
    )
  })
}

function listRoute(context: Context): void {
  const { app, deps, presenter } = context
  const schema = described(
    'approvals.list',
    'List transfers of which approvals were asked, newest first',
    TAG,
    { querystring: ApprovalsQuery, reply: ApprovalsReply },
    READ,
    {
      description:
        'Each with what is lacking, and whether you may approve it. With status or mine a page may be shorter than asked for, or empty, and next goes on.',
      refusals: ['session_required'],
    },
  )
  const parse = queryParserOf(ApprovalsQuery)
  app.get('/approvals', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const caller = callerOf(request)
    const query = parse(request.query)
    const { after = null } = query
    const isMine = query.mine === 'true'
    if (after !== null && !isUuid(after)) throw badCursor()
    if (isMine && caller.memberId === null)
      return sendRefusal(reply, refuse('session_required', 'mine', 'mine is for members. An API key approves nothing.'))
    const limit = limitOf(query)
    const status = query.status ?? (isMine ? 'waiting' : null)
    const found = await approvalsOf(deps, caller, approverOf(request), { status, after, limit })
    const { rows, next } = pageOf(found, limit, ({ contract }) => contract.id)
    const approvals = rows
      .filter((each) => (status === null || each.status === status) && (!isMine || each.whyNot === null))
      .map((each) => presentQueued(presenter, each, caller.profileId))
    return succeed(reply, 200, 'Approvals found.', { approvals, next })
  })
}

/** Who may approve at all; null for a key, and for a member whose role may not. */
function approverOf(request: FastifyRequest): string | null {
  const { memberId, scopes } = callerOf(request)
  return scopes.has('approvals:write') ? memberId : null
}

function getRoute(context: Context): void {
  const { app, deps, presenter } = context
  const schema = described(
    'approvals.get',
    'Get the approvals of a transfer',
    TAG,
    { params: IdParams, reply: ApprovalReply },
    READ,
    { description: 'Not found where nobody was asked.', refusals: ['contract_not_found'] },
  )
  app.get('/approvals/:id', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const caller = callerOf(request)
    const found = await approvalOf(deps, caller, approverOf(request), request.params.id)
    if (isRefusal(found)) return sendRefusal(reply, found)
    return succeed(reply, 200, 'Approval found.', { approval: presentQueued(presenter, found, caller.profileId) })
  })
}

function approveAllRoute(context: Context): void {
  const { app, deps, presenter } = context
  const schema = described(
    'approvals.approve_all',
    'Approve several transfers at once, each by itself',
    TAG,
    { body: ApproveAllBody, reply: ApproveAllReply },
    APPROVE,
    {
      description:
        'One that is refused holds no other back. A repeat changes nothing. With dry_run nothing is approved: it says what would be, and the totals.',
      refusals: ['account_busy'],
    },
  )
  const parse = parserOf(ApproveAllBody)
  app.post('/approvals/approve', { schema, onRequest: guard(context, APPROVE) }, async (request, reply) => {
    const { lane, accountId, keyId, profileId } = callerOf(request)
    const memberId = memberOf(request)
    const sent = parse(request.body ?? {})
    const items = sent.items.map(({ id, terms_hash: termsHash }) => ({ id, termsHash }))
    const isDry = sent.dry_run === true
    const requester = { lane, accountId, keyId, memberId }
    const ended = isDry
      ? await tryApprovals(deps, requester, memberId, items)
      : await approveAll(deps, requester, memberId, items)
    const results = ended.map((each) => presentOutcome(presenter, each, profileId))
    const approved = results.filter(({ outcome }) => outcome === 'approved').length
    const words = isDry ? 'Would be approved' : 'Approved'
    const told = { dry_run: isDry, approved, totals: presentTotals(ended), results }
    return succeed(reply, '200', `${words}: ${approved} of ${results.length}.`, told)
  })
}
