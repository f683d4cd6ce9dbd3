// Proves that money which came from another wallet of this gateway left that one, or is on its way out of it: the only rows of money
// without a contract of their own that no proof of one lane can judge, for the payer may be in another.
import { contractOfReference, laneOf } from '../../domain/contract/ids.ts'
import { groupedBy } from '../../domain/grouped.ts'
import {
  BEFORE_ALL,
  type CreditBetween,
  creditBetweenFrom,
  creditsBetween,
  type PlaceBetween,
  type Sender,
  senderFrom,
  sendersNamed,
} from '../../ledger/between-wallets.ts'
import type { Finding } from '../../ledger/verify.ts'
import type { Session } from '../../platform/db.ts'

/** Many: their payers are in all lanes, and each lane is asked once for a page. */
const CREDITS_AT_ONCE = 5000
/** The order was sent, and nobody has said that it failed. */
const MAY_HAVE_COME: readonly string[] = ['submitting', 'accepted', 'unknown', 'delivered']

/** The first row of a lane that does not hold. What was credited was sent before, so that a gateway at work does not look broken. */
export async function verifyBetween(session: Session, lane: number, atOnce = CREDITS_AT_ONCE): Promise<Finding[]> {
  let after: PlaceBetween = BEFORE_ALL
  for (;;) {
    const [page] = await session.send([creditsBetween(lane, after, atOnce)])
    const credits = (page?.rows ?? []).map(creditBetweenFrom)
    const payers = await payersOf(session, credits)
    for (const credit of credits) {
      const problem = problemOf(credit, payers)
      if (problem === null) continue
      const { accountId, walletId, sequence } = credit
      const row = `ledger row ${sequence} of wallet ${walletId}`
      return [{ lane, proof: 'ledger.credit left another wallet', accountId, row, problem }]
    }
    const last = credits.at(-1)
    if (!last || credits.length < atOnce) return []
    after = last
  }
}

/** The contracts that the references name: one statement for each lane, and another for those of ids that say nothing of their account. */
async function payersOf(session: Session, credits: readonly CreditBetween[]): Promise<ReadonlyMap<string, Sender>> {
  const payers = new Map<string, Sender>()
  const named = credits.flatMap(({ reference }) => contractOfReference(reference)?.contractId ?? [])
  for (const by of ['tag', 'lane'] as const) {
    const left = [...new Set(named)].filter((id) => !payers.has(id))
    const lanes = groupedBy(left, laneOf)
    if (lanes.size === 0) return payers
    const found = await session.send(Array.from(lanes, ([lane, ids]) => sendersNamed(lane, ids, by)))
    for (const sender of found.flatMap(({ rows }) => rows.map(senderFrom))) payers.set(sender.id, sender)
  }
  return payers
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
