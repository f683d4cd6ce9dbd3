// API keys: made, changed, rolled and revoked, by another key, by a member, or by an operator. Nobody but an operator gives more
// than they have. The text of a key is shown once and kept nowhere.
import { type Audited, changed } from '../../domain/account/audit.ts'
import type { AccountEventType } from '../../domain/account/events.ts'
import { type KeyLine, newLine, refuseManyMakers } from '../../domain/account/key-line.ts'
import {
  type ApiKey,
  keyNotFound,
  keyState,
  keysFull,
  LIVE_KEYS_MAX,
  type Powers,
  refuseBeyond,
  refuseEnded,
} from '../../domain/account/keys.ts'
import type { Scope } from '../../domain/account/scopes.ts'
import { invalid, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'
import type { Mandate } from '../../domain/mandate/mandate.ts'
import { isRangeWithin } from '../../platform/addresses.ts'
import { newApiKey } from '../../platform/credentials.ts'
import type { Result, Session, Statement } from '../../platform/db.ts'
import type { Sealing } from '../../platform/sealing.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import {
  countLiveKeys,
  findKey,
  findPowers,
  insertKey,
  keyFrom,
  type KeyOf,
  listKeys,
  makerFrom,
  powersFrom,
  saveKey,
} from '../../store/accounts/keys.ts'
import { findReceiver, storedReceiverFrom } from '../../store/accounts/receiver-secrets.ts'
import { presentKey } from '../../wire/accounts/keys.ts'
import { isoOrNull } from '../../wire/times.ts'
import {
  type AccountChange,
  changeAccount,
  type ChangeDeps,
  type Changer,
  type NewEvent,
  unchanged,
} from './changes.ts'
import { handOver } from './receiver-secrets.ts'

/** Who makes a key: with these scopes, or an operator, whom nothing bounds. */
export type Maker = { readonly scopes: ReadonlySet<Scope> } | 'operator'

/** What a key is to be. What is left out is as with its maker, and null asks for none of the bound. */
export type WantedKey = {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly livemode: boolean
  readonly expiresInSeconds?: number | null
  readonly addresses?: ApiKey['addresses']
  readonly transferMax?: ApiKey['transferMax']
  readonly mandate?: WantedMandate | null
}

/** A mandate that is still to be given to a key. */
export type WantedMandate = Omit<Mandate, 'keyId'>

/** A key with its text, which is shown this once. */
export type RevealedKey = { readonly key: ApiKey; readonly text: string }

/** What bounds the maker: its own row, read in the same transaction. Its scopes are those it acts with now. */
export const ownRow = ({ lane, accountId, keyId }: Changer): Statement[] =>
  keyId === null ? [] : [findPowers({ lane, accountId, keyId })]

function ownPowers(maker: Maker, loaded: Result | undefined): Powers | null {
  if (maker === 'operator') return null
  const row = loaded?.rows[0]
  if (!row) throw new Error('a key that makes keys has a row')
  return { ...powersFrom(row), scopes: [...maker.scopes] }
}

/** In whose place a key stands that this maker makes: a key's own, and nobody's where a person or an operator does. */
function lineOfNew(keyId: string, loaded: Result | undefined): KeyLine {
  const row = loaded?.rows[0]
  return newLine(keyId, row ? makerFrom(row) : null)
}

const beyondOwn = (own: Powers | null, wanted: Powers) => own && refuseBeyond(own, wanted, isRangeWithin)

const liveIn = (counted: Result | undefined): number => counted?.rows[0]?.['live'] as number

/** Makes a key. `alongside` is written with it, under its id. */
export function createKey(
  deps: ChangeDeps,
  changer: Changer,
  maker: Maker,
  wanted: WantedKey,
  alongside: (keyId: string, nowMs: number) => readonly Statement[] = () => [],
): Promise<RevealedKey | Refusal> {
  const { keyId, text, hash } = newApiKey(changer.lane, wanted.livemode)
  const load = [countLiveKeys(changer), ...ownRow(changer)]
  return changeAccount<RevealedKey>(deps, changer, load, ([counted, mine], { nowMs }) => {
    const own = ownPowers(maker, mine)
    const { expiresInSeconds, addresses, transferMax, mandate, ...named } = wanted
    const key: ApiKey = {
      id: keyId,
      ...named,
      line: lineOfNew(keyId, mine),
      mandateOf: keyId,
      expiresAt: endOf(expiresInSeconds, own, nowMs),
      addresses: addresses === undefined ? (own?.addresses ?? null) : addresses,
      transferMax: transferMax === undefined ? (own?.transferMax ?? null) : transferMax,
      mandate: mandate ? { keyId, ...mandate } : null,
      spending: [],
      createdAt: nowMs,
      revokedAt: null,
      lastUsedOn: null,
      receiver: null,
    }
    const refusal =
      beyondOwn(own, key) ??
      refuseManyMakers(key.line) ??
      refuseProfiles(key) ??
      (liveIn(counted) >= LIVE_KEYS_MAX ? keysFull() : null)
    if (refusal) return refusal
    return {
      statements: [insertKey(changer, key, hash, changer.keyId), ...alongside(keyId, nowMs)],
      audited: [madeEntry(key)],
      events: [told('key.created', key, nowMs)],
      value: { key, text },
    }
  })
}

