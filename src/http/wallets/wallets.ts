// The routes of wallets: make, look, change, close, and top up a test one. All with an API key.
import { refuseFuture, standingsAt, walletsToday } from '../../app/wallets/statements.ts'
import { createWallet, topUp, updateWallet, walletNotFound } from '../../app/wallets/wallets.ts'
import { invalid, isRefusal, type Problem, type Refusal, refuse, refuseAll } from '../../domain/contract/refusals.ts'
import { amountFaultWords, parseAmount } from '../../domain/money/money.ts'
import type { WalletPatch } from '../../domain/wallet/changes.ts'
import type { Wallet } from '../../domain/wallet/wallet.ts'
import { IdParams } from '../../wire/api.ts'
import {
  PatchedWalletReply,
  presentWallet,
  TopUpBody,
  TopUpReply,
  WalletAtReply,
  WalletBody,
  WalletPatchBody,
  WalletQuery,
  WalletReply,
  WalletsQuery,
  WalletsReply,
} from '../../wire/wallets/wallets.ts'
import type { Access } from '../auth/auth.ts'
import {
  callerOf,
  changerOf,
  type Context,
  described,
  guard,
  parserOf,
  queryParserOf,
  type RequestWithId,
} from '../context.ts'
import { RefusedRequest, sendRefusal } from '../errors.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'
import { succeed } from '../replies.ts'
import { patchMetadata, readMetadata } from '../../app/contracts/metadata.ts'
import { maskedOrNull } from '../../app/contracts/recipient.ts'
import { refuseProblems } from '../routes/webhook-endpoints.ts'
import { instantOf } from '../../app/wallets/periods.ts'

export const WALLETS = 'Wallets'
export const READ: Access = { accepts: 'api key', scope: 'wallets:read' }
const WRITE: Access = { accepts: 'api key', scope: 'wallets:write' }

export function walletRoutes(context: Context): void {
  listRoute(context)
  getRoute(context)
  createRoute(context)
  patchRoute(context)
  topUpRoute(context)
}

function listRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'wallets.list',
    'List wallets, by currency, the default first',
    WALLETS,
    { querystring: WalletsQuery, reply: WalletsReply },
    READ,
  )
  const parse = queryParserOf(WalletsQuery)
  app.get('/wallets', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const { currency, status, after, ...query } = parse(request.query)
    const caller = callerOf(request)
    const { wallets } = await walletsToday(deps, caller)
    const sorted = wallets.toSorted(inOrder)
    const begin = after === undefined ? 0 : sorted.findIndex(({ id }) => id === after) + 1
    if (after !== undefined && begin === 0) throw badCursor()
    const wanted = sorted
      .slice(begin)
      .filter((wallet) => currency === undefined || wallet.currency === currency.toUpperCase())
      .filter((wallet) => status === undefined || wallet.status === status)
    const { rows, next } = pageOf(wanted, limitOf(query), ({ id }) => id)
    const shown = rows.map((wallet) => presentWallet(wallet, caller.livemode))
    return succeed(reply, 200, 'Wallets found.', { wallets: shown, next })
  })
}

/** By currency, and in the order in which they were made; the default of a currency first. */
function inOrder(one: Wallet, other: Wallet): number {
  if (one.currency !== other.currency) return one.currency < other.currency ? -1 : 1
  if (one.isDefault !== other.isDefault) return one.isDefault ? -1 : 1
  return one.id < other.id ? -1 : 1
}

function getRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'wallets.get',
    'Get a wallet, as it is or as it was at a moment',
    WALLETS,
    { params: IdParams, querystring: WalletQuery, reply: WalletAtReply },
    READ,
    { refusals: ['wallet_not_found'] },
  )
  const parse = queryParserOf(WalletQuery)
  app.get('/wallets/:id', { schema, onRequest: guard(context, READ) }, async (request, reply) => {
    const { at } = parse(request.query)
    const { wallet, ...today } = await walletNamed(context, request)
    const { livemode } = callerOf(request)
    if (at === undefined)
      return succeed(reply, 200, 'Wallet found.', { wallet: presentWallet(wallet, livemode), at: null })
    const atMs = instantOf(at, today.timeZone)
    if (atMs > today.nowMs) return sendRefusal(reply, refuseFuture('at'))
    const [standing] = await standingsAt(deps, wallet, [atMs], today.nowMs)
    const then = presentWallet({ ...wallet, ...standing }, livemode)
    return succeed(reply, 200, 'Wallet found.', { wallet: then, at: new Date(atMs).toISOString() })
  })
}

/** The wallet that the path names, of the caller's account. */
export async function walletNamed({ deps }: Pick<Context, 'deps'>, request: RequestWithId) {
  const { id } = request.params
  const { wallets, ...today } = await walletsToday(deps, callerOf(request))
  const wallet = wallets.find((each) => each.id === id)
  if (!wallet) throw new RefusedRequest(walletNotFound())
  return { wallet, ...today }
}

