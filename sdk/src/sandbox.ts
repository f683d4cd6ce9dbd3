// What the sandbox provider plays, by name, for tests of programs that use a gateway (docs/sandbox.md).
import { PAYMENT_OUTCOMES, TRANSFER_OUTCOMES } from './outcomes.gen.ts'

/** For contracts on sandbox rails only: other rails have no such accounts. */
export const sandbox = {
  /** Of transfers, as the recipient's account: `recipient: { name, wallet: sandbox.outcomes.bounce }`. */
  outcomes: TRANSFER_OUTCOMES,
  /** Of payments, by their amount: `amount: sandbox.amount('declined', 100)`. */
  payments: PAYMENT_OUTCOMES,
  /** An amount of so many whole units of a currency with two decimals, whose payment takes that way. */
  amount: (outcome: keyof typeof PAYMENT_OUTCOMES, units = 100): string => `${units}.${PAYMENT_OUTCOMES[outcome]}`,
  /** Card tokens. */
  cards: { accepted: 'tok_visa', challenged: 'tok_3ds', declined: 'tok_declined', insufficient: 'tok_insufficient' },
} as const
