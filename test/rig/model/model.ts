// The gateway as a table in memory, written from the design (its sections 4, 5 and 7) and from nothing in src: what each
// command answers, and where contract and money stand afterwards. The model test compares the two.
import { expectedCharge } from '../../domain/money/fees.reference.ts'

export type ModelChannel = {
  readonly covered: boolean
  /** Whether a paid contract may be sent at once. */
  readonly sendsAtOnce: boolean
  readonly fees: Readonly<Record<string, { pct?: string; add?: string; min?: string; max?: string; fixed?: string }>>
  /** Bounds of the amount in minor units. */
  readonly bounds: Readonly<Record<string, readonly [min: bigint, max: bigint]>>
  readonly needs: readonly ('name' | 'wallet')[]
  /** To another wallet of this gateway. */
  readonly isInside: boolean
}

export type Terms = {
  readonly amountMinor: bigint
  readonly currency: string
  readonly channel: string | null
  readonly name: string | null
  /** "own PHP", "other JPY" and so on are wallets of the two accounts; other texts are accounts elsewhere. */
  readonly wallet: string | null
}

export type Execution =
  | 'none'
  | 'queued'
  | 'submitting'
  | 'accepted'
  | 'unknown'
  | 'delivered'
  | 'failed'
  | 'voided'
  | 'returned'

export type ModelContract = {
  readonly owner: number
  terms: Terms
  status: 'draft' | 'issued' | 'paid' | 'completed' | 'cancelled' | 'expired' | 'returned'
  /** Its time is over, whether or not anybody has swept it. */
  lapsed: boolean
  execution: Execution
  /** Whether a worker may take the attempt now. */
  due: boolean
  fence: number
  /** Inquiries found nothing, and nothing else was heard since. */
  absent: boolean
  /** The money of a transfer inside the gateway has arrived. */
  isCredited: boolean
  cancellation: null | 'pending' | 'refused' | 'done'
  refundMinor: bigint | null
  readonly events: string[]
  readonly trail: string[]
  version: number
}

export type Balance = { available: bigint; held: bigint; inTransit: bigint }

export type Model = {
  readonly channels: Readonly<Record<string, ModelChannel>>
  /** By account, then currency. */
  readonly wallets: readonly Record<string, Balance>[]
  /** By account: whether a failure refunds without being asked. */
  readonly refundsAtOnce: readonly boolean[]
  readonly contracts: ModelContract[]
  /** Requests with a key whose answers were kept, by their place in the real side's list. */
  keptAnswers: number
}

/** What a caller is told: 200, or the code of the refusal. */
export type Expected = 200 | string

export type Charge = { readonly feeMinor: bigint; readonly debitMinor: bigint; readonly receiveMinor: bigint }

const DECIMALS: Readonly<Record<string, number>> = { PHP: 2, JPY: 0 }

