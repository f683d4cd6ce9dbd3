// Lists: contracts, and wallets with their entries. Pages end with `next`, null on the last.
import { paymentFor, transferFor } from '../views.ts'
import {
  callerOf,
  type Context,
  described,
  guard,
  KEY_ONLY,
  KEY_OR_TOKEN,
  parserOf,
  queryParserOf,
} from '../context.ts'
import { succeed } from '../replies.ts'
import { entryFrom, type Entry, listEntries } from '../../ledger/entries.ts'
import { loadWallets, walletFrom } from '../../ledger/wallets.ts'
import { MANY_LANES } from '../../platform/scope.ts'
import { type ContractFilter, listContracts } from '../../store/contracts/lists.ts'
import { readContractFrom } from '../../store/contracts/contracts.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { majorNumber } from '../../domain/money/money.ts'
import { refuse } from '../../domain/contract/refusals.ts'
import type { Wallet } from '../../domain/wallet/wallet.ts'
import type { Caller } from '../../app/accounts/callers.ts'
import { RefusedRequest } from '../errors.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'
import type { RequestWithId } from './transfers.ts'
import { IdParams, ListQuery } from '../../wire/api.ts'
import { PaymentQuery } from '../../wire/payment-requests.ts'
import { PaymentsReply } from '../../wire/payment.ts'
import { ContractQuery } from '../../wire/transfer-requests.ts'
import { ContractsReply } from '../../wire/transfer.ts'
import type { Wire } from '../../wire/shapes.ts'
import { EntriesReply, presentWallet, type WalletEntry, WalletReply, WalletsReply } from '../../wire/wallets.ts'

export function listRoutes(context: Context): void {
  transferList(context)
  paymentList(context)
  walletList(context)
  walletRoute(context)
  entryList(context)
}

const ACCESS = { accepts: 'api key or token', scope: 'contracts:read' } as const

function transferList(context: Context): void {
  const { app, presenter } = context
  const shapes = { querystring: ContractQuery, reply: ContractsReply }
  const schema = described('List transfer contracts, newest first', 'Transfer contracts', shapes, KEY_OR_TOKEN)
  const parse = queryParserOf(ContractQuery)
  app.get('/contracts/transfer', { schema, onRequest: guard(context, ACCESS) }, async (request, reply) => {
    const caller = unbound(callerOf(request))
    const { rows, next } = await contractsFound(context, caller, filterOf('transfer', parse(request.query)))
    const contracts = rows.flatMap((contract) =>
      contract.kind === 'transfer' ? transferFor(request, presenter, contract, caller.profileId) : [],
    )
    return succeed(reply, 200, 'Transfer contracts found.', { contracts, next })
  })
}

function paymentList(context: Context): void {
  const { app, presenter } = context
  const shapes = { querystring: PaymentQuery, reply: PaymentsReply }
  const schema = described('List payment contracts, newest first', 'Payment contracts', shapes, KEY_OR_TOKEN)
  const parse = queryParserOf(PaymentQuery)
  app.get('/contracts/payment', { schema, onRequest: guard(context, ACCESS) }, async (request, reply) => {
    const caller = unbound(callerOf(request))
    const { rows, next } = await contractsFound(context, caller, filterOf('payment', parse(request.query)))
    const contracts = rows.flatMap((contract) =>
      contract.kind === 'payment' ? paymentFor(request, presenter, contract, caller.profileId) : [],
    )
    return succeed(reply, 200, 'Payment contracts found.', { contracts, next })
  })
}

async function contractsFound({ deps }: Context, caller: Caller, filter: ContractFilter) {
  const [result] = await deps.reader.send([listContracts(caller, filter)])
  const found = (result?.rows ?? []).map(readContractFrom)
  return pageOf(found, filter.limit, (contract) => contract.id)
}

function filterOf(
  kind: ContractFilter['kind'],
  query: Omit<ContractQuery, 'status'> & { readonly status?: ContractFilter['statuses'] },
): ContractFilter {
  if (query.after !== undefined && !isUuid(query.after)) throw badCursor()
  return {
    kind,
    statuses: query.status ?? null,
    channelId: query.channel ?? null,
    currency: query.currency?.toUpperCase() ?? null,
    referenceId: query.reference_id ?? null,
    createdFromMs: momentOf(query.created_from, '00:00:00.000'),
    createdToMs: momentOf(query.created_to, '23:59:59.999'),
    after: query.after ?? null,
    limit: limitOf(query),
  }
}

