// Requests that may have been taken before a restore: the books have forgotten them, and a recovery found at a provider what they
// led to. The same request again, known by the key in its contract's id, must not move the money twice.
import type { Command } from '../domain/contract/command.ts'
import { contractUuid } from '../domain/contract/ids.ts'
import { type Refusal, refuse } from '../domain/contract/refusals.ts'
import type { Receipt } from '../domain/payment/payment.ts'
import type { Result, Statement } from '../platform/db.ts'
import { keyDigestOf, sha256Hex } from '../platform/hashes.ts'
import type { Scope } from '../platform/scope.ts'
import { placedContractFrom } from '../store/contracts/contracts.ts'
import type { ContractKey } from '../store/contracts/documents.ts'
import { loadAdoptedReturns } from '../store/operator/adopted-orders.ts'
import type { CommandRequest } from './command-request.ts'
import { type BatchState, rowKey } from './batch-state.ts'
import { rowsOf } from './command-table.ts'

/** What makes a contract, or takes it further towards the movement of money. */
const AHEAD: ReadonlySet<Command['verb']> = new Set(['create_transfer', 'create_payment', 'issue', 'pay', 'repeat'])
/** What asks for a contract that is not there, as far as its caller knows. */
const OPENS_AGAIN: ReadonlySet<Command['verb']> = new Set(['create_transfer', 'repeat'])

/** The contract that the command is ahead with; null for any other command. */
function contractAhead(command: Command): string | null {
  if (command.verb === 'refund' || command.verb === 'return') return command.transferId
  return AHEAD.has(command.verb) && command.verb !== 'credit' ? command.id : null
}

/** What of the requests has to be compared with adopted orders: nothing, where the books were never restored. */
export const comparedWithAdopted = (requests: readonly CommandRequest[]): ContractKey[] =>
  requests.flatMap(({ lane, accountId, afterRestore, command }) => {
    const id = afterRestore ? contractAhead(command) : null
    return id === null ? [] : [{ lane, accountId, id }]
  })

/** Refuses what an adopted contract stands for. `adopted`: by `account/contract`, the older contract of the same key. */
export function refuseRestored(
  adopted: ReadonlyMap<string, string>,
  { accountId, command }: CommandRequest,
): Refusal | null {
  if (adopted.size === 0) return null
  const id = contractAhead(command)
  const older = id === null ? undefined : adopted.get(rowKey(accountId, id))
  // What was adopted itself goes on; but whoever opens it again learns that it is there.
  if (older === undefined || (older === id && !OPENS_AGAIN.has(command.verb))) return null
  const what = `This request was taken before the gateway was restored from a backup: its contract is ${older}.`
  const fix = 'Read that one. To have it done once more, send it under another key.'
  return { ...refuse('restored_request', null, `${what} ${fix}`), contractId: older }
}

/**
 * The id of what nobody asks for under a key, and is the same again after a restore that has undone it: of a moment, and of words that
 * stand for nothing else of the account, which are in it as the digest of a key is.
 */
export function sameIdAgain(owner: Omit<ContractKey, 'id'>, atMs: number, words: string): string {
  const keyHash = sha256Hex(words)
  return contractUuid(owner, atMs, keyHash, keyDigestOf(owner.accountId, keyHash))
}

type Booked = Pick<Receipt, 'contractId' | 'objectId' | 'at'>

/**
 * The id of the transfer that returns a receipt's money by itself: of the contract, of the rail's id of the money and of when it was
 * booked. So a return that a restore has undone has the same reference once more; and where its money was booked anew, too, and so later,
 * the same digest.
 */
export const returnIdOf = (owner: Omit<ContractKey, 'id'>, { contractId, objectId, at }: Booked): string =>
  sameIdAgain(owner, Math.floor(at), `return ${contractId} ${objectId}`)

type Later = { readonly statements: Statement[]; readonly read: (loaded: readonly Result[]) => void }

/** A second load, of returns that were adopted; null where the books were never restored, or nothing is in suspense. */
export function loadReturns(scope: Scope, state: BatchState, requests: readonly CommandRequest[]): Later | null {
  const about = new Set(
    requests.flatMap(({ accountId, afterRestore, command }) =>
      afterRestore && rowsOf(command).includes('suspense') && 'id' in command && command.id !== null
        ? [rowKey(accountId, command.id)]
        : [],
    ),
  )
  const keys = about.size === 0 ? [] : [...returnKeys(state, requests, about), ...arrivingKeys(state, requests)]
  if (keys.length === 0) return null
  const read = ([found]: readonly Result[]) => {
    for (const row of found?.rows ?? []) {
      const { contract } = placedContractFrom(row)
      if (contract.kind === 'transfer')
        state.adoptedReturns.set(rowKey(contract.accountId, row['return_id'] as string), contract)
    }
  }
  return { statements: [loadAdoptedReturns(scope, keys)], read }
}

/** The returns of what these contracts have in suspense. */
function returnKeys(state: BatchState, requests: readonly CommandRequest[], about: ReadonlySet<string>): ContractKey[] {
  const lanes = new Map(requests.map(({ lane, accountId }) => [accountId, lane]))
  return [...state.receipts].flatMap(([place, receipt]) => {
    const accountId = place.slice(0, place.indexOf('/'))
    const lane = lanes.get(accountId)
    if (lane === undefined || receipt.suspenseMinor === 0n || !about.has(rowKey(accountId, receipt.contractId)))
      return []
    return [{ lane, accountId, id: returnIdOf({ lane, accountId }, receipt) }]
  })
}

/** The returns of money that arrives in this very batch. */
const arrivingKeys = ({ nowMs: at }: BatchState, requests: readonly CommandRequest[]): ContractKey[] =>
  requests.flatMap(({ lane, accountId, command }) => {
    if (command.verb !== 'receive' || command.id === null || command.report?.outcome !== 'succeeded') return []
    const receipt = { contractId: command.id, objectId: command.report.objectId, at }
    return [{ lane, accountId, id: returnIdOf({ lane, accountId }, receipt) }]
  })
