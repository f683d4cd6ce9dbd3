// One session of the tools: a key, the gateway as that key sees it, and confirmations of its own. Says which keys may be used
// by a program that decides for itself.
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { gatewayAt } from '../client.ts'
import { isLiveKey } from '../place.ts'
import { openConfirmations } from './confirmations.ts'
import { openServer } from './server.ts'

export type SessionSettings = {
  readonly baseUrl: string
  /** Whether a live key is taken that nothing bounds. */
  readonly allowsAnyKey: boolean
  readonly nowMs: () => number
}

export type McpSession = { readonly server: Server; readonly warning: string | null }
export type Refused = { readonly refused: string; readonly status: number }

const UNBOUND =
  'Nothing bounds what an agent may spend with this key. Give it transfer_max and few scopes: gateway api-keys create --max.'

export async function openMcpSession(
  apiKey: string,
  { baseUrl, allowsAnyKey, nowMs }: SessionSettings,
): Promise<McpSession | Refused> {
  if (isLiveKey(apiKey) && !allowsAnyKey)
    return { refused: `${UNBOUND} With real money such a key is refused, but with --allow-any-key.`, status: 403 }
  const gateway = gatewayAt({ baseUrl, apiKey })
  return { server: openServer({ gateway, confirmations: openConfirmations(nowMs) }), warning: UNBOUND }
}
