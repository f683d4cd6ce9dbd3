// Every command of the write path.
import type { AdoptTransfer, CreateTransfer, CreditWallet, TransferCommand } from '../transfer/commands.ts'
import type { CreatePayment, PaymentCommand, ReceivePayment } from '../payment/commands.ts'
import type { Contract } from './contract.ts'
import type { Refusal } from './refusals.ts'

/** A command about one contract, new or known. */
export type ContractCommand = CreateTransfer | AdoptTransfer | TransferCommand | CreatePayment | PaymentCommand

/**
 * A request that a look-up refuses, which may be the repeat of one that was carried out: it gets the answer that is kept under its key,
 * or that refusal. It changes nothing.
 */
export type RepeatRequest<K extends Contract['kind'] = Contract['kind']> = {
  readonly verb: 'repeat'
  /** What the request is about, and so what it was answered with. */
  readonly kind: K
  /** The contract that it would open; null for a request that opens none. */
  readonly id: string | null
  readonly otherwise: Refusal
}

export type Command = ContractCommand | ReceivePayment | CreditWallet | RepeatRequest
