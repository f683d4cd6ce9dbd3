// gateway policies rehearse: what the payments of the last days would have met, over HTTP.
import type { presentRehearsal } from '../../wire/policies/rehearsal.ts'
import { uuid, wholeNumber } from '../arguments.ts'
import { post } from '../client.ts'
import { apiCommand, flag, option } from '../command.ts'
import { print } from '../output.ts'
import { timeText } from '../times.ts'
import { moneyText, printMany, type Shows } from '../view.ts'
import { TRIED } from './tried.ts'

type Rehearsal = ReturnType<typeof presentRehearsal>
type Amounts = Rehearsal['currencies'][number]
type Of = Amounts['paid']

const amountsOf = ({ transfers, amount }: Of, currency: string) =>
  transfers === 0 ? '' : `${transfers}, ${moneyText(amount, currency)}`

const CURRENCIES: Shows<Amounts> = [
  ['paid', ({ paid, currency }) => amountsOf(paid, currency)],
  ['denied', ({ denied, currency }) => amountsOf(denied, currency)],
  ['approvals', ({ approvals, currency }) => amountsOf(approvals, currency)],
  ['verification', ({ verification, currency }) => amountsOf(verification, currency)],
  ['delayed', ({ delayed, currency }) => amountsOf(delayed, currency)],
  ['fees', ({ fees, currency }) => moneyText(fees.charged, currency)],
  ['fees would be', ({ fees, currency }) => moneyText(fees.would_be, currency)],
]

const POLICIES: Shows<Rehearsal['policies'][number]> = [
  ['policy', 'name'],
  ['applies to', 'applied'],
  ['decides', 'met'],
  ['does', 'sentence'],
]

const CONTRACTS: Shows<Rehearsal['contracts'][number]> = [
  ['contract', 'contract'],
  ['paid', ({ paid_at: at }) => timeText(at)],
  ['amount', ({ amount, currency }) => moneyText(amount, currency)],
  ['to', 'recipient'],
  ['would be', ({ effects }) => effects.join(', ')],
  ['by', ({ reasons }) => reasons.map(({ name }) => name).join(', ')],
]

export const rehearse = apiCommand('rehearse', 'show what the payments of the last days would have met', {
  examples: [
    'gateway policies rehearse daily-limit.json --days 30',
    'gateway policies rehearse 0198c0de-0000-7a2b-8000-0123456789ab --alone',
    'gateway policies rehearse --days 7 --limit 500 --json',
  ],
  arguments: [TRIED],
  options: {
    days: option('<n>', 'how many days up to now, 1 to 90 (default: 30)', wholeNumber),
    alone: flag('without the policies that are active'),
    limit: option('<n>', 'how many contracts are listed, 1 to 500 (default: 100)', wholeNumber),
    after: option('<id>', 'contracts after this one: "next" of the page before', uuid),
  },
  call: ({ days, alone, limit, after }, tried) => {
    const policy = typeof tried === 'string' ? { policy_id: tried } : { policy: tried }
    return post('/policies/rehearse', { ...policy, days, alone, limit, after })
  },
  print: ({ rehearsal }: { readonly rehearsal: Rehearsal }) => {
    const { from, to, time_zone: zone, cut_at: cutAt, currencies, contracts, next } = rehearsal
    print(`${timeText(from)} to ${timeText(to)}, ${zone}`)
    if (cutAt !== null) print(`The history is longer: what was before ${timeText(cutAt)} is not looked at.`)
    if (currencies.length === 0) return print('Nothing was paid.')
    printMany(currencies, CURRENCIES)
    printMany(rehearsal.policies, POLICIES)
    if (contracts.length === 0) print('No payment would have been met.')
    else printMany(contracts, CONTRACTS)
    if (next !== null) print(`There are more: --after ${next}`)
  },
})
