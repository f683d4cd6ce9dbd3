// What an id of an account names, whatever it is: each kind of id has its form, and a UUID is looked for everywhere at once. What
// the caller may not read is not there.
import type { FoundEvent } from '../../domain/account/events.ts'
import { readableTypes } from '../../domain/account/events.ts'
import type { ApiKey } from '../../domain/account/keys.ts'
import type { Scope } from '../../domain/account/scopes.ts'
import type { Contract } from '../../domain/contract/contract.ts'
import {
  activityId,
  contractOfEvent,
  contractPrefixOf,
  eventId,
  FIRST_EPOCH,
  isUuid,
} from '../../domain/contract/ids.ts'
import type { Member } from '../../domain/member/member.ts'
import type { Profile } from '../../domain/profile/profile.ts'
import { idRange } from '../../domain/resource/terms.ts'
import type { Wallet } from '../../domain/wallet/wallet.ts'
import { loadWallets, walletFrom } from '../../ledger/wallets.ts'
import { keyOfUuid } from '../../platform/credentials.ts'
import type { Statement } from '../../platform/db.ts'
import { scopeOf } from '../../platform/scope.ts'
import { findKey, keyFrom } from '../../store/accounts/keys.ts'
import { contractFrom, loadContracts, readContractFrom } from '../../store/contracts/contracts.ts'
import { newestEpochOf } from '../../store/accounts/restored-accounts.ts'
import { contractAt, epochIn, findEvent, storedEventFrom } from '../../store/contracts/events.ts'
import { findMember, memberFrom } from '../../store/members/members.ts'
import { findPayer, payerFrom } from '../../store/profiles/payers.ts'
import { contractsInRange } from '../../store/resources/terms.ts'
import { deliveriesAt } from '../../store/webhooks/delivery-pages.ts'
import { faringEndpointFrom, findEndpoint } from '../../store/webhooks/endpoints.ts'
import type { Caller } from '../accounts/callers.ts'
import type { Deps } from '../deps.ts'
import { loadedFrom, loadOne } from '../profiles/changes.ts'

/** What an id names. */
export type Identified =
  | { readonly type: 'contract'; readonly contract: Contract }
  | { readonly type: 'activity'; readonly contract: Contract; readonly index: number }
  | { readonly type: 'transaction'; readonly contract: Contract }
  | { readonly type: 'event'; readonly event: FoundEvent }
  | { readonly type: 'delivery'; readonly deliveries: readonly DeliveryLine[] }
  | { readonly type: 'wallet'; readonly wallet: Wallet }
  | { readonly type: 'profile'; readonly profile: Pick<Profile, 'id' | 'name' | 'status'> }
  | { readonly type: 'webhook_endpoint'; readonly endpoint: { readonly url: string; readonly status: string } }
  | { readonly type: 'key'; readonly key: ApiKey }
  | { readonly type: 'member'; readonly member: Pick<Member, 'id' | 'email' | 'name' | 'role' | 'status'> }
  | { readonly type: 'account' }

export type DeliveryLine = {
  readonly endpointId: string
  readonly url: string
  readonly event: string
  readonly status: string
}

type Reader = Pick<Deps, 'reader'>

/** What the id names among all that the caller may read; null for nothing. */
export async function identify(deps: Reader, caller: Caller, id: string): Promise<Identified | null> {
  // A token of one contract names that one.
  if (caller.contractId !== null && caller.contractId !== id) return null
  if (isUuid(id)) return (await byUuid(deps, caller, id)) ?? activityNamed(deps, caller, id)
  for (const [form, find] of FORMS) {
    const match = form.exec(id)
    if (match) return find(deps, caller, match)
  }
  return null
}

type Find = (deps: Reader, caller: Caller, match: RegExpExecArray) => Promise<Identified | null>

const FORMS: readonly (readonly [form: RegExp, find: Find])[] = [
  [/^evt_[0-9a-f]{32}\d{4,9}(?:_\d{1,9})?$/, eventNamed],
  [/^dlv_([1-9]\d{0,14})_(\d{1,9})(?:_([2-9]|[1-9]\d{1,8}))?$/, deliveryNamed],
  [/^txn_([1-9]\d{0,14})(?:_([2-9]|[1-9]\d{1,8}))?$/, transactionNamed],
  [/^[0-9a-f]{2}[0-9A-Za-z]{8}$/, (deps, caller, [keyId]) => keyNamed(deps, caller, keyId)],
]

const may = (caller: Caller, scope: Scope) => caller.scopes.has(scope)

async function eventNamed({ reader }: Reader, caller: Caller, [id]: RegExpExecArray): Promise<Identified | null> {
  const named = may(caller, 'events:read') ? contractOfEvent(id) : undefined
  if (!named || eventId(named.contractId, named.sequence, named.epoch) !== id) return null
  const [found] = await reader.send([findEvent(caller, named)])
  const row = found?.rows[0]
  const event = row && storedEventFrom(row)
  return event && readableTypes(caller.scopes).includes(event.event) ? { type: 'event', event } : null
}