/** When a key ends that may live so many seconds. Where nothing is said, with its maker. */
function endOf(seconds: number | null | undefined, own: Powers | null, nowMs: number): number | null {
  if (seconds === undefined) return own?.expiresAt ?? null
  return seconds === null ? null : nowMs + seconds * 1000
}

/** Whoever may change a profile could have it name anybody. */
function refuseProfiles({ mandate, scopes }: ApiKey): Refusal | null {
  if (mandate === null || mandate.profiles === null || !scopes.includes('profiles:write')) return null
  const why = 'A key with the scope profiles:write could change whom these profiles name.'
  return refuseAll([invalid('mandate.profiles', `${why} Name recipients, or leave the scope out.`)])
}

export type KeyPatch = Partial<Pick<ApiKey, 'name' | 'addresses' | 'transferMax'>> & Pick<WantedKey, 'mandate'>

/** A mandate that replaces another goes on with what has left, and so does one that is given after another was taken off. */
function patched(before: ApiKey, { mandate, ...patch }: KeyPatch): ApiKey {
  const after = { ...before, ...patch }
  if (mandate === undefined) return after
  return { ...after, mandate: mandate && { keyId: before.mandateOf, ...mandate } }
}

/** Changes what is named. What is more than a name is changed by those alone who could have made the key, before and after. */
export function updateKey(
  deps: ChangeDeps,
  changer: Changer,
  maker: Maker,
  keyId: string,
  patch: KeyPatch,
): Promise<ApiKey | Refusal> {
  return onKey(deps, changer, keyId, ownRow(changer), (before, [mine], nowMs) => {
    const after = patched(before, patch)
    const own = ownPowers(maker, mine)
    const powers = changed(powersShown(before), powersShown(after))
    const refusal =
      refuseEnded(before, nowMs) ??
      (powers && (beyondOwn(own, before) ?? beyondOwn(own, after))) ??
      refuseProfiles(after)
    if (refusal) return refusal
    const difference = changed(auditedKey(before), auditedKey(after))
    if (!difference) return unchanged(before)
    const entry: Audited = { action: 'key.updated', object: { type: 'key', id: keyId }, ...difference }
    return { statements: [saveKey(changer, after)], audited: [entry], events: [], value: after }
  })
}

/** Ends a key at once. It takes away and gives nothing, so that whoever may write keys may end any. */
export function revokeKey(deps: ChangeDeps, changer: Changer, keyId: string): Promise<ApiKey | Refusal> {
  return onKey(deps, changer, keyId, [], (before, _, nowMs) => {
    if (before.revokedAt !== null) return unchanged(before)
    const after = { ...before, revokedAt: nowMs }
    const entry: Audited = {
      action: 'key.revoked',
      object: { type: 'key', id: keyId },
      before: { state: keyState(before, nowMs) },
      after: { state: 'revoked' },
    }
    return {
      statements: [saveKey(changer, after)],
      audited: [entry],
      events: [told('key.revoked', after, nowMs)],
      value: after,
    }
  })
}

export type RollOptions = { readonly overlapSeconds: number; readonly expiresInSeconds?: number | null }

/**
 * Makes a key like this one, which ends after the overlap: in one transaction, so that there is never none. The secret with which
 * a provider signs goes over to the new one, and what policies and mandates know the key by.
 */
