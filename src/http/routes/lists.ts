// Lists: contracts, and wallets with their entries. Pages end with `next`, null on the last.
import { presentFor } from '../views.ts'
import {
  callerOf,
  type Context,
  described,
  guard,
  KEY_ONLY,
  KEY_OR_TOKEN,
  parserOf,
  queryParserOf,
  succeed,
} from '../context.ts'
import { entryFrom, type Entry, listEntries } from '../../ledger/entries.ts'
import { loadWallets, walletFrom } from '../../ledger/wallets.ts'
import { MANY_LANES } from '../../platform/scope.ts'
import { type ContractFilter, listContracts } from '../../store/contracts/lists.ts'
import { readContractFrom } from '../../store/contracts/contracts.ts'
import { isUuid } from '../../domain/contract/ids.ts'
import { majorNumber } from '../../domain/money/money.ts'
import { refuse } from '../../domain/contract/refusals.ts'
import type { Wallet } from '../../domain/transfer/transfer.ts'
import type { Caller } from '../../app/accounts/callers.ts'
import type { FastifyRequest } from 'fastify'
import { RefusedRequest } from '../errors.ts'
import { badCursor, limitOf, pageOf } from '../pages.ts'
import { presentWallet } from '../../wire/present.ts'
import { PaymentQuery, PaymentsReply } from '../../wire/payment-schemas.ts'
import {
  ContractQuery,
  ContractsReply,
  EntriesReply,
  IdParams,
  ListQuery,
  WalletReply,
  WalletsReply,
} from '../../wire/schemas.ts'

export function listRoutes(context: Context): void {
  contractList(context, 'transfer')
  contractList(context, 'payment')
  walletList(context)
  walletRoute(context)
  entryList(context)
}

const LISTS = {
  transfer: {
    words: 'List transfer contracts, newest first',
    tag: 'Transfer contracts',
    found: 'Transfer contracts found.',
    query: ContractQuery,
    reply: ContractsReply,
  },
  payment: {
    words: 'List payment contracts, newest first',
    tag: 'Payment contracts',
    found: 'Payment contracts found.',
    query: PaymentQuery,
    reply: PaymentsReply,
  },
} as const

function contractList(context: Context, kind: keyof typeof LISTS): void {
  const { app, deps, presenter } = context
  const { words, tag, found: foundWords, query, reply: listReply } = LISTS[kind]
  const schema = described(words, tag, { querystring: query, reply: listReply }, KEY_OR_TOKEN)
  const parse = queryParserOf<ContractQuery>(query)
  app.get(
    `/contracts/${kind}`,
    { schema, onRequest: guard(context, { accepts: 'api key or token', scope: 'contracts:read' }) },
    async (request, reply) => {
      const caller = callerOf(request)
      unbound(caller)
      const filter = filterOf(kind, parse(request.query))
      const [result] = await deps.reader.send([listContracts(caller, filter)])
      const found = (result?.rows ?? []).map(readContractFrom)
      const page = pageOf(found, filter.limit, (contract) => contract.id)
      const contracts = page.rows.map((contract) => presentFor(request, presenter, contract, caller.profileId))
      return succeed(reply, 200, foundWords, { contracts, next: page.next })
    },
  )
}

function filterOf(kind: keyof typeof LISTS, query: ContractQuery): ContractFilter {
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

async function walletNamed(context: Context, request: FastifyRequest): Promise<Wallet> {
  const { id } = request.params as { id: string }
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
  const parse = parserOf<ListQuery>(ListQuery)
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

function presentEntry({ currency }: Wallet, entry: Entry) {
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

/** A token that is bound to one contract sees no lists. */
function unbound(caller: Caller): void {
  if (caller.contractId !== null)
    throw new RefusedRequest(
      refuse('token_not_for_contract', null, 'The token is bound to one contract and cannot list others.'),
    )
}
