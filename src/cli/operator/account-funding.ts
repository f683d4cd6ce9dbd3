// gateway accounts fund: money into a wallet without a contract. Made up for a test wallet; for a live one from a clearing
// account, with evidence and two people, on the database itself.
import { randomUUID } from 'node:crypto'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { displayText, parseAmount } from '../../domain/money/money.ts'
import type { Wallet } from '../../domain/wallet/wallet.ts'
import type { Backing, Operator } from '../../main/operator/operator.ts'
import { currency, decimalNumber, uuid, wordOf } from '../arguments.ts'
import { CommandFailed, Misused } from '../failures.ts'
import { command, option, required, type Values } from '../command.ts'
import { print } from '../output.ts'
import { asOperator } from './as-operator.ts'

/** The wallet channel's own account is between wallets: no money comes from there. */
const clearingName = wordOf(
  'Give a name of lower-case letters, digits, dots and dashes, such as bdo-settlement.',
  (text) => (/^[a-z0-9][a-z0-9._-]{0,62}$/.test(text) && text !== 'wallet' ? text : null),
)

const OPTIONS = {
  wallet: option('<id>', 'the wallet', uuid),
  account: option('<id>', 'or the account, with --currency; beside --wallet: whose it must be', uuid),
  currency: option('<code>', 'the currency of the wallet; beside --wallet: which it must have', currency),
  amount: required(option('<decimal>', 'in major units, such as 100 or 19.99', decimalNumber)),
  reference: option('<text>', 'what it is known by; the same one again credits nothing (test: a new one)'),
  from: option('<name>', 'live: the clearing account that the money is in, such as bdo-settlement', clearingName),
  evidence: option('<text>', 'live: what proves that it is there'),
  by: option('<name>', 'live: who does this'),
  approvedBy: option('<name>', 'live: who approves it; somebody else'),
}
type Funding = Values<typeof OPTIONS>

export const fund = command('fund', 'put money that came from outside into a wallet, once for each reference', {
  examples: [
    'gateway accounts fund --account 0198… --currency PHP --amount 100 --reference "deposit 17"',
    'gateway accounts fund --wallet 0198… --amount 100',
    'gateway accounts fund --wallet 0198… --amount 5000 --reference "BDO 20261101-17" --from bdo-settlement \\\n' +
      '      --evidence "statement of 1 November, line 17" --by "Ana Cruz" --approved-by "Ben Reyes"      (a live wallet)',
  ],
  options: OPTIONS,
  confirm: (options) => {
    backingOf(options)
    return asOperator((operator) => fundQuestion(operator, options))
  },
  run: async (options) => {
    const backing = backingOf(options)
    const reference = options.reference ?? `top-up ${randomUUID()}`
    const { wallet, credited } = await asOperator((operator) => credit(operator, options, reference, backing))
    const { id, currency: code, availableMinor } = wallet
    return { id, currency: code, livemode: backing !== null, credited, reference, availableMinor }
  },
  json: ({ id, availableMinor, ...funded }) => ({ wallet_id: id, ...funded, available_minor: availableMinor }),
  print: ({ credited, livemode, availableMinor, currency: code, reference }) =>
    print(
      `${credited ? 'Credited' : 'Credited before with this reference, and not again'}: the ${livemode ? 'live' : 'TEST'} wallet has ${displayText(availableMinor, code)} available. Reference: ${reference}`,
    ),
})

const LIVE_MEND =
  'For a live wallet give --from, --evidence, --by, --approved-by and --reference, all of them; for a test wallet none but --reference.'

/** Null where nothing of it is given. */
function backingOf({ wallet, account, currency: code, from, evidence, by, approvedBy, reference }: Funding) {
  if (wallet === undefined && (account === undefined || code === undefined))
    throw new Misused('give --wallet, or --account together with --currency')
  if ([from, evidence, by, approvedBy].every((each) => each === undefined)) return null
  if (!from || !evidence || !by || !approvedBy || !reference) throw new Misused(LIVE_MEND)
  return { from, evidence, operator: by, approvedBy }
}

type Wanted = Pick<Funding, 'wallet' | 'account' | 'currency' | 'amount'>
type Wallets = Pick<Operator, 'wallet' | 'wallets'>

/** What is asked before: how much of which currency, whose wallet, and whether the money is real. */
export async function fundQuestion(operator: Wallets & Pick<Operator, 'accounts'>, wanted: Wanted): Promise<string> {
  const wallet = await walletOf(operator, wanted)
  const { id, accountId, currency: code } = wallet
  const sum = displayText(amountIn(wallet, wanted), code)
  const account = (await operator.accounts()).find((each) => each.accountId === accountId)
  const mode = account?.livemode ? 'LIVE' : 'TEST'
  return `Put ${mode} ${sum} into wallet ${id} of ${JSON.stringify(account?.name ?? '')}, the account ${accountId}?`
}

async function credit(operator: Operator, wanted: Funding, reference: string, backing: Backing | null) {
  const wallet = await walletOf(operator, wanted)
  const amountMinor = amountIn(wallet, wanted)
  const answer = await operator.fund({
    walletId: wallet.id,
    amountMinor,
    currency: wallet.currency,
    reference,
    backing,
  })
  if (answer === null) throw new CommandFailed('No wallet has this id.')
  if (!isRefusal(answer)) return answer
  const isUnbacked = answer.code === 'credit_not_allowed' && answer.param !== 'reference'
  throw new CommandFailed(isUnbacked ? `${answer.message} ${LIVE_MEND}` : answer.message)
}

function amountIn({ currency: code }: Wallet, { amount }: Wanted): bigint {
  const parsed = parseAmount(amount, code)
  if ('fault' in parsed) throw new CommandFailed(`${amount} is no amount of ${code} (${parsed.fault}).`)
  return parsed.amountMinor
}

async function walletOf(operator: Wallets, { wallet: id, account, currency: code }: Wanted): Promise<Wallet> {
  const found =
    id === undefined
      ? (await operator.wallets(account ?? '')).find((wallet) => wallet.isDefault && wallet.currency === code)
      : await operator.wallet(id)
  if (!found) throw new CommandFailed('There is no such wallet. See: gateway accounts list --json')
  // An id with a slip of the pen is somebody else's wallet, or has another currency.
  if (code !== undefined && found.currency !== code)
    throw new CommandFailed(`Wallet ${found.id} is in ${found.currency}, not ${code}. Nothing was credited.`)
  if (account !== undefined && found.accountId !== account)
    throw new CommandFailed(
      `Wallet ${found.id} is one of account ${found.accountId}, not of ${account}. Nothing was credited.`,
    )
  return found
}
