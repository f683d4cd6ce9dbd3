// gateway usage: what the account used, day by day, over HTTP.
import type { UsageReply } from '../../wire/accounts/usage.ts'
import type { Wire } from '../../wire/shapes.ts'
import { get } from '../client.ts'
import { apiCommand, flag, option } from '../command.ts'
import { print } from '../output.ts'
import { moneyText, printMany, type Shows } from '../view.ts'

type Shown = Wire<typeof UsageReply>['data']
type Day = Shown['usage'][number]

const moneyIn = ({ volume }: Day, way: 'in' | 'out') =>
  volume.filter((each) => each[way] > 0).map((each) => moneyText(each[way], each.currency))

const DAYS: Shows<Day> = [
  ['day', 'day'],
  ['transfers', ({ transfers }) => transfers.created],
  ['completed', ({ transfers }) => transfers.completed],
  ['failed', ({ transfers }) => transfers.failed],
  ['payments', ({ payments }) => payments.created],
  ['paid', ({ payments }) => payments.paid],
  ['out', (day) => moneyIn(day, 'out')],
  ['in', (day) => moneyIn(day, 'in')],
  ['webhooks', ({ deliveries }) => deliveries.delivered],
  ['not', ({ deliveries }) => deliveries.failed],
]

const isUsed = ({ transfers, payments, volume, deliveries }: Day) =>
  volume.length > 0 || [transfers, payments, deliveries].some((each) => Object.values(each).some((count) => count > 0))

const HEAD =
  'day,transfers_created,transfers_completed,transfers_failed,payments_created,payments_paid,deliveries_delivered,deliveries_failed,currency,out,in'

/** A line for each currency of a day, with the counts of the day on its first one. */
function linesOf({ day, transfers, payments, deliveries, volume }: Day): string[] {
  const counts = [transfers.created, transfers.completed, transfers.failed, payments.created, payments.paid]
  const first = [day, ...counts, deliveries.delivered, deliveries.failed]
  const [one, ...others] = volume.map((each) => [each.currency, each.out, each.in])
  const rest = others.map((each) => [day, '', '', '', '', '', '', '', ...each])
  return [[...first, ...(one ?? ['', '', ''])], ...rest].map((cells) => cells.join(','))
}

export const usage = apiCommand('usage', 'show what the account used, by day in UTC', {
  examples: ['gateway usage', 'gateway usage --from 2026-11-01 --to 2026-11-30 --csv > november.csv'],
  options: {
    from: option('<day>', 'the first day, YYYY-MM-DD (default: 30 days up to the last)'),
    to: option('<day>', 'the last day, included (default: today)'),
    csv: flag('print CSV instead of a table'),
  },
  call: ({ from, to }) => get('/usage', { from, to }),
  print: ({ usage: days }: Shown, { csv }) => {
    if (csv) for (const line of [HEAD, ...days.flatMap(linesOf)]) print(line)
    else printMany(days.filter(isUsed), DAYS)
  },
  notes: 'The table leaves out days on which nothing happened.',
})
