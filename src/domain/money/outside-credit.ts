// Which money may enter a wallet without a contract: fictitious money only a test wallet, and live money only what two
// people vouch for, from a clearing account that they name. Between wallets of this gateway money is not new.
import type { CreditWallet } from '../transfer/commands.ts'
import { type Refusal, refuse } from '../contract/refusals.ts'
import { lettersOf } from '../text/texts.ts'

const BETWEEN_WALLETS = 'clearing:wallet'

/** Whether a credit brings in money that was in no wallet before. */
export function isFromOutside({ source }: Pick<CreditWallet, 'source'>): boolean {
  return source !== BETWEEN_WALLETS
}

/** Why a credit is refused; null where it may be made. */
export function refusalOfCredit(livemode: boolean, command: CreditWallet): Refusal | null {
  if (!isFromOutside(command)) return null
  const { source, approval } = command
  if (!livemode)
    return source === 'external' && approval === null
      ? null
      : refuse(
          'credit_not_allowed',
          'wallet',
          'This wallet is TEST: its money is made up, and comes from no clearing account.',
        )
  if (source === 'external' || approval === null)
    return refuse(
      'credit_not_allowed',
      'wallet',
      'This wallet is live: money enters it by a payment contract, or from a named clearing account with evidence and two names.',
    )
  if (!areTwoNames(approval.operator, approval.approvedBy))
    return refuse(
      'credit_not_allowed',
      'approved_by',
      'Two different people must stand for it: who does it, and who approves it.',
    )
  if (!/[\p{L}\p{N}]/u.test(approval.evidence))
    return refuse(
      'credit_not_allowed',
      'evidence',
      'Say what proves that the money is there, such as a line of the bank statement.',
    )
  return null
}

/** The same letters are one person, whatever capitals, blanks and signs are between them. */
export function areTwoNames(one: string, other: string): boolean {
  const [first, second] = [lettersOf(one), lettersOf(other)]
  return first !== '' && second !== '' && first !== second
}
