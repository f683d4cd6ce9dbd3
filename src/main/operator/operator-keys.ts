// API keys as an operator makes and ends them on the database itself: by the use cases that HTTP has, bounded by nothing, each
// with its entry in the account's audit list. And the secrets with which providers sign, sealed by the keys of this installation.
import type { IdSource } from '../../app/accounts/accounts.ts'
import { createKey, type RevealedKey, revokeKey, rollKey, type WantedKey } from '../../app/accounts/keys.ts'
import { ownAccount } from '../../app/accounts/own-account.ts'
import { firstSecret, rollReceiverSecret } from '../../app/accounts/receiver-secrets.ts'
import { newSigningSecret } from '../../app/webhooks/endpoint-secrets.ts'
import { changedBy, operatorChanges, operatorEntry } from '../../app/operator/operator-changes.ts'
import { isUuid, laneOf } from '../../domain/contract/ids.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import type { Row, Session, Statement } from '../../platform/db.ts'
import { openSealing, type Sealing } from '../../platform/sealing.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { listApiKeys } from '../../store/accounts/admin.ts'
import { findApiKey, storedKeyFrom } from '../../store/accounts/callers.ts'
import { listReceivers } from '../../store/accounts/receiver-secrets.ts'
import type { Config } from '../config/config.ts'
import { checkSealingKeys, readSealingKeys } from '../database/sealing-keys.ts'

export type StoredKey = {
  readonly keyId: string
  readonly accountId: string
  readonly name: string
  readonly livemode: boolean
  readonly scopes: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  /** A day in UTC, YYYY-MM-DD. */
  readonly lastUsedOn: string | null
}

export type NewKeyText = { readonly keyId: string; readonly text: string }
export type NewReceiver = NewKeyText & { readonly secret: string }
type Wanted = Omit<WantedKey, 'livemode'>

export type OperatorKeys = {
  /** The account's keys, oldest first; their secrets are kept nowhere. */
  readonly keys: (accountId: string) => Promise<StoredKey[]>
  /** The new key's id and its text, which is shown once; null where there is no such account. */
  readonly createKey: (accountId: string, wanted: Wanted) => Promise<NewKeyText | null | Refusal>
  /** Ends a key at once; false where no live key has the id. */
  readonly revokeKey: (keyId: string) => Promise<boolean | Refusal>
  /** Makes a key like this one, which ends after the overlap; null where no live key has the id. */
  readonly rollKey: (keyId: string, overlapSeconds: number) => Promise<NewKeyText | null | Refusal>
  /** A key and its secret, which are shown once; null where there is no such account. */
  readonly createReceiver: (
    accountId: string,
    wanted: Wanted & { readonly channels?: readonly string[] | null },
  ) => Promise<NewReceiver | null | Refusal>
  /** A new secret; the one before holds until the overlap is over. Null where no live receiver key has the id. */
  readonly rollSecret: (keyId: string, overlapSeconds: number) => Promise<string | null>
  /** The keys of the account that send events, by id, with the channels that they cover; null for all of their mode. */
  readonly receivers: (accountId: string) => Promise<ReadonlyMap<string, readonly string[] | null>>
}

/** The oldest key of the account that its owner can work with now: neither over nor a provider's, which only sends events. */
export async function usableKey(
  office: Pick<OperatorKeys, 'keys' | 'receivers'>,
  accountId: string,
): Promise<StoredKey | null> {
  const receivers = await office.receivers(accountId)
  return (await office.keys(accountId)).find((key) => isOpen(key) && !receivers.has(key.keyId)) ?? null
}

const isOpen = ({ revokedAt, expiresAt }: StoredKey) =>
  revokedAt === null && (expiresAt === null || expiresAt.getTime() > Date.now())

