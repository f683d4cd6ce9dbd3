// gateway accounts settings: what becomes of an account's transfers that fail for good, and of money that fits none of its
// payment contracts, as the operator sets it on the database itself.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { isForMode, mendOf, modeWord } from '../../domain/channel/modes.ts'
import { payingOut } from '../../domain/channel/channel.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { readConfig } from '../../main/config/config.ts'
import type { Operator } from '../../main/operator/operator.ts'
import type { ListedChannel } from '../../main/operator/operator-actions.ts'
import type { AccountSettings } from '../../store/operator/operator-actions.ts'
import { CommandFailed, commandWithJson, uuid, type WithJson } from '../arguments.ts'
import { asOperator } from './as-operator.ts'
import { printJson, printPairs } from '../output.ts'
import { operatorName } from '../contracts/transfer-actions.ts'

export function accountSettingsCommand(): Command {
  return commandWithJson(
    'settings',
    'show or change what becomes of failed transfers and of money that fits no contract',
    [
      'gateway accounts settings 0198…',
      'gateway accounts settings 0198… --refund-at-once no --retries 2 --fallback pesonet,gcash',
      'gateway accounts settings 0198… --return-suspense no',
      'gateway accounts settings 0198… --cors-origins https://shop.example',
      'gateway accounts settings 0198… --sites https://shop.example,https://www.shop.example',
    ],
  )
    .argument('<account>', 'as "accounts list" shows it', uuid)
    .addOption(
      new Option('--refund-at-once <yes|no>', 'whether the payer is refunded by itself').choices(['yes', 'no']),
    )
    .option('--retries <n>', 'how often the same channel is tried again, 0 to 5', retriesArgument)
    .option('--fallback <channels>', 'channels to try after that, in this order; "" for none', fallbackArgument)
    .addOption(
      new Option(
        '--return-suspense <yes|no>',
        'whether late, partial and excess money goes back to payers by itself',
      ).choices(['yes', 'no']),
    )
    .option(
      '--cors-origins <origins>',
      'whose pages may call with a token of the account, such as https://shop.example; "" for none',
      fallbackArgument,
    )
    .option('--sites <origins>', 'where payers may be sent back to; "" for any https site', fallbackArgument)
    .option('--operator <name>', 'who does it (default: the user of this system)')
    .action(settings)
}

const RETRIES_MAX = 5

function retriesArgument(text: string): number {
  if (!/^\d$/.test(text) || Number(text) > RETRIES_MAX)
    throw new InvalidArgumentError(`Give a whole number from 0 to ${RETRIES_MAX}.`)
  return Number(text)
}

function fallbackArgument(text: string): string[] {
  const wanted = text.split(',').map((each) => each.trim())
  return [...new Set(wanted.filter((each) => each !== ''))]
}

type Wanted = WithJson & {
  readonly refundAtOnce?: 'yes' | 'no'
  readonly retries?: number
  readonly fallback?: readonly string[]
  readonly returnSuspense?: 'yes' | 'no'
  readonly corsOrigins?: readonly string[]
  readonly sites?: readonly string[]
  readonly operator?: string
}

async function settings(accountId: string, wanted: Wanted): Promise<void> {
  const { json, refundAtOnce, retries, fallback, returnSuspense, corsOrigins, sites, operator } = wanted
  const channels = readConfig().channels.map((channel) => channel.id)
  const unknown = fallback?.filter((id) => !channels.includes(id)) ?? []
  if (unknown.length > 0)
    throw new CommandFailed(`No channel has the id ${unknown.join(', ')}. There are: ${channels.join(', ')}.`)
  const changes = {
    ...(refundAtOnce === undefined ? {} : { refundsAtOnce: refundAtOnce === 'yes' }),
    ...(retries === undefined ? {} : { retries }),
    ...(fallback === undefined ? {} : { fallbackChannels: fallback }),
    ...(returnSuspense === undefined ? {} : { returnsAtOnce: returnSuspense === 'yes' }),
    ...(corsOrigins === undefined ? {} : { corsOrigins }),
    ...(sites === undefined ? {} : { sites }),
  }
  const after = await asOperator(async (office) => {
    if (fallback !== undefined && fallback.length > 0)
      refuseCrossing(await office.channels(), await modeOf(office, accountId), fallback)
    return office.settle(accountId, changes, operatorName(operator))
  })
  if (isRefusal(after)) throw new CommandFailed(after.message)
  if (!after) throw new CommandFailed(`No account has the id ${accountId}. See: gateway accounts list`)
  show(accountId, after, json)
}

const modeOf = async (office: Operator, accountId: string) =>
  (await office.accounts()).find((each) => each.accountId === accountId)?.livemode

/** A transfer that failed goes on by no channel of the other mode: better told here than at the first failure. */
function refuseCrossing(
  channels: readonly ListedChannel[],
  livemode: boolean | undefined,
  fallback: readonly string[],
) {
  if (livemode === undefined) return
  const crossing = channels.filter(({ facts }) => fallback.includes(facts.id) && !isForMode(facts, livemode))
  if (crossing.length === 0) return
  const named = crossing.map(({ facts }) => facts.id).join(', ')
  const offered = payingOut({ all: () => channels.map(({ facts }) => facts) })
  throw new CommandFailed(
    `This is a ${modeWord(livemode)} account, and ${named} moves ${modeWord(!livemode)} money. ${mendOf(livemode, offered)}`,
  )
}

function show(accountId: string, after: AccountSettings, json?: true): void {
  const { refundsAtOnce, retries, fallbackChannels, returnsAtOnce, corsOrigins, sites } = after
  if (json)
    return printJson({
      account_id: accountId,
      refund_at_once: refundsAtOnce,
      retries,
      fallback: fallbackChannels,
      return_suspense: returnsAtOnce,
      cors_origins: corsOrigins,
      sites,
    })
  printPairs([
    ['refund at once', refundsAtOnce ? 'yes' : 'no: a transfer that failed waits for a retry or a cancel'],
    ['retries', `${retries}`],
    ['fallback', fallbackChannels.length === 0 ? 'none' : fallbackChannels.join(', ')],
    ['return suspense', returnsAtOnce ? 'yes' : 'no: money that fits no contract waits'],
    ['pages may call from', corsOrigins.length === 0 ? 'nowhere' : corsOrigins.join(', ')],
    ['sites', sites.length === 0 ? 'any over https' : sites.join(', ')],
  ])
}
