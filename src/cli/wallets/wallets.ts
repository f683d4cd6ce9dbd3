// gateway wallets: an account's wallets over HTTP. Each command is parse, call, print; a move is a transfer from one to another.
import { currency, decimalNumber, metadataPair, wholeNumber, wordOf } from '../arguments.ts'
import { CommandFailed, Misused } from '../failures.ts'
import { call, download, get, patch, post } from '../client.ts'
import { refuseUnanswerable } from '../confirm.ts'
import { type Contract } from '../contracts/contract-view.ts'
import { ended, isPayable, keyOf, payOrName } from '../contracts/send.ts'
import { type Place, placeOf } from '../place.ts'
import {
  apiCommand,
  argument,
  choice,
  command,
  flag,
  groupOf,
  idArgument,
  idOption,
  option,
  PLACE,
  required,
} from '../command.ts'
import { listCommand } from '../list.ts'
import { note, print, printJson } from '../output.ts'
import { moneyText, stateText } from '../view.ts'
import {
  ENTRIES,
  type Entry,
  ENTRY_CSV,
  printStatement,
  printTopUp,
  printWallet,
  type StatementData,
  type Wallet,
  WALLET_CSV,
  WALLETS,
} from './wallet-view.ts'

const PATH = '/wallets'
const WALLET = idArgument('<wallet>', 'the wallet', 'wallet')

const moment = wordOf('Give a day such as 2026-11-01, or a moment such as 2026-11-01T08:00:00Z.', (text) =>
  /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))?$/.test(text) ? text : null,
)
const SETTINGS = {
  label: option('<text>', 'what you call it, up to 80 characters'),
  lowBalance: option('<amount>', 'send wallet.low when less is available', decimalNumber),
  metadata: option('<name=value>', 'a pair of your own; may be given again', metadataPair),
}
const PAGE = {
  limit: option('<n>', 'at most so many, up to 100', wholeNumber),
  after: option('<cursor>', 'go on after the page that ended with this'),
}
const PERIOD = {
  from: option('<time>', 'from this day or moment on', moment),
  to: option('<time>', 'up to this day, or before this moment', moment),
}
const WALLET_FILTER = {
  currency: option('<code>', 'only those in this currency', currency),
  status: choice('<status>', 'only those', ['open', 'closed']),
}
const ENTRY_FILTER = {
  contract: idOption('<id>', 'only what this contract moved', 'contract'),
  account: option('<account>', 'only what this ledger account gave or took: available, held, pending, …'),
  ...PERIOD,
}

const list = listCommand<Wallet, [], typeof WALLET_FILTER>('list', 'list wallets, by currency, the default first', {
  examples: ['gateway wallets list', 'gateway wallets list --currency PHP --status open --csv'],
  options: WALLET_FILTER,
  member: 'wallets',
  columns: WALLETS,
  csv: WALLET_CSV,
  call: ({ currency: code, status }) => get(PATH, { currency: code, status }),
})

const one = apiCommand('get', 'show a wallet, as it is or as it was', {
  examples: ['gateway wallets get 0198…', 'gateway wallets get 0198… --at 2026-11-01'],
  arguments: [WALLET],
  options: { at: option('<time>', 'what was booked before this moment', moment) },
  call: ({ at }, id) => get(`${PATH}/${id}`, { at }),
  print: printWallet,
})

const create = apiCommand('create', 'open a wallet; the first of a currency is its default', {
  examples: ['gateway wallets create --currency PHP --label Payroll --low-balance 5000'],
  options: { currency: required(option('<code>', 'ISO 4217', currency)), ...SETTINGS },
  call: ({ currency: code, label, lowBalance, metadata }) =>
    post(PATH, { currency: code, label, low_balance: lowBalance, metadata }),
  print: printWallet,
})

const update = apiCommand('update', 'change a wallet; only what is given changes', {
  examples: ['gateway wallets update 0198… --label Salaries', 'gateway wallets update 0198… --default'],
  arguments: [WALLET],
  options: {
    ...SETTINGS,
    withoutLowBalance: flag('tell no more when it runs low'),
    default: flag('money of its currency that names no wallet comes and goes here'),
    open: flag('open it again'),
  },
  call: ({ label, lowBalance, withoutLowBalance, metadata, default: isDefault, open }, id) =>
    patch(`${PATH}/${id}`, {
      label,
      metadata,
      low_balance: withoutLowBalance ? null : lowBalance,
      default: isDefault,
      status: open && 'open',
    }),
  print: printWallet,
})

const close = apiCommand('close', 'close a wallet that is empty and not the default', {
  examples: ['gateway wallets close 0198…'],
  arguments: [WALLET],
  call: (_, id) => patch(`${PATH}/${id}`, { status: 'closed' }),
  print: printWallet,
})

