// What the sandbox provider plays, by name. Made by scripts/sdk.ts: npm run generate.

/** Of a transfer: accounts (`recipient.wallet`) that choose it, whatever the amount. */
export const TRANSFER_OUTCOMES = {
  /** Completes at once. */
  completes: "sandbox-completes",
  /** Accepted; completes 3 s later. */
  late: "sandbox-late",
  /** Refused for good: account_closed. */
  accountClosed: "sandbox-account-closed",
  /** Refused for good: invalid_account. */
  invalidAccount: "sandbox-invalid-account",
  /** Completes, but never answers. */
  timeoutAfter: "sandbox-timeout-after",
  /** Never answers and does nothing; sent again, it completes. */
  timeoutBefore: "sandbox-timeout-before",
  /** Completes, but answers 500. */
  errorAfter: "sandbox-error-after",
  /** Answers 500 and does nothing; sent again, it completes. */
  errorBefore: "sandbox-error-before",
  /** Completes, but the connection is reset instead of an answer. */
  resetAfter: "sandbox-reset-after",
  /** Completes; 5 s later it is returned with account_closed_later. */
  bounce: "sandbox-bounce",
  /** Accepted until it is recalled; completes a day later. */
  stuck: "sandbox-stuck",
  /** Accepted; refused 3 s later: account_closed. */
  refusedLater: "sandbox-refused-later",
} as const

/** Of a payment: what its amount in minor units ends in. */
export const PAYMENT_OUTCOMES = {
  /** Processing when it is paid; succeeds 3 s later. */
  late: 11,
  /** Processing when it is paid; fails 3 s later. */
  failsLate: 12,
  /** Declined when it is paid. */
  declined: 21,
  /** Opened, but never answered. */
  timeoutAfter: 31,
  /** Opened, but answered 500. */
  errorAfter: 41,
  /** Opened, but the connection is reset instead of an answer. */
  resetAfter: 43,
  /** The success is told three times. */
  toldThrice: 61,
  /** A failure is told after the success. */
  disorder: 62,
  /** The payer pays 1.00 less. */
  partial: 63,
  /** The payer pays 1.00 more. */
  excess: 64,
  /** Voided when that is asked, yet paid 2 s later. */
  paidAfterVoid: 65,
} as const
