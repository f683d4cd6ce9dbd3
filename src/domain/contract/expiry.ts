// Expiry as a reader sees it: a contract is expired from that moment on, not from when the sweeper runs.
import type { Contract } from './contract.ts'
import { isLiveAttempt } from '../payment/payment.ts'

/**
 * The contract as it stands when its time has passed. A payment contract with an attempt open is not over: its rail may
 * still report that it was paid, and a cancellation that waits for the rail ends as cancelled once it has answered.
 */
export function pastExpiry(contract: Contract): Contract {
  if (contract.kind === 'transfer')
    return contract.status === 'draft' || contract.status === 'issued' ? { ...contract, status: 'expired' } : contract
  const isOver =
    contract.status === 'issued' && contract.cancellation === null && !contract.attempts.some(isLiveAttempt)
  return isOver ? { ...contract, status: 'expired' } : contract
}
