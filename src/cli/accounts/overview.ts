// gateway overview: what of the account waits for a person, what is under way, and what it came to, over HTTP.
import type { OverviewReply } from '../../wire/accounts/overview.ts'
import type { Wire } from '../../wire/shapes.ts'
import { get } from '../client.ts'
import { apiCommand, option } from '../command.ts'
import { print } from '../output.ts'
import { timeText } from '../times.ts'
import { moneyText, printMany, type Shows, wordsOf } from '../view.ts'

type Shown = Wire<typeof OverviewReply>['data']
type Overview = Shown['overview']

const ATTENTION: Shows<Overview['attention'][number]> = [
  ['waits', ({ kind }) => kind.replaceAll('_', ' ')],
  ['how many', ({ count, more }) => `${count}${more ? '+' : ''}`],
  ['since', ({ since }) => since && timeText(since)],
  ['ends', ({ ends_at: ends }) => ends && timeText(ends)],
  ['first', ({ objects }) => objects[0]?.id ?? ''],
]

const UNDER_WAY: Shows<Overview['under_way'][number]> = [
  ['held', ({ held, currency }) => moneyText(held, currency)],
  ['in transit', ({ in_transit: inTransit, currency }) => moneyText(inTransit, currency)],
]

const percent = (rate: number | null) => (rate === null ? '' : `${Math.round(rate * 1000) / 10} %`)
const within = (seconds: number | null) => (seconds === null ? '' : `${seconds} s`)

const TOTALS: Shows<Overview['totals'][number]> = [
  ['what', ({ kind }) => `${kind}s`],
  ['created', 'created'],
  ['paid', 'paid'],
  ['completed', 'completed'],
  ['failed', ({ failed, returned }) => failed + returned],
  ['amount', ({ amount, currency }) => moneyText(amount, currency)],
  ['fees', ({ fees, currency }) => moneyText(fees, currency)],
  ['success', (total) => percent(total.success_rate)],
  ['half within', (total) => within(total.half_within)],
  ['95 % within', (total) => within(total.most_within)],
]

export const overview = apiCommand('overview', 'show what waits for a person, what is under way, and what it came to', {
  examples: ['gateway overview', 'gateway overview --from 2026-11-01 --to 2026-11-30 --currency PHP'],
  options: {
    from: option('<day>', 'the first day, YYYY-MM-DD (default: 30 days up to the last)'),
    to: option('<day>', 'the last day, included (default: today)'),
    currency: option('<code>', 'only this currency'),
  },
  call: ({ from, to, currency }) => get('/overview', { from, to, currency }),
  print: ({ overview: of }: Shown) => {
    if (of.attention.length === 0) print('Nothing waits for you.')
    else printMany(of.attention, ATTENTION)
    const moving = of.under_way.filter(({ held, in_transit: inTransit }) => held + inTransit > 0)
    if (moving.length > 0) printMany(moving, UNDER_WAY)
    print(`\n${of.from} to ${of.to}, ${of.time_zone}`)
    printMany(of.totals, TOTALS)
    if (of.counted_until !== null) print(`Counted up to ${of.counted_until}; the rest follows.`)
    const scopes = [...new Set(of.left_out.map(({ scope }) => scope))]
    if (scopes.length > 0) print(`Left out, for the key lacks ${wordsOf(...scopes)}.`)
  },
})
