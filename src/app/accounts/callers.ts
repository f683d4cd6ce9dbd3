// Who is calling, from a key, a session or a token; and new tokens. Results are cached for a second at most, and writes check the
// key again in their own transaction, so that a revocation holds at once for all that moves money. However many
// unproven credentials come, they cost the database a few statements a second.
import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Role, scopesOf } from '../../domain/account/roles.ts'
import { isScope, type Scope, TOKEN_SCOPES } from '../../domain/account/scopes.ts'
import { byServer, type Lanes } from '../../engine/batch.ts'
import { addressList } from '../../platform/addresses.ts'
import {
  credentialFingerprint,
  credentialHash,
  newAccessToken,
  type KeyName,
  readAccessToken,
  readApiKey,
  readSession,
} from '../../platform/credentials.ts'
import { type ForRows, readFor } from '../../platform/columns.ts'
import type { Session } from '../../platform/db.ts'
import type { GroupOf } from '../../platform/scope.ts'
import { definite, ofLanesHere } from '../../platform/servers/absence.ts'
import {
  findAccessTokens,
  findApiKeys,
  insertAccessToken,
  type StoredCaller,
  type StoredKey,
  storedKeyFrom,
  type StoredToken,
  storedTokenFrom,
} from '../../store/accounts/callers.ts'
import { openGatheredLookup } from './gathered-lookup.ts'

export type Caller = {
  readonly lane: number
  readonly accountId: string
  readonly profileId: string
  readonly livemode: boolean
  /** Whether the account is of those who run the gateway. */
  readonly operates: boolean
  readonly keyId: string
  /** The member whose session it is; null for a key. */
  readonly memberId: string | null
  readonly role: Role | null
  readonly scopes: ReadonlySet<Scope>
  /** Whether it may be used from an address; null where it may from any. */
  readonly isAllowedFrom: ((address: string) => boolean) | null
  /** What proved it: a token sees less of a contract than the key that it was requested with. */
  readonly by: 'key' | 'token'
  /** Set for a token that is bound to one contract. */
  readonly contractId: string | null
}

export type CallerBook = {
  /** The caller behind an API key, or null. Answers without waiting where it is cached. */
  readonly byApiKey: (text: string) => Caller | null | Promise<Caller | null>
  /** The same of a session. It may do what its member's role may at this moment. */
  readonly bySession: (text: string) => Caller | null | Promise<Caller | null>
  readonly byToken: (text: string) => Caller | null | Promise<Caller | null>
  /** Whether the credential, a key or a token, has been found valid here lately. It may have ended since. */
  readonly isKnown: (text: string) => boolean
  /** A new access token for the caller, in seconds, optionally bound to one contract. */
  readonly issueToken: (caller: Caller, lifetimeSeconds: number, contractId: string | null) => Promise<string>
}

/** What a key may do; a session what its member's role may at this moment. */
export function scopesOfKey({ role, scopes, operates }: StoredKey): ReadonlySet<Scope> {
  return role === null ? new Set(scopes.filter(isScope)) : scopesOf(role, operates ? 'operating' : 'other')
}

const REMEMBERED_MS = 1000
const REMEMBERED_MAX = 10_000

/** `at`: what reads by key at a server, or at a node of a cluster. Those of one wait for no other's. */
export function openCallerBook(
  reader: Session,
  at: (server: string) => Session,
  monotonicMs: () => number,
  { serverOf, groupOf }: Pick<Lanes, 'serverOf' | 'groupOf'>,
): CallerBook {
  const memory = openCallerMemory(monotonicMs)
  const keys = byServer(serverOf, (server) =>
    looksUp((names: readonly KeyName[]) => keysNamed(at(server), groupOf, names)),
  )
  const tokens = byServer(serverOf, (server) =>
    looksUp((names: readonly TokenName[]) => tokensNamed(at(server), groupOf, names)),
  )

  const callerOfKey = async (name: KeyName, text: string, hash: string): Promise<Caller | null> => {
    const stored = await keys.of(name.lane)[memory.isKnown(hash) ? 'known' : 'strange'](name)
    if (!stored) return null
    memory.keepSecret(name.keyId, stored.secretHash)
    if (!timingSafeEqual(stored.secretHash, credentialHash(text))) return null
    // A session whose member is none any more may do nothing.
    if (stored.memberId !== null && stored.role === null) return null
    return { ...callerOf(stored), scopes: scopesOfKey(stored), by: 'key', contractId: null }
  }
  const bySecret = (name: KeyName | undefined, text: string) => {
    if (!name) return null
    const hash = credentialFingerprint(text)
    const found = memory.found(hash)
    if (found !== undefined) return found
    const secret = memory.secretOf(name.keyId)
    if (secret && !timingSafeEqual(secret, credentialHash(text))) return null
    return memory.lookedUp(hash, () => callerOfKey(name, text, hash))
  }
  const callerOfToken = async (name: TokenName, hash: string): Promise<Caller | null> => {
    const stored = await tokens.of(name.lane)[memory.isKnown(hash) ? 'known' : 'strange'](name)
    return stored
      ? { ...callerOf(stored), scopes: new Set(TOKEN_SCOPES), by: 'token', contractId: stored.contractId }
      : null
  }

  return {
    byApiKey: (text) => bySecret(readApiKey(text), text),
    bySession: (text) => bySecret(readSession(text), text),
    byToken: (text) => {
      const read = readAccessToken(text)
      if (!read) return null
      const hash = credentialFingerprint(text)
      const found = memory.found(hash)
      if (found !== undefined) return found
      const name = { ...read, hash: credentialHash(text) }
      return memory.lookedUp(hash, () => callerOfToken(name, hash))
    },
    isKnown: (text) => memory.isKnown(credentialFingerprint(text)),
    issueToken: async ({ lane, accountId, keyId }, lifetimeSeconds, contractId) => {
      const { text, hash } = newAccessToken(lane)
      await reader.send([insertAccessToken({ lane, accountId, keyId, hash, contractId, lifetimeSeconds })])
      return text
    },
  }
}

