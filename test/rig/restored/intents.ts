// What clients mean to do on the day of a restore: each means one payment, or to take one back, asks under a key until it is answered,
// and remembers what it was told. After the restore it asks for all of it again, as docs/recovery.md tells it to.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller, Reply } from '../caller.ts'
import type { Dice } from '../dice.ts'
import { type BulkIntent, bulkIntentOf, ENDINGS, pursueBulk } from './bulk-intents.ts'
import { CHAIN_CHANNELS, isOnChain, recipientOf } from './chain-recipients.ts'
import { type PaymentIntent, paymentIntentOf, pursuePayment } from './payment-intents.ts'
import type { Payers } from './payers.ts'

export type Deed = 'create' | 'issue' | 'pay' | 'cancel'

/** Money that somebody means to send. */
export type TransferIntent = {
  readonly means: 'transfer'
  readonly number: number
  readonly tenant: number
  readonly key: string
  readonly channel: string
  readonly amount: number
  /** When it is taken back, in milliseconds after it was begun; null for never. */
  readonly cancelAfterMs: number | null
  /** Every contract that the gateway named for it. */
  readonly ids: Set<string>
  readonly acknowledged: Set<Deed>
  /** Whether it is at the end of what it means to do. */
  isDone: boolean
}

/** What is stuck at the provider until it is recalled. */
const STUCK = '.52'
const CHANNELS = ['sandbox', 'sandbox', 'second', 'instapay', 'pesonet', 'gcash', 'maya', ...CHAIN_CHANNELS] as const
const PAYMENT_SHARE = 0.4
const BULK_SHARE = 0.12
const MOBILE = new Set(['gcash', 'maya'])
const PATH = '/contracts/transfer'

export type Intent = TransferIntent | PaymentIntent | BulkIntent

const nameOf = ({ number }: Pick<Intent, 'number'>): string => `Intent ${number}`

/** The names of those whom it pays, each once. */
export const namesOf = (intent: Intent): readonly string[] =>
  intent.means === 'file' || intent.means === 'schedule'
    ? intent.rows.map(({ recipient }) => recipient.name)
    : [nameOf(intent)]

export function intentOf(dice: Dice, number: number): Intent {
  if (dice.chance(BULK_SHARE)) return bulkIntentOf(dice, number)
  return dice.chance(PAYMENT_SHARE) ? paymentIntentOf(dice, number) : transferIntentOf(dice, number)
}

function transferIntentOf(dice: Dice, number: number): TransferIntent {
  const ending = dice.pick([...ENDINGS, STUCK])
  // What is stuck at the provider ends only when it is recalled.
  const isTakenBack = ending === STUCK || dice.chance(0.3)
  return {
    means: 'transfer',
    number,
    tenant: dice.whole(0, 1),
    key: `intent-${number}`,
    channel: dice.pick(CHANNELS),
    amount: Number(`${dice.whole(10, 200)}${ending}`),
    cancelAfterMs: isTakenBack ? dice.whole(0, 4000) : null,
    ids: new Set(),
    acknowledged: new Set(),
    isDone: false,
  }
}

/** Goes as far with it as the gateway lets it; rejects where no answer came. */
export function pursue(callers: readonly Caller[], payers: Payers, intent: Intent, waits: boolean): Promise<Reply> {
  switch (intent.means) {
    case 'payment':
      return pursuePayment(callers, payers, intent, waits)
    case 'transfer':
      return pursueTransfer(callers, intent, waits)
    case 'file':
    case 'schedule':
      return pursueBulk(callers, intent, waits)
  }
}

function placeOf(intent: TransferIntent): object {
  if (isOnChain(intent.channel)) return { wallet: recipientOf(intent) }
  return MOBILE.has(intent.channel) ? { mobile: '+639171234567' } : { wallet: '001234567890', tag: 'BOPIPHMM' }
}

/** Those whose money goes by a chain. */
export const chainIntents = (intents: readonly Intent[]): TransferIntent[] =>
  intents.flatMap((intent) => (intent.means === 'transfer' && isOnChain(intent.channel) ? [intent] : []))

async function pursueTransfer(callers: readonly Caller[], intent: TransferIntent, waits: boolean): Promise<Reply> {
  const { tenant, key, channel, amount, cancelAfterMs } = intent
  const caller = callers[tenant]
  if (!caller) throw new Error(`there is no tenant ${tenant}`)
  const { ask } = caller
  const recipient = { name: nameOf(intent), ...placeOf(intent) }
  const body = { amount, currency: 'PHP', channel, recipient }
  const created = await ask('POST', PATH, body, key)
  const id = created.contract?.id ?? created.olderId
  if (id === null) return created
  intent.ids.add(id)
  const note = (deed: Deed, answer: Reply) => {
    if (answer.status === 200) intent.acknowledged.add(deed)
    return answer
  }
  let last = note('create', created)
  if (created.olderId === null) {
    last = note('issue', await ask('PUT', `${PATH}/${id}/issue`))
    if (last.status === 200) last = note('pay', await ask('PUT', `${PATH}/${id}/pay`))
  }
  if (cancelAfterMs !== null) {
    if (waits) await sleep(cancelAfterMs)
    last = note('cancel', await ask('DELETE', `${PATH}/${id}`))
  }
  intent.isDone = last.code !== 'in_recovery'
  return last
}