/** A moment, or that time of a day in UTC. */
function momentOf(text: string | undefined, timeOfDay: string): number | null {
  if (text === undefined) return null
  return Date.parse(text.length === DATE_LENGTH ? `${text}T${timeOfDay}Z` : text)
}

const DATE_LENGTH = 10

function walletList(context: Context): void {
  const { app } = context
  const schema = described('List wallets', 'Wallets', { reply: WalletsReply }, KEY_ONLY)
  app.get(
    '/wallets',
    { schema, onRequest: guard(context, { accepts: 'api key', scope: 'wallets:read' }) },
    async (request, reply) => {
      const caller = callerOf(request)
      const wallets = (await walletsOf(context, caller)).map((wallet) => presentWallet(wallet, caller.livemode))
      return succeed(reply, 200, 'Wallets found.', { wallets, next: null })
    },
  )
}

async function walletsOf({ deps }: Context, caller: Caller): Promise<Wallet[]> {
  const [result] = await deps.reader.send([loadWallets(MANY_LANES, [caller])])
  return (result?.rows ?? []).map(walletFrom).sort((a, b) => a.currency.localeCompare(b.currency))
}

async function walletNamed(context: Context, request: RequestWithId): Promise<Wallet> {
  const { id } = request.params
  const wallet = (await walletsOf(context, callerOf(request))).find((each) => each.id === id)
  if (!wallet) throw new RefusedRequest(refuse('wallet_not_found', 'id', 'No wallet has this id.'))
  return wallet
}

function walletRoute(context: Context): void {
  const schema = described('Get a wallet', 'Wallets', { params: IdParams, reply: WalletReply }, KEY_ONLY)
  context.app.get(
    '/wallets/:id',
    { schema, onRequest: guard(context, { accepts: 'api key', scope: 'wallets:read' }) },
    async (request, reply) => {
      const wallet = presentWallet(await walletNamed(context, request), callerOf(request).livemode)
      return succeed(reply, 200, 'Wallet found.', { wallet })
    },
  )
}

function entryList(context: Context): void {
  const { app, deps } = context
  const schema = described(
    'List a wallet’s ledger entries, newest first',
    'Wallets',
    { params: IdParams, querystring: ListQuery, reply: EntriesReply },
    KEY_ONLY,
  )
  const parse = parserOf(ListQuery)
  app.get(
    '/wallets/:id/entries',
    { schema, onRequest: guard(context, { accepts: 'api key', scope: 'wallets:read' }) },
    async (request, reply) => {
      const query = parse(request.query)
      if (query.after !== undefined && !/^[1-9]\d{0,14}$/.test(query.after)) throw badCursor()
      const limit = limitOf(query)
      const wallet = await walletNamed(context, request)
      const before = query.after === undefined ? null : Number(query.after)
      const [result] = await deps.reader.send([listEntries(wallet, wallet.id, before, limit)])
      const page = pageOf((result?.rows ?? []).map(entryFrom), limit, (entry) => String(entry.sequence))
      return succeed(reply, 200, 'Entries found.', {
        entries: page.rows.map((entry) => presentEntry(wallet, entry)),
        next: page.next,
      })
    },
  )
}

function presentEntry({ currency }: Wallet, entry: Entry): Wire<typeof WalletEntry> {
  return {
    sequence: entry.sequence,
    debit: entry.debit,
    credit: entry.credit,
    amount: majorNumber(entry.amountMinor, currency),
    currency,
    available_after: majorNumber(entry.availableAfterMinor, currency),
    contract_id: entry.contractId,
    transaction_id: entry.position === null ? null : `txn_${entry.position}`,
    reference: entry.reference,
    created_at: new Date(entry.atMs).toISOString(),
  }
}

/** The caller, for a list: a token that is bound to one contract sees none. */
function unbound(caller: Caller): Caller {
  if (caller.contractId !== null)
    throw new RefusedRequest(
      refuse('token_not_for_contract', null, 'The token is bound to one contract and cannot list others.'),
    )
  return caller
}
