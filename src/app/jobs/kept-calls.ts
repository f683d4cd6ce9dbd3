// What of a call to a rail is kept beside its report: made only where the report is no definite success, so that the others cost
// nothing (docs/adr/0048-what-a-channel-said-is-kept.md).
import {
  EXCHANGES_KEPT,
  type Hidden,
  isWorthKeeping,
  type KeptCall,
  type KeptExchange,
  redacted,
  TEXT_KEPT,
} from '../../domain/channel/exchange.ts'
import type { Connector } from '../../connectors/connector.ts'
import type { Exchange } from '../../platform/exchanges.ts'

/** Opens a channel's connector for one call, whose exchanges are noted; none where the channel calls nobody over HTTP. */
export type NotedConnectors = (channelId: string, exchanges: Exchange[]) => Connector | undefined

/** The connector for one call, and what it will have exchanged. */
export function forOneCall(
  connectors: ReadonlyMap<string, Connector>,
  noted: NotedConnectors | undefined,
  channelId: string,
): { readonly connector: Connector | undefined; readonly exchanges: readonly Exchange[] } {
  const exchanges: Exchange[] = []
  return { connector: noted?.(channelId, exchanges) ?? connectors.get(channelId), exchanges }
}

/** What is kept of a call; null where it ended well, or nothing was exchanged. */
export function keptCall(
  { attempt, fence, outcome }: Omit<KeptCall, 'exchanges'>,
  exchanges: readonly Exchange[],
  hidden: Hidden,
): KeptCall | null {
  if (exchanges.length === 0 || !isWorthKeeping(outcome)) return null
  const kept = exchanges.slice(-EXCHANGES_KEPT).map((exchange) => keptExchange(exchange, hidden))
  return { attempt, fence, outcome, exchanges: kept }
}

function keptExchange({ ask, reply, atMs, durationMs }: Exchange, hidden: Hidden): KeptExchange {
  const { pathname, search } = new URL(ask.url)
  const isReply = reply.kind === 'response'
  const cut = (text: string | Buffer) => redacted(beginningOf(text), hidden)
  return {
    method: ask.method,
    path: cut(decoded(pathname + search)),
    request: ask.body === null ? null : cut(ask.body),
    status: isReply ? reply.status : null,
    fault: isReply ? null : `${reply.kind}: ${reply.reason}`,
    response: isReply && reply.body.length > 0 ? cut(reply.body) : null,
    durationMs,
    at: atMs,
  }
}

/** As it is meant: an account number must not hide behind an escape. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The database keeps no NUL and no half of a surrogate pair. */
function beginningOf(text: string | Buffer): string {
  const whole = typeof text === 'string' ? text : text.toString('utf8', 0, 4 * TEXT_KEPT)
  const clean = whole.slice(0, TEXT_KEPT).replaceAll('\0', '\ufffd')
  return (clean as string & { toWellFormed(): string }).toWellFormed()
}
