// What a batch writes, into maps, all or nothing; and what the database's constraints, or the order of the books, forbid.
import type { Contract } from '../../../src/domain/contract/contract.ts'
import type { Payment } from '../../../src/domain/payment/payment.ts'
import { addedUsage } from '../../../src/domain/account/usage.ts'
import type { Wallet } from '../../../src/domain/wallet/wallet.ts'
import { type BatchState, type Changes, rowKey } from '../../../src/engine/batch-state.ts'
import type { LedgerRow } from '../../../src/ledger/wallets.ts'
import { slotOf } from '../../../src/store/jobs/channel-calls.ts'
import { type Head, must, openWriting, type Tables, type Writing } from './tables.ts'

const DAY_MS = 86_400_000
const HELD_IN = ['paid', 'returned']

/** Writes what the batch changed, or throws and leaves all as it was. */
export function storeState(tables: Tables, state: BatchState): void {
  const writing = openWriting()
  try {
    writeAll(tables, state, writing)
  } catch (fault) {
    writing.undo()
    throw fault
  }
}

function writeAll(tables: Tables, state: BatchState, writing: Writing): void {
  const { changes } = state
  must(changes.meters.size + changes.verifications.length + changes.verified.size === 0, 'these rows are not kept here')
  writeHistory(tables, state, writing)
  writeMoney(tables, state, writing)
  for (const job of changes.jobs.values()) {
    must(tables.heads.has(rowKey(job.accountId, job.contractId)), 'a job belongs to a contract')
    writing.put(tables.jobs, rowKey(job.accountId, job.contractId), job)
  }
  for (const review of changes.reviews.values()) {
    const place = rowKey(review.accountId, review.contractId)
    if (!tables.reviews.has(place)) writing.put(tables.reviews, place, review)
  }
  for (const [place, row] of changes.approvals)
    writing.put(tables.approvals, place, {
      ...row,
      askedBy: row.askedBy ?? tables.approvals.get(place)?.askedBy ?? null,
    })
  for (const call of changes.calls.values()) {
    const place = `${rowKey(call.accountId, call.contractId)}/${call.attempt}/${slotOf(call)}`
    writing.put(tables.calls, place, call)
  }
  for (const each of changes.providerIds) {
    const place = rowKey(each.accountId, each.providerId)
    if (!tables.providerIds.has(place)) writing.put(tables.providerIds, place, each)
  }
  writeEvents(tables, changes, writing)
  for (const { accountId, keyHash, fingerprint, position, refusal, at } of changes.answers) {
    const place = rowKey(accountId, keyHash)
    const before = tables.answers.get(place)
    writing.put(tables.answers, place, before ? { ...before, position } : { fingerprint, position, refusal, at })
  }
  for (const [place, row] of changes.spending) {
    must(row.spentMinor > 0n && row.count > 0, 'what has left is above nothing')
    writing.put(tables.spending, place, row)
  }
  for (const [key, row] of changes.usage) {
    const place = `${key}/${Math.floor(row.atMs / DAY_MS)}`
    const before = tables.usage.get(place)
    writing.put(tables.usage, place, before ? { ...before, ...addedUsage(before, row) } : row)
  }
}

