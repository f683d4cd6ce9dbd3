// What a batch loads, out of maps: the same rows for the same requests as src/engine/load.ts asks the database for.
import type { Receipt } from '../../../src/domain/payment/payment.ts'
import { type BatchState, noChanges, rowKey } from '../../../src/engine/batch-state.ts'
import type { CommandRequest } from '../../../src/engine/command-request.ts'
import { needsOf } from '../../../src/engine/needs.ts'
import { noRules } from '../../../src/engine/rules-state.ts'
import type { PaymentEvent } from '../../../src/store/payments/payment-events.ts'
import { must, type Tables } from './tables.ts'

type Key = { readonly accountId: string; readonly id: string }

/** The state of a batch. `held`: accounts that another one has locked. */
export function loadState(
  tables: Tables,
  requests: readonly CommandRequest[],
  nowMs: number,
  held: ReadonlySet<string>,
): BatchState {
  const state = stateAt(nowMs)
  for (const { accountId } of requests) {
    const head = tables.accounts.get(accountId)
    if (head && held.has(accountId)) state.held.add(accountId)
    else if (head) state.accounts.set(accountId, head)
  }
  const needs = needsOf(requests)
  const elsewhere = [needs.acting, needs.checks, needs.verifications, needs.adopted]
  must(
    elsewhere.every(({ length }) => length === 0),
    'these rows are not kept here',
  )
  const placeContract = ({ accountId, id }: Key) => {
    const head = tables.heads.get(rowKey(accountId, id))
    const version = head && tables.versions.get(rowKey(accountId, String(head.position)))
    if (version) state.contracts.set(rowKey(accountId, id), { contract: version.contract, position: version.position })
  }
  needs.contracts.forEach(placeContract)
  for (const { accountId, id } of needs.refundedBy) {
    const parentId = tables.heads.get(rowKey(accountId, id))?.parentId
    if (parentId) placeContract({ accountId, id: parentId })
  }
  for (const { accountId, id } of needs.jobs) {
    const job = tables.jobs.get(rowKey(accountId, id))
    if (job) state.jobs.set(rowKey(accountId, id), job)
  }
  for (const [place, wallet] of tables.wallets) {
    const isOf = ({ accountId }: { readonly accountId: string }) => accountId === wallet.accountId
    const isNamed = needs.namedWallets.some((each) => isOf(each) && (wallet.isDefault || each.walletId === wallet.id))
    if (isNamed || needs.wallets.some(isOf)) state.wallets.set(place, wallet)
  }
  loadKeys(tables, state, needs.keys)
  loadAnswers(tables, state, needs.answers)
  for (const { accountId, reference } of needs.references)
    if (tables.references.has(rowKey(accountId, reference))) state.credited.add(rowKey(accountId, reference))
  loadEvents(tables, state, needs)
  return state
}

function stateAt(nowMs: number): BatchState {
  return {
    nowMs,
    accounts: new Map(),
    held: new Set(),
    contracts: new Map(),
    wallets: new Map(),
    liveKeys: new Map(),
    spending: new Map(),
    known: new Map(),
    adopted: new Map(),
    adoptedReturns: new Map(),
    credited: new Set(),
    jobs: new Map(),
    events: new Map(),
    receipts: new Map(),
    rules: noRules(),
    changes: noChanges(),
  }
}

function loadKeys(tables: Tables, state: BatchState, wanted: ReturnType<typeof needsOf>['keys']): void {
  for (const { accountId, keyId } of wanted) {
    const key = tables.keys.get(keyId)
    if (!key?.isLive || key.accountId !== accountId) continue
    state.liveKeys.set(keyId, {
      name: key.name,
      caps: key.caps,
      mandate: key.mandate,
      line: key.line,
    })
    if (key.mandate === null) continue
    for (const row of tables.spending.values())
      if (row.accountId === accountId && row.keyId === key.mandate.keyId)
        state.spending.set(rowKey(accountId, `${row.keyId}/${row.currency}`), row)
  }
}

function loadAnswers(tables: Tables, state: BatchState, wanted: ReturnType<typeof needsOf>['answers']): void {
  for (const { lane, accountId, keyHash } of wanted) {
    const place = rowKey(accountId, keyHash)
    const answer = tables.answers.get(place)
    if (!answer) continue
    const { fingerprint, position, refusal } = answer
    const version = position === null ? undefined : tables.versions.get(rowKey(accountId, String(position)))
    state.known.set(place, { lane, accountId, keyHash, fingerprint, refusal, contract: version?.contract ?? null })
  }
}

function loadEvents(
  tables: Tables,
  state: BatchState,
  { suspense, events, objects }: ReturnType<typeof needsOf>,
): void {
  const contracts = new Set(suspense.map(({ accountId, id }) => rowKey(accountId, id)))
  const waiting = [...tables.events.values()].filter(
    ({ accountId, receipt }) =>
      receipt && receipt.suspenseMinor > 0n && contracts.has(rowKey(accountId, receipt.contractId)),
  )
  for (const event of waiting.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))) keepReceipt(state, event)
  for (const { accountId, id } of events) {
    const event = tables.events.get(rowKey(accountId, id))
    if (!event) continue
    const { lane, status, bodyHash, tries, at } = event
    state.events.set(rowKey(accountId, id), { lane, accountId, id, status, bodyHash, tries, at })
  }
  for (const { accountId, id } of objects) {
    const event = tables.events.get(tables.objects.get(rowKey(accountId, id)) ?? '')
    if (event) keepReceipt(state, event)
  }
}

function keepReceipt(state: BatchState, event: PaymentEvent): void {
  const receipt = receiptOf(event)
  if (receipt) state.receipts.set(rowKey(event.accountId, receipt.objectId), receipt)
}

/** The money of an event as its row gives it back: its time is that of the event. */
const receiptOf = ({ receipt, id, at }: PaymentEvent): Receipt | null => receipt && { ...receipt, eventId: id, at }
