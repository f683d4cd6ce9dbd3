// What must hold in every story: after each batch and each act of the provider, and at the end (the invariants of RELIABILITY.md:
// legal histories, sums, one execution for each intent, one effect for each event and key, no refund above what was paid).
import type { Contract } from '../../../src/domain/contract/contract.ts'
import type { MoveOf } from '../../../src/domain/contract/move.ts'
import { contractOfReference } from '../../../src/domain/contract/ids.ts'
import { PAYMENT_MOVES } from '../../../src/domain/payment/move-table.ts'
import { TRANSFER_MOVES } from '../../../src/domain/transfer/move-table.ts'
import type { Transfer } from '../../../src/domain/transfer/transfer.ts'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { HELD } from '../../../src/engine/batch.ts'
import type { CommandRequest } from '../../../src/engine/command-request.ts'
import type { BegunBatch } from '../memory-store/memory-books.ts'
import type { StoredRow, Version } from '../memory-store/tables.ts'
import { textsOf } from '../model/move-rows.ts'
import { RAILS } from './channels.ts'
import type { Order } from './provider.ts'
import type { World } from './world.ts'

/** Something that must not be. */
export class Unsound extends Error {
  override readonly name = 'Unsound'
}

export function mustHold(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Unsound(what)
}

const ANY = 'any verb'
const textsIn = (table: readonly MoveOf<string, string>[]): ReadonlySet<string> =>
  new Set(table.flatMap((move) => [...textsOf({ ...move, verb: ANY, when: '' })]))
/** What a payment contract gives back is posted for the transfer that it opens. */
const LEGAL = {
  transfer: textsIn(TRANSFER_MOVES),
  payment: textsIn(
    PAYMENT_MOVES.map((move) => ({ ...move, postings: move.postings.filter((each) => !each.endsWith('→ held')) })),
  ),
}

/** The orders of a contract, one for each attempt that reached its rail. */
function ordersOf({ provider }: World, contractId: string): Order[] {
  return [...provider.orders.values()].filter(
    ({ reference }) => contractOfReference(reference)?.contractId === contractId,
  )
}

/** What a batch wrote is legal, and says nothing about money that the provider's own books deny. */
export function judgeBatch(world: World, batch: BegunBatch): void {
  const { state } = batch
  judgeRequests(world, batch)
  const { versions, ledger } = state.changes
  for (const version of versions) {
    judgeMove(world, version, ledger)
    if (version.contract.kind === 'transfer') judgeTruth(world, version.contract)
  }
}

/** A key stands for one request, and a report of whoever lost its lease for nothing, unless it proves that the money went. */
function judgeRequests({ tables }: World, { requests, answers, state, fences }: BegunBatch): void {
  requests.forEach(({ accountId, idempotency, command }, i) => {
    const answer = answers[i]
    if (answer === undefined || answer === HELD) return
    const kept = idempotency && tables.answers.get(`${accountId}/${idempotency.keyHash}`)
    if (kept && kept.fingerprint !== idempotency.fingerprint)
      mustHold('code' in answer, 'a key that was used for another request is refused')
    if ((command.verb !== 'report' && command.verb !== 'report_collection') || command.fence === null) return
    const fence = fences.get(`${accountId}/${command.id}`)
    // A payment is changed by its refunds too, which are transfers with reports of their own.
    const concerns = (each: CommandRequest, n: number) =>
      ('id' in each.command && each.command.id === command.id) || paymentOf(answers[n]) === command.id
    if (fence === undefined || requests.filter(concerns).length > 1 || command.fence >= fence) return
    const word = command.verb === 'report' ? command.outcome.kind : null
    // What proves that the money went is heard from anybody; that a rail has it, only of what was given up.
    if (word === 'delivered' || word === 'accepted') return
    const isChanged = state.changes.versions.some(({ contract }) => contract.id === command.id)
    mustHold(!isChanged, `a report of a lease that is over changes nothing: ${command.id}`)
  })
}

/** The payment that a transfer gives back, if the answer is one. */
function paymentOf(answer: BegunBatch['answers'][number] | undefined): string | null {
  if (answer === undefined || answer === HELD || !('contract' in answer)) return null
  return answer.contract?.kind === 'transfer' ? (answer.contract.origin?.paymentId ?? null) : null
}

