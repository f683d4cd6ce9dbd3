// The control of the sandbox provider, for developers of test accounts: only where this start has the token that opens it.
import type { Sandbox } from '../../app/sandbox/sandbox.ts'
import { openSandboxControl } from '../../connectors/sandbox/control.ts'
import type { PlayedRail } from '../../domain/channel/sandbox.ts'
import { openOutbound } from '../../platform/outbound.ts'
import { connectorKind, isPlayed } from '../channels/offered-channels.ts'
import type { Config } from '../config/config.ts'

/** Where a provider is, and what opens its control; null for one that somebody else started. */
export type ProviderAt = { readonly url: string; readonly token: string | null }

// Apart from the rails, which must not wait for a page of books.
const CONNECTIONS = 8
const TIMEOUT_MS = 5000

type Beside = { readonly sandbox: Sandbox | null; readonly close: () => Promise<void> }

export function openSandbox(provider: ProviderAt | null, config: Pick<Config, 'channels' | 'rails'>): Beside {
  if (!provider || provider.token === null) return { sandbox: null, close: async () => {} }
  const { url, token } = provider
  const outbound = openOutbound({ connectionsPerOrigin: CONNECTIONS })
  const control = openSandboxControl({ outbound, url, token, timeoutMs: TIMEOUT_MS })
  return { sandbox: { control, rails: playedRails(config) }, close: outbound.close }
}

function playedRails({ channels, rails }: Pick<Config, 'channels' | 'rails'>): PlayedRail[] {
  const played = channels.filter((channel) => isPlayed({ rails }, connectorKind(channel)))
  const names = [...new Set(played.map(connectorKind))]
  return names.map((rail) => ({
    rail,
    channels: played.filter((channel) => connectorKind(channel) === rail).map(({ id }) => id),
  }))
}
