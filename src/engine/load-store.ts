// The two round trips of a batch: what is loaded for its asks, and what is stored of the changed state.
// One statement for each table; empty ones are left out.
import { attemptFrom, loadAttempts, upsertAttempts } from '../store/jobs/attempts.ts'
import { accountHeadFrom, advanceAccounts, liveApiKeys, lockAccounts, lockOf } from '../store/accounts/accounts.ts'
import {
  appendHistory,
  insertContracts,
  loadContracts,
  loadParents,
  placedContractFrom,
  updateContracts,
} from '../store/contracts/contracts.ts'
import {
  bookedObjects,
  keepEvents,
  knownEventFrom,
  knownEvents,
  receiptFrom,
  receiptsInSuspense,
  releaseSuspense,
} from '../store/payments/payment-events.ts'
import { jobFrom, loadJobs, nameIntents, upsertJobs } from '../store/jobs/payment-jobs.ts'
import { heldRows } from '../store/contracts/held-rows.ts'
import { knownAnswerFrom, recallAnswers, rememberAnswers } from '../store/contracts/idempotency.ts'
import { storeOutsideCredits } from '../ledger/outside-credits.ts'
import { appendLedger, knownReferences, loadWallets, saveWallets, walletFrom } from '../ledger/wallets.ts'
import { invariant } from '../domain/invariant.ts'
import type { Result, Row, Statement } from '../platform/db.ts'
import type { Scope } from '../platform/scope.ts'
import type { CommandRequest } from './command-request.ts'
import { noChanges, rowKey, type BatchState } from './batch-state.ts'

// Read after the accounts are locked: the clock that all expiry goes by.
const NOW: Statement = {
  name: 'now_ms',
  text: 'select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms',
  values: [],
}

const NEEDS_WALLETS = new Set([
  // It is refused where what comes in would have no wallet.
  'create_payment',
  'pay',
  'cancel',
  'report',
  'retry',
  'resolve',
  'credit',
  'receive',
  'process_due',
  'refund',
  'return',
])
/** What may end a transfer that gives money back, and so concerns the payment contract behind it. */
const ENDS_TRANSFERS = new Set(['report', 'cancel', 'retry', 'resolve'])
const ON_PAYMENTS = new Set(['choose', 'process_due', 'collection', 'receive', 'cancel', 'expire', 'refund', 'return'])
/** What looks at money in suspense. */
const NEEDS_SUSPENSE = new Set(['receive', 'process_due', 'return'])
/** New contracts have fresh ids, but that of a payment by wallet, which may be asked for again. */
const MAKES = new Set(['create', 'create_payment', 'credit'])
const NEEDS_ATTEMPT = new Set(['cancel', 'submit', 'inquire', 'report', 'retry', 'resolve'])

type Load = { readonly statement: Statement; readonly into: (state: BatchState, rows: readonly Row[]) => void }

/** Whether a batch also makes sure of the rows that accounts own, because somebody was found to hold some. */
export type Care = 'accounts' | 'all rows'

/** The statements that load what the asks name, and how to read their results into a state. */
export function loadBatch(
  scope: Scope,
  requests: readonly CommandRequest[],
  care: Care,
): { statements: Statement[]; read: (loaded: readonly Result[]) => BatchState } {
  const loads = [...(care === 'accounts' ? [] : careful(scope, requests)), ...loadsFor(scope, requests)]
  const read = (loaded: readonly Result[]): BatchState => {
    const nowMs = loaded[1]?.rows[0]?.['now_ms']
    invariant(typeof nowMs === 'number', 'the database tells the time')
    const state: BatchState = {
      nowMs,
      accounts: new Map(),
      held: new Set(),
      contracts: new Map(),
      wallets: new Map(),
      attempts: new Map(),
      liveKeys: new Set(),
      known: new Map(),
      credited: new Set(),
      jobs: new Map(),
      events: new Map(),
      receipts: new Map(),
      changes: noChanges(),
    }
    for (const row of loaded[0]?.rows ?? []) {
      const accountId = row['account_id'] as string
      const lock = lockOf(row)
      if (lock === 'ours') state.accounts.set(accountId, accountHeadFrom(row))
      else if (lock === 'held elsewhere') state.held.add(accountId)
    }
    loads.forEach((load, i) => load.into(state, loaded[i + 2]?.rows ?? []))
    return state
  }
  const accounts = lockAccounts(
    scope,
    distinct(requests, (request) => request.accountId),
  )
  return { statements: [accounts, NOW, ...loads.map((load) => load.statement)], read }
}

