// gateway sandbox: what the sandbox provider of a local gateway plays, its clock, and its books beside ours. Over HTTP with a
// test key; what is changed holds for every account of that gateway.
import type { Static } from 'typebox'
import type { OrdersReply } from '../../wire/sandbox/orders.ts'
import type { ClockReply, SandboxReply } from '../../wire/sandbox/sandbox.ts'
import type { ResetReply, ScriptReply } from '../../wire/sandbox/scenarios.ts'
import { jsonObject, wholeNumber } from '../arguments.ts'
import { get, post, remove } from '../client.ts'
import { apiCommand, argument, choice, flag, groupOf, idOption, option } from '../command.ts'
import { listCommand } from '../list.ts'
import { note, paint, print, printPairs } from '../output.ts'
import { printTable } from '../table.ts'
import { timeText } from '../times.ts'
import { moneyText, type Shows, stateText, wordsOf } from '../view.ts'

type Shown = Static<typeof SandboxReply>['data']
type Order = Static<typeof OrdersReply>['data']['orders'][number]
type Scripted = Static<typeof ScriptReply>['data'] | Static<typeof ResetReply>['data']

const status = apiCommand('status', 'show the rails of the sandbox provider, its clock and its scenarios', {
  examples: ['gateway sandbox status', 'gateway sandbox status --outcomes'],
  options: { outcomes: flag('what amounts and accounts choose, too') },
  call: () => get('/sandbox'),
  print: ({ sandbox: shown }: Shown, { outcomes = false }) => {
    const { url, clock, rails, scripts } = shown
    printPairs([
      ['address', url],
      ['time', timeText(clock.now)],
      ['ahead', clock.offset_seconds === 0 ? null : `${clock.offset_seconds} s`],
    ])
    print('')
    printTable(
      ['RAIL', 'STANDS', 'CHANNELS'],
      rails.map(({ rail, outage, channels }) => [rail, standingText(outage), channels.join(', ')]),
    )
    if (outcomes) printOutcomes(shown)
    if (scripts.length === 0) return note('No scenario is scripted: gateway sandbox script --help')
    print('')
    printTable(
      ['SCRIPTED', 'PLAYED', 'SCENARIO'],
      scripts.map(({ id, played, scenario }) => [id, played, JSON.stringify(scenario)]),
    )
  },
})

function standingText(outage: Shown['sandbox']['rails'][number]['outage']): string {
  if (outage === null) return stateText('done', 'works')
  const until = outage.until === null ? 'until it is ended' : `until ${timeText(outage.until)}`
  return stateText('refused', `out (${outage.kind}), ${until}`)
}

function printOutcomes({ transfers, payments }: Shown['sandbox']): void {
  print('')
  printTable(
    ['TRANSFERS', 'AMOUNT', 'ACCOUNT', 'WHAT'],
    transfers.map(({ name, amount_ends_in: ending, account, summary }) => [
      name,
      endingText(ending),
      account ?? '',
      summary,
    ]),
  )
  print('')
  printTable(
    ['PAYMENTS', 'AMOUNT', 'WHAT'],
    payments.map(({ name, amount_ends_in: ending, summary }) => [name, endingText(ending), summary]),
  )
}

const endingText = (ending: number | null) => (ending === null ? 'any other' : `.${String(ending).padStart(2, '0')}`)

const MATCH = {
  account: option('<account>', 'only orders to this account'),
  amount: option('<amount>', 'only orders of this amount'),
  reference: option('<reference>', 'only this order'),
}

