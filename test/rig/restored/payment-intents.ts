// Money that somebody means to be paid on the day of a restore: a payment contract, a payer, and perhaps a refund of a part. It is
// asked for again with the same keys after the restore; its payer pays once.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller, Contract, Reply } from '../caller.ts'
import type { Dice } from '../dice.ts'
import type { NextAction, Payers } from './payers.ts'

const KINDS = ['gcash', 'maya', 'qr', 'card', 'challenged card', 'wallet'] as const
const PLANS = ['pays', 'pays', 'pays', 'pays', 'declines', 'in recovery', 'afterwards', 'never'] as const
/** The provider's scenarios of payments (docs/sandbox.md) in which the asked amount arrives, or nothing does. */
const ENDINGS = ['.00', '.00', '.00', '.11', '.12', '.21', '.31', '.41', '.43', '.61', '.62']
/** The same of refunds. */
const REFUND_ENDINGS = ['.00', '.00', '.11', '.22', '.31', '.41', '.43']

export type PaymentIntent = {
  readonly means: 'payment'
  readonly number: number
  readonly tenant: 0
  readonly key: string
  readonly kind: (typeof KINDS)[number]
  readonly amount: number
  /** Whether and when its payer pays. */
  readonly plan: (typeof PLANS)[number]
  /** Whether the way of paying is sent with the contract, or chosen afterwards. */
  readonly isChosenLater: boolean
  /** Whether its account cancels it: before its payer pays, in that very moment, or after it was paid, when it is refused. */
  readonly cancelled: (typeof CANCELS)[number] | null
  /** Contracts of which the account was told that they are cancelled. */
  readonly cancelledIds: Set<string>
  /** What goes back of it, in major units: no two intents have the same; null for nothing. */
  readonly refundAmount: number | null
  readonly ids: Set<string>
  hasPaid: boolean
  isDone: boolean
}

/** Closed when that is asked, and paid all the same. */
const PAID_THOUGH_CLOSED = '.65'
const CANCELS = ['before', 'while', 'while', 'after'] as const
const CANCEL_SHARE = 0.3

const LOOKS_MAX = 16
const PATH = '/contracts/payment'

export function paymentIntentOf(dice: Dice, number: number): PaymentIntent {
  const kind = dice.pick(KINDS)
  const cancels = dice.part('cancels')
  const cancelled = cancels.chance(CANCEL_SHARE) ? cancels.pick(CANCELS) : null
  const endings = cancelled === null ? ENDINGS : [...ENDINGS, PAID_THOUGH_CLOSED, PAID_THOUGH_CLOSED]
  return {
    means: 'payment',
    number,
    tenant: 0,
    key: `intent-${number}`,
    kind,
    amount: Number(`${dice.whole(2000, 4000)}${dice.pick(endings)}`),
    plan: dice.pick(PLANS),
    isChosenLater: kind === 'wallet' || dice.chance(0.5),
    refundAmount: dice.chance(0.5) ? Number(`${100 + number}${dice.pick(REFUND_ENDINGS)}`) : null,
    cancelled,
    cancelledIds: new Set(),
    ids: new Set(),
    hasPaid: false,
    isDone: false,
  }
}

type PaymentContract = Contract & { readonly next_action: NextAction | null; readonly checkout_url?: string }

/** Goes as far with it as the gateway and its payer let it; rejects where no answer came. */
export async function pursuePayment(
  callers: readonly Caller[],
  payers: Payers,
  intent: PaymentIntent,
  waits: boolean,
): Promise<Reply> {
  const caller = callers[intent.tenant]
  if (!caller) throw new Error(`there is no tenant ${intent.tenant}`)
  const { ask } = caller
  const payment = await methodOf(payers, intent)
  const body = { amount: intent.amount, currency: 'PHP', ...(intent.isChosenLater ? {} : { payment }) }
  let last = await ask('POST', PATH, body, intent.key)
  const made = last.contract as PaymentContract | null
  if (made !== null) {
    intent.ids.add(made.id)
    const next = intent.isChosenLater ? await chosen(ask, payers, intent, made, payment) : made.next_action
    last = (await metAndCancelled(ask, intent, made.id, () => payers.meet(intent, made, next))) ?? last
    last = (await refunded(ask, intent, made.id, waits)) ?? last
  }
  intent.isDone = last.code !== 'in_recovery'
  return last
}

/** What is sent to choose the way; a card's token is made once, as its payer typed it once. */
async function methodOf(payers: Payers, intent: PaymentIntent): Promise<object> {
  switch (intent.kind) {
    case 'gcash':
    case 'maya':
      return { type: intent.kind, [intent.kind]: {} }
    case 'qr':
      return { type: 'qr', qr: { scheme: 'qrph' } }
    case 'card': {
      const known = tokens.get(intent)
      const token = known ?? (await payers.cardToken())
      tokens.set(intent, token)
      return { type: 'card', card: { token } }
    }
    case 'challenged card':
      return { type: 'card', card: { token: 'tok_3ds' } }
    case 'wallet':
      return {}
  }
}

const tokens = new WeakMap<PaymentIntent, string>()

async function chosen(
  ask: Caller['ask'],
  payers: Payers,
  intent: PaymentIntent,
  made: PaymentContract,
  payment: object,
): Promise<NextAction | null> {
  if (intent.kind === 'wallet') {
    await payers.fromWallet(made)
    return null
  }
  const { contract } = await ask('PUT', `${PATH}/${made.id}/pay`, payment)
  return (contract as PaymentContract | null)?.next_action ?? null
}

/** The payer pays, and the account cancels, as the intent says who is first; null where nothing was cancelled. */
async function metAndCancelled(
  ask: Caller['ask'],
  intent: PaymentIntent,
  id: string,
  meet: () => Promise<void>,
): Promise<Reply | null> {
  const cancel = async () => {
    const answer = await ask('DELETE', `${PATH}/${id}`)
    if (answer.contract?.status === 'cancelled') intent.cancelledIds.add(id)
    return answer
  }
  switch (intent.cancelled) {
    case null:
      await meet()
      return null
    case 'before': {
      const answer = await cancel()
      await meet()
      return answer
    }
    case 'while': {
      const [answer] = await Promise.all([cancel(), meet()])
      return answer
    }
    case 'after':
      await meet()
      return cancel()
  }
}

/** Asks for the refund, once there is something to give back; null where none was asked for. */
async function refunded(ask: Caller['ask'], intent: PaymentIntent, id: string, waits: boolean): Promise<Reply | null> {
  if (intent.refundAmount === null) return null
  const isPaid = (reply: Reply) => reply.contract?.status === 'paid' || reply.contract?.status === 'completed'
  for (let looks = waits ? LOOKS_MAX : 1; looks > 0; looks--) {
    if (isPaid(await ask('GET', `${PATH}/${id}`)))
      return ask('POST', `${PATH}/${id}/refunds`, { amount: intent.refundAmount }, `${intent.key}-refund`)
    if (looks > 1) await sleep(150)
  }
  return null
}
