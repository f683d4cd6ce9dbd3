// The routes of the account behind a key: look at it, change it.
import type { Access } from '../auth/auth.ts'
import { keptLogo } from '../../app/accounts/brands.ts'
import { ownAccount, updateAccount } from '../../app/accounts/own-account.ts'
import { type BrandPatch, readBrand } from '../../domain/account/brand.ts'
import type { AccountPatch } from '../../domain/account/settings.ts'
import { isRefusal, type Problem } from '../../domain/contract/refusals.ts'
import {
  type AccountPatchBody as Patch,
  AccountPatchBody,
  AccountReply,
  presentAccount,
} from '../../wire/accounts/account.ts'
import { callerOf, changerOf, type Context, described, guard, parserOf } from '../context.ts'
import { sendRefusal } from '../errors.ts'
import { succeed } from '../replies.ts'
import { refuseProblems } from '../routes/webhook-endpoints.ts'
import { nameFrom } from './names.ts'

const ACCOUNTS = 'Accounts'
const READ: Access = { accepts: 'api key', scope: 'accounts:read' }
const WRITE: Access = { accepts: 'api key', scope: 'accounts:write' }

export function accountRoutes(context: Context): void {
  const { app, deps, settings } = context
  const get = described('accounts.me', 'Get the account behind the key', ACCOUNTS, { reply: AccountReply }, READ)
  app.get('/accounts/me', { schema: get, onRequest: guard(context, READ) }, async (request, reply) => {
    const account = await ownAccount(deps.reader, callerOf(request))
    if (!account) throw new Error('a caller without its account')
    return succeed(reply, 200, 'Account found.', { account: presentAccount(account) })
  })

  const patch = described(
    'accounts.update',
    'Update the account',
    ACCOUNTS,
    { body: AccountPatchBody, reply: AccountReply },
    WRITE,
    {
      description:
        'What is left out stays. In live mode a key changes no name and adds no origins and no sites: a member who is signed in does, or the operator.',
    },
    { refusals: ['person_required'] },
  )
  const parse = parserOf(AccountPatchBody)
  app.patch('/accounts/me', { schema: patch, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const body = parse(request.body ?? {})
    const by = callerOf(request).memberId === null ? 'key' : 'person'
    const rules = { by, currencies: settings.currencies, channels: deps.channels } as const
    const account = await updateAccount(deps.changes, changerOf(request), patchOf(body), rules)
    if (isRefusal(account)) return sendRefusal(reply, account)
    return succeed(reply, 200, 'Account updated.', { account: presentAccount(account) })
  })
}

/** Undefined where nothing is sent of it. */
function brandOf({ brand, support }: Patch): BrandPatch | undefined {
  if (brand === undefined && support === undefined) return undefined
  const problems: Problem[] = []
  const read = readBrand({ brand, support }, keptLogo, problems)
  refuseProblems(problems)
  return read
}

function patchOf(body: Patch): AccountPatch {
  const { settings: sent = {} } = body
  const named = {
    name: body.name === undefined ? undefined : nameFrom(body.name),
    timeZone: body.time_zone,
    defaultCurrency: body.default_currency?.toUpperCase() ?? body.default_currency,
    refundsAtOnce: sent.refunds_at_once,
    retries: sent.retries,
    fallbackChannels: sent.fallback_channels,
    returnsAtOnce: sent.returns_at_once,
    transferExpirySeconds: sent.transfer_expires_in,
    paymentExpirySeconds: sent.payment_expires_in,
    corsOrigins: body.cors_origins && [...new Set(body.cors_origins)].toSorted(),
    sites: body.sites && [...new Set(body.sites)],
    brand: brandOf(body),
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}
