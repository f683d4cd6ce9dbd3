// Payouts in a coin or token of an EVM chain. The chain knows no references, so the book makes them: one reference, one
// nonce, the signed bytes committed before the first of them leaves. Doubt before the claim is not_sent; after it, unknown.
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainSend, FoundChainSend, Hex } from '../../domain/transfer/chain-sends.ts'
import type { Outcome, SendOrder } from '../../domain/channel/outcome.ts'
import { assetAmount, type Quote } from '../../domain/money/quotes.ts'
import { payableAddress, type TakenAddress } from '../../domain/text/evm-address.ts'
import type { Connector, ConnectorCapabilities, InspectsAddresses, ListsOrders } from '../connector.ts'
import type { ChainSends } from './book.ts'
import { readHasCode, readHead, readTokenDecimals } from './chain.ts'
import { broadcastOutcome, finalOutcome, type InquiryDeps, truthOf } from './inquiry.ts'
import { listSent } from './listing.ts'
import { openMemos } from './memos.ts'
import { openRpc, RpcDoubt, type RpcSettings } from './rpc.ts'
import { claimTransfer, type SenderDeps } from './sender.ts'
import type { Payout } from './transactions.ts'

/** `timeoutMs` covers all calls of one send or check to the node. */
export type CryptoDeps = RpcSettings & {
  readonly chainId: number
  /** The key that signs; see {@link signingKeyFault}. */
  readonly key: Hex
  readonly book: ChainSends
  /** Whether an address of the chain is the gateway's own: money that goes back there would come in again, and go round. */
  readonly isOwn: (address: Hex) => Promise<boolean>
  /** The quote that was frozen with the order's contract; null for one that was adopted, whose terms nobody knows. */
  readonly quoteOf: (order: SendOrder) => Quote | null
  /** Blocks from a transfer's own on before it is final. */
  readonly confirmations: number
  readonly replaceAfterMs: number
  readonly feeCapWei: bigint
}

// A claim is given up this long before an inquiry that finds nothing counts: by then a running statement has ended.
const CLAIM_GRACE_MS = 10_000
// Confirmations, re-orgs and fees that are too low are seen only by looking, and a block takes seconds.
const LOOK_EVERY_MS = 10_000

/** A connector for all assets of one chain, paid from the one address of the key. */
export function sendingConnector(deps: CryptoDeps): Connector & InspectsAddresses & ListsOrders {
  const account = privateKeyToAccount(deps.key)
  const network = networkOf(deps.chainId)
  const memos = openMemos(deps.key, deps.chainId)
  const sending: SenderDeps = {
    ...deps,
    account,
    network,
    claimWithinMs: deps.timeoutMs,
    inLine: oneAfterAnother(),
    memos,
  }
  const inquiring: InquiryDeps = { ...deps, account }
  const payoutOf = (order: SendOrder) => {
    const quote = deps.quoteOf(order)
    return quote === null ? UNPRICED : payoutFrom(order, quote, network, account.address)
  }
  return {
    describe: () => capabilitiesOf(deps),
    async send(order) {
      const payout = payoutOf(order)
      const found = await deps.book.find(order.reference)
      if (isInBook(found)) return inquired(inquiring, deps, found, payout)
      if ('kind' in payout) return payout
      // After the look: from then on the claim has `claimWithinMs` by the book's own clock, which may be behind that of `notAfter`.
      if (order.isInTime?.() === false) return STOOD_STILL
      if (order.returnOf !== undefined && (await deps.isOwn(payout.recipient))) return OWN_ADDRESS
      return sent(sending, deps, order, payout, found.readAt)
    },
    holderKind: (address) => holderKind(deps, address),
    listOrders: (channelId, sinceMs) =>
      listSent({ ...deps, network, sender: account.address, memos }, channelId, sinceMs),
    async check(reference, order) {
      const payout = payoutOf(order)
      const found = await deps.book.find(reference)
      if (isInBook(found)) return inquired(inquiring, deps, found, payout)
      return 'kind' in payout && (payout.kind === 'failed' || payout === UNPRICED) ? payout : { kind: 'not_found' }
    },
  }
}

async function holderKind(deps: CryptoDeps, text: string): Promise<'account' | 'contract' | 'no_answer'> {
  const to = payableAddress(text, [])
  if ('fault' in to) return 'no_answer'
  try {
    const rpc = openRpc(deps)
    await readHead(rpc, deps.chainId)
    return (await readHasCode(rpc, to.address)) ? 'contract' : 'account'
  } catch (fault) {
    if (fault instanceof RpcDoubt) return 'no_answer'
    throw fault
  }
}

/** CAIP-2. */
export function networkOf(chainId: number): string {
  return `eip155:${chainId}`
}

/** Whom the channel never pays: the sender itself, and the contract of the token, where money would be lost. */
export function takenAddresses(sender: Hex, token: Hex | null): readonly TakenAddress[] {
  const own = { address: sender, whose: 'the one that the gateway pays from' }
  return token === null ? [own] : [own, { address: token, whose: "the token's own contract" }]
}

