// A caller of the API over real connections. No hidden retries: what was sent and what came back is the caller's to know.
import { Pool } from 'undici'

export type Reply = {
  readonly status: number
  readonly code: string | null
  readonly contract: Contract | null
  readonly data: Readonly<Record<string, unknown>>
  readonly replayed: boolean
  /** The contract that the request had made before a restore has undone it; null where the gateway names none. */
  readonly olderId: string | null
}

/** As much of a contract as the checks look at (spec 2.1, docs/design/domain.md). */
export type Contract = {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly status: string
  readonly version: number
  readonly description: string | null
  readonly expires_at: string
  readonly issued_at: string | null
  readonly paid_at: string | null
  readonly deliverable: { readonly reference_id: string | null } | null
  readonly channel: { readonly id: string } | null
  readonly activities: readonly { readonly type: string }[]
  readonly preview: {
    readonly amount: number
    readonly valid: boolean
    readonly fees: { readonly total: number }
    readonly receive_amount: number
  }
  readonly transfer: { readonly status: string; readonly attempts: number; readonly reference: string | null }
  readonly cancellation: { readonly status: string } | null
  readonly refund: { readonly amount: number } | null
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Caller = {
  /** One request. Rejects where no whole answer came: then nobody knows whether it took effect. */
  readonly ask: (method: Method, path: string, body?: unknown, idempotencyKey?: string) => Promise<Reply>
  readonly close: () => Promise<void>
}

const PATIENCE_MS = 15_000

export function openCaller(url: string, apiKey: string, connections: number): Caller {
  const pool = new Pool(url, {
    connections,
    pipelining: 1,
    headersTimeout: PATIENCE_MS,
    bodyTimeout: PATIENCE_MS,
    connectTimeout: PATIENCE_MS,
  })
  return {
    ask: async (method, path, body, idempotencyKey) => {
      const headers: Record<string, string> = { 'x-api-key': apiKey }
      if (body !== undefined) headers['content-type'] = 'application/json'
      if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
      const answer = await pool.request({
        method,
        path,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
      })
      return replyOf(answer.statusCode, await answer.body.text(), answer.headers['idempotent-replayed'] === 'true')
    },
    close: () => pool.destroy(),
  }
}

/** A reply of the API from its status and text. */
function replyOf(status: number, text: string, replayed: boolean): Reply {
  const parsed = JSON.parse(text) as { data?: Record<string, unknown>; error?: { code: string; contract_id?: string } }
  const data = parsed.data ?? {}
  return {
    status,
    code: parsed.error?.code ?? null,
    contract: (data['contract'] as Contract | undefined) ?? null,
    data,
    replayed,
    olderId: parsed.error?.code === 'restored_request' ? (parsed.error.contract_id ?? null) : null,
  }
}

/** Every row of a list, page by page. `path` has its query already, or none. */
export async function askForAll<T>({ ask }: Pick<Caller, 'ask'>, path: string, member: string): Promise<T[]> {
  const all: T[] = []
  let next: string | null = null
  do {
    // An account has few wallets: their list is one page and takes no limit.
    const query: string =
      path === '/wallets' ? '' : `${path.includes('?') ? '&' : '?'}limit=100${next === null ? '' : `&after=${next}`}`
    const reply: Reply = await ask('GET', path + query)
    if (reply.status !== 200) throw new Error(`GET ${path}: ${reply.status} ${reply.code}`)
    all.push(...(reply.data[member] as T[]))
    next = reply.data['next'] as string | null
  } while (next !== null)
  return all
}
