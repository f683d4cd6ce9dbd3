// One session of the tools: a key, the gateway as that key sees it, and confirmations of its own. Says which keys may be used
// by a program that decides for itself.
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { GatewayError } from '../../../sdk/src/index.ts'
import { gatewayAt } from '../client.ts'
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
  'Nothing bounds what an agent may spend with this key in all. Give it a mandate: gateway api-keys create --mandate (docs/mcp.md).'

export async function openMcpSession(
  apiKey: string,
  { baseUrl, allowsAnyKey, nowMs }: SessionSettings,
): Promise<McpSession | Refused> {
  const gateway = gatewayAt({ baseUrl, apiKey })
  const key = await gateway.keys.current().catch((fault: unknown) => refusedBy(fault))
  if ('refused' in key) return key
  const warning = key.mandate === null ? UNBOUND : null
  if (warning !== null && key.livemode && !allowsAnyKey)
    return { refused: `${warning} With real money such a key is refused, but with --allow-any-key.`, status: 403 }
  return { server: openServer({ gateway, confirmations: openConfirmations(nowMs) }), warning }
}

/** What the gateway says of a key that it does not take; where there is no gateway, that. */
function refusedBy(fault: unknown): Refused {
  if (!(fault instanceof GatewayError)) throw fault
  return { refused: fault.message, status: fault.status === 0 ? 502 : fault.status }
}
