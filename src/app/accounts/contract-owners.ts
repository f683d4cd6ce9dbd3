// Which account owns a contract, for what comes without a credential: a callback, a rail event, a payment on a chain, a
// payer's page.
import { contractOfReference, laneOf, tagIn } from '../../domain/contract/ids.ts'
import { type AccountKey, anyAccountTagged } from '../../store/accounts/accounts.ts'
import {
  contractOwnerFrom,
  findContractOwner,
  type ContractOwner,
  loadContracts,
  placedContractFrom,
} from '../../store/contracts/contracts.ts'
import type { Contract } from '../../domain/contract/contract.ts'
import type { Session } from '../../platform/db.ts'
import { partedBy } from '../../platform/scope.ts'

type OwnerDeps = { readonly reader: Session }

/** The account that owns the contract, and its mode; null where no contract has the id. */
export async function ownerOfContract(
  { reader }: OwnerDeps,
  contractId: string,
): Promise<(AccountKey & ContractOwner) | null> {
  const lane = laneOf(contractId)
  const [result] = await reader.send([findContractOwner(lane, contractId)])
  const row = result?.rows[0]
  return row ? { lane, ...contractOwnerFrom(row) } : null
}

type NamedAttempt = AccountKey & { readonly contractId: string; readonly number: number }

/**
 * The attempt that a reference names, of a contract in one of these modes. A contract of the other mode is treated as one
 * of another gateway: null.
 */
export async function attemptOfReference(
  deps: OwnerDeps,
  reference: string,
  livemodes: readonly boolean[],
): Promise<NamedAttempt | null> {
  const named = contractOfReference(reference)
  const owner = named && (await ownerOfContract(deps, named.contractId))
  if (!owner || !livemodes.includes(owner.livemode)) return null
  const { lane, accountId } = owner
  return { lane, accountId, ...named }
}

/** The contracts with these ids, by id; those of the other mode are absent like those of another gateway. */
export async function contractsWith(
  { reader }: OwnerDeps,
  contractIds: readonly string[],
  livemodes: readonly boolean[],
): Promise<ReadonlyMap<string, Contract>> {
  const ids = [...new Set(contractIds)]
  const owners = await reader.send(ids.map((id) => findContractOwner(laneOf(id), id)))
  const owned = ids.flatMap((id, place) => {
    const [owner] = (owners[place]?.rows ?? []).map(contractOwnerFrom)
    return owner && livemodes.includes(owner.livemode) ? [{ lane: laneOf(id), accountId: owner.accountId, id }] : []
  })
  // A cluster joins no rows of several lanes to the newest version of each.
  const byLane = partedBy((lane) => lane, owned)
  const found = await reader.send(byLane.map(({ scope, rows }) => loadContracts(scope, rows)))
  const contracts = found.flatMap(({ rows }) => rows).map((row) => placedContractFrom(row).contract)
  return new Map(contracts.map((contract) => [contract.id, contract]))
}

/** What a provider tells of an order that was ours, and that the books do not know any more. */
export type ForgottenOrder = { readonly channel: string; readonly reference: string }

/**
 * Whether an account of these books made the contract that a reference names, and no account has it: a restore has undone it. Of
 * contracts that are older than tags nothing is said, and other gateways on the same provider have accounts of their own.
 */
export async function isForgotten({ reader }: OwnerDeps, reference: string): Promise<boolean> {
  const named = contractOfReference(reference)
  if (!named) return false
  const { contractId } = named
  const lane = laneOf(contractId)
  const [owner, tagged] = await reader.send([
    findContractOwner(lane, contractId),
    anyAccountTagged(lane, tagIn(contractId)),
  ])
  return owner?.rows.length === 0 && tagged?.rows[0]?.['any'] === true
}
