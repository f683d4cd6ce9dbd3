// The sandbox provider that a start has beside it in development: kept by this process, or by the one that started this one.
import { join } from 'node:path'
import type { Log } from '../../platform/log.ts'
import type { Config } from '../config/config.ts'
import type { Development } from '../development.ts'
import { newPlayedSecrets, type PlayedSecrets, registerCallbacks, registerPayments } from './sandbox-callbacks.ts'
import type { ProviderAt } from './sandbox-control.ts'
import { startSandboxProcess } from './sandbox-process.ts'

/** Where the provider is, and the secrets that it signs with. */
export type Provider = {
  /** Null where nothing is played: in production. */
  readonly at: ProviderAt | null
  readonly played: PlayedSecrets
  /** Has it call the gateway back at this address. */
  readonly register: (development: Pick<Development, 'file'>, url: string) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts it where it is to be beside this process. */
export async function openProvider(config: Config, log: Log): Promise<Provider> {
  const { mode, sandboxUrl, dataDir } = config
  const isBeside = mode === 'development' && sandboxUrl === null
  const kept = isBeside ? await startSandboxProcess(join(dataDir, 'sandbox'), log) : null
  if (kept === null) {
    const url = mode === 'development' ? sandboxUrl : null
    return givenProvider({ at: url === null ? null : { url, token: null }, played: [] })
  }
  const played = newPlayedSecrets(config)
  return {
    at: { url: kept.url, token: kept.token },
    played,
    register: async ({ file }, url) => {
      await registerCallbacks(kept, played, url, log)
      const { account_id: accountId, webhook_key: key, webhook_secret: secret } = file
      if (accountId && key && secret) await registerPayments(kept, { accountId, key, secret }, url, log)
    },
    stop: kept.stop,
  }
}

/** What another process needs to use it. */
export type GivenProvider = {
  readonly at: ProviderAt | null
  readonly played: readonly (readonly [rail: string, secret: string])[]
}

/** A provider that somebody else keeps, and registers with. */
export const givenProvider = ({ at, played }: GivenProvider): Provider => ({
  at,
  played: new Map(played),
  register: async () => undefined,
  stop: async () => undefined,
})
