// Keys with which providers send events, as an operator makes them: the key, and the secret that signs, sealed by the
// keys of this installation. No HTTP.
import type { NewKey } from '../../app/accounts/accounts.ts'
import { createReceiverKey, rollReceiverSecret } from '../../app/accounts/receiver-secrets.ts'
import { laneOf } from '../../domain/contract/ids.ts'
import type { Session } from '../../platform/db.ts'
import { openSealing, type Sealing } from '../../platform/sealing.ts'
import { listAccounts } from '../../store/accounts/admin.ts'
import { listReceivers } from '../../store/accounts/receiver-secrets.ts'
import type { Config } from '../config/config.ts'
import { checkSealingKeys, readSealingKeys } from '../database/sealing-keys.ts'

export type NewReceiver = { readonly keyId: string; readonly text: string; readonly secret: string }

export type ReceiverKeys = {
  /** A key and its secret, which are shown once; null where there is no such account. */
  readonly createReceiver: (
    accountId: string,
    wanted: Omit<NewKey, 'livemode'> & { readonly channels?: readonly string[] | null },
  ) => Promise<NewReceiver | null>
  /** A new secret; the one before holds until the overlap is over. Null where no live receiver key has the id. */
  readonly rollSecret: (keyId: string, overlapSeconds: number) => Promise<string | null>
  /** The keys of the account that send events, by id, with the channels that they cover; null for all of their mode. */
  readonly receivers: (accountId: string) => Promise<ReadonlyMap<string, readonly string[] | null>>
}

export function openReceiverKeys(config: Config, reader: Session): ReceiverKeys {
  const checkedSealing = async () => {
    const sealing = sealingOf(config)
    // What another key has sealed could not be opened where this one is used.
    await checkSealingKeys(reader, sealing)
    return sealing
  }
  return {
    createReceiver: async (accountId, wanted) => {
      const [accounts] = await reader.send([listAccounts()])
      const account = accounts?.rows.find((row) => row['account_id'] === accountId)
      if (!account) return null
      const owner = { lane: account['lane'] as number, accountId }
      const key = { ...wanted, livemode: account['livemode'] as boolean }
      return createReceiverKey(reader, await checkedSealing(), owner, key, Date.now())
    },
    rollSecret: async (keyId, overlapSeconds) => {
      const lane = Number.parseInt(keyId.slice(0, 2), 16)
      return rollReceiverSecret(reader, await checkedSealing(), { lane, keyId }, overlapSeconds, Date.now())
    },
    receivers: async (accountId) => {
      const [result] = await reader.send([listReceivers({ lane: laneOf(accountId), accountId })])
      return new Map(
        (result?.rows ?? []).map((row) => [row['key_id'] as string, row['channels'] as string[] | null] as const),
      )
    },
  }
}

export function sealingOf(config: Config): Sealing {
  return openSealing(readSealingKeys(config.sealingKeys, config.dataDir))
}
