// gateway accounts me: the account behind the key, over HTTP.
import { RETRIES_MAX } from '../../domain/account/settings.ts'
import type { AccountReply } from '../../wire/accounts/account.ts'
import type { Wire } from '../../wire/shapes.ts'
import { commaWords, durationSeconds, shownName, wholeNumberTo } from '../arguments.ts'
import { get, patch } from '../client.ts'
import { apiCommand, choice, option, type Values } from '../command.ts'
import { printOne, type Shows } from '../view.ts'

const PATH = '/accounts/me'
type Shown = Wire<typeof AccountReply>['data']

const seconds = (of: number | null, otherwise: string) => (of === null ? `after ${otherwise}` : `after ${of} seconds`)

const ACCOUNT: Shows<Shown['account']> = [
  ['account', 'id'],
  ['profile', 'profile_id'],
  ['mode', 'livemode'],
  ['name', 'name'],
  ['time zone', 'time_zone'],
  ['currency first', ({ default_currency: code }) => code ?? 'none'],
  ['refund at once', ({ settings }) => (settings.refunds_at_once ? 'yes' : 'no')],
  ['retries', ({ settings }) => settings.retries],
  ['fallback', ({ settings }) => settings.fallback_channels.join(', ') || 'none'],
  ['return suspense', ({ settings }) => (settings.returns_at_once ? 'yes' : 'no')],
  ['transfers expire', ({ settings }) => seconds(settings.transfer_expires_in, '14 days')],
  ['payments expire', ({ settings }) => seconds(settings.payment_expires_in, '30 minutes')],
  ['pages may call from', (of) => of.cors_origins.join(', ') || 'nowhere'],
  ['sites', ({ sites }) => sites.join(', ') || 'any over https'],
]

const YES_OR_NO = ['yes', 'no'] as const
const OPTIONS = {
  name: option('<name>', 'what payers see, unless the brand has a name', shownName),
  timeZone: option('<zone>', 'of the IANA database, such as Asia/Manila'),
  currency: option('<code>', 'what people are shown first'),
  refundAtOnce: choice('<yes|no>', 'whether a transfer that failed is refunded by itself', YES_OR_NO),
  retries: option('<n>', 'tries on the same channel, 0 to 5', wholeNumberTo(RETRIES_MAX, `Give 0 to ${RETRIES_MAX}.`)),
  fallback: option('<channels>', 'channels to try after that, in this order; "" for none', commaWords),
  returnSuspense: choice('<yes|no>', 'whether late and excess money goes back by itself', YES_OR_NO),
  transfersExpire: option('<duration>', 'of transfers that do not say it, such as 7d', durationSeconds),
  paymentsExpire: option('<duration>', 'of payments that do not say it, such as 1h', durationSeconds),
  corsOrigins: option('<origins>', 'whose pages may call with a token; "" for none', commaWords),
  sites: option('<origins>', 'where payers may be sent to; "" for anywhere over https', commaWords),
}

function patchOf(options: Values<typeof OPTIONS>) {
  const { refundAtOnce, returnSuspense } = options
  const settings = {
    refunds_at_once: refundAtOnce && refundAtOnce === 'yes',
    retries: options.retries,
    fallback_channels: options.fallback,
    returns_at_once: returnSuspense && returnSuspense === 'yes',
    transfer_expires_in: options.transfersExpire,
    payment_expires_in: options.paymentsExpire,
  }
  const { name, timeZone: time_zone, currency: default_currency, corsOrigins: cors_origins, sites } = options
  return { name, time_zone, default_currency, settings, cors_origins, sites }
}

export const me = apiCommand('me', 'show or change the account behind the key', {
  examples: ['gateway accounts me', 'gateway accounts me --time-zone Asia/Manila --currency PHP --payments-expire 1h'],
  options: OPTIONS,
  call: (options) => {
    const sent = patchOf(options)
    const isChange = [...Object.values(sent.settings), sent.name, sent.time_zone, sent.default_currency]
      .concat(sent.cors_origins as never, sent.sites as never)
      .some((value) => value !== undefined)
    return isChange ? patch(PATH, sent) : get(PATH)
  },
  print: ({ account }: Shown) => printOne(account, ACCOUNT),
  notes: 'Only what is given changes. As the operator, on the database: gateway accounts settings.',
})
