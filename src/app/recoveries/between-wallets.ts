// The channel between wallets of this gateway has no rail outside: its two ends are in these books, and may be on servers of which one came
// back older. What the receivers' books have stands for a provider's list; what they lack of what was delivered is lost.
import type { TakenOrder } from '../../connectors/connector.ts'
import { ALL_LANES, isUuid, laneOf } from '../../domain/contract/ids.ts'
import type { SendOrder } from '../../domain/channel/outcome.ts'
import { groupedBy } from '../../domain/grouped.ts'
import { fixedText } from '../../domain/money/money.ts'
import { creditsBetweenWallets, findWalletOwner, knownReferences, type WalletOwner } from '../../ledger/wallets.ts'
import type { Row, Session, Statement } from '../../platform/db.ts'
import { type Scope, scopeOf } from '../../platform/scope.ts'
import { definite } from '../../platform/servers/absence.ts'
import { findContractOwner } from '../../store/contracts/contracts.ts'
import { bookedObjects, paidFromWallets } from '../../store/payments/payment-events.ts'
import { objectOf, referenceOf } from '../payments/wallet-payments.ts'

/** What came into wallets, and to payment contracts, from wallets of this gateway since a moment. One lane after another: books are large. */
export async function arrivedSince(reader: Session, sinceMs: number): Promise<TakenOrder[]> {
  const orders: TakenOrder[] = []
  for (const lane of ALL_LANES) {
    const looks = [creditsBetweenWallets(lane, sinceMs), paidFromWallets(lane, sinceMs)]
    const [credits, paid] = await reader.send(looks.map((look) => definite(look)))
    for (const row of credits?.rows ?? []) orders.push(takenAs(row['reference'] as string, row))
    for (const row of paid?.rows ?? []) orders.push(takenAs(referenceOf(row['object_id'] as string), row))
  }
  return orders
}

function takenAs(reference: string, row: Row): TakenOrder {
  const currency = row['currency'] as string
  const amountDecimal = fixedText(BigInt(row['amount_minor'] as string), currency)
  return { reference, kind: 'sent', amountDecimal, currency }
}

/** The references of those orders that the books of their receivers do not have. */
export async function lostAmong(reader: Session, orders: readonly SendOrder[]): Promise<ReadonlySet<string>> {
  const toContracts = orders.flatMap((order) => (order.pays === null ? [] : [{ order, id: order.pays }]))
  const toWallets = orders.flatMap((order) => {
    const id = order.recipient['wallet'] ?? ''
    return order.pays === null && isUuid(id) ? [{ order, id }] : []
  })
  const [credited, paid] = await Promise.all([
    arrived(reader, toWallets, findWalletOwner, 'reference', (scope, keys) => knownReferences(scope, keys)),
    arrived(reader, toContracts, findContractOwner, 'object_id', (scope, keys) =>
      bookedObjects(
        scope,
        keys.map((key) => ({ ...key, id: objectOf(key.reference) })),
      ),
    ),
  ])
  const there = new Set([...credited, ...Array.from(paid, referenceOf)])
  return new Set(orders.map(({ reference }) => reference).filter((reference) => !there.has(reference)))
}

type Receiving = { readonly order: SendOrder; readonly id: string }
type Looked = WalletOwner & { readonly reference: string }

/** What the receivers have: their owners are found at once, and then what each lane has, so that no statement is in two of them. */
async function arrived(
  reader: Session,
  receiving: readonly Receiving[],
  findOwner: (lane: number, id: string) => Statement,
  column: 'reference' | 'object_id',
  look: (scope: Scope, keys: readonly Looked[]) => Statement,
): Promise<string[]> {
  if (receiving.length === 0) return []
  const owners = await reader.send(receiving.map(({ id }) => findOwner(laneOf(id), id)))
  const keys = receiving.flatMap(({ order: { reference }, id }, place): Looked[] => {
    const row = owners[place]?.rows[0]
    return row ? [{ lane: laneOf(id), accountId: row['account_id'] as string, reference }] : []
  })
  const lanes = [...groupedBy(keys, ({ lane }) => lane).values()]
  const looks = lanes.map((each) => definite(look(scopeOf(each), each)))
  const found = looks.length === 0 ? [] : await reader.send(looks)
  return found.flatMap(({ rows }) => rows.map((row) => row[column] as string))
}