export function majorText(minor: bigint, currency: string): string {
  const decimals = DECIMALS[currency] ?? 2
  const digits = String(minor).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

export function chargeOf({ channels }: Pick<Model, 'channels'>, { amountMinor, currency, channel }: Terms): Charge {
  const priced = channel === null ? undefined : channels[channel]
  const fees = priced?.fees[currency]
  if (!priced || !fees) return { feeMinor: 0n, debitMinor: amountMinor, receiveMinor: amountMinor }
  const { pct = '0', add = '0', min = '0', max = '0', fixed = '0' } = fees
  const bearer = priced.covered ? 'payer' : 'recipient'
  const { feeMinor, debitMinor, receiveMinor } = expectedCharge({
    currency,
    amount: majorText(amountMinor, currency),
    bearer,
    pct,
    add,
    min,
    max,
    fixed,
  })
  return { feeMinor, debitMinor, receiveMinor }
}

/** The codes of what keeps a draft from being issued. */
export function lacksOf(model: Model, terms: Terms): string[] {
  const channel = terms.channel === null ? undefined : model.channels[terms.channel]
  if (!channel) return ['missing_channel']
  const lacks: string[] = []
  const bounds = channel.bounds[terms.currency]
  if (!channel.fees[terms.currency]) lacks.push('invalid_currency')
  else if (bounds && (terms.amountMinor < bounds[0] || terms.amountMinor > bounds[1])) lacks.push('invalid_amount')
  else if (chargeOf(model, terms).receiveMinor <= 0n) lacks.push('invalid_amount')
  for (const field of channel.needs) if (terms[field] === null) lacks.push(`missing_recipient_${field}`)
  if (channel.isInside && terms.wallet !== null && !isWallet(terms.wallet)) lacks.push('invalid_recipient_wallet')
  return lacks
}

const isWallet = (text: string) => /^(own|other|nobody)/.test(text)

export function create(model: Model, owner: number, terms: Terms): ModelContract {
  const contract: ModelContract = {
    owner,
    terms,
    status: 'draft',
    lapsed: false,
    execution: 'none',
    due: false,
    fence: 0,
    absent: false,
    isCredited: false,
    cancellation: null,
    refundMinor: null,
    events: ['contract.created'],
    trail: ['created'],
    version: 1,
  }
  model.contracts.push(contract)
  return contract
}

/** One more version: the lines of history and the event that come with it. */
export function change(contract: ModelContract, trail: readonly string[], event: string | null): void {
  contract.version += 1
  contract.trail.push(...trail)
  if (event !== null) contract.events.push(`contract.${event}`)
}

export const isOver = ({ status, lapsed }: ModelContract) =>
  status === 'expired' || (lapsed && (status === 'draft' || status === 'issued'))

export function update(contract: ModelContract, changes: Partial<Terms>): Expected {
  if (isOver(contract)) return contract.status === 'issued' ? 'contract_not_draft' : 'contract_expired'
  if (contract.status === 'cancelled') return 'contract_cancelled'
  if (contract.status !== 'draft') return 'contract_not_draft'
  const before = contract.terms
  contract.terms = { ...before, ...changes }
  // What changes nothing is no version.
  const names = Object.keys(changes) as (keyof Terms)[]
  if (names.some((name) => contract.terms[name] !== before[name])) change(contract, ['updated'], 'updated')
  return 200
}

export function issue(model: Model, contract: ModelContract, previewFits: boolean): Expected {
  if (contract.status === 'issued' || contract.status === 'paid' || contract.status === 'completed') return 200
  if (isOver(contract)) return 'contract_expired'
  if (contract.status === 'cancelled') return 'contract_cancelled'
  if (contract.status === 'returned') return 'contract_not_draft'
  if (lacksOf(model, contract.terms).length > 0) return 'requirements_not_met'
  if (!previewFits) return 'preview_mismatch'
  contract.status = 'issued'
  change(contract, ['issued'], 'issued')
  return 200
}

export type Source = 'any' | 'the right one' | 'of another currency' | 'of a stranger'

export function pay(model: Model, contract: ModelContract, previewFits: boolean, source: Source): Expected {
  const { status } = contract
  if (status === 'paid' || status === 'completed') return 200
  if (status === 'draft') return 'contract_not_issued'
  if (isOver(contract)) return 'contract_expired'
  if (status === 'cancelled') return 'contract_cancelled'
  if (status === 'returned') return 'contract_already_paid'
  if (!previewFits) return 'preview_mismatch'
  if (source === 'of another currency' || source === 'of a stranger') return 'wallet_not_found'
  const { debitMinor } = chargeOf(model, contract.terms)
  const wallet = walletOf(model, contract)
  if (wallet.available < debitMinor) return 'insufficient_funds'
  wallet.available -= debitMinor
  wallet.held += debitMinor
  contract.status = 'paid'
  contract.execution = 'queued'
  contract.due = model.channels[contract.terms.channel ?? '']?.sendsAtOnce ?? false
  change(contract, ['paid'], 'paid')
  return 200
}

export function cancel(model: Model, contract: ModelContract): Expected {
  if (isOver(contract)) return 'contract_expired'
  switch (contract.status) {
    case 'cancelled':
      return 200
    case 'expired':
      return 'contract_expired'
    case 'completed':
      if (!contract.trail.includes('cancel_refused')) change(contract, ['cancel_refused'], null)
      return 'contract_completed'
    case 'returned':
      refund(model, contract, contract.execution, [])
      return 200
    case 'paid':
      return cancelPaid(model, contract)
    case 'draft':
    case 'issued':
      contract.status = 'cancelled'
      contract.cancellation = 'done'
      change(contract, ['cancelled'], 'cancelled')
      return 200
  }
}

function cancelPaid(model: Model, contract: ModelContract): Expected {
  if (contract.execution === 'queued') refund(model, contract, 'voided', [])
  else if (contract.execution === 'failed') refund(model, contract, 'failed', [])
  else if (contract.cancellation === null) {
    contract.cancellation = 'pending'
    // A call in flight is not disturbed; everything else is asked about at once.
    if (contract.execution !== 'submitting') contract.due = true
    change(contract, ['cancel_requested'], null)
  }
  return 200
}

export function expire(contract: ModelContract): void {
  if (!contract.lapsed || (contract.status !== 'draft' && contract.status !== 'issued')) return
  contract.status = 'expired'
  change(contract, ['expired'], 'expired')
}

export function walletOf(model: Model, { owner, terms }: ModelContract): Balance {
  const wallet = model.wallets[owner]?.[terms.currency]
  if (!wallet) throw new Error(`the model has no wallet in ${terms.currency}`)
  return wallet
}

/** What the contract still holds of the payer's money. */
function heldBy(model: Model, contract: ModelContract): bigint {
  const { debitMinor, receiveMinor } = chargeOf(model, contract.terms)
  return contract.status === 'returned' ? receiveMinor : debitMinor
}

/** All that the contract holds goes back, and it is closed. */
export function refund(model: Model, contract: ModelContract, execution: Execution, before: readonly string[]): void {
  const amount = heldBy(model, contract)
  const wallet = walletOf(model, contract)
  wallet.held -= amount
  wallet.available += amount
  contract.refundMinor = amount
  contract.status = 'cancelled'
  contract.cancellation = 'done'
  contract.execution = execution
  contract.due = false
  change(contract, [...before, 'refunded', 'cancelled'], 'cancelled')
}
