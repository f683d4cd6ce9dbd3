// The payment methods of the public API, one row each: the only place outside of connectors and configuration that knows
// their names. Code checks the form: methods of one form are parsed, offered and worded alike.

type Method =
  /** `label`: what payers call it. */
  | { readonly form: 'e_wallet'; readonly label: string }
  /** `scheme`: whose codes they are, on the wire. */
  | { readonly form: 'code'; readonly scheme: string }
  | { readonly form: 'card_token' | 'own_wallet' | 'asset' }

/** By their names on the wire (spec 1), in the order of the schema. */
export const PAYMENT_METHODS = {
  gcash: { form: 'e_wallet', label: 'GCash' },
  maya: { form: 'e_wallet', label: 'Maya' },
  qr: { form: 'code', scheme: 'qrph' },
  card: { form: 'card_token' },
  wallet: { form: 'own_wallet' },
  crypto: { form: 'asset' },
} as const satisfies Readonly<Record<string, Method>>

export type PaymentKind = keyof typeof PAYMENT_METHODS

/** What a payer provides: an account at an e-wallet, a code to scan, a card's token, a wallet of ours, an asset. */
export type MethodForm = Method['form']

export const isPaymentKind = (text: string): text is PaymentKind => Object.hasOwn(PAYMENT_METHODS, text)
export const PAYMENT_KINDS: readonly PaymentKind[] = Object.keys(PAYMENT_METHODS).filter(isPaymentKind)

/** The e-wallets, in the order of the schema. */
export const E_WALLETS: readonly PaymentKind[] = PAYMENT_KINDS.filter(
  (kind) => PAYMENT_METHODS[kind].form === 'e_wallet',
)

/** Whose codes a method shows; a method that shows none is its own scheme. */
export function schemeOf(kind: PaymentKind): string {
  const method = PAYMENT_METHODS[kind]
  return method.form === 'code' ? method.scheme : kind
}