/** Looks at every row that the asks name and may change, with what their contracts belong to. */
function careful(scope: Scope, requests: readonly CommandRequest[]): Load[] {
  const into = (state: BatchState, rows: readonly Row[]) => {
    for (const row of rows) state.held.add(row['account_id'] as string)
  }
  const accounts = distinct(requests, (request) => request.accountId)
  return heldRows(scope, accounts, contractKeys(requests)).map((statement) => ({ statement, into }))
}

function loadsFor(scope: Scope, requests: readonly CommandRequest[]): Load[] {
  const loads: Load[] = []
  const contracts = contractKeys(requests.filter(({ command }) => !MAKES.has(command.verb) || isForPayment(command)))
  if (contracts.length > 0) loads.push({ statement: loadContracts(scope, contracts), into: readContracts })
  const enders = contractKeys(requests.filter((request) => ENDS_TRANSFERS.has(request.command.verb)))
  if (enders.length > 0) loads.push({ statement: loadParents(scope, enders), into: readContracts })
  const attempts = contractKeys(requests.filter((request) => NEEDS_ATTEMPT.has(request.command.verb)))
  if (attempts.length > 0) loads.push({ statement: loadAttempts(scope, attempts), into: readAttempts })
  const payers = distinct(
    requests.filter((request) => NEEDS_WALLETS.has(request.command.verb)),
    (request) => request.accountId,
  )
  if (payers.length > 0) loads.push({ statement: loadWallets(scope, payers), into: readWallets })
  const keys = distinct(
    requests.flatMap(({ keyId, ...ask }) => (keyId === null ? [] : [{ ...ask, keyId }])),
    (request) => request.keyId,
  )
  if (keys.length > 0) loads.push({ statement: liveApiKeys(scope, keys), into: readKeys })
  const answers = requests.flatMap(({ lane, accountId, idempotency }) =>
    idempotency ? [{ lane, accountId, keyHash: idempotency.keyHash }] : [],
  )
  const known = distinct(answers, (each) => rowKey(each.accountId, each.keyHash))
  if (known.length > 0) loads.push({ statement: recallAnswers(scope, known), into: readAnswers })
  const references = requests.flatMap(({ lane, accountId, command }) =>
    command.verb === 'credit' ? [{ lane, accountId, reference: command.reference }] : [],
  )
  if (references.length > 0) loads.push({ statement: knownReferences(scope, references), into: readReferences })
  return [...loads, ...paymentLoads(scope, requests)]
}

const isForPayment = (command: CommandRequest['command']) => command.verb === 'create_transfer' && command.pays !== null

function paymentLoads(scope: Scope, requests: readonly CommandRequest[]): Load[] {
  const loads: Load[] = []
  const jobs = contractKeys(requests.filter((request) => ON_PAYMENTS.has(request.command.verb)))
  if (jobs.length > 0) loads.push({ statement: loadJobs(scope, jobs), into: readJobs })
  const suspense = contractKeys(requests.filter((request) => NEEDS_SUSPENSE.has(request.command.verb)))
  if (suspense.length > 0) loads.push({ statement: receiptsInSuspense(scope, suspense), into: readReceipts })
  const received = requests.flatMap(({ lane, accountId, command }) =>
    command.verb === 'receive' ? [{ lane, accountId, command }] : [],
  )
  const events = received.map(({ command, ...owner }) => ({ ...owner, id: command.event.id }))
  const keyOf = (each: { accountId: string; id: string }) => rowKey(each.accountId, each.id)
  if (events.length > 0) loads.push({ statement: knownEvents(scope, distinct(events, keyOf)), into: readEvents })
  const objects = received.flatMap(({ command: { report }, ...owner }) =>
    report?.outcome === 'succeeded' ? [{ ...owner, id: report.objectId }] : [],
  )
  if (objects.length > 0) loads.push({ statement: bookedObjects(scope, distinct(objects, keyOf)), into: readReceipts })
  return loads
}

