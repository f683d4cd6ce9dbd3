// Which rows a batch needs, by the table of commands: what load.ts asks the database for. No I/O.
import type { IdempotencyKey } from '../store/contracts/idempotency.ts'
import type { CommandRequest } from './command-request.ts'
import { type Rows, rowsOf } from './command-table.ts'
import { rowKey } from './batch-state.ts'
import { comparedWithAdopted } from './restored.ts'

type Owner = { readonly lane: number; readonly accountId: string }
/** Something of an account, by its id. */
type Key = Owner & { readonly id: string }

/** The keys of each kind of row; each at most once. */
export type Needs = {
  readonly contracts: readonly Key[]
  /** Transfers: of each the payment contract whose money it refunds. */
  readonly refundedBy: readonly Key[]
  /** The jobs of these contracts. */
  readonly jobs: readonly Key[]
  /** All wallets of these accounts. */
  readonly wallets: readonly Owner[]
  /** The default wallets of these accounts, and the one that is named; null for none. */
  readonly namedWallets: readonly (Owner & { readonly walletId: string | null })[]
  readonly keys: readonly (Owner & { readonly keyId: string })[]
  /** Members for whom something is done by no session of theirs. */
  readonly acting: readonly Key[]
  readonly answers: readonly (Owner & Pick<IdempotencyKey, 'keyHash'>)[]
  readonly adopted: readonly Key[]
  readonly references: readonly (Owner & { readonly reference: string })[]
  /** Accounts whose members approve something. */
  readonly checks: readonly Owner[]
  /** Contracts that they approve. */
  readonly checked: readonly Key[]
  readonly verifications: readonly Key[]
  /** Contracts of which it matters what of their money is in suspense. */
  readonly suspense: readonly Key[]
  /** Events that are received. */
  readonly events: readonly Key[]
  /** The objects whose money they report. */
  readonly objects: readonly Key[]
}

const keyOf = (key: Key) => rowKey(key.accountId, key.id)
const accountOf = ({ accountId }: Owner) => accountId

/** What these requests need beside their accounts. */
export function needsOf(requests: readonly CommandRequest[]): Needs {
  const rows = requests.map(({ command }) => rowsOf(command))
  const needing = (kind: Rows) => requests.filter((_, i) => rows[i]?.includes(kind))
  const contracts = (kind: Rows) => contractKeys(needing(kind))
  const named = needing('named wallet').map(({ lane, accountId, command }) => ({
    lane,
    accountId,
    walletId: 'walletId' in command ? command.walletId : null,
  }))
  const keys = requests.flatMap(({ keyId, ...request }) => (keyId === null ? [] : [{ ...request, keyId }]))
  const acting = requests.flatMap(({ lane, accountId, keyId, memberId }) =>
    keyId === null && memberId ? [{ lane, accountId, id: memberId }] : [],
  )
  const answers = requests.flatMap(({ lane, accountId, idempotency }) =>
    idempotency ? [{ lane, accountId, keyHash: idempotency.keyHash }] : [],
  )
  const ended = needing('verification').flatMap(({ lane, accountId, command }) =>
    command.verb === 'verify' ? [{ lane, accountId, id: command.verificationId }] : [],
  )
  return {
    contracts: contracts('contract'),
    refundedBy: contracts('refunded payment'),
    jobs: contracts('job'),
    wallets: distinct(needing('wallets'), accountOf),
    namedWallets: distinct(named, ({ accountId, walletId }) => rowKey(accountId, walletId ?? '')),
    keys: distinct(keys, ({ keyId }) => keyId),
    acting: distinct(acting, keyOf),
    answers: distinct(answers, ({ accountId, keyHash }) => rowKey(accountId, keyHash)),
    adopted: comparedWithAdopted(requests),
    references: needing('reference').flatMap(({ lane, accountId, command }) =>
      command.verb === 'credit' ? [{ lane, accountId, reference: command.reference }] : [],
    ),
    checks: distinct(needing('checks'), accountOf),
    checked: contracts('checks'),
    verifications: distinct(ended, keyOf),
    suspense: contracts('suspense'),
    ...eventKeys(needing('event')),
  }
}

/** The events that are received, and the objects whose money they report. */
function eventKeys(requests: readonly CommandRequest[]): Pick<Needs, 'events' | 'objects'> {
  const events: Key[] = []
  const objects: Key[] = []
  for (const { lane, accountId, command } of requests) {
    if (command.verb !== 'receive') continue
    events.push({ lane, accountId, id: command.event.id })
    const { report } = command
    if (report && report.outcome !== 'failed') objects.push({ lane, accountId, id: report.objectId })
  }
  return { events: distinct(events, keyOf), objects: distinct(objects, keyOf) }
}

/** The contracts that the requests name. */
export function contractKeys(requests: readonly CommandRequest[]): Key[] {
  const keys = requests.flatMap(({ lane, accountId, command }) =>
    command.verb === 'credit' || command.id === null ? [] : [{ lane, accountId, id: command.id }],
  )
  return distinct(keys, keyOf)
}

/** Each once, by its key. */
export function distinct<T>(all: readonly T[], keyOf: (each: T) => string): T[] {
  const seen = new Map<string, T>()
  for (const each of all) {
    const key = keyOf(each)
    if (!seen.has(key)) seen.set(key, each)
  }
  return [...seen.values()]
}
