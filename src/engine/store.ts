// The second round trip of a batch: what it changed, one statement for each table. Tables that nothing changed are left out.
import { storeOutsideCredits } from '../ledger/outside-credits.ts'
import { appendLedger, saveWallets, saveWalletSettings } from '../ledger/wallets.ts'
import type { Statement } from '../platform/db.ts'
import type { Scope } from '../platform/scope.ts'
import { insertAccountEvents } from '../store/accounts/account-events.ts'
import { advanceAccounts } from '../store/accounts/accounts.ts'
import { insertAuditEntries } from '../store/accounts/audit.ts'
import { saveSpending } from '../store/accounts/mandates.ts'
import { countContracts } from '../store/accounts/usage.ts'
import { keepApprovals } from '../store/contracts/approvals.ts'
import { insertContracts, insertContractVersions, updateContracts } from '../store/contracts/contracts.ts'
import { rememberAnswers } from '../store/contracts/idempotency.ts'
import { keepChannelCalls } from '../store/jobs/channel-calls.ts'
import { upsertJobs } from '../store/jobs/jobs.ts'
import { openReviews } from '../store/operator/waiting-transfers.ts'
import { keepEvents, releaseSuspense } from '../store/payments/payment-events.ts'
import { saveMeters } from '../store/policies/meters.ts'
import { insertProviderPaymentIds } from '../store/payments/provider-payment-ids.ts'
import { insertVerifications, saveVerifications } from '../store/verifiers/verifications.ts'
import type { BatchState } from './batch-state.ts'

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
  add(changes.versions, insertContractVersions)
  add(present(changes.wallets, state.wallets), saveWallets)
  add(present(changes.remarked, state.wallets), saveWalletSettings)
  add(changes.accountEvents, insertAccountEvents)
  add(changes.ledger, appendLedger)
  if (changes.outside.length > 0) statements.push(...storeOutsideCredits(scope, changes.outside))
  add(jobsOf(state), upsertJobs)
  add([...changes.reviews.values()], openReviews)
  add([...changes.approvals.values()], keepApprovals)
  add([...changes.calls.values()], keepChannelCalls)
  add(changes.providerIds, insertProviderPaymentIds)
  add([...changes.events.values()], keepEvents)
  add([...changes.released.values()], releaseSuspense)
  add(changes.answers, rememberAnswers)
  add([...changes.meters.values()], saveMeters)
  add(changes.verifications, insertVerifications)
  add([...changes.verified.values()], saveVerifications)
  add(changes.audited, insertAuditEntries)
  add([...changes.spending.values()], saveSpending)
  add([...changes.usage.values()], countContracts)
  return statements
}

function jobsOf({ changes, accounts }: BatchState) {
  return [...changes.jobs.values()].map((job) => {
    const account = accounts.get(job.accountId)
    if (!account) throw new Error('a job of an account that the batch does not hold')
    return { ...job, livemode: account.livemode }
  })
}

function present<T>(keys: ReadonlySet<string>, all: ReadonlyMap<string, T>): T[] {
  return [...keys].flatMap((key) => all.get(key) ?? [])
}