function readJobs(state: BatchState, rows: readonly Row[]): void {
  for (const job of rows.map(jobFrom)) state.jobs.set(rowKey(job.accountId, job.contractId), job)
}

function readEvents(state: BatchState, rows: readonly Row[]): void {
  for (const event of rows.map(knownEventFrom)) state.events.set(rowKey(event.accountId, event.id), event)
}

function readReceipts(state: BatchState, rows: readonly Row[]): void {
  for (const { accountId, ...receipt } of rows.map(receiptFrom))
    state.receipts.set(rowKey(accountId, receipt.objectId), receipt)
}

function readContracts(state: BatchState, rows: readonly Row[]): void {
  for (const placed of rows.map(placedContractFrom))
    state.contracts.set(rowKey(placed.contract.accountId, placed.contract.id), placed)
}

function readAttempts(state: BatchState, rows: readonly Row[]): void {
  for (const attempt of rows.map(attemptFrom))
    state.attempts.set(rowKey(attempt.accountId, attempt.contractId), attempt)
}

function readWallets(state: BatchState, rows: readonly Row[]): void {
  for (const wallet of rows.map(walletFrom)) state.wallets.set(rowKey(wallet.accountId, wallet.id), wallet)
}

function readKeys(state: BatchState, rows: readonly Row[]): void {
  for (const row of rows) state.liveKeys.add(row['key_id'] as string)
}

function readAnswers(state: BatchState, rows: readonly Row[]): void {
  for (const known of rows.map(knownAnswerFrom)) state.known.set(rowKey(known.accountId, known.keyHash), known)
}

function readReferences(state: BatchState, rows: readonly Row[]): void {
  for (const row of rows) state.credited.add(rowKey(row['account_id'] as string, row['reference'] as string))
}

/** What the batch writes. Contracts come before what refers to them. */
export function storeBatch(scope: Scope, state: BatchState): Statement[] {
  const { changes } = state
  const statements: Statement[] = []
  const add = <T>(rows: readonly T[], make: (scope: Scope, rows: readonly T[]) => Statement) => {
    if (rows.length > 0) statements.push(make(scope, rows))
  }
  add(present(changes.accounts, state.accounts), advanceAccounts)
  add([...changes.created.values()], insertContracts)
  add([...changes.updated.values()], updateContracts)
  add(changes.history, appendHistory)
  add(present(changes.wallets, state.wallets), saveWallets)
  add(changes.ledger, appendLedger)
  if (changes.outside.length > 0) statements.push(...storeOutsideCredits(scope, changes.outside))
  add([...changes.attempts.values()], upsertAttempts)
  add([...changes.jobs.values()], upsertJobs)
  add(changes.intents, nameIntents)
  add([...changes.events.values()], keepEvents)
  add([...changes.released.values()], releaseSuspense)
  add(changes.answers, rememberAnswers)
  return statements
}

function present<T>(places: ReadonlySet<string>, all: ReadonlyMap<string, T>): T[] {
  return [...places].flatMap((place) => all.get(place) ?? [])
}

function contractKeys(requests: readonly CommandRequest[]): { lane: number; accountId: string; id: string }[] {
  const keys = requests.flatMap(({ lane, accountId, command }) =>
    command.verb === 'credit' || command.id === null ? [] : [{ lane, accountId, id: command.id }],
  )
  return distinct(keys, (key) => rowKey(key.accountId, key.id))
}

function distinct<T>(all: readonly T[], keyOf: (each: T) => string): T[] {
  const seen = new Map<string, T>()
  for (const each of all) {
    const key = keyOf(each)
    if (!seen.has(key)) seen.set(key, each)
  }
  return [...seen.values()]
}
