// What an account used, on the wire: day by day in UTC, days without anything included.
import Type from 'typebox'
import { majorNumber } from '../../domain/money/money.ts'
import type { DeliveryUsage, StoredUsage } from '../../domain/account/usage.ts'
import { closed, Currency, day, envelope, nullableText, type Wire } from '../shapes.ts'

export const USAGE_DAYS = { default: 30, max: 366 } as const

export const UsageQuery = closed({
  from: day('The first day, YYYY-MM-DD in UTC; 30 days up to the last one where nothing is said.'),
  to: day('The last day, included; today where nothing is said.'),
})

const UsageDay = Type.Object(
  {
    day: Type.String({ description: 'YYYY-MM-DD, in UTC.' }),
    transfers: Type.Object({
      created: Type.Integer(),
      completed: Type.Integer(),
      failed: Type.Integer({ description: 'Paid, and not delivered, or come back.' }),
    }),
    payments: Type.Object({ created: Type.Integer(), paid: Type.Integer() }),
    volume: Type.Array(
      Type.Object({
        currency: Currency,
        out: Type.Number({ description: 'Amounts of the transfers that were completed, in major units.' }),
        in: Type.Number({ description: 'Amounts of the payments that were paid.' }),
      }),
    ),
    deliveries: Type.Object({
      delivered: Type.Integer({ description: 'Tries of webhooks that arrived.' }),
      failed: Type.Integer({ description: 'Tries that did not.' }),
    }),
  },
  { $id: 'UsageDay' },
)

export const UsageReply = envelope('number', Type.Object({ usage: Type.Array(UsageDay), next: nullableText }))

/** One day of what was found. */
export function presentUsage(
  day: string,
  contracts: readonly StoredUsage[],
  deliveries: DeliveryUsage | undefined,
): Wire<typeof UsageDay> {
  const sum = (of: (each: StoredUsage) => number) => contracts.reduce((total, each) => total + of(each), 0)
  return {
    day,
    transfers: {
      created: sum((each) => each.transfersCreated),
      completed: sum((each) => each.transfersCompleted),
      failed: sum((each) => each.transfersFailed),
    },
    payments: { created: sum((each) => each.paymentsCreated), paid: sum((each) => each.paymentsPaid) },
    volume: contracts
      .filter(({ outMinor, inMinor }) => outMinor + inMinor > 0n)
      .map(({ currency, outMinor, inMinor }) => ({
        currency,
        out: majorNumber(outMinor, currency),
        in: majorNumber(inMinor, currency),
      })),
    deliveries: { delivered: deliveries?.delivered ?? 0, failed: deliveries?.failed ?? 0 },
  }
}