/** Nothing ends before its time, and absence proves nothing before the rail's delay has passed twice. */
function judgeTime({ tables }: World, before: Contract | null, after: Contract): void {
  const { status, updatedAt, expiresAt, id } = after
  if (status === 'expired') mustHold(updatedAt >= expiresAt, `nothing expires before its time: ${id}`)
  if (before?.kind !== 'transfer' || after.kind !== 'transfer' || before.execution.status !== 'unknown') return
  const { number, submittedAt } = before.execution
  const isBelieved = after.execution.number === number && ['queued', 'voided'].includes(after.execution.status)
  const channelId = tables.jobs.get(`${after.accountId}/${id}`)?.channelId ?? ''
  const delayMs = 2 * (RAILS[channelId]?.notFoundFinalAfterMs ?? 0)
  mustHold(!isBelieved || updatedAt - (submittedAt ?? 0) >= delayMs, `absence is not believed at once: ${id}`)
}

function judgeMove(world: World, { contract, event, position }: Version, ledger: readonly Partial<StoredRow>[]): void {
  const { tables } = world
  const { accountId, id, version, kind, status } = contract
  const before = versionsOf(tables.versions, contract).find((each) => each.version === version - 1) ?? null
  mustHold(version === 1 || before !== null, 'the versions of a contract have no gap')
  judgeTime(world, before, contract)
  mustHold(contract.sequence === (before?.sequence ?? 0) + (event ? 1 : 0), 'the events of a contract have no gap')
  const own = ledger.filter((row) => row.accountId === accountId && row.position === position && row.contractId === id)
  const text = textsOf({
    from: before?.status ?? null,
    verb: ANY,
    to: status,
    when: '',
    event,
    activities: linesOf(contract).slice(before ? linesOf(before).length : 0),
    postings: own.map(({ debit, credit }) => `${nameOf(debit)} → ${nameOf(credit)}`),
  } as MoveOf<string, string>)
  mustHold(
    [...text].every((each) => LEGAL[kind].has(each)),
    `each step is on the table of moves: ${[...text].join()}`,
  )
}

const nameOf = (account = '') => account.replace(/:.*/, '')
const linesOf = (contract: Contract): string[] => contract.activities.map(({ type }) => type)

function versionsOf(versions: ReadonlyMap<string, Version>, { id, accountId }: Contract): Contract[] {
  return [...versions.values()].flatMap(({ contract }) =>
    contract.id === id && contract.accountId === accountId ? [contract] : [],
  )
}

/** A transfer beside what its rails did: executed once, and never beside a refund. */
function judgeTruth(world: World, contract: Transfer): void {
  const { id, status } = contract
  const orders = ordersOf(world, id)
  const gone = orders.filter(({ state }) => state === 'delivered')
  mustHold(
    orders.every(({ executions }) => executions <= 1),
    `an order is executed once: ${id}`,
  )
  mustHold(gone.length + orders.filter(({ state }) => state === 'accepted').length <= 1, `money leaves once: ${id}`)
  const isInside = contract.terms.channelId === 'wallet'
  if (isInside) return judgeInside(world, contract)
  if (status === 'cancelled')
    mustHold(
      orders.every(({ state }) => state === 'failed' || state === 'returned'),
      `no refund stands beside an execution: ${id}`,
    )
  if (status === 'completed')
    mustHold(
      orders.some(({ state }) => state === 'delivered' || state === 'returned'),
      `what is completed was executed: ${id}`,
    )
}

function judgeInside({ tables }: World, { status, execution, id }: Transfer): void {
  const isCredited = [...tables.references.keys()].some((key) => key.endsWith(`/${execution.reference}`))
  if (status === 'cancelled') mustHold(!isCredited, `no refund stands beside a credit: ${id}`)
  if (status === 'completed') mustHold(isCredited, `what is completed was credited: ${id}`)
}

/** After something happened at the provider: what it did must not be what the books have given back. */
export function judgeProvider(world: World): void {
  const live = new Set(
    [...world.provider.orders.values()].map(({ reference }) => contractOfReference(reference)?.contractId),
  )
  for (const [place, { position }] of world.tables.heads) {
    const accountId = place.slice(0, place.indexOf('/'))
    const contract = world.tables.versions.get(`${accountId}/${position}`)?.contract
    if (contract?.kind === 'transfer' && live.has(contract.id)) judgeTruth(world, contract)
  }
}

