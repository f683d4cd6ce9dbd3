// The first round trip of a batch: the rows that its commands need, by the table of commands. One statement for each
// kind of row; kinds that no command needs are left out.
import { accountHeadFrom, capsFrom, liveApiKeys, lockAccounts, lockOf } from '../store/accounts/accounts.ts'
import { lineFrom } from '../store/accounts/key-lines.ts'
import { loadContracts, loadParents, placedContractFrom } from '../store/contracts/contracts.ts'
import {
  bookedObjects,
  knownEventFrom,
  knownEvents,
  receiptFrom,
  receiptsInSuspense,
} from '../store/payments/payment-events.ts'
import { jobFrom, loadJobs } from '../store/jobs/jobs.ts'
import { heldRows } from '../store/contracts/held-rows.ts'
import { mandateFrom, spendingFrom } from '../store/accounts/mandates.ts'
import { knownAnswerFrom, recallAnswers } from '../store/contracts/idempotency.ts'
import { knownReferences, loadNamedWallets, loadWallets, walletFrom } from '../ledger/wallets.ts'
import { CLOCK, databaseTimeFrom } from '../store/contracts/expiry.ts'
import type { Result, Row, Statement } from '../platform/db.ts'
import type { Scope } from '../platform/scope.ts'
import { activeMembers, makersOfKeys, usedDestinations } from '../store/contracts/approvals.ts'
import { rolesOfMembers } from '../store/policies/approvers.ts'
import { readDestinations, readMakers, readMembers } from './approvals.ts'
import { type BatchState, noChanges, rowKey } from './batch-state.ts'
import type { CommandRequest } from './command-request.ts'
import { readRole } from './key-caps.ts'
import { recallAdopted } from '../store/operator/adopted-orders.ts'
import { contractKeys, distinct, needsOf } from './needs.ts'
import { readEnded } from './verifications.ts'
import { loadVerifications } from '../store/verifiers/verifications.ts'
import { noRules } from './rules-state.ts'

type Load = { readonly statement: Statement; readonly into: (state: BatchState, rows: readonly Row[]) => void }

/** Whether a batch also locks the rows that accounts own, because another session was found to hold some. */
export type Care = 'accounts' | 'all rows'

/** The statements that load what the requests name, and how to read their results into a state. */
export function loadBatch(
  scope: Scope,
  requests: readonly CommandRequest[],
  care: Care,
): { statements: Statement[]; read: (loaded: readonly Result[]) => BatchState } {
  const loads = [...(care === 'accounts' ? [] : careful(scope, requests)), ...loadsFor(scope, requests)]
  const read = (loaded: readonly Result[]): BatchState => {
    const state: BatchState = {
      nowMs: databaseTimeFrom(loaded[1]),
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
  // The clock that all expiry goes by is read after the accounts are locked.
  return { statements: [accounts, CLOCK, ...loads.map((load) => load.statement)], read }
}

/** Locks every row that the requests name and may change, with what their contracts belong to. */
function careful(scope: Scope, requests: readonly CommandRequest[]): Load[] {
  const into = (state: BatchState, rows: readonly Row[]) => {
    for (const row of rows) state.held.add(row['account_id'] as string)
  }
  const accounts = distinct(requests, (request) => request.accountId)
  return heldRows(scope, accounts, contractKeys(requests)).map((statement) => ({ statement, into }))
}

function loadsFor(scope: Scope, requests: readonly CommandRequest[]): Load[] {
  const needs = needsOf(requests)
  const loads: Load[] = []
  const add = <K>(keys: readonly K[], load: (scope: Scope, keys: readonly K[]) => Statement, into: Load['into']) => {
    if (keys.length > 0) loads.push({ statement: load(scope, keys), into })
  }
  add(needs.contracts, loadContracts, readContracts)
  add(needs.refundedBy, loadParents, readContracts)
  add(needs.jobs, loadJobs, readJobs)
  add(needs.wallets, loadWallets, readWallets)
  add(needs.namedWallets, loadNamedWallets, readWallets)
  add(needs.keys, liveApiKeys, readKeys)
  add(needs.acting, rolesOfMembers, (state, rows) => {
    for (const row of rows) readRole(state.rules, row)
  })
  add(needs.answers, recallAnswers, readAnswers)
  add(needs.adopted, recallAdopted, readAdopted)
  add(needs.references, knownReferences, readReferences)
  add(needs.checks, activeMembers, (state, rows) => readMembers(state.rules.checks, rows))
  add(needs.checks, makersOfKeys, (state, rows) => readMakers(state.rules.checks, rows))
  add(needs.checked, usedDestinations, (state, rows) => readDestinations(state.rules.checks, rows))
  add(needs.verifications, loadVerifications, (state, rows) => readEnded(state.rules, rows))
  add(needs.suspense, receiptsInSuspense, readReceipts)
  add(needs.events, knownEvents, readEvents)
  add(needs.objects, bookedObjects, readReceipts)
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

function readWallets(state: BatchState, rows: readonly Row[]): void {
  for (const wallet of rows.map(walletFrom)) state.wallets.set(rowKey(wallet.accountId, wallet.id), wallet)
}

function readKeys(state: BatchState, rows: readonly Row[]): void {
  for (const row of rows) {
    const mandate = mandateFrom(row['mandate'])
    state.liveKeys.set(row['key_id'] as string, {
      name: row['name'] as string,
      caps: capsFrom(row['transfer_max']),
      mandate,
      line: lineFrom(row),
    })
    if (mandate === null) continue
    const owner = { lane: row['lane'] as number, accountId: row['account_id'] as string, keyId: mandate.keyId }
    for (const spent of spendingFrom(row['spending']))
      state.spending.set(rowKey(owner.accountId, `${owner.keyId}/${spent.currency}`), { ...owner, ...spent })
  }
}

function readAnswers(state: BatchState, rows: readonly Row[]): void {
  for (const known of rows.map(knownAnswerFrom)) state.known.set(rowKey(known.accountId, known.keyHash), known)
}

function readAdopted(state: BatchState, rows: readonly Row[]): void {
  for (const row of rows)
    state.adopted.set(rowKey(row['account_id'] as string, row['id'] as string), row['contract_id'] as string)
}

function readReferences(state: BatchState, rows: readonly Row[]): void {
  for (const row of rows) state.credited.add(rowKey(row['account_id'] as string, row['reference'] as string))
}
