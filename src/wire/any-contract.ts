// Contracts of either kind, where the id or the account decides which it is.
import Type from 'typebox'
import type { Contract } from '../domain/contract/contract.ts'
import { type OwnersPayment, PaymentContract, presentPayment } from './payment.ts'
import { envelope, tagged } from './shapes.ts'
import { type OwnersTransfer, type Presenter, presentTransfer, TransferContract } from './transfer.ts'

/** A contract of either kind. */
export const AnyContract = tagged('kind', { transfer: TransferContract, payment: PaymentContract }, { $id: 'Contract' })

const { refund, cancellation } = TransferContract.properties

/** The id decides which kind is cancelled. */
export const CancelReply = envelope('string', Type.Object({ contract: AnyContract, refund, cancellation }))

/** The contract as every reply and event shows it. `profileId` is its account's. */
export function presentContract(
  presenter: Presenter,
  contract: Contract,
  profileId: string,
): OwnersTransfer | OwnersPayment {
  return contract.kind === 'payment'
    ? presentPayment(presenter, contract, profileId)
    : presentTransfer(presenter, contract, profileId)
}
