// A move between two wallets: a transfer that is made, issued and paid in one go, so that it can be sent again as the same one.
// Must not know how a screen asks for it.
import { GatewayError, type Gateway } from '../../../sdk/src/index.ts'
import { isRefused } from '../once.ts'

export type Move = {
  /** The wallets. */
  readonly from: string
  readonly to: string
  readonly amount: string
  readonly currency: string
  readonly description: string
  /** What was shown that it takes: another price is refused. */
  readonly debit: number | undefined
}

/** The contract; `waits`: what the gateway says that it waits for before it can be paid. */
export type Moved = { readonly id: string; readonly waits: string | null }

/** The channel between wallets. */
export const CHANNEL = 'wallet'

/** Not refused for good: members approve it, or somebody verifies the recipient, and then it can be paid. */
const WAITED_FOR: ReadonlySet<string> = new Set(['approval_required', 'verification_required'])

/** As a draft, and as what is priced before there is one. */
export const draftOf = ({ to, amount, currency }: Pick<Move, 'to' | 'amount' | 'currency'>) => ({
  amount,
  currency,
  channel: CHANNEL,
  recipient: { wallet: to },
})

/**
 * Each step answers with the contract as it stands where it was done before: with the same key the same contract is moved once, however
 * often this is called. What the gateway refuses leaves no open contract behind; what may have moved is left as it is.
 */
export async function move({ transfers }: Pick<Gateway, 'transfers'>, wanted: Move, key: string): Promise<Moved> {
  const { from, description, debit } = wanted
  const { id } = await transfers.create({ ...draftOf(wanted), description }, { idempotencyKey: key })
  try {
    // By its id alone: of a try before, it may stand further already.
    await transfers.issue({ id })
    await transfers.pay({ id }, { source: from, preview: { amount: debit } })
    return { id, waits: null }
  } catch (error) {
    if (error instanceof GatewayError && WAITED_FOR.has(error.code)) return { id, waits: error.message }
    if (isRefused(error)) await transfers.cancel({ id }).catch(() => undefined)
    throw error
  }
}
