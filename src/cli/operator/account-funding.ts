// gateway accounts fund: money into a wallet without a contract. Made up for a test wallet; for a live one from a clearing
// account, with evidence and two people, on the database itself.
import { randomUUID } from 'node:crypto'
import { type Command, InvalidArgumentError } from 'commander'
import { displayText, parseAmount } from '../../domain/money/money.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import type { Wallet } from '../../domain/transfer/transfer.ts'
import type { Backing, Operator } from '../../main/operator/operator.ts'
import { CommandFailed, commandWithJson, currency, decimalNumber, uuid, type WithJson } from '../arguments.ts'
import { asOperator } from './as-operator.ts'
import { print, printJson } from '../output.ts'

export function fundCommand(): Command {
  return commandWithJson('fund', 'put money that came from outside into a wallet, once for each reference', [
    'gateway accounts fund --account 0198… --currency PHP --amount 100 --reference "deposit 17"',
    'gateway accounts fund --wallet 0198… --amount 100',
    'gateway accounts fund --wallet 0198… --amount 5000 --reference "BDO 20261101-17" --from bdo-settlement \\\n' +
      '      --evidence "statement of 1 November, line 17" --by "Ana Cruz" --approved-by "Ben Reyes"      (a live wallet)',
  ])
    .option('--wallet <id>', 'the wallet', uuid)
    .option('--account <id>', 'or the account, with --currency', uuid)
    .option('--currency <code>', 'the currency of the wallet', currency)
    .requiredOption('--amount <decimal>', 'in major units, such as 100 or 19.99', decimalNumber)
    .option('--reference <text>', 'what it is known by; the same one again credits nothing (test: a new one)')
    .option('--from <name>', 'live: the clearing account that the money is in, such as bdo-settlement', clearingName)
    .option('--evidence <text>', 'live: what proves that it is there')
    .option('--by <name>', 'live: who does this')
    .option('--approved-by <name>', 'live: who approves it; somebody else')
    .action(fundWallet)
}

/** The wallet channel's own account is between wallets: no money comes from there. */
function clearingName(text: string): string {
  if (!/^[a-z0-9][a-z0-9._-]{0,62}$/.test(text) || text === 'wallet')
    throw new InvalidArgumentError(
      'Give a name of lower-case letters, digits, dots and dashes, such as bdo-settlement.',
    )
  return text
}

type Funding = WithJson & {
  readonly wallet?: string
  readonly account?: string
  readonly currency?: string
  readonly amount: number
  readonly reference?: string
  readonly from?: string
  readonly evidence?: string
  readonly by?: string
  readonly approvedBy?: string
}

const LIVE_MEND =
  'For a live wallet give --from, --evidence, --by, --approved-by and --reference, all of them; for a test wallet none but --reference.'

async function fundWallet(options: Funding, command: Command): Promise<void> {
  const { wallet: named, account, currency: code, json } = options
  if (named === undefined && (account === undefined || code === undefined))
    command.error('error: give --wallet, or --account together with --currency', { exitCode: 2 })
  const backing = backingOf(options, command)
  const reference = options.reference ?? `top-up ${randomUUID()}`
  const answer = await asOperator(async (operator) => {
    const wallet = await walletOf(operator, named, account, code)
    const parsed = parseAmount(options.amount, wallet.currency)
    if ('fault' in parsed)
      throw new CommandFailed(`${options.amount} is no amount of ${wallet.currency} (${parsed.fault}).`)
    const { amountMinor } = parsed
    return operator.fund({ walletId: wallet.id, amountMinor, currency: wallet.currency, reference, backing })
  })
  if (answer === null) throw new CommandFailed('No wallet has this id.')
  if (isRefusal(answer))
    throw new CommandFailed(
      answer.code === 'credit_not_allowed' && answer.param !== 'reference'
        ? `${answer.message} ${LIVE_MEND}`
        : answer.message,
    )
  const { wallet, credited } = answer
  const livemode = backing !== null
  if (json)
    return printJson({
      wallet_id: wallet.id,
      currency: wallet.currency,
      livemode,
      credited,
      reference,
      available_minor: wallet.availableMinor,
    })
  const before = credited ? 'Credited' : 'Credited before with this reference, and not again'
  print(
    `${before}: the ${livemode ? 'live' : 'TEST'} wallet has ${displayText(wallet.availableMinor, wallet.currency)} available. Reference: ${reference}`,
  )
}

/** Null where nothing of it is given. */
function backingOf({ from, evidence, by, approvedBy, reference }: Funding, command: Command): Backing | null {
  if ([from, evidence, by, approvedBy].every((each) => each === undefined)) return null
  if (!from || !evidence || !by || !approvedBy || !reference) {
    command.error(`error: ${LIVE_MEND}`, { exitCode: 2 })
  }
  return { from, evidence, operator: by, approvedBy }
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
