// A look at a payment contract that is due: what the clock decides is decided in the write path, and where a rail has to be
// asked or closed, that is done under the lease.
import { currentAttempt, type PaymentJob } from '../../domain/payment/payment.ts'
import { dueAttempt } from '../../domain/payment/decide.ts'
import type { CommandResult, CommandRequest } from '../../engine/command-request.ts'
import { type CollectingDeps, leasedAt, processLeased } from './collecting.ts'

export type ProcessDueDeps = CollectingDeps & { readonly newId: (lane: number) => string }

/** Room at a rail: whether one more call may be made to it now. Taken by `enter`, given back by `leave`. */
export type Room = { readonly enter: (channelId: string) => boolean; readonly leave: (channelId: string) => void }

/** Works on one due job. Somebody else may have taken it: then nothing happens. */
export async function processDuePayment(deps: ProcessDueDeps, job: PaymentJob, room: Room): Promise<void> {
  const { lane, accountId, contractId: id } = job
  const owner: Omit<CommandRequest, 'command'> = { lane, accountId, keyId: null, idempotency: null }
  const { leaseMs } = deps.payments
  const command = { verb: 'process_due', id, leaseMs, transferId: deps.newId(lane) } as const
  const leased = leaseOf(await deps.execute({ ...owner, command }), job)
  if (!leased) return
  const { payment, lease } = leased
  const attempt = dueAttempt(payment, leasedAt(deps, lease), lease.tries) ?? currentAttempt(payment)
  if (!attempt) return
  if (!room.enter(attempt.channelId)) {
    const result = { kind: 'not_sent', reason: 'enough calls to the channel are under way' } as const
    await deps.execute({
      ...owner,
      command: { verb: 'report_collection', id, number: attempt.number, fence: lease.fence, result },
    })
    return
  }
  try {
    await processLeased(deps, payment, lease)
  } finally {
    room.leave(attempt.channelId)
  }
}

/** The lease that a tend took: it raised the fence. */
function leaseOf(answer: CommandResult, before: PaymentJob) {
  if (!('job' in answer) || !answer.job || answer.contract.kind !== 'payment') return null
  return answer.job.fence > before.fence ? { payment: answer.contract, lease: answer.job } : null
}