/** Positions of an account and versions of a contract have no gap; a head moves on from the version it was decided on. */
function writeHistory(tables: Tables, state: BatchState, writing: Writing): void {
  const { changes } = state
  const placed = [...changes.versions, ...changes.accountEvents]
  for (const accountId of changes.accounts) {
    const [before, after] = [tables.accounts.get(accountId), state.accounts.get(accountId)]
    must(before !== undefined && after !== undefined, 'an account that moves on is there')
    const own = placed.filter((each) => ('contract' in each ? each.contract.accountId : each.accountId) === accountId)
    const positions = own.map(({ position }) => position).toSorted((a, b) => a - b)
    must(positions.length === after.position - before.position, 'each position of an account is one row')
    must(
      positions.every((position, i) => position === before.position + i + 1),
      'positions have no gap',
    )
    writing.put(tables.accounts, accountId, { ...before, position: after.position })
  }
  for (const [place, { contract, position, versionBefore }] of [...changes.created, ...changes.updated]) {
    const before = tables.heads.get(place)
    must((before?.version ?? 0) === versionBefore, 'a contract stands at the version that it was decided on')
    must(changes.created.has(place) === (before === undefined), 'a contract is created once')
    must(contract.terms.amountMinor > 0n, 'a contract is about more than nothing')
    must(
      contract.heldMinor === 0n || (contract.heldMinor > 0n && HELD_IN.includes(contract.status)),
      'what holds is paid',
    )
    if (contract.kind === 'payment') checkPayment(contract)
    const parentId = contract.kind === 'transfer' ? (contract.origin?.paymentId ?? null) : null
    writing.put(tables.heads, place, { position, version: contract.version, parentId } satisfies Head)
  }
  for (const version of changes.versions) {
    const { contract, event, position } = version
    const place = rowKey(contract.accountId, String(position))
    must(!tables.versions.has(place), 'a row of the history is written once')
    const head = tables.heads.get(rowKey(contract.accountId, contract.id))
    must(head !== undefined && contract.version <= head.version, 'a version belongs to a contract')
    must(event === null || contract.sequence > 0, 'an event has its number')
    writing.put(tables.versions, place, { contract: asStored(contract), event, position })
  }
  for (const event of changes.accountEvents)
    writing.put(tables.accountEvents, rowKey(event.accountId, String(event.position)), event)
}

/** As its document says it: an activity that nobody's key made names none. */
function asStored<C extends Contract>(contract: C): C {
  if (contract.activities.every(({ proxy }) => proxy !== undefined)) return contract
  return { ...contract, activities: contract.activities.map((line) => ({ ...line, proxy: line.proxy ?? null })) }
}

function checkPayment({ paidMinor, pendingMinor, refundedMinor }: Payment): void {
  must(pendingMinor >= 0n && pendingMinor <= paidMinor, 'no more is pending than was paid')
  must(refundedMinor >= 0n && refundedMinor <= paidMinor, 'no more is refunded than was paid')
}

/** Rows of a wallet have no gap, each goes on from the one before, and the wallet is what the last of them says. */
function writeMoney(tables: Tables, state: BatchState, writing: Writing): void {
  const { ledger, outside, wallets, remarked } = state.changes
  for (const { row, livemode, approval } of outside)
    must(livemode ? approval !== null : row.debit === 'external', 'somebody vouches for live money')
  const outsideRows = new Set(outside.map(({ row }) => row))
  const rows = [...ledger, ...outsideRows].toSorted((a, b) => a.sequence - b.sequence)
  const stands = new Map(tables.wallets)
  for (const row of rows) {
    const place = rowKey(row.accountId, row.walletId)
    const before = stands.get(place)
    must(before !== undefined, 'the wallet of a row is there')
    must(row.sequence === before.sequence + 1, 'rows of a wallet have no gap')
    must(row.amountMinor > 0n && row.debit !== row.credit, 'a row moves something')
    must(
      row.availableAfterMinor - before.availableMinor === changeOf(row, 'available'),
      'available is the sum of its rows',
    )
    must(row.heldAfterMinor - before.heldMinor === changeOf(row, 'held'), 'held is the sum of its rows')
    must(
      row.inTransitAfterMinor - before.inTransitMinor === changeOf(row, 'in_transit'),
      'in transit is the sum of its rows',
    )
    must(row.pendingAfterMinor - before.pendingMinor === changeOf(row, 'pending'), 'pending is the sum of its rows')
    must(row.suspenseAfterMinor - before.suspenseMinor === changeOf(row, 'suspense'), 'suspense is the sum of its rows')
    const isOutside = outsideRows.has(row)
    must(isOutside || row.contractId !== null || row.debit === 'clearing:wallet', 'money comes from somewhere')
    const key = `${place}/${row.sequence}`
    must(!tables.ledger.has(key), 'a row of the ledger is written once')
    writing.put(tables.ledger, key, { ...row, outside: isOutside ? row.sequence : null })
    if (row.reference !== null) {
      must(!tables.references.has(rowKey(row.accountId, row.reference)), 'a reference is credited once')
      writing.put(tables.references, rowKey(row.accountId, row.reference), key)
    }
    stands.set(place, { ...before, ...balancesOf(row) })
  }
  for (const place of wallets) {
    const [after, booked, before] = [state.wallets.get(place), stands.get(place), tables.wallets.get(place)]
    must(after !== undefined && booked !== undefined && before !== undefined, 'a wallet that moves is there')
    const balances = balancesIn(after)
    must(
      BALANCES.every((each) => booked[each] === balances[each]),
      'a wallet is what its last row says',
    )
    must(
      BALANCES.every((each) => balances[each] >= 0),
      'no balance is below zero',
    )
    // Without a remark, only the balances are written.
    const kept = remarked.has(place) ? after : before
    writing.put(tables.wallets, place, { ...kept, ...balancesIn(after) })
  }
}

