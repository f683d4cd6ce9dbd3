// Domain -> wire: numbers in major units, ISO 8601 times, null for what is unset. Contracts of both kinds, events, wallets.
import type { Contract } from '../domain/contract/contract.ts'
import { eventId } from '../domain/contract/ids.ts'
import { majorNumber } from '../domain/money/money.ts'
import type { EventType } from '../domain/transfer/moves.ts'
import type { Wallet } from '../domain/transfer/transfer.ts'
import { presentPayment } from './payment.ts'
import { type Presenter, presentTransfer } from './transfer.ts'

export const API_VERSION = '2026-11-01'

/** The contract as every reply and event shows it. `profileId` is its account's. */
export function presentContract(presenter: Presenter, contract: Contract, profileId: string) {
  return contract.kind === 'payment'
    ? presentPayment(presenter, contract, profileId)
    : presentTransfer(presenter, contract, profileId)
}

/** A webhook's and the feed's body (docs/design/webhooks.md). */
export function presentEvent(presenter: Presenter, contract: Contract, type: EventType, profileId: string) {
  return {
    id: eventId(contract.id, contract.sequence),
    type,
    created_at: Math.floor(contract.updatedAt / 1000),
    data: { object: presentContract(presenter, contract, profileId) },
    event: type.slice(type.indexOf('.') + 1),
    kind: contract.kind,
    sequence: contract.sequence,
    api_version: API_VERSION,
    livemode: contract.livemode,
  }
}

export function presentWallet(wallet: Wallet, livemode: boolean) {
  return {
    id: wallet.id,
    livemode,
    currency: wallet.currency,
    available: majorNumber(wallet.availableMinor, wallet.currency),
    held: majorNumber(wallet.heldMinor, wallet.currency),
    in_transit: majorNumber(wallet.inTransitMinor, wallet.currency),
    pending: majorNumber(wallet.pendingMinor, wallet.currency),
    suspense: majorNumber(wallet.suspenseMinor, wallet.currency),
  }
}
