// Every channel that is shipped in each of its currencies, with amounts that are small, large, and hard for a double: what
// the preview promised is what the provider's books say in their own digits, or what the other wallet got.
import { SHIPPED_CHANNELS } from '../../../src/connectors/catalogue.ts'
import { digitsOf } from '../../../src/domain/money/currencies.ts'
import { forAll, openRails, type Rails, RAILS, type RailName, type RailsOptions, untilNone } from './rails.ts'

export type AmountFigures = { readonly payouts: number; readonly findings: readonly string[] }

const CALLERS = 24
const WITHIN_MS = 30_000
/** In minor units, below the channel's maximum. None of them must move a cent on the way through a double. */
const AWKWARD_MINOR = [1n, 7n, 101n, 1_005n, 110_399n, 4_999_973n, 429_496_729_617n] as const
const LARGEST_MINOR = 999_999_999_999n
const NAME = 'sandbox-completes'

type Order = {
  readonly channel: string
  readonly currency: string
  readonly amountMinor: bigint
  id: string
  promised: string
}

export async function runAmounts({ owner }: Pick<RailsOptions, 'owner'>): Promise<AmountFigures> {
  const rails = await openRails({ owner })
  try {
    await rails.script({ rail: 'pesonet', settle_after_seconds: 0.5 })
    const orders = everyAmount()
    const findings: string[] = []
    await forAll(orders, CALLERS, (order) => pay(rails, order, findings))
    const open = async () =>
      (await rails.sql<{ id: string }>(`select id from contracts where status <> 'completed'`)).map(({ id }) => id)
    const left = await untilNone(open, WITHIN_MS)
    if (left.length > 0) findings.push(`${left.length} did not complete, such as ${left[0]}`)
    for (const rail of RAILS) findings.push(...(await comparedTo(rails, rail, orders)))
    findings.push(...(await walletsCompared(rails, orders)), ...(await rails.unsound()))
    return { payouts: orders.length, findings }
  } finally {
    await rails.stop()
  }
}

function everyAmount(): Order[] {
  return SHIPPED_CHANNELS.flatMap(({ id: channel, currencies }) =>
    Object.entries(currencies).flatMap(([currency, { min, max }]) => {
      const [least, most] = [boundOf(min, currency) ?? 1n, boundOf(max, currency) ?? LARGEST_MINOR]
      const amounts = new Set([least, most, ...AWKWARD_MINOR.filter((minor) => minor >= least && minor <= most)])
      return [...amounts].map((amountMinor) => ({ channel, currency, amountMinor, id: '', promised: '' }))
    }),
  )
}

function boundOf(bound: number | undefined, currency: string): bigint | null {
  return bound === undefined ? null : BigInt(bound.toFixed(digitsOf(currency)).replace('.', ''))
}

/** Written here once more, in other words than the product's. */
function majorText(minor: bigint, currency: string): string {
  const digits = digitsOf(currency)
  const text = String(minor).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

async function pay({ payer, receiver }: Rails, order: Order, findings: string[]): Promise<void> {
  const { channel, currency, amountMinor } = order
  const inside = channel === 'wallet'
  const wallet = inside ? receiver.wallets.get(currency) : '0001234567'
  const { caller } = payer
  const made = await caller.ask('POST', '/contracts/transfer', {
    amount: Number(majorText(amountMinor, currency)),
    currency,
    channel,
    // A wallet of this gateway has its owner's own name, which nobody has to give.
    recipient: inside ? { wallet } : { name: NAME, wallet, tag: 'BOPIPHMM', mobile: '+639171234567' },
  })
  order.id = made.contract?.id ?? ''
  // The fee comes on top everywhere: all of the amount arrives.
  order.promised = majorText(amountMinor, currency)
  const receives = made.contract?.preview.receive_amount.toFixed(digitsOf(currency))
  if (receives !== order.promised)
    findings.push(`${channel} ${currency}: the preview of ${order.promised} says ${receives}`)
  for (const verb of ['issue', 'pay']) {
    const { status, code } = await caller.ask('PUT', `/contracts/transfer/${order.id}/${verb}`)
    if (status !== 200) findings.push(`${channel} ${currency} ${order.promised}: ${verb} was answered with ${code}`)
  }
}

async function comparedTo({ booksOf, sql }: Rails, rail: RailName, orders: readonly Order[]): Promise<string[]> {
  const references = await sql<{ id: string; reference: string }>(
    'select contract_id as id, reference from jobs where channel_id = $1',
    [rail],
  )
  const referenceOf = new Map(references.map(({ id, reference }) => [id, reference]))
  const books = new Map((await booksOf(rail)).orders.map((entry) => [entry.reference, entry]))
  const wanted = orders.filter(({ channel }) => channel === rail)
  const found = wanted.flatMap(({ id, currency, promised }) => {
    const entry = books.get(referenceOf.get(id) ?? '')
    const isSame = entry?.amount === promised && entry.currency === currency && entry.executions === 1
    return isSame ? [] : [`${rail}: ${currency} ${promised} is ${entry?.amount} ${entry?.currency} in its books`]
  })
  return books.size === wanted.length ? found : [...found, `${rail}: ${wanted.length} orders are ${books.size} there`]
}

async function walletsCompared({ receiver, sql }: Rails, orders: readonly Order[]): Promise<string[]> {
  const found: string[] = []
  for (const [currency, id] of receiver.wallets) {
    const sent = orders.filter((order) => order.channel === 'wallet' && order.currency === currency)
    const total = sent.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
    const [row] = await sql<{ is: string }>('select available_minor::text as is from wallets where id = $1', [id])
    if (row?.is !== String(total)) found.push(`wallet ${currency}: ${total} was sent and ${row?.is} is there`)
  }
  return found
}
