// Proves that money which came from another wallet of this gateway left that one, or is on its way out of it, and that what left one for
// another came there: what no proof of one lane can judge, for the other wallet may be in another lane, or on another server.
import { contractOfReference, isUuid, laneOf } from '../../domain/contract/ids.ts'
import {
  type CreditBetween,
  creditBetweenFrom,
  creditsBetween,
  type DeliveryBetween,
  deliveriesBetween,
  deliveryBetweenFrom,
  type Sender,
  senderFrom,
  sendersNamed,
} from '../../ledger/between-wallets.ts'
import type { Finding } from '../../ledger/verify.ts'
import type { Session } from '../../platform/db.ts'
import { definite } from '../../platform/servers/absence.ts'
import { contractsNamed, lostAmong } from '../recoveries/between-wallets.ts'

/** Many: their other ends are in all lanes, and each lane is asked once for a page. */
const ROWS_AT_ONCE = 5000
/** The order was sent, and nobody has said that it failed. */
const MAY_HAVE_COME: readonly string[] = ['submitting', 'accepted', 'unknown', 'delivered']

type Proving = {
  readonly session: Session
  readonly lane: number
  readonly atOnce: number
  readonly without: ReadonlySet<number>
}

/**
 * The first row of a lane that does not hold, and its first delivery that did not arrive. Of `without`, lanes that are not where they should
 * be, nothing is asked: what came from them, or went to them, is left out. What was credited was sent before, and what was
 * delivered was credited before, so that a gateway at work does not look broken: what had to be there first is looked for afterwards.
 */
export async function verifyBetween(
  session: Session,
  lane: number,
  atOnce = ROWS_AT_ONCE,
  without: ReadonlySet<number> = new Set(),
): Promise<Finding[]> {
  const proving = { session, lane, atOnce, without }
  const sent = await firstFinding(atOnce, (after: CreditBetween | null) => creditsFrom(proving, after))
  const arrived = await firstFinding(atOnce, (after: DeliveryBetween | null) => deliveriesFrom(proving, after))
  return [sent, arrived].filter((finding) => finding !== null)
}

/** Some rows of a lane in their order, and what is to be said of the first that does not hold. */
type Judged<T> = { readonly rows: readonly T[]; readonly finding: Finding | null }

async function firstFinding<T>(
  atOnce: number,
  judgedFrom: (after: T | null) => Promise<Judged<T>>,
): Promise<Finding | null> {
  let after: T | null = null
  for (;;) {
    const { rows, finding }: Judged<T> = await judgedFrom(after)
    after = rows.at(-1) ?? null
    if (finding !== null || after === null || rows.length < atOnce) return finding
  }
}

async function creditsFrom(
  { session, lane, atOnce, without }: Proving,
  after: CreditBetween | null,
): Promise<Judged<CreditBetween>> {
  const [page] = await session.send([definite(creditsBetween(lane, after, atOnce))])
  const rows = (page?.rows ?? []).map(creditBetweenFrom)
  const judged = rows.filter(({ reference }) => !isOf(without, contractOfReference(reference)?.contractId))
  const payers = await payersOf(session, judged)
  for (const credit of judged) {
    const problem = problemOf(credit, payers)
    if (problem === null) continue
    const { accountId, walletId, sequence } = credit
    const row = `ledger row ${sequence} of wallet ${walletId}`
    return { rows, finding: { lane, proof: 'ledger.credit left another wallet', accountId, row, problem } }
  }
  return { rows, finding: null }
}

async function deliveriesFrom(
  { session, lane, atOnce, without }: Proving,
  after: DeliveryBetween | null,
): Promise<Judged<DeliveryBetween>> {
  const [page] = await session.send([definite(deliveriesBetween(lane, after, atOnce))])
  const rows = (page?.rows ?? []).map(deliveryBetweenFrom)
  const judged = rows.filter(({ pays, walletId }) => !isOf(without, pays ?? walletId))
  const orders = judged.map(({ reference, pays, walletId }) => ({ reference, pays, recipient: { wallet: walletId } }))
  const lost = await lostAmong(session, orders)
  // What was adopted on the terms of the credit itself is there, and names no receiver, or that of a draft which was changed later.
  const first = judged.find(({ reference, isAdopted }) => lost.has(reference) && !isAdopted)
  if (!first) return { rows, finding: null }
  const { accountId, contractId, number, reference, walletId, pays } = first
  const receiver = pays === null ? `wallet ${walletId ?? 'none'}` : `payment contract ${pays}`
  const row = `attempt ${number} of transfer ${contractId}`
  const problem = `delivered under the reference ${reference}, and the books of its receiver (${receiver}) do not have it${OLDER}`
  return { rows, finding: { lane, proof: 'attempt.delivered came to its receiver', accountId, row, problem } }
}

/** A document that somebody else wrote may name anything. */
const isOf = (lanes: ReadonlySet<number>, id: string | null | undefined) =>
  lanes.size > 0 && isUuid(id ?? '') && lanes.has(laneOf(id ?? ''))

/** The contracts that the references name. */
async function payersOf(session: Session, credits: readonly CreditBetween[]): Promise<ReadonlyMap<string, Sender>> {
  const named = credits.flatMap(({ reference }) => contractOfReference(reference)?.contractId ?? [])
  const rows = await contractsNamed(session, [...new Set(named)], sendersNamed)
  return new Map(Array.from(rows, ([id, row]) => [id, senderFrom(row)]))
}

function problemOf(credit: CreditBetween, payers: ReadonlyMap<string, Sender>): string | null {
  const { amountMinor, reference, walletId } = credit
  const what = `clearing:wallet -> available, ${amountMinor} minor units under the reference ${reference}`
  const named = contractOfReference(reference)
  const payer = named && payers.get(named.contractId)
  if (!named || payer?.kind !== 'transfer') return `${what}, which is that of no transfer${OLDER}`
  // What was adopted on the terms of this very row names no receiver, or that of a draft which was changed later.
  const isReceiver = payer.isAdopted || payer.walletId === walletId
  const isMoney =
    payer.currency === credit.currency && payer.livemode === credit.livemode && payer.amountMinor === amountMinor
  if (!isReceiver || !isMoney || payer.paysContract)
    return `${what}: transfer ${payer.id} pays another wallet, or another amount`
  if (payer.number === named.number && MAY_HAVE_COME.includes(payer.status)) return null
  return `${what}: attempt ${named.number} of transfer ${payer.id} did not send it; its attempt ${payer.number} is ${payer.status}${OLDER}`
}

const OLDER = '. Where its server came back older: gateway recovery compare'
