// What must be true of payments at the end of the day of a restore: what payers paid is booked once or named in the report, and what
// went back of it went back once, and never more than came in. Each finding is a sentence; none is the proof.
import { contractOfReference } from '../../../src/domain/contract/ids.ts'
import { groupedBy } from '../../../src/domain/grouped.ts'
import type { Intent } from './intents.ts'
import { type Given, isKept, type Ordered, type PaidIn } from './ledgers.ts'

export type ShownPayment = {
  readonly tenant: number
  readonly id: string
  readonly status: string
  /** Major units. */
  readonly amount_received: number
  readonly amount_in_suspense: number
  readonly refunds: readonly { readonly transfer_id: string; readonly amount: number; readonly status: string }[]
}

type Books = {
  readonly intents: readonly Intent[]
  readonly contracts: readonly { readonly id: string }[]
  readonly payments: readonly ShownPayment[]
  readonly orders: readonly Ordered[]
  readonly given: readonly Given[]
  readonly paidIn: readonly PaidIn[]
  readonly unmatched: readonly string[]
  readonly lines: readonly { readonly reference: string }[]
}

export const paymentFindings = (books: Books): string[] => [
  ...wronglyBooked(books),
  ...refundedTwice(books),
  ...moreBackThanCame(books),
  ...keptThoughCancelled(books),
]

const minorOf = (major: number) => BigInt(Math.round(major * 100))

/** Contract by contract, what came in at the rails against what the books received. */
function wronglyBooked({ intents, payments, paidIn, unmatched, lines }: Books): string[] {
  const byContract = groupedBy(paidIn, ({ contractId }) => contractId)
  const named = new Set(lines.map(({ reference }) => reference))
  const known = new Map(payments.map((payment) => [payment.id, payment]))
  // What a wallet of this gateway paid is in no rail's book.
  const fromWallets = new Set(
    intents.flatMap((intent) => (intent.means === 'payment' && intent.kind === 'wallet' ? [...intent.ids] : [])),
  )
  const isNamed = ({ id, reference }: PaidIn) => named.has(reference) || unmatched.some((body) => body.includes(id))
  const lost = [...byContract].flatMap(([contractId, all]) => {
    const came = sumOf(all)
    const booked = minorOf(known.get(contractId)?.amount_received ?? 0)
    if (booked === came) return []
    if (booked < came && all.some(isNamed)) return []
    const what = all.map(({ rail, reference }) => `${rail} ${reference}`).join(', ')
    return [`payers paid ${came} for ${contractId} (${what}), the books received ${booked}, and no line names it`]
  })
  const made = payments.flatMap(({ id, amount_received: received }) =>
    received > 0 && !byContract.has(id) && !fromWallets.has(id) ? [`${id} received ${received}, and nobody paid`] : [],
  )
  return [...lost, ...made]
}

const sumOf = (all: readonly PaidIn[]) => all.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)

/** An intent's refund has an amount that no other has: by it each movement of money is told. */
function refundedTwice({ intents, given, orders, contracts }: Books): string[] {
  return intents.flatMap((intent) => {
    if (intent.means !== 'payment' || intent.refundAmount === null) return []
    const wanted = intent.refundAmount.toFixed(2)
    const byRail = given.filter(({ amount, executions }) => amount === wanted && executions > 0)
    const byBank = toPayer(intent, orders).filter(({ amount }) => amount === wanted)
    const all = [...byRail, ...byBank].map(({ reference }) => reference)
    if (all.length > 1) return [`the refund of intent ${intent.number} went ${all.length} times: ${all.join(', ')}`]
    const known = new Set(contracts.map(({ id }) => id))
    const lost = all.filter((reference) => !known.has(contractOfReference(reference)?.contractId ?? ''))
    return lost.map((reference) => `the refund ${reference} of intent ${intent.number} is in no book of ours`)
  })
}

/** What a bank paid to the payer of an intent, by the name that no other has. */
const toPayer = ({ number }: Pick<Intent, 'number'>, orders: readonly Ordered[]) =>
  orders.filter((order) => order.name === `Payer ${number}` && isKept(order))

/** Payment by payment of a rail's, and payer by payer: nobody gets back more than they paid. */
function moreBackThanCame({ intents, given, orders, paidIn }: Books): string[] {
  const byPayment = groupedBy(
    given.filter(({ executions }) => executions > 0),
    ({ payment }) => payment,
  )
  const atRails = paidIn.flatMap((paid) => {
    const back = byPayment.get(paid.id) ?? []
    return findingOf(`${paid.rail} ${paid.id}`, paid.amountMinor, back)
  })
  const ofPayers = intents.flatMap((intent) => {
    // What a wallet of this gateway paid goes back to it, and is in no rail's book.
    if (intent.means !== 'payment' || intent.kind === 'wallet') return []
    const own = paidIn.filter(({ contractId }) => intent.ids.has(contractId))
    const back = [...own.flatMap(({ id }) => byPayment.get(id) ?? []), ...toPayer(intent, orders)]
    return findingOf(`intent ${intent.number}`, sumOf(own), back)
  })
  return [...atRails, ...ofPayers]
}

type Back = { readonly reference: string; readonly amount: string }

function findingOf(what: string, cameMinor: bigint, back: readonly Back[]): string[] {
  const backMinor = back.reduce((sum, { amount }) => sum + BigInt(amount.replace('.', '')), 0n)
  const references = back.map(({ reference }) => reference).join(', ')
  return backMinor > cameMinor ? [`of ${what} ${cameMinor} came in, and ${backMinor} went back: ${references}`] : []
}

/** What came for a contract that is cancelled goes back, or waits for a person; and who was told so finds it cancelled, or named. */
function keptThoughCancelled({ intents, payments, lines }: Books): string[] {
  const named = new Set(lines.flatMap(({ reference }) => contractOfReference(reference)?.contractId ?? []))
  const told = new Set(intents.flatMap((intent) => (intent.means === 'payment' ? [...intent.cancelledIds] : [])))
  return payments.flatMap(({ id, status, amount_received: received, amount_in_suspense: waiting, refunds }) => {
    if (told.has(id) && status !== 'cancelled' && !named.has(id))
      return [`${id} was told to be cancelled, is ${status}, and no line names it`]
    if (status !== 'cancelled' && status !== 'expired') return []
    const back = refunds
      .filter((each) => each.status !== 'failed')
      .reduce((sum, { amount }) => sum + minorOf(amount), 0n)
    const kept = minorOf(received) - minorOf(waiting) - back
    return kept === 0n ? [] : [`${id} is ${status}, and ${kept} of what came for it neither went back nor waits`]
  })
}
