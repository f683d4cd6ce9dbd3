// gateway accounts: tenants and their money, as the operator of the installation makes and funds them, on the database itself.
import type { Command } from 'commander'
import { displayText } from '../../domain/money/money.ts'
import type { Wallet } from '../../domain/transfer/transfer.ts'
import { readConfig } from '../../main/config/config.ts'
import { commandWithJson, currencies, groupOf, shownName, type WithJson } from '../arguments.ts'
import { fundCommand } from './account-funding.ts'
import { accountSettingsCommand } from './account-settings.ts'
import { asOperator } from './as-operator.ts'
import { modeText, modeWords, print, printJson, printPairs, printTable } from '../output.ts'

export function accountsCommand(): Command {
  const create = commandWithJson('create', 'make an account with a wallet for each currency', [
    'gateway accounts create --name "Reyes Trading" --currencies PHP,USD',
    'gateway accounts create --name "Reyes Trading" --live',
  ])
    .requiredOption('--name <name>', 'who it is', shownName)
    .option('--currencies <list>', 'its wallets (default: all that are enabled)', currencies)
    .option('--live', 'real money; without it, keys of the account begin with gck_test_')
    .action(createAccount)
  const list = commandWithJson('list', 'list accounts with their balances', ['gateway accounts list']).action(
    listAccounts,
  )
  return groupOf('accounts', 'make, list, fund and settle accounts', [
    create,
    list,
    fundCommand(),
    accountSettingsCommand(),
  ])
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
    const shown = accounts.map(({ accountId, profileId, name, livemode, owner, createdAt, wallets }) => {
      const balances = wallets.map(({ id, currency: code, availableMinor, heldMinor, inTransitMinor }) => ({
        id,
        currency: code,
        available_minor: availableMinor,
        held_minor: heldMinor,
        in_transit_minor: inTransitMinor,
      }))
      return {
        account_id: accountId,
        profile_id: profileId,
        name,
        livemode,
        owner,
        created_at: createdAt,
        wallets: balances,
      }
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