async function deliveryNamed(
  { reader }: Reader,
  caller: Caller,
  [, position, replay, epoch]: RegExpExecArray,
): Promise<Identified | null> {
  if (!may(caller, 'webhooks:manage') || Number(replay) > INT_MAX) return null
  const place = { position: Number(position), replay: Number(replay) }
  const [found] = await reader.send([deliveriesAt(caller, place)])
  const rows = (found?.rows ?? []).filter((row) => epochIn(row) === Number(epoch ?? FIRST_EPOCH))
  const deliveries = rows.map((row) => ({
    endpointId: row['endpoint_id'] as string,
    url: row['url'] as string,
    event: row['event'] as string,
    status: row['status'] as string,
  }))
  return deliveries.length > 0 ? { type: 'delivery', deliveries } : null
}

const INT_MAX = 2_147_483_647

async function transactionNamed(
  { reader }: Reader,
  caller: Caller,
  [, position, epoch]: RegExpExecArray,
): Promise<Identified | null> {
  if (!may(caller, 'wallets:read') || !may(caller, 'contracts:read')) return null
  const [found] = await reader.send([contractAt(caller, Number(position))])
  const row = found?.rows[0]
  if (!row || epochIn(row) !== Number(epoch ?? FIRST_EPOCH)) return null
  const { lane, accountId } = caller
  return { type: 'transaction', contract: contractFrom({ lane, accountId, id: row['id'] as string }, row['document']) }
}

async function keyNamed({ reader }: Reader, caller: Caller, keyId: string): Promise<Identified | null> {
  if (!may(caller, 'accounts:read')) return null
  const [found] = await reader.send([findKey({ ...caller, keyId })])
  const row = found?.rows[0]
  return row ? { type: 'key', key: keyFrom(row) } : null
}

/** Where a UUID may be found: what is asked for with which scope, and what is made of the answer. */
async function byUuid(deps: Reader, caller: Caller, id: string): Promise<Identified | null> {
  const { lane, accountId } = caller
  const key = { lane, accountId, id }
  if (id === accountId) return may(caller, 'accounts:read') ? { type: 'account' } : null
  const keyId = keyOfUuid(id)
  if (keyId !== undefined) return keyNamed(deps, caller, keyId)
  const asked = (scope: Scope, ...statements: readonly Statement[]) => (may(caller, scope) ? statements : [])
  const send = async (statements: readonly Statement[]) => (statements.length > 0 ? deps.reader.send(statements) : [])
  const [[contracts], [wallets], [profiles, owners, payers], [endpoints], [members]] = await Promise.all([
    send(asked('contracts:read', loadContracts(scopeOf([key]), [key]))),
    send(asked('wallets:read', loadWallets(scopeOf([caller]), [caller]))),
    send(asked('profiles:read', ...loadOne(key), findPayer(key))),
    send(asked('webhooks:manage', findEndpoint(key))),
    send(asked('accounts:read', findMember(key))),
  ])
  const [contract] = (contracts?.rows ?? []).map(readContractFrom)
  if (contract) return { type: 'contract', contract }
  const wallet = (wallets?.rows ?? []).map(walletFrom).find((each) => each.id === id)
  if (wallet) return { type: 'wallet', wallet }
  const [endpoint] = (endpoints?.rows ?? []).map(faringEndpointFrom)
  if (endpoint) return { type: 'webhook_endpoint', endpoint }
  const [member] = (members?.rows ?? []).map(memberFrom)
  if (member) return { type: 'member', member }
  if (!profiles || !owners) return null
  const { profile } = loadedFrom(key, [profiles, owners])
  if (profile) return { type: 'profile', profile }
  const [payer] = (payers?.rows ?? []).map(payerFrom)
  return payer ? { type: 'profile', profile: { id, name: payer.name, status: 'active' } } : null
}

/** An activity's id begins as its contract's does; its last digits count up from those of its contract. */
async function activityNamed({ reader }: Reader, caller: Caller, id: string): Promise<Identified | null> {
  if (!may(caller, 'contracts:read') || id.charAt(14) !== '8') return null
  const [newest] = await reader.send([newestEpochOf(caller)])
  // An account has few restores, and most have none.
  const epochs = Array.from({ length: epochIn(newest?.rows[0] ?? {}) }, (_, before) => before + FIRST_EPOCH)
  const ranges = epochs.map((epoch) => idRange(contractPrefixOf(id, epoch).replaceAll('-', '')))
  const ids = await reader.send(ranges.map((range) => contractsInRange(caller, range, NEWEST, CONTRACTS_LIKE_IT)))
  const { lane, accountId } = caller
  const keys = ids.flatMap(({ rows }) => rows.map((row) => ({ lane, accountId, id: row['id'] as string })))
  if (keys.length === 0) return null
  const [found] = await reader.send([loadContracts(scopeOf(keys), keys)])
  for (const contract of (found?.rows ?? []).map(readContractFrom)) {
    const folded = contract.kind === 'transfer' ? (contract.folded ?? 0) : 0
    // Updates that are folded away stand after the first activity.
    const place = contract.activities.findIndex(
      ({ epoch = FIRST_EPOCH }, i) => activityId(contract.id, i === 0 ? 0 : i + folded, epoch) === id,
    )
    if (place >= 0) return { type: 'activity', contract, index: place }
  }
  return null
}

const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
/** That two contracts of one millisecond share so many digits takes 18 bits of chance; those of a command share theirs. */
const CONTRACTS_LIKE_IT = 16