const BALANCES = ['availableMinor', 'heldMinor', 'inTransitMinor', 'pendingMinor', 'suspenseMinor', 'sequence'] as const
type Standing = Pick<Wallet, (typeof BALANCES)[number]>

const balancesIn = (wallet: Wallet): Standing => ({
  availableMinor: wallet.availableMinor,
  heldMinor: wallet.heldMinor,
  inTransitMinor: wallet.inTransitMinor,
  pendingMinor: wallet.pendingMinor,
  suspenseMinor: wallet.suspenseMinor,
  sequence: wallet.sequence,
})

const balancesOf = (row: LedgerRow): Standing => ({
  availableMinor: row.availableAfterMinor,
  heldMinor: row.heldAfterMinor,
  inTransitMinor: row.inTransitAfterMinor,
  pendingMinor: row.pendingAfterMinor,
  suspenseMinor: row.suspenseAfterMinor,
  sequence: row.sequence,
})

const changeOf = ({ debit, credit, amountMinor }: LedgerRow, account: string): bigint =>
  (credit === account ? amountMinor : 0n) - (debit === account ? amountMinor : 0n)

/** One booking for each object; what came stays as it came, and what became of it may change. */
function writeEvents(tables: Tables, { events, released }: Changes, writing: Writing): void {
  for (const [place, event] of events) {
    const before = tables.events.get(place)
    const { receipt, accountId } = event
    must((event.dueAt !== null) === (event.status === 'unmatched'), 'what is unmatched is due')
    if (receipt) {
      must(receipt.suspenseMinor >= 0n && receipt.suspenseMinor <= receipt.amountMinor, 'no more waits than arrived')
      must(receipt.contractId === event.contractId, 'money is booked for the contract of its event')
      const object = rowKey(accountId, receipt.objectId)
      must((tables.objects.get(object) ?? place) === place, 'money of an object is booked once')
      writing.put(tables.objects, object, place)
    }
    const came = before && {
      type: before.type,
      at: before.at,
      body: before.body,
      bodyHash: before.bodyHash,
      allowedChannels: before.allowedChannels,
    }
    writing.put(tables.events, place, { ...event, ...came })
  }
  for (const [place, { suspenseMinor }] of released) {
    const before = tables.events.get(place)
    must(before?.receipt !== null && before?.receipt !== undefined, 'what is released was booked')
    must(suspenseMinor >= 0n && suspenseMinor <= before.receipt.amountMinor, 'no more waits than arrived')
    writing.put(tables.events, place, { ...before, receipt: { ...before.receipt, suspenseMinor } })
  }
}