export function rollKey(
  deps: ChangeDeps,
  sealing: () => Sealing,
  changer: Changer,
  maker: Maker,
  keyId: string,
  { overlapSeconds, expiresInSeconds }: RollOptions,
): Promise<RevealedKey | Refusal> {
  const { lane, accountId } = changer
  const load = [countLiveKeys(changer), findReceiver({ lane, accountId, keyId }), ...ownRow(changer)]
  return onKey(deps, changer, keyId, load, (before, [counted, receivers, mine], nowMs) => {
    const { keyId: id, text, hash } = newApiKey(lane, before.livemode)
    const expiresAt = expiresInSeconds === undefined ? before.expiresAt : endOf(expiresInSeconds, null, nowMs)
    const key: ApiKey = { ...before, id, expiresAt, createdAt: nowMs, lastUsedOn: null }
    const old = endedAfter(before, overlapSeconds, nowMs)
    const own = ownPowers(maker, mine)
    const left = liveIn(counted) - (overlapSeconds === 0 ? 1 : 0)
    const refusal = refuseEnded(before, nowMs) ?? beyondOwn(own, key) ?? (left >= LIVE_KEYS_MAX ? keysFull() : null)
    if (refusal) return refusal
    const secrets = receivers?.rows[0]
    return {
      statements: [
        saveKey(changer, old),
        insertKey(changer, key, hash, changer.keyId),
        ...(secrets ? [handOver(sealing(), storedReceiverFrom(secrets), id)] : []),
      ],
      audited: [rolledEntry(before, old, id), madeEntry(key)],
      events: [told('key.rolled', old, nowMs), told('key.created', key, nowMs)],
      value: { key, text },
    }
  })
}

function endedAfter(key: ApiKey, overlapSeconds: number, nowMs: number): ApiKey {
  if (overlapSeconds === 0) return { ...key, revokedAt: nowMs }
  const endsAt = nowMs + overlapSeconds * 1000
  return { ...key, expiresAt: Math.min(key.expiresAt ?? endsAt, endsAt) }
}

function onKey<T>(
  deps: ChangeDeps,
  changer: Changer,
  keyId: string,
  load: readonly Statement[],
  decide: (before: ApiKey, loaded: readonly Result[], nowMs: number) => AccountChange<T> | Refusal,
): Promise<T | Refusal> {
  const { lane, accountId } = changer
  return changeAccount<T>(
    deps,
    changer,
    [findKey({ lane, accountId, keyId }), ...load],
    ([found, ...rest], { nowMs }) => {
      const row = found?.rows[0]
      return row ? decide(keyFrom(row), rest, nowMs) : keyNotFound()
    },
  )
}

/** One key of the account. */
export async function oneKey(reader: Session, key: KeyOf): Promise<ApiKey | Refusal> {
  const [result] = await reader.send([findKey(key)])
  const row = result?.rows[0]
  return row ? keyFrom(row) : keyNotFound()
}

/** A page of the account's keys, newest first, one more than the limit. */
export async function keysOf(
  reader: Session,
  owner: AccountKey,
  page: { readonly after: string | null; readonly limit: number },
): Promise<ApiKey[]> {
  const [result] = await reader.send([listKeys(owner, page.after, page.limit)])
  return (result?.rows ?? []).map(keyFrom)
}

const told = (type: AccountEventType, key: ApiKey, nowMs: number): NewEvent => ({
  type,
  object: presentKey(key, nowMs),
})

const powersShown = ({ addresses, transferMax, expiresAt, mandate }: ApiKey) => ({
  addresses,
  mandate: mandate && auditedMandate(mandate),
  transfer_max: transferMax?.map(({ currency, maxMinor }) => ({ currency, amount_minor: String(maxMinor) })) ?? null,
  expires_at: isoOrNull(expiresAt),
})
/** What it allows, not what has left. */
function auditedMandate({ limits, recipients, profiles, channels, until }: Mandate) {
  const minorOrNull = (minor: bigint | null) => (minor === null ? null : String(minor))
  const shown = limits.map(({ currency, totalMinor, perTransferMinor, approvalAboveMinor }) => ({
    currency,
    total_minor: String(totalMinor),
    per_transfer_minor: minorOrNull(perTransferMinor),
    approval_above_minor: minorOrNull(approvalAboveMinor),
  }))
  return { limits: shown, recipients, profiles, channels, until: isoOrNull(until) }
}
const auditedKey = (key: ApiKey) => ({ name: key.name, ...powersShown(key) })

function madeEntry(key: ApiKey): Audited {
  const after = { ...auditedKey(key), scopes: key.scopes }
  return { action: 'key.created', object: { type: 'key', id: key.id }, before: null, after }
}

function rolledEntry(before: ApiKey, old: ApiKey, replacedBy: string): Audited {
  const shown = ({ expiresAt, revokedAt }: ApiKey) => ({
    expires_at: isoOrNull(expiresAt),
    revoked_at: isoOrNull(revokedAt),
  })
  return {
    action: 'key.rolled',
    object: { type: 'key', id: before.id },
    before: shown(before),
    after: { ...shown(old), replaced_by: replacedBy },
  }
}
