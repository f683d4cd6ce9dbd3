// gateway accounts settings: what an account says of itself and wants done, as the operator sets it on the database itself.
import { EXAMPLES } from '../../connectors/catalogue.ts'
import { type AccountPatch, type OwnAccount, RETRIES_MAX } from '../../domain/account/settings.ts'
import { commaWords, durationSeconds, shownName, uuid, wholeNumberTo } from '../arguments.ts'
import { argument, choice, command, option, type Values } from '../command.ts'
import { printOne, type Shows } from '../view.ts'
import { asOperator, noSuchAccount, OPERATOR, operatorName, refuseUnknownChannels } from './as-operator.ts'

const YES_OR_NO = ['yes', 'no'] as const

const SETTINGS: Shows<OwnAccount> = [
  ['name', 'name'],
  ['operates', ({ operates }) => (operates ? 'yes: its members may operate the gateway' : 'no')],
  ['time zone', 'timeZone'],
  ['currency first', ({ defaultCurrency }) => defaultCurrency ?? 'none'],
  ['refund at once', (of) => (of.refundsAtOnce ? 'yes' : 'no: a transfer that failed waits for a retry or a cancel')],
  ['retries', 'retries'],
  ['fallback', ({ fallbackChannels }) => fallbackChannels.join(', ') || 'none'],
  ['return suspense', (of) => (of.returnsAtOnce ? 'yes' : 'no: money that fits no contract waits')],
  ['transfers expire', ({ transferExpirySeconds }) => expiry(transferExpirySeconds, '14 days')],
  ['payments expire', ({ paymentExpirySeconds }) => expiry(paymentExpirySeconds, '30 minutes')],
  ['pages may call from', ({ corsOrigins }) => corsOrigins.join(', ') || 'nowhere'],
  ['sites', ({ sites }) => sites.join(', ') || 'any over https'],
]

/** Of contracts that do not say it themselves. */
const expiry = (seconds: number | null, otherwise: string) =>
  seconds === null ? `after ${otherwise}` : `after ${seconds} seconds`

const OPTIONS = {
  name: option('<name>', 'what payers see, unless the brand has a name', shownName),
  timeZone: option('<zone>', 'of the IANA database, such as Asia/Manila', (text) => text),
  currency: option('<code>', 'what people are shown first', (text) => text.toUpperCase()),
  transfersExpire: option(
    '<duration>',
    'how long a transfer can be paid that does not say it, such as 7d',
    durationSeconds,
  ),
  paymentsExpire: option(
    '<duration>',
    'how long a payment can be paid that does not say it, such as 1h',
    durationSeconds,
  ),
  operates: choice('<yes|no>', 'whether its members may operate the gateway over HTTP', YES_OR_NO),
  refundAtOnce: choice('<yes|no>', 'whether the payer is refunded by itself', YES_OR_NO),
  retries: option(
    '<n>',
    'how often the same channel is tried again, 0 to 5',
    wholeNumberTo(RETRIES_MAX, `Give a whole number from 0 to ${RETRIES_MAX}.`),
  ),
  fallback: option('<channels>', 'channels to try after that, in this order; "" for none', commaWords),
  returnSuspense: choice('<yes|no>', 'whether late, partial and excess money goes back to payers by itself', YES_OR_NO),
  corsOrigins: option(
    '<origins>',
    'whose pages may call with a token of the account, such as https://shop.example; "" for none',
    commaWords,
  ),
  sites: option('<origins>', 'where payers may be sent back to; "" for any https site', commaWords),
  ...OPERATOR,
}

export const settings = command(
  'settings',
  'show or change an account: its name and zone, what becomes of failed transfers, where its pages are',
  {
    examples: [
      'gateway accounts settings 0198…',
      `gateway accounts settings 0198… --refund-at-once no --retries 2 --fallback ${EXAMPLES.batch},${EXAMPLES.eWallet}`,
      'gateway accounts settings 0198… --return-suspense no --payments-expire 1h',
      'gateway accounts settings 0198… --name "Reyes Trading" --time-zone Asia/Manila --currency PHP',
      'gateway accounts settings 0198… --cors-origins https://shop.example',
      'gateway accounts settings 0198… --sites https://shop.example,https://www.shop.example',
    ],
    arguments: [argument('<account>', 'as "accounts list" shows it', uuid)],
    options: OPTIONS,
    run: async (options, account) => {
      refuseUnknownChannels(options.fallback ?? [])
      const after = await asOperator((operator) =>
        operator.settle(account, patchOf(options), operatorName(options.operator)),
      )
      if (!after) throw noSuchAccount(account)
      return after
    },
    json: settingsJson,
    print: (after) => printOne(after, SETTINGS),
  },
)

function patchOf(options: Values<typeof OPTIONS>): AccountPatch {
  const { operates, refundAtOnce, returnSuspense } = options
  const named = {
    name: options.name,
    timeZone: options.timeZone,
    defaultCurrency: options.currency,
    operates: operates && operates === 'yes',
    refundsAtOnce: refundAtOnce && refundAtOnce === 'yes',
    retries: options.retries,
    fallbackChannels: options.fallback,
    returnsAtOnce: returnSuspense && returnSuspense === 'yes',
    transferExpirySeconds: options.transfersExpire,
    paymentExpirySeconds: options.paymentsExpire,
    corsOrigins: options.corsOrigins,
    sites: options.sites,
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}

function settingsJson(account: OwnAccount) {
  return {
    account_id: account.id,
    name: account.name,
    operates: account.operates,
    time_zone: account.timeZone,
    default_currency: account.defaultCurrency,
    refund_at_once: account.refundsAtOnce,
    retries: account.retries,
    fallback: account.fallbackChannels,
    return_suspense: account.returnsAtOnce,
    transfer_expires_in: account.transferExpirySeconds,
    payment_expires_in: account.paymentExpirySeconds,
    cors_origins: account.corsOrigins,
    sites: account.sites,
  }
}
