// What must be true at the end of the day of a restore, by the provider's book, the gateway's, its report, and what clients and
// receivers were told. Each finding is a sentence; none is the proof.
import { contractOfReference } from '../../../src/domain/contract/ids.ts'
import { bulkFindings, type ShownRow } from './bulk-books.ts'
import { isOnChain } from './chain-recipients.ts'
import { type Intent, namesOf } from './intents.ts'
import { type Given, isKept, type Ordered, type PaidIn, type Told } from './ledgers.ts'
import { paymentFindings, type ShownPayment } from './payment-books.ts'

export type ShownContract = {
  readonly tenant: number
  readonly id: string
  readonly status: string
  readonly amount: number
  readonly paid_at: string | null
  readonly channel: { readonly id: string } | null
  readonly transfer: { readonly status: string; readonly reference: string | null }
}

/** A line of the recovery's report. */
export type Line = { readonly reference: string; readonly contract_id: string | null; readonly kind: string }

export type DayBooks = {
  readonly intents: readonly Intent[]
  readonly contracts: readonly ShownContract[]
  readonly payments: readonly ShownPayment[]
  /** Of files and schedules. */
  readonly rows: readonly ShownRow[]
  readonly orders: readonly Ordered[]
  /** What the provider gave back of payments. */
  readonly given: readonly Given[]
  /** Provider's events that fit no contract, and wait for an operator: their bodies. */
  readonly unmatched: readonly string[]
  /** What payers paid. */
  readonly paidIn: readonly PaidIn[]
  readonly lines: readonly Line[]
  /** What each tenant's receiver heard. */
  readonly told: readonly (readonly Told[])[]
  readonly contradictions: readonly string[]
}

export const findingsOf = (books: DayBooks): string[] => [
  ...executedTwice(books),
  ...booksAgainstProvider(books),
  ...refundsBesideExecutions(books),
  ...notEnded(books),
  ...paymentFindings(books),
  ...bulkFindings(books),
  ...receiversWrong(books),
  ...books.contradictions.map((each) => `an id was told with two contents: ${each}`),
]

type Moved = Pick<Given, 'reference' | 'rail' | 'status' | 'executions'>

function executedTwice({ intents, orders }: DayBooks): string[] {
  return intents.flatMap(namesOf).flatMap((wanted) => {
    const own = orders.filter(({ name, executions }) => name === wanted && executions > 0)
    const times = own.reduce((sum, { executions }) => sum + executions, 0)
    return times > 1
      ? [`${wanted} was executed ${times} times: ${own.map(({ reference }) => reference).join(', ')}`]
      : []
  })
}

function booksAgainstProvider({ contracts, orders: ordered, given }: DayBooks): string[] {
  const orders: readonly Moved[] = [...ordered, ...given]
  const byReference = new Map(orders.map((order) => [order.reference, order]))
  const known = new Set(contracts.map(({ id }) => id))
  const wrong = contracts
    .filter(({ channel }) => channel?.id !== 'wallet' && !isOnChain(channel?.id))
    .flatMap(({ id, status, transfer }) => {
      const order = byReference.get(transfer.reference ?? '')
      const hasPaid = order !== undefined && isKept(order)
      return hasPaid === (status === 'completed')
        ? []
        : [`${id} is ${status}, and the provider has it ${order?.status}`]
    })
  // What moved no money may be forgotten.
  const unknown = orders.filter(isKept).flatMap(({ reference, rail, status }) => {
    const id = contractOfReference(reference)?.contractId
    return id !== undefined && known.has(id) ? [] : [`${rail} has ${reference} (${status}), which no contract has`]
  })
  return [...wrong, ...unknown]
}

/** Whom the gateway told that the money is back, while the provider has paid it: the report must have named it. */
export function refundsBesideExecutions({
  orders,
  given,
  told,
  lines,
  rows,
}: Pick<DayBooks, 'orders' | 'given' | 'told' | 'lines' | 'rows'>): string[] {
  const kept = new Map<string, Moved>()
  for (const order of [...orders, ...given].filter(isKept))
    kept.set(contractOfReference(order.reference)?.contractId ?? '', order)
  const refunded = told.flat().filter(({ type }) => type === 'contract.cancelled')
  // What goes on is named as a whole: a line for a command or schedule is one for each of its rows and runs.
  const goesOn = new Set(lines.flatMap(({ kind, reference }) => (kind === 'open' ? [reference] : [])))
  const ofThose = rows.filter(({ of }) => of.some((id) => goesOn.has(id)))
  const named = new Set([...lines.map((line) => line.contract_id), ...ofThose.map(({ contractId }) => contractId)])
  return [...new Set(refunded.map(({ data }) => data.object.id))].flatMap((id) =>
    kept.has(id) && !named.has(id)
      ? [`${id} was told to be cancelled, was executed as ${kept.get(id)?.reference}, and no line names it`]
      : [],
  )
}

const ENDED = new Set(['completed', 'cancelled', 'returned'])

/** What somebody meant is done: paid, failed, or taken back. */
function notEnded({ intents, contracts }: DayBooks): string[] {
  const byId = new Map(contracts.map((contract) => [contract.id, contract]))
  return intents.flatMap((intent) => {
    if (intent.means !== 'transfer') return []
    const own = [...intent.ids].flatMap((id) => byId.get(id) ?? [])
    if (own.length === 0) return [`intent ${intent.number} has no contract`]
    return own.some(({ status }) => ENDED.has(status))
      ? []
      : [`intent ${intent.number} stands as ${own.map(({ id, status }) => `${id} ${status}`).join(', ')}`]
  })
}

/** A receiver that reads again what gateway.restored says was undone, and otherwise believes what it was told last. */
function receiversWrong({ told, contracts: transfers, payments }: DayBooks): string[] {
  const contracts = [...transfers, ...payments]
  return told.flatMap((events, tenant) => {
    const restored = events.filter(({ type }) => type === 'gateway.restored')
    if (restored.length !== 1) return [`tenant ${tenant} was told of ${restored.length} restores`]
    const undoneAfter = Date.parse(restored[0]?.data.object.undone_after ?? '1970-01-01')
    const last = new Map<string, Told>()
    for (const event of events) {
      const before = last.get(event.data.object.id)
      if (event.type.startsWith('contract.') && (!before || isLater(event, before)))
        last.set(event.data.object.id, event)
    }
    const byId = new Map(contracts.map((contract) => [contract.id, contract]))
    return [...last.values()].flatMap(({ id, data: { object } }) => {
      if (epochIn(id) === 1 && Date.parse(object.updated_at ?? '') > undoneAfter) return []
      const status = byId.get(object.id)?.status
      return status === object.status
        ? []
        : [`${object.id} is ${status}, and its receiver was told ${object.status} last`]
    })
  })
}

const epochIn = (eventId: string) => Number(/_(\d+)$/.exec(eventId.slice(4))?.[1] ?? 1)
const isLater = (one: Told, other: Told) => (epochIn(one.id) - epochIn(other.id) || one.sequence - other.sequence) > 0
