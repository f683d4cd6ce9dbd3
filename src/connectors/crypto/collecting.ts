// Money that comes in on a chain: each attempt has an address of its own, and the watcher sees what arrives there.
// Nothing here can spend.
import type { ChainAsset, ChainStandingOfAddress } from '../../domain/payment/chain-payments.ts'
import type { Hex } from '../../domain/transfer/chain-sends.ts'
import type { CollectOrder, Collection } from '../../domain/channel/collection.ts'
import { payableAddress } from '../../domain/text/evm-address.ts'
import { invariant } from '../../domain/invariant.ts'
import { type AssetAmount, assetDue, type Quote } from '../../domain/money/quotes.ts'
import { eip681Uri } from '../../formats/eip681.ts'
import type { Collects, Connector } from '../connector.ts'
import type { ReceivingKey } from './addresses.ts'
import { patient } from './blocks.ts'
import { readBalance, readHead, readNonce, readTokenBalance } from './chain.ts'
import { networkOf } from './connector.ts'
import type { ReceivingBook } from './receiving-book.ts'
import { openRpc, orDoubt, type Rpc, type RpcSettings } from './rpc.ts'
import { unreadOf } from './unread.ts'

/** `timeoutMs` covers all calls of one attempt to the node. */
export type CollectingDeps = RpcSettings & {
  readonly chainId: number
  readonly key: ReceivingKey
  readonly book: ReceivingBook
  /** Blocks from a payment's own on before it counts. */
  readonly confirmations: number
}

/** What an attempt requires, all of it from the order. `expiresAt`: when the payer's time is over, for nothing that comes later has this price. */
type Wanted = ChainAsset & { readonly due: AssetAmount; readonly quote: Quote; readonly expiresAt: number }

/** The capability to collect, for all assets of one chain. */
export function cryptoCollecting(deps: CollectingDeps): Collects {
  return {
    describeCollect: () => ({ inquiry: true, refunds: false }),
    async collect(order) {
      const wanted = wantedBy(order, networkOf(deps.chainId))
      if ('kind' in wanted) return wanted
      const found = await deps.book.find(order.reference)
      return found === null ? given(deps, order, wanted) : shown(deps, wanted, found)
    },
    async checkCollection(order) {
      const found = await deps.book.find(order.reference)
      if (found === null) return { kind: 'not_found' }
      const wanted = wantedBy(order, networkOf(deps.chainId))
      return 'kind' in wanted ? MISMATCH : shown(deps, wanted, found)
    },
    // An address cannot be closed: what comes later is still seen and reported.
    async voidCollection({ reference }, nowMs) {
      const found = await deps.book.find(reference)
      if (found === null) return 'voided'
      if (found.paid === 'seen') return 'refused'
      const unread = await orDoubt(unreadOf(patient(openRpc(deps)), deps.chainId, found))
      if (unread === 'some') return 'refused'
      return unread === 'none' || mayClose(unread, nowMs - found.address.expiresAt) ? 'voided' : 'unknown'
    },
  }
}

// So long after the payer's time a block of that time may still come to the node; a chain without payments may make none at all.
const LAST_BLOCK_MS = 60_000

/**
 * Whether an attempt may be closed of which the node says nothing certain. Who closes it before its payer's time is over does so whatever comes; after
 * it the payer may have paid, and a node that is away is waited for as any rail.
 */
function mayClose(unread: string, overMs: number): boolean {
  return overMs < 0 || (unread === 'time runs' && overMs >= LAST_BLOCK_MS)
}

/** A channel that only brings money in: there is no key on this machine that could send. */
export function receivingConnector(deps: CollectingDeps): Connector & Collects {
  const never = {
    kind: 'failed',
    code: 'channel_only_receives',
    message: 'Nothing is paid out on this channel.',
  } as const
  return {
    describe: () => ({
      acceptsReference: true,
      dedupeLifetimeMs: null,
      inquiry: true,
      notFoundFinalAfterMs: 0,
      recall: false,
    }),
    send: async () => never,
    check: async () => never,
    ...cryptoCollecting(deps),
  }
}

