// Who is calling, from a key or a token; and new tokens. Answers are remembered for a second at most, and writes check
// the key again in their own transaction, so that a revocation holds at once for all that moves money.
import { timingSafeEqual } from 'node:crypto'
import { isScope, type Scope, TOKEN_SCOPES } from '../domain/scopes.ts'
import {
  credentialFingerprint,
  credentialHash,
  newAccessToken,
  readAccessToken,
  readApiKey,
} from '../platform/credentials.ts'
import type { Session } from '../platform/db.ts'
import {
  findAccessToken,
  findApiKey,
  insertAccessToken,
  type StoredCaller,
  storedKeyFrom,
  storedTokenFrom,
} from '../store/callers.ts'

export type Caller = {
  readonly lane: number
  readonly accountId: string
  readonly profileId: string
  readonly livemode: boolean
  readonly keyId: string
  readonly scopes: ReadonlySet<Scope>
  /** Set for a token that is bound to one contract. */
  readonly contractId: string | null
}

export type CallerBook = {
  /** The caller behind an API key, or null. Answers without waiting where it is remembered. */
  readonly byApiKey: (text: string) => Caller | null | Promise<Caller | null>
  readonly byToken: (text: string) => Caller | null | Promise<Caller | null>
  /** A new access token for the caller, in seconds, optionally bound to one contract. */
  readonly issueToken: (caller: Caller, lifetimeSeconds: number, contractId: string | null) => Promise<string>
}

const REMEMBERED_MS = 1000
const REMEMBERED_MAX = 10_000

export function openCallerBook(reader: Session, nowMs: () => number): CallerBook {
  // By the credential's hash, so that no secret stays in memory longer than its request.
  const remembered = new Map<string, { readonly caller: Caller | null; readonly untilMs: number }>()

  const recall = (text: string, find: () => Promise<Caller | null>): Caller | null | Promise<Caller | null> => {
    const hash = credentialFingerprint(text)
    const known = remembered.get(hash)
    if (known && known.untilMs > nowMs()) return known.caller
    return find().then((caller) => {
      if (remembered.size >= REMEMBERED_MAX) remembered.clear()
      remembered.set(hash, { caller, untilMs: nowMs() + REMEMBERED_MS })
      return caller
    })
  }

  return {
    byApiKey: (text) => {
      const read = readApiKey(text)
      return read ? recall(text, () => callerOfKey(reader, read, text)) : null
    },
    byToken: (text) => {
      const read = readAccessToken(text)
      return read ? recall(text, () => callerOfToken(reader, read.lane, text)) : null
    },
    issueToken: async ({ lane, accountId, keyId }, lifetimeSeconds, contractId) => {
      const { text, hash } = newAccessToken(lane)
      await reader.send([insertAccessToken({ lane, accountId, keyId, hash, contractId, lifetimeSeconds })])
      return text
    },
  }
}

async function callerOfKey(
  reader: Session,
  read: { lane: number; keyId: string },
  text: string,
): Promise<Caller | null> {
  const [result] = await reader.send([findApiKey(read.lane, read.keyId)])
  const row = result?.rows[0]
  if (!row) return null
  const stored = storedKeyFrom(row)
  if (!timingSafeEqual(stored.secretHash, credentialHash(text))) return null
  return { ...callerOf(stored), scopes: new Set(stored.scopes.filter(isScope)), contractId: null }
}

async function callerOfToken(reader: Session, lane: number, text: string): Promise<Caller | null> {
  const [result] = await reader.send([findAccessToken(lane, credentialHash(text))])
  const row = result?.rows[0]
  if (!row) return null
  const stored = storedTokenFrom(row)
  return { ...callerOf(stored), scopes: new Set(TOKEN_SCOPES), contractId: stored.contractId }
}

function callerOf(stored: StoredCaller): Omit<Caller, 'scopes' | 'contractId'> {
  const { lane, accountId, profileId, livemode, keyId } = stored
  return { lane, accountId, profileId, livemode, keyId }
}