export function openOperatorKeys(config: Config, reader: Session, ids: IdSource, by: () => string): OperatorKeys {
  const changes = operatorChanges({ reader, ids })
  const checkedSealing = async () => {
    const sealing = sealingOf(config)
    // What another key has sealed could not be opened where this one is used.
    await checkSealingKeys(reader, sealing)
    return sealing
  }
  const made = async (
    accountId: string,
    wanted: Wanted,
    alongside?: (owner: AccountKey) => (keyId: string, nowMs: number) => readonly Statement[],
  ): Promise<NewKeyText | null | Refusal> => {
    const owner = { lane: laneOf(accountId), accountId }
    const account = isUuid(accountId) ? await ownAccount(reader, owner) : null
    if (!account) return null
    const key = { ...wanted, livemode: account.livemode }
    return textOf(await createKey(changes, changedBy(owner, by()), 'operator', key, alongside?.(owner)))
  }
  return {
    keys: async (accountId) => {
      const [result] = await reader.send([listApiKeys({ lane: laneOf(accountId), accountId })])
      return (result?.rows ?? []).map((row) => keyFrom(accountId, row))
    },
    createKey: (accountId, wanted) => made(accountId, wanted),
    revokeKey: async (keyId) => {
      const owner = await ownerOfKey(reader, keyId)
      if (!owner) return false
      const revoked = await revokeKey(changes, changedBy(owner, by()), keyId)
      return isRefusal(revoked) ? revoked : true
    },
    rollKey: async (keyId, overlapSeconds) => {
      const owner = await ownerOfKey(reader, keyId)
      if (!owner) return null
      const changer = changedBy(owner, by())
      return textOf(await rollKey(changes, () => sealingOf(config), changer, 'operator', keyId, { overlapSeconds }))
    },
    createReceiver: async (accountId, { channels = null, ...wanted }) => {
      const [sealing, secret] = [await checkedSealing(), newSigningSecret()]
      const key = await made(accountId, wanted, (owner) => (keyId, nowMs) => [
        firstSecret(sealing, { ...owner, keyId, channels }, secret, nowMs),
      ])
      return key === null || isRefusal(key) ? key : { ...key, secret }
    },
    rollSecret: async (keyId, overlapSeconds) => {
      const key = { lane: laneOfKey(keyId), keyId }
      const rolled = {
        action: 'key.secret_rolled',
        object: { type: 'key', id: keyId },
        before: null,
        after: null,
      } as const
      const entry = (owner: AccountKey) => [operatorEntry({ ids }, owner, by(), rolled)]
      return rollReceiverSecret(reader, await checkedSealing(), key, overlapSeconds, Date.now(), entry)
    },
    receivers: (accountId) => receiversOf(reader, { lane: laneOf(accountId), accountId }),
  }
}

async function receiversOf(reader: Session, owner: AccountKey): Promise<Map<string, readonly string[] | null>> {
  const [result] = await reader.send([listReceivers(owner)])
  return new Map(
    (result?.rows ?? []).map((row) => [row['key_id'] as string, row['channels'] as string[] | null] as const),
  )
}

const textOf = (made: RevealedKey | Refusal): NewKeyText | Refusal =>
  isRefusal(made) ? made : { keyId: made.key.id, text: made.text }

const laneOfKey = (keyId: string) => Number.parseInt(keyId.slice(0, 2), 16)

/** Whose key it is; null where no live key has the id. */
async function ownerOfKey(reader: Session, keyId: string): Promise<AccountKey | null> {
  const [found] = await reader.send([findApiKey(laneOfKey(keyId), keyId)])
  const row = found?.rows[0]
  if (!row) return null
  const { lane, accountId } = storedKeyFrom(row)
  return { lane, accountId }
}

function keyFrom(accountId: string, row: Row): StoredKey {
  return {
    keyId: row['key_id'] as string,
    accountId,
    name: row['name'] as string,
    livemode: row['livemode'] as boolean,
    scopes: row['scopes'] as string[],
    createdAt: row['created_at'] as Date,
    expiresAt: row['expires_at'] as Date | null,
    revokedAt: row['revoked_at'] as Date | null,
    lastUsedOn: row['last_used_on'] as string | null,
  }
}

export function sealingOf(config: Config): Sealing {
  return openSealing(readSealingKeys(config.sealingKeys, config.dataDir))
}