const MISMATCH: Collection = { kind: 'unknown', reason: 'the reference stands for another attempt in the book' }

function wantedBy({ quote, amountMinor, currency, expiresAt }: CollectOrder, network: string): Wanted | Collection {
  invariant(quote !== null, 'an attempt to collect a crypto asset has its quote')
  if (quote.network !== network)
    return { kind: 'not_sent', reason: `the quote is for ${quote.network}, not ${network}` }
  const due = assetDue(amountMinor, currency, quote)
  if (!('fault' in due))
    return { network, asset: assetOf(quote.token), due, quote, expiresAt: Math.min(expiresAt, quote.expiresAt) }
  if (due.fault === 'currency') return { kind: 'not_sent', reason: `the quote prices ${quote.currency}` }
  return { kind: 'failed', code: 'amount_too_small', message: `The amount is dust in ${quote.asset}.` }
}

/** How the book names what a quote prices. */
export function assetOf(token: Hex | null): ChainAsset['asset'] {
  return token === null ? 'coin' : (token.toLowerCase() as Hex)
}

async function given(deps: CollectingDeps, order: CollectOrder, wanted: Wanted): Promise<Collection> {
  const { book } = deps
  const { network, asset, expiresAt } = wanted
  const { reference } = order
  if ((await book.cursor({ network, asset })) === null)
    return { kind: 'not_sent', reason: `${wanted.quote.asset} on ${network} is not followed yet` }
  const unused = await orDoubt(unusedAddress(deps, asset))
  if (typeof unused === 'string') return { kind: 'not_sent', reason: unused }
  await book.give({ reference, network, asset, fingerprint: deps.key.fingerprint, expiresAt, ...unused })
  // What is shown is what the book has, whichever process wrote it.
  const found = await book.find(reference)
  return found === null ? { kind: 'not_sent', reason: 'no address was written' } : shown(deps, wanted, found)
}

// Used ones are skipped: those of an account used elsewhere, or assigned before the database was restored.
const USED_IN_A_ROW_MAX = 20

/** The next address of the key that nothing ever came to or left from; why there is none, as text. */
async function unusedAddress(
  deps: CollectingDeps,
  asset: ChainAsset['asset'],
): Promise<{ readonly address: Hex; readonly keyIndex: number } | string> {
  const rpc = openRpc(deps)
  const { number } = await readHead(rpc, deps.chainId)
  for (let tries = 0; tries < USED_IN_A_ROW_MAX; tries++) {
    const keyIndex = await deps.book.takeIndex(deps.key.fingerprint)
    const address = deps.key.addressAt(keyIndex).toLowerCase() as Hex
    if (await isUnused(rpc, address, asset, number)) return { address, keyIndex }
  }
  return `${USED_IN_A_ROW_MAX} addresses in a row were used before: give the gateway an account of its own`
}

async function isUnused(rpc: Rpc, address: Hex, asset: ChainAsset['asset'], block: bigint): Promise<boolean> {
  const held = asset === 'coin' ? 0n : readTokenBalance(rpc, asset, address, block)
  const figures = await Promise.all([readBalance(rpc, address, block), readNonce(rpc, address, block), held])
  return figures.every((figure) => BigInt(figure) === 0n)
}

function shown(
  { chainId, confirmations }: CollectingDeps,
  { network, asset, due, quote, expiresAt }: Wanted,
  { address: row, paid }: ChainStandingOfAddress,
): Collection {
  if (row.network !== network || row.asset !== asset) return MISMATCH
  const checked = payableAddress(row.address, [])
  invariant('address' in checked, 'the book holds addresses')
  const { address } = checked
  const uri = eip681Uri({ chainId, token: quote.token, address, units: due.units })
  const nextAction = {
    type: 'display_address',
    address,
    amount: due.text,
    asset: quote.asset,
    network,
    uri,
    confirmations,
    expiresAt,
  } as const
  const status = paid === 'seen' ? 'processing' : 'pending'
  return { kind: 'open', status, providerId: row.address, nextAction, shown: {} }
}