const entries = listCommand<Entry, [typeof WALLET], typeof ENTRY_FILTER>(
  'entries',
  'list ledger entries, newest first',
  {
    examples: [
      'gateway wallets entries 0198… --from 2026-11-01',
      'gateway wallets entries 0198… --contract 0198… --csv',
    ],
    arguments: [WALLET],
    options: ENTRY_FILTER,
    member: 'entries',
    columns: ENTRIES,
    csv: ENTRY_CSV,
    call: ({ contract, account, from, to }, id) =>
      get(`${PATH}/${id}/entries`, { contract_id: contract, account, from, to }),
  },
)

const statement = command('statement', 'opening, every change of what is available, closing', {
  examples: [
    'gateway wallets statement 0198…',
    'gateway wallets statement 0198… --from 2026-10-01 --to 2026-10-31 --csv > october.csv',
    'gateway wallets statement 0198… --from 2026-10-01 --to 2026-10-31 --camt053 > october.xml',
  ],
  arguments: [WALLET],
  options: {
    ...PLACE,
    ...PERIOD,
    ...PAGE,
    csv: flag('print all of it as CSV'),
    camt053: flag('print all of it as camt.053 XML'),
  },
  notes: 'Without --from it begins with this month, without --to it ends now. Days are of the account’s time zone.',
  run: async ({ from, to, limit, after, csv, camt053, json, ...options }, id) => {
    if (csv && camt053) throw new Misused('give --csv or --camt053, not both')
    const place = placeOf(options)
    const asked = get(`${PATH}/${id}/statement`, { from, to, limit, after })
    if (csv || camt053)
      return download(place, { ...asked, query: { from, to, format: csv ? 'csv' : 'camt053' } }, process.stdout)
    const data = await call<StatementData>(place, asked)
    if (json) printJson(data)
    else printStatement(data, id)
  },
})

const topUp = apiCommand('topup', 'add made-up money to a TEST wallet', {
  examples: ['gateway wallets topup 0198… 5000', 'gateway wallets topup 0198… 5000 --reference salary-november'],
  arguments: [WALLET, argument('<amount>', 'major units', decimalNumber)],
  options: { reference: option('<text>', 'your own: the same again adds nothing') },
  confirm: (_, id, amount) => `Add ${amount} of made-up money to the TEST wallet ${id}?`,
  call: ({ reference }, id, amount) => post(`${PATH}/${id}/topups`, { amount, reference }),
  print: printTopUp,
})

const WAITED_SECONDS = 30

const move = command('move', 'move money between two wallets: a transfer that is made, issued, paid and waited for', {
  examples: [
    'gateway wallets move 0198… 0199… 1500',
    'gateway wallets move 0198… 0199… 1500 --idempotency-key payroll-11',
  ],
  arguments: [
    idArgument('<from>', 'the wallet that pays', 'wallet'),
    idArgument('<to>', 'the wallet that is paid', 'wallet'),
    argument('<amount>', 'major units', decimalNumber),
  ],
  options: {
    ...PLACE,
    channel: option('<id>', 'the channel between wallets (default: wallet)'),
    description: option('<text>'),
    idempotencyKey: option('<key>', 'what makes it this one move: the same again goes on where it was'),
    yes: flag('move it without asking'),
  },
  notes: 'Cut off anywhere and run again with the same key, it goes on where it was, and the money moves once.',
  run: async ({ channel = 'wallet', description, idempotencyKey, yes, ...options }, from, to, amount) => {
    refuseUnanswerable(yes)
    const place = placeOf(options)
    if (from === to) throw new CommandFailed('Both are the same wallet. Name two.')
    const key = keyOf({ idempotencyKey, reference: undefined }, 'move')
    const { wallet } = await call<{ wallet: Wallet }>(place, get(`${PATH}/${from}`))
    const body = { amount, currency: wallet.currency, channel, description, recipient: { wallet: to } }
    const drafted = await call<Drafted>(place, post('/contracts/transfer', body, { idempotencyKey: key }))
    const path = `/contracts/transfer/${drafted.contract.id}`
    // A repeated create answers as it did then; what became of it since is read.
    const { contract } = await call<Drafted>(place, get(path))
    const paid = isPayable(contract) ? await payOrName(place, path, contract, { source: from, yes }, key) : contract
    const moved = await ended(place, path, paid, { timeout: WAITED_SECONDS }, key)
    return { contract: moved, wallets: await both(place, from, to) }
  },
  print: ({ contract, wallets }) => {
    print(`The move is ${stateText(contract.status)}, as transfer ${contract.id}.`)
    for (const { id, available, currency: code } of wallets) note(`${id} has ${moneyText(available, code)} available`)
  },
  failed: ({ contract }) => contract.status !== 'completed',
})

type Drafted = { readonly contract: Contract }

const both = (place: Place, ...ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await call<{ wallet: Wallet }>(place, get(`${PATH}/${id}`))).wallet))

export const wallets = groupOf('wallets', 'open, change and read wallets, print statements, move money between them', [
  list,
  one,
  create,
  update,
  close,
  entries,
  statement,
  topUp,
  move,
])
