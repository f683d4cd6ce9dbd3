// gateway accounts: tenants and their money, as the operator of the installation makes and funds them, on the database itself.
import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { displayText, parseAmount } from '../domain/money.ts'
import { isRefusal } from '../domain/refusals.ts'
import type { Wallet } from '../domain/transfer.ts'
import { readConfig } from '../main/config.ts'
import type { Operator } from '../main/operator.ts'
import {
  CommandFailed,
  commandWithJson,
  currencies,
  currency,
  decimalNumber,
  groupOf,
  uuid,
  type WithJson,
} from './arguments.ts'
import { accountSettingsCommand } from './account-settings.ts'
import { asOperator } from './as-operator.ts'
import { modeText, modeWords, print, printJson, printPairs, printTable } from './output.ts'

export function accountsCommand(): Command {
  const create = commandWithJson('create', 'make an account with a wallet for each currency', [
    'gateway accounts create --name "Reyes Trading" --currencies PHP,USD',
    'gateway accounts create --name "Reyes Trading" --live',
  ])
    .requiredOption('--name <name>', 'who it is')
    .option('--currencies <list>', 'its wallets (default: all that are enabled)', currencies)
    .option('--live', 'real money; without it, keys of the account begin with gck_test_')
    .action(createAccount)
  const list = commandWithJson('list', 'list accounts with their balances', ['gateway accounts list']).action(
    listAccounts,
  )
  const fund = commandWithJson('fund', 'put money that came from outside into a wallet, once for each reference', [
    'gateway accounts fund --account 0198… --currency PHP --amount 100 --reference "deposit 17"',
    'gateway accounts fund --wallet 0198… --amount 100',
  ])
    .option('--wallet <id>', 'the wallet', uuid)
    .option('--account <id>', 'or the account, with --currency', uuid)
    .option('--currency <code>', 'the currency of the wallet', currency)
    .requiredOption('--amount <decimal>', 'in major units, such as 100 or 19.99', decimalNumber)
    .option('--reference <text>', 'what it is known by; the same one again credits nothing (default: a new one)')
    .action(fundWallet)
  return groupOf('accounts', 'make, list, fund and settle accounts', [create, list, fund, accountSettingsCommand()])
}

type Wanted = WithJson & { readonly name: string; readonly currencies?: readonly string[]; readonly live?: true }

async function createAccount({ json, name, currencies: chosen, live }: Wanted): Promise<void> {
  const wanted = { name, livemode: live === true, currencies: chosen ?? readConfig().currencies }
  const account = await asOperator((operator) => operator.createAccount(wanted))
  if (json)
    return printJson({
      account_id: account.accountId,
      profile_id: account.profileId,
      livemode: account.livemode,
      wallets: account.wallets,
    })
  printPairs([
    ['account', account.accountId],
    ['profile', account.profileId],
    ['mode', modeWords(account.livemode)],
    ...account.wallets.map((wallet) => [`wallet ${wallet.currency}`, wallet.id] as const),
  ])
  print(`\nIts first key: gateway keys create --account ${account.accountId} --name First`)
}

async function listAccounts({ json }: WithJson): Promise<void> {
  const accounts = await asOperator(async (operator) => {
    const found = []
    for (const account of await operator.accounts())
      found.push({ ...account, wallets: await operator.wallets(account.accountId) })
    return found
  })
  if (json) {
    const shown = accounts.map(({ accountId, profileId, name, livemode, createdAt, wallets }) => {
      const balances = wallets.map(({ id, currency: code, availableMinor, heldMinor, inTransitMinor }) => ({
        id,
        currency: code,
        available_minor: availableMinor,
        held_minor: heldMinor,
        in_transit_minor: inTransitMinor,
      }))
      return { account_id: accountId, profile_id: profileId, name, livemode, created_at: createdAt, wallets: balances }
    })
    return printJson({ accounts: shown })
  }
  const rows = accounts.map((each) => [each.accountId, each.name, modeText(each.livemode), balancesOf(each.wallets)])
  printTable(['ACCOUNT', 'NAME', 'MODE', 'AVAILABLE (HELD, ON THE WAY)'], rows)
}

/** Wallets that hold nothing say nothing. */
function balancesOf(wallets: readonly Wallet[]): string {
  const shown = wallets
    .filter((wallet) => wallet.sequence > 0)
    .map(({ currency: code, availableMinor, heldMinor, inTransitMinor }) => {
      const elsewhere =
        heldMinor + inTransitMinor > 0n
          ? ` (${displayText(heldMinor, code)}, ${displayText(inTransitMinor, code)})`
          : ''
      return displayText(availableMinor, code) + elsewhere
    })
  return shown.length === 0 ? 'nothing' : shown.join(', ')
}

type Funding = WithJson & {
  readonly wallet?: string
  readonly account?: string
  readonly currency?: string
  readonly amount: number
  readonly reference?: string
}

async function fundWallet(options: Funding, command: Command): Promise<void> {
  const { wallet: named, account, currency: code, json } = options
  if (named === undefined && (account === undefined || code === undefined))
    command.error('error: give --wallet, or --account together with --currency', { exitCode: 2 })
  const reference = options.reference ?? `top-up ${randomUUID()}`
  const answer = await asOperator(async (operator) => {
    const wallet = await walletOf(operator, named, account, code)
    const parsed = parseAmount(options.amount, wallet.currency)
    if ('fault' in parsed)
      throw new CommandFailed(`${options.amount} is no amount of ${wallet.currency} (${parsed.fault}).`)
    return operator.credit({
      walletId: wallet.id,
      amountMinor: parsed.amountMinor,
      currency: wallet.currency,
      reference,
      source: 'external',
    })
  })
  if (answer === null || isRefusal(answer)) throw new CommandFailed(answer?.message ?? 'No wallet has this id.')
  const { wallet, credited } = answer
  if (json)
    return printJson({
      wallet_id: wallet.id,
      currency: wallet.currency,
      credited,
      reference,
      available_minor: wallet.availableMinor,
    })
  const before = credited ? 'Credited' : 'Credited before with this reference, and not again'
  print(
    `${before}: the wallet has ${displayText(wallet.availableMinor, wallet.currency)} available. Reference: ${reference}`,
  )
}

async function walletOf(
  operator: Operator,
  id: string | undefined,
  account: string | undefined,
  code: string | undefined,
): Promise<Wallet> {
  const found =
    id === undefined
      ? (await operator.wallets(account ?? '')).find((wallet) => wallet.currency === code)
      : await operator.wallet(id)
  if (!found) throw new CommandFailed('There is no such wallet. See: gateway accounts list --json')
  return found
}