function createRoute(context: Context): void {
  const { app, deps, settings } = context
  const schema = described(
    'wallets.create',
    'Open a wallet',
    WALLETS,
    { body: WalletBody, reply: WalletReply },
    WRITE,
    { refusals: ['wallets_full'] },
  )
  const parse = parserOf(WalletBody)
  app.post('/wallets', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const body = parse(request.body ?? {})
    const problems: Problem[] = []
    const currency = body.currency.toUpperCase()
    if (!settings.currencies.has(currency))
      problems.push(
        invalid('currency', `currency ${currency} is not enabled here: ${[...settings.currencies].join(', ')}.`),
      )
    const lowMinor = problems.length > 0 ? null : markOf(body.low_balance ?? null, currency, problems)
    const metadata = readMetadata(body.metadata, problems)
    refuseProblems(problems)
    const label = labelOf(body.label)
    const wallet = await createWallet(deps, changerOf(request), { currency, label, lowMinor, metadata })
    if (isRefusal(wallet)) return sendRefusal(reply, wallet)
    return succeed(reply, 200, 'Wallet opened.', { wallet: presentWallet(wallet, callerOf(request).livemode) })
  })
}

/** Without the blanks at its ends; null for nothing but blanks. */
const labelOf = (label: string | null | undefined): string | null => maskedOrNull(label)?.trim() || null

function markOf(low: number | null, currency: string, problems: Problem[]): bigint | null {
  if (low === null) return null
  const parsed = parseAmount(low, currency)
  if (!('fault' in parsed)) return parsed.amountMinor
  const mend = amountFaultWords(parsed.fault, currency).replace(/^amount/, 'low_balance')
  problems.push(invalid('low_balance', mend))
  return null
}

function patchRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'wallets.update',
    'Change a wallet, make it the default, close it or open it again',
    WALLETS,
    { params: IdParams, body: WalletPatchBody, reply: PatchedWalletReply },
    WRITE,
    { refusals: ['wallet_not_found', 'wallet_is_default', 'wallet_not_empty'] },
  )
  const parse = parserOf(WalletPatchBody)
  app.patch('/wallets/:id', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const body = parse(request.body ?? {})
    const wallet = await updateWallet(deps, changerOf(request), request.params.id, (before) => patchOf(body, before))
    if (isRefusal(wallet)) return sendRefusal(reply, wallet)
    return succeed(reply, '200', 'Wallet updated.', { wallet: presentWallet(wallet, callerOf(request).livemode) })
  })
}

function patchOf(body: WalletPatchBody, before: Wallet): { patch: WalletPatch } | Refusal {
  const problems: Problem[] = []
  const patch: WalletPatch = {
    ...(body.label === undefined ? {} : { label: labelOf(body.label) }),
    ...(body.low_balance === undefined ? {} : { lowMinor: markOf(body.low_balance, before.currency, problems) }),
    ...(body.default === undefined ? {} : { isDefault: true as const }),
    ...(body.status === undefined ? {} : { status: body.status }),
    ...(body.metadata === undefined ? {} : { metadata: patchMetadata(before.metadata, body.metadata, problems) }),
  }
  const [first, ...others] = problems
  return first ? refuseAll([first, ...others]) : { patch }
}

function topUpRoute(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'wallets.top_up',
    'Add made-up money to a TEST wallet',
    WALLETS,
    { params: IdParams, body: TopUpBody, reply: TopUpReply },
    WRITE,
    { refusals: ['wallet_not_found', 'credit_not_allowed', 'reference_reused', 'wallet_closed'] },
  )
  const parse = parserOf(TopUpBody)
  app.post('/wallets/:id/topups', { schema, onRequest: guard(context, WRITE) }, async (request, reply) => {
    const body = parse(request.body ?? {})
    const { lane, livemode } = callerOf(request)
    const { wallet } = await walletNamed(context, request)
    if (livemode) return sendRefusal(reply, refuse('credit_not_allowed', null, HOW_LIVE_MONEY_COMES))
    const parsed = parseAmount(body.amount, wallet.currency)
    if ('fault' in parsed)
      return sendRefusal(reply, refuseAll([invalid('amount', amountFaultWords(parsed.fault, wallet.currency))]))
    // The same request again, after one whose answer was lost, is the same top-up.
    const reference = maskedOrNull(body.reference) ?? request.keyClaim?.keyHash ?? deps.newId(lane)
    const wanted = { amountMinor: parsed.amountMinor, reference }
    const result = await topUp(deps, changerOf(request), wallet, wanted)
    if (isRefusal(result)) return sendRefusal(reply, result)
    const message = result.credited
      ? 'Wallet topped up.'
      : 'This reference had been credited before: nothing was added.'
    const { credited } = result
    return succeed(reply, 200, message, { wallet: presentWallet(result.wallet, livemode), reference, credited })
  })
}

const HOW_LIVE_MONEY_COMES =
  'This wallet is live. Money comes in by payment contracts (POST /contracts/payment), or by the operator with evidence: gateway accounts fund.'
