// A look at a payment contract that is due: what the clock decides is decided in the write path, and where a rail has to be
// asked or closed, that is done under the lease.
import { currentAttempt, type PaymentJob } from '../../domain/payment/payment.ts'
import { errandOf } from '../../domain/payment/decide.ts'
import type { Answer, Ask } from '../../engine/command-request.ts'
import { type CollectingDeps, leasedAt, runErrand } from './collecting.ts'

export type TendDeps = CollectingDeps & { readonly newId: (lane: number) => string }

/** Room at a rail: whether one more call may be made to it now. Taken by `enter`, given back by `leave`. */
export type Room = { readonly enter: (channelId: string) => boolean; readonly leave: (channelId: string) => void }

/** Works on one due job. Somebody else may have taken it: then nothing happens. */
export async function tendPayment(deps: TendDeps, job: PaymentJob, room: Room): Promise<void> {
  const { lane, accountId, contractId: id } = job
  const owner: Omit<Ask, 'command'> = { lane, accountId, keyId: null, idempotency: null }
  const { leaseMs } = deps.payments
  const command = { verb: 'tend', id, leaseMs, transferId: deps.newId(lane) } as const
  const leased = leaseOf(await deps.execute({ ...owner, command }), job)
  if (!leased) return
  const { payment, lease } = leased
  const attempt = errandOf(payment, leasedAt(deps, lease), lease.tries) ?? currentAttempt(payment)
  if (!attempt) return
  if (!room.enter(attempt.channelId)) {
    const word = { kind: 'not_sent', reason: 'enough calls to the channel are under way' } as const
    await deps.execute({
      ...owner,
      command: { verb: 'collection', id, number: attempt.number, fence: lease.fence, word },
    })
    return
  }
  try {
    await runErrand(deps, payment, lease)
  } finally {
    room.leave(attempt.channelId)
  }
}

/** The lease that a tend took: it raised the fence. */
function leaseOf(answer: Answer, before: PaymentJob) {
  if (!('job' in answer) || !answer.job || answer.contract.kind !== 'payment') return null
  return answer.job.fence > before.fence ? { payment: answer.contract, lease: answer.job } : null
}
