// What all e-wallets of the Philippines require of an order.
import type { Outcome, SendOrder } from '../domain/channel/outcome.ts'

/** Why no such wallet could ever take the order, or null; nothing is sent then. */
export function mobileRefusal({ recipient, currency }: SendOrder): Outcome | null {
  if (currency !== 'PHP') return { kind: 'failed', code: 'wrong_currency', message: 'Only PHP is taken.' }
  if (/^\+639\d{9}$/.test(recipient['mobile'] ?? '')) return null
  const message = 'recipient.mobile is no mobile number of the Philippines, such as +639171234567.'
  return { kind: 'failed', code: 'invalid_mobile', message }
}
