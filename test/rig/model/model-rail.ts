// The model's other half: what workers may take up, and what the words of a rail do to a paid contract (docs/design/domain.md).
import { type Balance, change, chargeOf, type Model, type ModelContract, refund, walletOf } from './model.ts'

export type RailWord = 'not_sent' | 'accepted' | 'delivered' | 'failed' | 'returned' | 'unknown' | 'not_found'

/** What the rail promises: whether "not found" is final the second time, and whether it still knows the reference. */
export type RailMemory = { readonly absenceIsFinal: boolean; readonly remembers: boolean }

/** Whether the worker got the attempt. */
export function submit(contract: ModelContract): boolean {
  if (contract.status !== 'paid' || contract.execution !== 'queued' || !contract.due) return false
  contract.execution = 'submitting'
  contract.fence += 1
  contract.due = false
  contract.absent = false
  // Sent again without a word between: the history says so once.
  change(contract, contract.trail.at(-1) === 'transfer_submitted' ? [] : ['transfer_submitted'], null)
  return true
}

export function inquire(contract: ModelContract): boolean {
  const { status, execution, due } = contract
  if (status !== 'paid' || !due || !['submitting', 'accepted', 'unknown'].includes(execution)) return false
  contract.fence += 1
  contract.due = false
  if (execution === 'submitting') {
    // The worker was lost in its call: nobody knows what became of it.
    contract.execution = 'unknown'
    change(contract, ['transfer_unknown'], null)
  }
  return true
}

/** From who held the lease before only that the money went counts, and that the rail has what was given up. */
export function hearLate(model: Model, contract: ModelContract, word: RailWord, memory: RailMemory): void {
  const wasTaken = word === 'accepted' && contract.status === 'cancelled'
  if (word === 'delivered' || wasTaken) hear(model, contract, word, memory)
}

/** A word about this very attempt, from the holder of the lease or from the rail's own news. */
export function hear(model: Model, contract: ModelContract, word: RailWord, memory: RailMemory): void {
  if (contract.execution === 'none') return
  if (contract.status === 'completed') {
    if (word === 'returned') bounce(model, contract)
    return word === 'failed' ? dispute(contract) : undefined
  }
  if (contract.status === 'cancelled') {
    const wasTaken = word === 'accepted' && contract.execution === 'voided'
    return wasTaken || (word === 'delivered' && contract.execution !== 'returned') ? dispute(contract) : undefined
  }
  // A failure that the rail takes back while the money still waits.
  if (contract.status === 'paid' && contract.execution === 'failed' && word === 'delivered')
    return deliver(model, contract)
  if (contract.status !== 'paid' || !['queued', 'submitting', 'accepted', 'unknown'].includes(contract.execution))
    return
  const wasSubmitting = contract.execution === 'submitting'
  contract.due = false
  switch (word) {
    case 'delivered':
      return deliver(model, contract)
    case 'failed':
    case 'returned':
      return fail(model, contract)
    case 'accepted':
      return accept(model, contract)
    case 'not_sent':
      if (wasSubmitting) sendAgain(model, contract, 'not yet due')
      else contract.absent = false
      return
    case 'unknown':
      if (wasSubmitting) {
        contract.execution = 'unknown'
        change(contract, ['transfer_unknown'], null)
      } else contract.absent = false
      return
    case 'not_found':
      return contract.execution === 'unknown' ? missing(model, contract, memory) : undefined
  }
}

function accept(model: Model, contract: ModelContract): void {
  if (contract.execution === 'accepted') return
  const { debitMinor } = chargeOf(model, contract.terms)
  const wallet = walletOf(model, contract)
  wallet.held -= debitMinor
  wallet.inTransit += debitMinor
  contract.execution = 'accepted'
  contract.absent = false
  contract.due = contract.cancellation === 'pending'
  change(contract, ['transfer_accepted'], null)
}

/** Brings money in transit back to where it waits. */
function landed(model: Model, contract: ModelContract): bigint {
  const { debitMinor } = chargeOf(model, contract.terms)
  const wallet = walletOf(model, contract)
  if (contract.execution === 'accepted') {
    wallet.inTransit -= debitMinor
    wallet.held += debitMinor
  }
  return debitMinor
}

function deliver(model: Model, contract: ModelContract): void {
  const landedMinor = landed(model, contract)
  walletOf(model, contract).held -= landedMinor
  contract.status = 'completed'
  contract.execution = 'delivered'
  if (contract.cancellation !== null) contract.cancellation = 'refused'
  change(contract, ['completed'], 'completed')
}

function fail(model: Model, contract: ModelContract): void {
  landed(model, contract)
  if (model.refundsAtOnce[contract.owner] || contract.cancellation === 'pending')
    return refund(model, contract, 'failed', ['transfer_failed'])
  contract.execution = 'failed'
  change(contract, ['transfer_failed'], 'transfer_failed')
}

function bounce(model: Model, contract: ModelContract): void {
  walletOf(model, contract).held += chargeOf(model, contract.terms).receiveMinor
  contract.status = 'returned'
  contract.execution = 'returned'
  contract.due = model.refundsAtOnce[contract.owner] ?? false
  change(contract, ['returned'], 'returned')
}

/** The rail says delivered although the money was given back: kept once for people to look at. */
function dispute(contract: ModelContract): void {
  if (!contract.trail.includes('outcome_disputed')) change(contract, ['outcome_disputed'], null)
}

/** Twice nothing proves that nothing was done, if the rail's delay is over: refund, or the same reference again. */
function missing(model: Model, contract: ModelContract, { absenceIsFinal, remembers }: RailMemory): void {
  if (!contract.absent) {
    contract.absent = true
    contract.due = absenceIsFinal
  } else if (absenceIsFinal && (contract.cancellation === 'pending' || remembers)) sendAgain(model, contract, 'due')
}

function sendAgain(model: Model, contract: ModelContract, when: 'due' | 'not yet due'): void {
  if (contract.cancellation === 'pending') return refund(model, contract, 'voided', [])
  contract.execution = 'queued'
  contract.absent = false
  contract.due = when === 'due'
  change(contract, [], null)
}

/** One worker's turn with a transfer inside the gateway, or with one that came back. */
export function work(model: Model, contract: ModelContract): void {
  if (contract.status === 'returned' && contract.due) return refund(model, contract, 'returned', [])
  if (submit(contract)) {
    if (!targetOf(model, contract)) return fail(model, contract)
    credit(model, contract)
    return deliver(model, contract)
  }
  if (!inquire(contract)) return
  hear(model, contract, contract.isCredited ? 'delivered' : 'not_found', { absenceIsFinal: false, remembers: true })
}

/** A worker that is lost in its turn, before or after the money arrived; whether it had the attempt at all. */
export function lose(model: Model, contract: ModelContract, when: 'before the credit' | 'after it'): boolean {
  const taken = submit(contract)
  if (taken && when === 'after it') credit(model, contract)
  return taken
}

function credit(model: Model, contract: ModelContract): void {
  const target = targetOf(model, contract)
  if (!target || contract.isCredited) return
  target.available += chargeOf(model, contract.terms).receiveMinor
  contract.isCredited = true
}

/** The wallet that `terms.wallet` names, if it is one of the contract's currency. */
function targetOf(model: Model, { owner, terms }: ModelContract): Balance | undefined {
  const [whose, currency] = (terms.wallet ?? '').split(' ')
  if (currency !== terms.currency || (whose !== 'own' && whose !== 'other')) return undefined
  return model.wallets[whose === 'own' ? owner : 1 - owner]?.[currency]
}