/**
 * The cache, by the credential's hash, so that no secret stays in memory longer than its request. What is valid is kept
 * apart from what is not: no number of forged credentials evicts a caller.
 */
function openCallerMemory(monotonicMs: () => number) {
  const max = REMEMBERED_MAX
  const brief = { max, ttl: REMEMBERED_MS, ttlResolution: 0, perf: { now: monotonicMs } }
  // A caller whose second is over is still known, and looked up again.
  const callers = new LRUCache<string, Caller>({ ...brief, noDeleteOnStaleGet: true })
  const refused = new LRUCache<string, true>(brief)
  // A key's secret never changes: one that is wrong is wrong for ever.
  const secrets = new LRUCache<string, Buffer>({ max })
  const asked = new Map<string, Promise<Caller | null>>()
  const note = (hash: string, caller: Caller | null): Caller | null => {
    if (caller !== null) callers.set(hash, caller)
    else {
      callers.delete(hash)
      refused.set(hash, true)
    }
    return caller
  }
  return {
    /** What was found in the last second; undefined where nothing was looked up. */
    found: (hash: string): Caller | null | undefined => callers.get(hash) ?? (refused.has(hash) ? null : undefined),
    /** Looked up once for all who ask while it is. */
    lookedUp: (hash: string, lookUp: () => Promise<Caller | null>): Promise<Caller | null> => {
      const before = asked.get(hash)
      if (before) return before
      const own = lookUp()
        .then((caller) => note(hash, caller))
        .finally(() => asked.delete(hash))
      asked.set(hash, own)
      return own
    },
    isKnown: (hash: string): boolean => callers.peek(hash, { allowStale: true }) !== undefined,
    secretOf: (keyId: string): Buffer | undefined => secrets.get(keyId),
    keepSecret: (keyId: string, secret: Buffer): void => void secrets.set(keyId, secret),
  }
}

type TokenName = { readonly lane: number; readonly hash: Buffer }

/** What was looked up under a name; or the fault of its lane, which is none of those that were looked up with it. */
type Named<Found> = { readonly found: Found | undefined } | { readonly fault: unknown }

/** Those that were valid here lately are looked up at once; others are gathered into one query. */
function looksUp<Name extends { readonly lane: number }, Found>(
  find: (names: readonly Name[]) => Promise<readonly (Found | undefined)[]>,
) {
  const gathered = openGatheredLookup((names: readonly Name[]) => foundHere(find, names))
  const own = async (looked: Promise<Named<Found>>): Promise<Found | undefined> => {
    const named = await looked
    if ('fault' in named) throw named.fault
    return named.found
  }
  return { known: async (name: Name) => (await find([name]))[0], strange: (name: Name) => own(gathered(name)) }
}

/** Looks up the names of those lanes that are there: whose lane has gone elsewhere keeps nobody else out. */
async function foundHere<Name extends { readonly lane: number }, Found>(
  find: (names: readonly Name[]) => Promise<readonly (Found | undefined)[]>,
  names: readonly Name[],
): Promise<readonly Named<Found>[]> {
  const ask = async (here: readonly number[]) => {
    const those = names.filter(({ lane }) => here.includes(lane))
    const found = await find(those)
    return new Map(those.map((name, index) => [name, { found: found[index] }]))
  }
  const { answer, fault } = await ofLanesHere([...new Set(names.map(({ lane }) => lane))], ask)
  return names.map((name) => answer.get(name) ?? { fault })
}

const definitely =
  <Name>(find: ForRows<Name>): ForRows<Name> =>
  (scope, names) =>
    definite(find(scope, names))

/** The keys that may act now, in the order of the names. */
async function keysNamed(at: Session, groupOf: GroupOf, names: readonly KeyName[]): Promise<(StoredKey | undefined)[]> {
  const rows = await readFor(at, groupOf, definitely(findApiKeys), names)
  const found = new Map(rows.map(storedKeyFrom).map((key) => [key.keyId, key]))
  return names.map(({ keyId }) => found.get(keyId))
}

async function tokensNamed(
  at: Session,
  groupOf: GroupOf,
  names: readonly TokenName[],
): Promise<(StoredToken | undefined)[]> {
  const rows = await readFor(at, groupOf, definitely(findAccessTokens), names)
  const found = new Map(rows.map(storedTokenFrom).map((token) => [token.hash.toString('hex'), token]))
  return names.map(({ hash }) => found.get(hash.toString('hex')))
}

function callerOf(stored: StoredCaller): Omit<Caller, 'scopes' | 'by' | 'contractId'> {
  const { lane, accountId, profileId, livemode, operates, keyId, memberId, role, addresses } = stored
  const isAllowedFrom = addresses && addressList(addresses)
  return { lane, accountId, profileId, livemode, operates, keyId, memberId, role, isAllowedFrom }
}
