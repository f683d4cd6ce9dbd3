// GET /pay/{token}/status: the payer's view as JSON, in the terms of the API. No more than the page itself shows.
import type { NextAction } from '../../domain/channel/collection.ts'
import { majorNumber } from '../../domain/money/money.ts'
import type { CheckoutAttempt, CheckoutView } from './view.ts'
import { iso, isoOrNull } from '../../wire/times.ts'

export function checkoutStatus(view: CheckoutView) {
  const { currency, attempt, notices } = view
  return {
    id: view.contractId,
    livemode: view.livemode,
    status: view.status,
    merchant: view.merchant,
    amount: majorNumber(view.amountMinor, currency),
    currency,
    description: view.description,
    due_at: isoOrNull(view.dueAt),
    paid_at: isoOrNull(view.paidAt),
    attempt: attempt && presentAttempt(attempt, currency),
    notices: notices.map((each) => ({
      type: each.kind,
      amount: majorNumber(each.amountMinor, each.currency),
      currency: each.currency,
    })),
    server_time: iso(view.nowMs),
    /** The page reloads when the stamp differs, and no more once it is final. */
    stamp: view.stamp,
    final: view.isFinal,
  }
}

function presentAttempt(attempt: CheckoutAttempt, currency: string) {
  return {
    number: attempt.number,
    type: attempt.kind,
    name: attempt.name,
    status: attempt.status,
    amount: majorNumber(attempt.debitMinor, currency),
    fee: majorNumber(attempt.feeMinor, currency),
    failure_code: attempt.failureCode,
    confirmations: attempt.shown['confirmations'] ?? null,
    next_action: attempt.action && presentAction(attempt.action),
  }
}

function presentAction(action: NextAction) {
  switch (action.type) {
    case 'redirect':
      return { type: action.type, url: action.url, expires_at: isoOrNull(action.expiresAt) }
    case 'display_qr':
      return { type: action.type, data: action.data, expires_at: iso(action.expiresAt) }
    case 'display_address': {
      const { type, address, amount, asset, network, uri, confirmations, expiresAt } = action
      return { type, address, amount, asset, network, uri, confirmations, expires_at: iso(expiresAt) }
    }
  }
}
