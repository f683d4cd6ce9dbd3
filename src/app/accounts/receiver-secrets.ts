// API keys that providers report events with, and the secrets that sign those. A secret is shown once, when it is made,
// and stored sealed; it is cached in the clear for a second at most.
import { LRUCache } from 'lru-cache'
import { liveTexts, type OpenSecret } from '../../domain/webhook/secrets.ts'
import type { Sealing } from '../../platform/sealing.ts'
import { newApiKey } from '../../platform/credentials.ts'
import type { Session, Statement } from '../../platform/db.ts'
import { insertApiKey } from '../../store/accounts/admin.ts'
import {
  findReceiver,
  lockReceiver,
  type ReceiverKey,
  saveReceiver,
  type StoredReceiver,
  storedReceiverFrom,
} from '../../store/accounts/receiver-secrets.ts'
import type { NewKey } from './accounts.ts'
import { newSigningSecret } from '../webhooks/endpoint-secrets.ts'

export type ReceiverBook = {
  /** The live secrets of a key, the newest first; none for a key that reports no events. */
  readonly secretsOf: (key: ReceiverKey) => readonly string[] | Promise<readonly string[]>
  /** The channels that a key may report on; null for all of its mode. */
  readonly channelsOf: (key: ReceiverKey) => Promise<readonly string[] | null>
}

const PURPOSE = 'receiver secret'
const REMEMBERED_MS = 1000
const REMEMBERED_MAX = 10_000

/** Answers without waiting where a key's secrets are cached. */
export function openReceiverBook(
  reader: Session,
  sealing: Sealing,
  { nowMs, monotonicMs }: { readonly nowMs: () => number; readonly monotonicMs: () => number },
): ReceiverBook {
  const perf = { now: monotonicMs }
  const remembered = new LRUCache<string, Remembered>({
    max: REMEMBERED_MAX,
    ttl: REMEMBERED_MS,
    ttlResolution: 0,
    perf,
  })
  const lookUp = async ({ lane, accountId, keyId }: ReceiverKey): Promise<Remembered> => {
    const [found] = await reader.send([findReceiver({ lane, accountId, keyId })])
    const row = found?.rows[0]
    const stored = row && storedReceiverFrom(row)
    const known = stored ? { secrets: openAll(sealing, stored), channels: stored.channels } : NOTHING
    remembered.set(keyId, known)
    return known
  }
  return {
    secretsOf: (key) => {
      const known = remembered.get(key.keyId)
      return known ? liveTexts(known.secrets, nowMs()) : lookUp(key).then(({ secrets }) => liveTexts(secrets, nowMs()))
    },
    channelsOf: async (key) => (remembered.get(key.keyId) ?? (await lookUp(key))).channels,
  }
}

type Remembered = {
  readonly secrets: readonly OpenSecret[]
  readonly channels: readonly string[] | null
}

const NOTHING: Remembered = { secrets: [], channels: [] }

/** A new key with its first secret; both are shown once. */
export async function createReceiverKey(
  session: Session,
  sealing: Sealing,
  owner: { readonly lane: number; readonly accountId: string },
  wanted: NewKey & { readonly channels?: readonly string[] | null },
  nowMs: number,
): Promise<{ readonly keyId: string; readonly text: string; readonly secret: string }> {
  const { lane, accountId } = owner
  const { keyId, text, hash } = newApiKey(lane, wanted.livemode)
  const secret = newSigningSecret()
  const key = { lane, accountId, keyId, channels: wanted.channels ?? null }
  const statements = [
    insertApiKey({ lane, accountId, ...wanted, keyId, hash }),
    firstSecret(sealing, key, secret, nowMs),
  ]
  return session.transaction([], () => ({ statements, value: { keyId, text, secret } }))
}

/** The first secret of a key with which a provider reports payments. */
export function firstSecret(
  sealing: Sealing,
  key: ReceiverKey & Pick<StoredReceiver, 'channels'>,
  text: string,
  nowMs: number,
): Statement {
  return saveReceiver(sealedAs(sealing, key, [{ text, createdAt: nowMs, expiresAt: null }]))
}

/**
 * A new secret for a key, shown once. The one before holds until the overlap is over, any older one ends now. Null where no
 * live key with secrets has the id.
 */
export async function rollReceiverSecret(
  session: Session,
  sealing: Sealing,
  key: { readonly lane: number; readonly keyId: string },
  overlapSeconds: number,
  nowMs: number,
  alongside: (key: ReceiverKey) => readonly Statement[] = () => [],
): Promise<string | null> {
  return session.transaction<string | null>([lockReceiver(key.lane, key.keyId)], ([found]) => {
    const row = found?.rows[0]
    if (!row) return { statements: [], value: null }
    const before = storedReceiverFrom(row)
    const text = newSigningSecret()
    const [newest] = openAll(sealing, before)
    const older = newest && overlapSeconds > 0 ? [{ ...newest, expiresAt: nowMs + overlapSeconds * 1000 }] : []
    const secrets = [{ text, createdAt: nowMs, expiresAt: null }, ...older]
    return { statements: [saveReceiver(sealedAs(sealing, before, secrets)), ...alongside(before)], value: text }
  })
}

/** Moves the secrets of a key to the one that takes its place, so that its provider changes the key alone. */
export function handOver(sealing: Sealing, before: StoredReceiver, keyId: string): Statement {
  const { lane, accountId, channels } = before
  return saveReceiver(sealedAs(sealing, { lane, accountId, keyId, channels }, openAll(sealing, before)))
}

function openAll(sealing: Sealing, { accountId, keyId, secrets }: StoredReceiver): OpenSecret[] {
  return secrets.map((each) => ({
    text: sealing.open(each.sealed, { accountId, id: keyId, purpose: PURPOSE }),
    createdAt: each.created_at,
    expiresAt: each.expires_at,
  }))
}

/** All of it under one sealing key. */
function sealedAs(
  sealing: Sealing,
  key: ReceiverKey & Pick<StoredReceiver, 'channels'>,
  secrets: readonly OpenSecret[],
): StoredReceiver {
  const { lane, accountId, keyId, channels } = key
  const about = { accountId, id: keyId, purpose: PURPOSE }
  return {
    lane,
    accountId,
    keyId,
    secrets: secrets.map((each) => ({
      sealed: sealing.seal(each.text, about),
      created_at: each.createdAt,
      expires_at: each.expiresAt,
    })),
    sealingKeyId: sealing.keyId,
    channels,
  }
}
