// gateway accounts settings: what becomes of an account's transfers that fail for good, and of money that fits none of its
// payment contracts, as the operator sets it on the database itself.
import { EXAMPLES } from '../../connectors/catalogue.ts'
import { payingOut } from '../../domain/channel/channel.ts'
import { isForMode, mendOf, modeWord } from '../../domain/channel/modes.ts'
import type { Operator } from '../../main/operator/operator.ts'
import type { AccountSettings } from '../../store/operator/operator-actions.ts'
import { CommandFailed, commaWords, uuid, wholeNumberTo } from '../arguments.ts'
import { argument, choice, command, option } from '../command.ts'
import { printOne, type Shows } from '../view.ts'
import { asOperator, noSuchAccount, OPERATOR, operatorName, refuseUnknownChannels } from './as-operator.ts'

const RETRIES_MAX = 5
const YES_OR_NO = ['yes', 'no'] as const

const SETTINGS: Shows<AccountSettings> = [
  ['refund at once', (of) => (of.refundsAtOnce ? 'yes' : 'no: a transfer that failed waits for a retry or a cancel')],
  ['retries', 'retries'],
  ['fallback', ({ fallbackChannels }) => fallbackChannels.join(', ') || 'none'],
  ['return suspense', (of) => (of.returnsAtOnce ? 'yes' : 'no: money that fits no contract waits')],
  ['pages may call from', ({ corsOrigins }) => corsOrigins.join(', ') || 'nowhere'],
  ['sites', ({ sites }) => sites.join(', ') || 'any over https'],
]

export const settings = command(
  'settings',
  'show or change what becomes of failed transfers and of money that fits no contract',
  {
    examples: [
      'gateway accounts settings 0198…',
      `gateway accounts settings 0198… --refund-at-once no --retries 2 --fallback ${EXAMPLES.batch},${EXAMPLES.eWallet}`,
      'gateway accounts settings 0198… --return-suspense no',
      'gateway accounts settings 0198… --cors-origins https://shop.example',
      'gateway accounts settings 0198… --sites https://shop.example,https://www.shop.example',
    ],
    arguments: [argument('<account>', 'as "accounts list" shows it', uuid)],
    options: {
      refundAtOnce: choice('<yes|no>', 'whether the payer is refunded by itself', YES_OR_NO),
      retries: option(
        '<n>',
        'how often the same channel is tried again, 0 to 5',
        wholeNumberTo(RETRIES_MAX, `Give a whole number from 0 to ${RETRIES_MAX}.`),
      ),
      fallback: option('<channels>', 'channels to try after that, in this order; "" for none', commaWords),
      returnSuspense: choice(
        '<yes|no>',
        'whether late, partial and excess money goes back to payers by itself',
        YES_OR_NO,
      ),
      corsOrigins: option(
        '<origins>',
        'whose pages may call with a token of the account, such as https://shop.example; "" for none',
        commaWords,
      ),
      sites: option('<origins>', 'where payers may be sent back to; "" for any https site', commaWords),
      ...OPERATOR,
    },
    run: async (options, account) => {
      const { refundAtOnce, retries, fallback, returnSuspense, corsOrigins, sites, operator: name } = options
      refuseUnknownChannels(fallback ?? [])
      const changes = {
        ...(refundAtOnce && { refundsAtOnce: refundAtOnce === 'yes' }),
        ...(retries !== undefined && { retries }),
        ...(fallback && { fallbackChannels: fallback }),
        ...(returnSuspense && { returnsAtOnce: returnSuspense === 'yes' }),
        ...(corsOrigins && { corsOrigins }),
        ...(sites && { sites }),
      }
      const after = await asOperator(async (operator) => {
        if (fallback && fallback.length > 0) await refuseCrossing(operator, account, fallback)
        return operator.settle(account, changes, operatorName(name))
      })
      if (!after) throw noSuchAccount(account)
      return { account, ...after }
    },
    json: ({ account, refundsAtOnce, retries, fallbackChannels, returnsAtOnce, corsOrigins, sites }) => ({
      account_id: account,
      refund_at_once: refundsAtOnce,
      retries,
      fallback: fallbackChannels,
      return_suspense: returnsAtOnce,
      cors_origins: corsOrigins,
      sites,
    }),
    print: (after) => printOne(after, SETTINGS),
  },
)

/** A transfer that failed goes on by no channel of the other mode: better refused here than at the first failure. */
async function refuseCrossing(operator: Operator, account: string, fallback: readonly string[]): Promise<void> {
  const channels = (await operator.channels()).map(({ facts }) => facts)
  const livemode = (await operator.accounts()).find((each) => each.accountId === account)?.livemode
  if (livemode === undefined) return
  const crossing = channels.filter((facts) => fallback.includes(facts.id) && !isForMode(facts, livemode))
  if (crossing.length === 0) return
  const named = crossing.map((facts) => facts.id).join(', ')
  throw new CommandFailed(
    `This is a ${modeWord(livemode)} account, and ${named} moves ${modeWord(!livemode)} money. ${mendOf(livemode, payingOut({ all: () => channels }))}`,
  )
}