const script = apiCommand('script', 'script an outcome or an outage, or end all that were scripted', {
  examples: [
    'gateway sandbox script --rail sandbox --outage 503 --seconds 30',
    'gateway sandbox script --account 001234567890 --verdict refused --code account_closed',
    'gateway sandbox script --data \'{"callbacks": {"duplicates": 2}}\'',
    'gateway sandbox script --reset',
  ],
  options: {
    reset: flag('end every scenario'),
    rail: option('<rail>', 'one rail (default: every one)'),
    ...MATCH,
    times: option('<n>', 'play so often', wholeNumber),
    verdict: choice('<verdict>', 'how an order ends when it comes', ['completed', 'accepted', 'refused']),
    code: option('<code>', 'why it is refused, such as account_closed'),
    outage: choice('<kind>', 'the rail is out', ['refuse_connections', 'hang', '503']),
    seconds: option('<n>', 'how long it is out (default: until it is ended)', wholeNumber),
    data: option('<json>', 'any fields of a scenario, as a JSON object', jsonObject),
  },
  notes: 'It holds for every account of the gateway. All fields: docs/sandbox.md.',
  call: ({ reset, rail, account, amount, reference, times, verdict, code, outage, seconds, data }) => {
    if (reset) return remove('/sandbox/scenarios')
    const match = given({ account, amount, reference })
    const matched = Object.keys(match).length === 0 ? {} : { match }
    return post('/sandbox/scenarios', {
      ...data,
      ...matched,
      ...given({ rail, times, verdict, code, outage, seconds }),
    })
  },
  print: (data: Scripted) =>
    print('ended' in data ? `${data.ended} ended.` : `Scripted as ${data.script.id}. It holds for every account.`),
})

const given = (object: object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))

const clock = apiCommand('clock', 'show the clock of the sandbox provider, or move it forwards', {
  examples: ['gateway sandbox clock', 'gateway sandbox clock 86400'],
  arguments: [argument('[seconds]', 'how far to move it forwards', wholeNumber)],
  notes: 'What waits there falls due. The gateway’s own clock stays.',
  call: (_, seconds) =>
    seconds === undefined ? get('/sandbox') : post('/sandbox/clock', { advance_seconds: seconds }),
  print: (data: Shown | Static<typeof ClockReply>['data']) => {
    const { now, offset_seconds: ahead } = 'sandbox' in data ? data.sandbox.clock : data.clock
    print(`${timeText(now)}${ahead === 0 ? '' : paint('dim', `  ${ahead} s ahead of this machine`)}`)
  },
})

const theirsText = ({ provider }: Order) => {
  if (provider === null) return paint('dim', 'nothing')
  const { status: theirs, code, moved, moved_back: back } = provider
  return wordsOf(theirs, code, moved > 1 ? `moved ${moved} times` : null, back > 0 ? `back ${back} times` : null)
}

const ORDERS: Shows<Order> = [
  ['contract', ({ contract }) => contract.id],
  ['rail', 'rail'],
  ['way', 'direction'],
  ['amount', ({ amount, currency }) => moneyText(amount, currency)],
  ['contract is', ({ contract }) => stateText(contract.status)],
  ['attempt is', 'status'],
  ['provider has', theirsText],
]

const FILTERS = {
  rail: option('<rail>', 'only on this rail'),
  reference: option('<reference>', 'only what the rail knows by this'),
  contract: idOption('<id>', 'only attempts at this contract', 'transfer'),
}

const orders = listCommand<Order, [], typeof FILTERS>('orders', 'list the provider’s books beside ours, newest first', {
  examples: ['gateway sandbox orders', 'gateway sandbox orders --rail sandbox --all --csv'],
  options: FILTERS,
  member: 'orders',
  columns: ORDERS,
  csv: ['contract', 'rail', 'direction', 'reference', 'amount', 'currency', 'status', 'provider'],
  csvRow: ({ contract, rail, direction, reference, amount, currency, status: ours, provider }) => [
    contract.id,
    rail,
    direction,
    reference,
    amount,
    currency,
    ours,
    provider?.status ?? null,
  ],
  call: ({ rail, reference, contract }) => get('/sandbox/orders', { rail, reference, contract_id: contract }),
})

export const sandbox = groupOf('sandbox', 'see and change what the sandbox provider plays, its clock and its books', [
  status,
  script,
  clock,
  orders,
])