/** The sums over all that there is. */
export function judgeSums(world: World): void {
  const { tables, provider, asks } = world
  const contracts = [...tables.heads].flatMap(([place, { position }]) => {
    const accountId = place.slice(0, place.indexOf('/'))
    return tables.versions.get(`${accountId}/${position}`)?.contract ?? []
  })
  for (const owner of world.owners) {
    const own = contracts.filter(({ accountId }) => accountId === owner.accountId)
    const wallets = [...tables.wallets.values()].filter(({ accountId }) => accountId === owner.accountId)
    const sum = (minors: readonly bigint[]) => minors.reduce((total, minor) => total + minor, 0n)
    const held = sum(own.map(({ heldMinor }) => heldMinor))
    mustHold(sum(wallets.map((each) => each.heldMinor + each.inTransitMinor)) === held, 'held is what contracts hold')
    const pending = sum(own.map((each) => (each.kind === 'payment' ? each.pendingMinor : 0n)))
    mustHold(sum(wallets.map(({ pendingMinor }) => pendingMinor)) === pending, 'pending is what contracts wait for')
    const events = [...tables.events.values()].filter(({ accountId }) => accountId === owner.accountId)
    const waiting = sum(events.map(({ receipt }) => receipt?.suspenseMinor ?? 0n))
    mustHold(sum(wallets.map(({ suspenseMinor }) => suspenseMinor)) === waiting, 'suspense is what events wait for')
    for (const each of own) if (each.kind === 'payment') judgeRefunds(each, own)
  }
  for (const { ids } of asks) {
    // Two tries of one moment under one key may have one id.
    const made = new Set(ids.filter((id) => contracts.some((each) => each.id === id)))
    mustHold(made.size <= 1, 'one key makes one contract')
  }
  for (const { answer } of asks) {
    if (answer === null || isRefusal(answer) || !('contract' in answer) || !answer.contract) continue
    const { accountId, id, version } = answer.contract
    const kept = tables.heads.get(`${accountId}/${id}`)
    mustHold(kept !== undefined && kept.version >= version, 'what was answered is in the books')
  }
  const paid = [...provider.desks.values()].flatMap(({ received }) => received.map(({ objectId }) => objectId))
  const booked = [...tables.events.values()].flatMap(({ receipt }) => (receipt ? [receipt.objectId] : []))
  mustHold(new Set(booked).size === booked.length, 'money of an object is booked once')
  mustHold(
    booked.every((each) => each.startsWith('return:') || paid.includes(each)),
    'what is booked was paid',
  )
}

function judgeRefunds(
  { id, paidMinor, refunds }: Extract<Contract, { kind: 'payment' }>,
  own: readonly Contract[],
): void {
  const gone = refunds.filter(({ from, status }) => from === 'payment' && status !== 'failed')
  const sumMinor = gone.reduce((total, { amountMinor }) => total + amountMinor, 0n)
  mustHold(sumMinor <= paidMinor, `no more is refunded than was paid: ${id}`)
  const transfers = own.filter((each) => each.kind === 'transfer' && each.origin?.paymentId === id)
  mustHold(transfers.length === refunds.length, `each refund is a transfer: ${id}`)
}

/** At the end: books and provider agree about every channel. */
export function judgeAgreement({ tables, provider }: World): void {
  const rows = [...tables.ledger.values()]
  const clearing = (channelId: string) =>
    rows.reduce((sum, { debit, credit, amountMinor }) => {
      const name = `clearing:${channelId}`
      return sum + (credit === name ? amountMinor : 0n) - (debit === name ? amountMinor : 0n)
    }, 0n)
  for (const channelId of ['bank', 'quick', 'mute', 'purse', 'code']) {
    const left = [...provider.orders.values()]
      .filter((each) => each.channelId === channelId && each.state === 'delivered')
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
    const came = [...provider.desks.values()]
      .filter(({ order }) => order.channelId === channelId)
      .flatMap(({ received }) => received)
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
    mustHold(
      clearing(channelId) === left - came,
      `books and provider agree about ${channelId}: ${clearing(channelId)}, ${left - came}`,
    )
  }
  mustHold(clearing('wallet') === 0n, `what left one wallet came into another: ${clearing('wallet')}`)
}
