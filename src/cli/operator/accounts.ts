// gateway accounts: tenants and their money, as the operator of the installation makes and funds them, on the database itself;
// and what payers see of one, over HTTP.
import { displayText } from '../../domain/money/money.ts'
import type { Wallet } from '../../domain/wallet/wallet.ts'
import { readConfig } from '../../main/config/config.ts'
import type { Account } from '../../main/operator/operator.ts'
import { currencies, shownName } from '../arguments.ts'
import { command, flag, groupOf, option, required } from '../command.ts'
import { modeWords, picked, print, printPairs, snakeCased } from '../output.ts'
import { printMany, type Shows } from '../view.ts'
import { brand } from '../accounts/brand.ts'
import { me } from '../accounts/me.ts'
import { fund } from './account-funding.ts'
import { settings } from './account-settings.ts'
import { asOperator } from './as-operator.ts'

type WithWallets = Account & { readonly wallets: readonly Wallet[] }

const ACCOUNTS: Shows<WithWallets> = [
  ['account', 'accountId'],
  ['name', 'name'],
  ['mode', 'livemode'],
  ['available (held, on the way)', ({ wallets }) => balancesOf(wallets)],
]

const create = command('create', 'make an account with a wallet for each currency', {
  examples: [
    'gateway accounts create --name "Reyes Trading" --currencies PHP,USD',
    'gateway accounts create --name "Reyes Trading" --live',
  ],
  options: {
    name: required(option('<name>', 'who it is', shownName)),
    currencies: option('<list>', 'its wallets (default: all that are enabled)', currencies),
    live: flag('real money; without it, keys of the account begin with gck_test_'),
  },
  run: ({ name, currencies: chosen = readConfig().currencies, live }) =>
    asOperator((operator) => operator.createAccount({ name, livemode: live === true, currencies: chosen })),
  json: (account) => snakeCased(picked(account, 'accountId', 'profileId', 'livemode', 'wallets')),
  print: ({ accountId, profileId, livemode, wallets }) => {
    printPairs([
      ['account', accountId],
      ['profile', profileId],
      ['mode', modeWords(livemode)],
      ...wallets.map((wallet) => [`wallet ${wallet.currency}`, wallet.id] as const),
    ])
    print(`\nIts first key: gateway keys create --account ${accountId} --name First`)
  },
})

const list = command('list', 'list accounts with their balances', {
  examples: ['gateway accounts list'],
  run: () =>
    asOperator(async (operator) => {
      const found: WithWallets[] = []
      for (const account of await operator.accounts())
        found.push({ ...account, wallets: await operator.wallets(account.accountId) })
      return found
    }),
  json: (accounts) => ({ accounts: accounts.map(accountJson) }),
  print: (accounts) => printMany(accounts, ACCOUNTS),
})

function accountJson(account: WithWallets) {
  const shown = picked(account, 'accountId', 'profileId', 'name', 'livemode', 'owner', 'createdAt')
  const balances = account.wallets.map((wallet) =>
    picked(wallet, 'id', 'currency', 'availableMinor', 'heldMinor', 'inTransitMinor'),
  )
  return snakeCased({ ...shown, wallets: balances })
}

/** Wallets that hold nothing say nothing. */
function balancesOf(wallets: readonly Wallet[]): string {
  const shown = wallets
    .filter((wallet) => wallet.sequence > 0)
    .map(({ currency: code, availableMinor, heldMinor, inTransitMinor }) => {
      const available = displayText(availableMinor, code)
      return heldMinor + inTransitMinor > 0n
        ? `${available} (${displayText(heldMinor, code)}, ${displayText(inTransitMinor, code)})`
        : available
    })
  return shown.length === 0 ? 'nothing' : shown.join(', ')
}

export const accounts = groupOf('accounts', 'make, list, fund and configure accounts', [
  create,
  list,
  fund,
  settings,
  me,
  brand,
])
