// The order for a rail to collect by an attempt, and what of a call about it is kept from sight.
import type { CollectOrder } from '../../domain/channel/collection.ts'
import { accountsOf, type Hidden } from '../../domain/channel/exchange.ts'
import { fixedText } from '../../domain/money/money.ts'
import type { Payment, PaymentAttempt } from '../../domain/payment/payment.ts'
import type { PaymentDeps } from './payment-deps.ts'

export function collectOrder(
  payments: PaymentDeps,
  payment: Payment,
  attempt: PaymentAttempt,
  secret: string | null,
): CollectOrder {
  const { terms } = payment
  const { details, number } = attempt
  const page = `${payments.checkoutUrl(payment.id)}/return?attempt=${number}&result=`
  const own = details['return_url']
  return {
    reference: attempt.reference,
    contractId: payment.id,
    accountId: payment.accountId,
    channelId: attempt.channelId,
    livemode: payment.livemode,
    amountMinor: attempt.debitMinor,
    amountDecimal: fixedText(attempt.debitMinor, terms.currency),
    currency: terms.currency,
    description: terms.description,
    method: { kind: attempt.kind, details: secret === null ? details : { ...details, token: secret }, secret },
    returnTo: {
      success: details['success_url'] ?? own ?? `${page}success`,
      failure: details['failure_url'] ?? own ?? `${page}failure`,
      cancel: details['cancel_url'] ?? own ?? `${page}cancel`,
    },
    expiresAt: payment.expiresAt,
    quote: attempt.quote,
  }
}

/** What is cut out of what is kept: who pays from where, the token of a card, and what opens the payer's page. */
export function hiddenOf(
  payments: PaymentDeps,
  { details }: PaymentAttempt,
  id: string,
  secret: string | null,
): Hidden {
  const page = payments.checkoutUrl(id)
  const token = page.slice(page.lastIndexOf('/') + 1)
  return { accounts: accountsOf(details), secrets: secret === null ? [token] : [token, secret] }
}
