// The channel between wallets of this gateway has no rail outside: its two ends are in these books, and may be on servers of which one came
// back older. What the receivers' books have stands for a provider's list; what they lack of what was delivered is lost.
import type { TakenOrder } from '../../connectors/connector.ts'
import { ALL_LANES, isUuid, laneOf } from '../../domain/contract/ids.ts'
import type { SendOrder } from '../../domain/channel/outcome.ts'
import { groupedBy } from '../../domain/grouped.ts'
import { fixedText } from '../../domain/money/money.ts'
import { creditsBetweenWallets, findWalletOwners, knownReferences, type WalletOwner } from '../../ledger/wallets.ts'
import type { Row, Session, Statement } from '../../platform/db.ts'
import { type Scope, scopeOf } from '../../platform/scope.ts'
import { definite } from '../../platform/servers/absence.ts'
import { findContractOwners } from '../../store/contracts/contracts.ts'
import { bookedObjects, objectOf, paidFromWallets, referenceOf } from '../../store/payments/payment-events.ts'

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

/** What an order says of where it is to come. */
export type OrderBetween = Pick<SendOrder, 'reference' | 'pays' | 'recipient'>

/** The references of those orders that the books of their receivers do not have. */
export async function lostAmong(reader: Session, orders: readonly OrderBetween[]): Promise<ReadonlySet<string>> {
  const toContracts = orders.flatMap(({ reference, pays }) => (pays === null ? [] : [{ reference, id: pays }]))
  const toWallets = orders.flatMap(({ reference, pays, recipient }) => {
    const id = recipient['wallet'] ?? ''
    return pays === null && isUuid(id) ? [{ reference, id }] : []
  })
  const [credited, paid] = await Promise.all([
    arrived(reader, toWallets, ownersOfWallets, 'reference', (scope, keys) => knownReferences(scope, keys)),
    arrived(reader, toContracts, ownersOfContracts, 'object_id', (scope, keys) =>
      bookedObjects(
        scope,
        keys.map((key) => ({ ...key, id: objectOf(key.reference) })),
      ),
    ),
  ])
  const there = new Set([...credited, ...Array.from(paid, referenceOf)])
  return new Set(orders.map(({ reference }) => reference).filter((reference) => !there.has(reference)))
}

type Receiving = { readonly reference: string; readonly id: string }
type Looked = WalletOwner & { readonly reference: string }
/** The account of each wallet or contract that there is, by its id. */
type Owners = ReadonlyMap<string, string>

/** What the receivers have: their owners are found at once, and then what each lane has, so that no statement is in two of them. */
async function arrived(
  reader: Session,
  receiving: readonly Receiving[],
  ownersOf: (reader: Session, ids: readonly string[]) => Promise<Owners>,
  column: 'reference' | 'object_id',
  look: (scope: Scope, keys: readonly Looked[]) => Statement,
): Promise<string[]> {
  const owners = await ownersOf(reader, [...new Set(receiving.map(({ id }) => id))])
  const keys = receiving.flatMap(({ reference, id }): Looked[] => {
    const accountId = owners.get(id)
    return accountId === undefined ? [] : [{ lane: laneOf(id), accountId, reference }]
  })
  const lanes = [...groupedBy(keys, ({ lane }) => lane).values()]
  const looks = lanes.map((each) => definite(look(scopeOf(each), each)))
  const found = looks.length === 0 ? [] : await reader.send(looks)
  return found.flatMap(({ rows }) => rows.map((row) => row[column] as string))
}

const ownersOfWallets = async (reader: Session, ids: readonly string[]) =>
  ownersIn(await rowsNamed(reader, ids, findWalletOwners))

const ownersOfContracts = async (reader: Session, ids: readonly string[]) =>
  ownersIn(await contractsNamed(reader, ids, findContractOwners))

const ownersIn = (rows: ReadonlyMap<string, Row>): Owners =>
  new Map(Array.from(rows, ([id, row]) => [id, row['account_id'] as string]))

/** Rows of the contracts with these ids, by their id: those of ids that say nothing of their account are looked for after the others. */
export async function contractsNamed(
  reader: Session,
  ids: readonly string[],
  named: (lane: number, ids: readonly string[], by: 'tag' | 'lane') => Statement,
): Promise<ReadonlyMap<string, Row>> {
  const tagged = await rowsNamed(reader, ids, (lane, each) => named(lane, each, 'tag'))
  const left = ids.filter((id) => !tagged.has(id))
  const others = await rowsNamed(reader, left, (lane, each) => named(lane, each, 'lane'))
  return new Map([...tagged, ...others])
}

/** What statements find of these ids, by the id: one for each lane that the ids carry. */
async function rowsNamed(
  reader: Session,
  ids: readonly string[],
  named: (lane: number, ids: readonly string[]) => Statement,
): Promise<ReadonlyMap<string, Row>> {
  const looks = Array.from(groupedBy(ids, laneOf), ([lane, each]) => named(lane, each))
  const found = looks.length === 0 ? [] : await reader.send(looks)
  return new Map(found.flatMap(({ rows }) => rows.map((row) => [row['id'] as string, row] as const)))
}