/**
 * What keeps the channel from starting, in sentences: a node that serves another chain or does not answer, a token that
 * is not there or has other decimals than the configuration says. Empty when nothing does.
 */
export async function chainFaults(
  settings: RpcSettings & { readonly chainId: number },
  tokens: readonly { readonly token: Hex; readonly decimals: number }[],
): Promise<readonly string[]> {
  const rpc = openRpc(settings)
  try {
    await readHead(rpc, settings.chainId)
    const said = await Promise.all(tokens.map(({ token }) => readTokenDecimals(rpc, token)))
    return tokens.flatMap(({ token, decimals }, place) =>
      said[place] === BigInt(decimals) ? [] : [`the token ${token} has ${said[place]} decimals, not ${decimals}`],
    )
  } catch (fault) {
    return [reasonOf(fault)]
  }
}

function capabilitiesOf({ timeoutMs }: CryptoDeps): ConnectorCapabilities {
  return {
    acceptsReference: true,
    dedupeLifetimeMs: null,
    inquiry: true,
    notFoundFinalAfterMs: timeoutMs + CLAIM_GRACE_MS,
    inquiryDelayMs: LOOK_EVERY_MS,
    recall: false,
  }
}

const STOOD_STILL: Outcome = { kind: 'not_sent', reason: 'the lease was over before a nonce was claimed' }

type InBook = FoundChainSend & { readonly send: ChainSend }

function isInBook(found: FoundChainSend): found is InBook {
  return found.send !== null
}

async function sent(
  sending: SenderDeps,
  settings: RpcSettings,
  order: SendOrder,
  payout: Payout,
  readAt: number,
): Promise<Outcome> {
  const rpc = openRpc(settings)
  let claimed: Awaited<ReturnType<typeof claimTransfer>>
  try {
    claimed = await claimTransfer(sending, rpc, order, payout, readAt)
  } catch (fault) {
    return { kind: 'not_sent', reason: reasonOf(fault) }
  }
  if ('notSent' in claimed) return { kind: 'not_sent', reason: claimed.notSent }
  const { row, by } = claimed
  if (by === 'another' && !isSame(row, payout, sending.network)) return MISMATCH
  if (row.status !== 'open') return finalOutcome(row)
  return afterClaim(() => broadcastOutcome(rpc, row))
}

function inquired(deps: InquiryDeps, settings: RpcSettings, found: InBook, payout: Payout | Outcome): Promise<Outcome> {
  return afterClaim(async () => {
    // Of what was adopted the book has what the transaction itself says.
    const isOrdered = 'kind' in payout ? payout === UNPRICED : isSame(found.send, payout, networkOf(deps.chainId))
    if (!isOrdered) return MISMATCH
    return truthOf(deps, openRpc(settings), found)
  })
}

/** Once there is a row, no failure proves anything about the money. */
async function afterClaim(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work()
  } catch (fault) {
    return { kind: 'unknown', reason: reasonOf(fault) }
  }
}

const UNPRICED: Outcome = { kind: 'unknown', reason: 'it was adopted, and nobody knows its price' }

/** Nothing is in the book, so nothing was signed. */
const OWN_ADDRESS: Outcome = {
  kind: 'failed',
  code: 'invalid_address',
  message: 'The address is one of this gateway, and no money goes back there. Return it to an address of the payer.',
}

const MISMATCH: Outcome = { kind: 'unknown', reason: 'the reference stands for another transfer in the book' }

function isSame(row: Payout & { readonly network: string }, payout: Payout, network: string): boolean {
  const { recipient, token, amount } = payout
  // The configuration may have the token's contract without its checksum, and what was read on the chain has it.
  const isSameToken = row.token?.toLowerCase() === token?.toLowerCase()
  return row.network === network && row.recipient === recipient && isSameToken && row.amount === amount
}

/** What an order pays on the chain, or why it never can, or not with this configuration. */
function payoutFrom(order: SendOrder, quote: Quote, network: string, sender: Hex): Payout | Outcome {
  const { token } = quote
  if (quote.network !== network)
    return { kind: 'not_sent', reason: `the quote is for ${quote.network}, not ${network}` }
  const to = payableAddress(order.recipient['wallet'] ?? '', takenAddresses(sender, token))
  if ('fault' in to) return { kind: 'failed', code: 'invalid_address', message: to.fault }
  const amount = assetAmount(order.amountMinor, order.currency, quote)
  if (!('fault' in amount)) return { recipient: to.address, token, amount: amount.units }
  if (amount.fault === 'currency') return { kind: 'not_sent', reason: `the quote prices ${quote.currency}` }
  return { kind: 'failed', code: 'amount_too_small', message: `The amount is dust in ${quote.asset}.` }
}

/** A fault that is not the node's is ours, and is not hidden here. */
function reasonOf(fault: unknown): string {
  if (fault instanceof RpcDoubt) return fault.message
  throw fault
}

function oneAfterAnother(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const own = last.then(work)
    last = own.catch(() => undefined)
    return own
  }
}
