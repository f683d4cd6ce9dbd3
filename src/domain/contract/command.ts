// Every command of the write path.
import type { AdoptTransfer, CreateTransfer, CreditWallet, TransferCommand } from '../transfer/commands.ts'
import type { CreatePayment, PaymentCommand, ReceivePayment } from '../payment/commands.ts'

/** A command about one contract, new or known. */
export type ContractCommand = CreateTransfer | AdoptTransfer | TransferCommand | CreatePayment | PaymentCommand

export type Command = ContractCommand | ReceivePayment | CreditWallet
