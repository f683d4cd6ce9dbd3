// Records requests to a gateway and their replies as examples of the operations that they belong to.
import type { Method, Reply, World } from '../../world.ts'
import { steady } from './steady.ts'

type Params = Readonly<Record<string, string>>
export type Asked = {
  readonly params?: Params
  readonly query?: Params
  readonly body?: unknown
  /** The headers that say who asks, in place of the caller's key; none of them is shown. */
  readonly as?: Params
}
type Made = { readonly status: number; readonly reply: unknown } & Omit<Asked, 'as'>

export type Recorder = {
  /** Asks by the operation's name; the first success and the first refusal of each code are kept. */
  readonly ask: (operationId: string, asked?: Asked) => Promise<Reply>
  /** Keeps what a stream told, which has no end, or a file, as the reply of its operation. */
  readonly stream: (operationId: string, asked: Pick<Asked, 'params' | 'query'>, text: string) => void
  /** The first event of each type is kept. */
  readonly event: (event: { readonly type: string }) => void
  /** The id of an API key that was made elsewhere. */
  readonly key: (keyId: string) => void
  /** A value of chance, such as a token, and what is shown wherever it stands. */
  readonly hide: (value: string, shown: string) => void
  /** The file's text: what differs from run to run is replaced by what does not. */
  readonly text: () => string
}

export function openRecorder(world: World): Recorder {
  const beganMs = Date.now()
  const keyIds = new Set([world.caller.keyId])
  const hidden = new Map<string, string>()
  const operations: Record<string, Made> = {}
  const refusals: Record<string, Record<string, Made>> = {}
  const events: Record<string, unknown> = {}
  return {
    ask: async (operationId, asked = {}) => {
      const { params = {}, query = {}, body, as = { 'x-api-key': world.caller.apiKey } } = asked
      const route = world.routes.find((each) => each.operationId === operationId)
      if (!route) throw new Error(`no operation is called ${operationId}`)
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
      const search = new URLSearchParams(query).toString()
      const sent = { ...(body === undefined ? {} : { body }), headers: as }
      const reply = await world.ask(route.method as Method, search ? `${path}?${search}` : path, sent)
      const key = reply.data['key'] as { readonly id: string } | undefined
      if (key) keyIds.add(key.id)
      const shown = { ...(asked.params ? { params } : {}), ...(asked.query ? { query } : {}) }
      const made = { ...shown, ...(body === undefined ? {} : { body }), status: reply.status, reply: reply.body }
      if (reply.status === 200) operations[operationId] ??= made
      else (refusals[operationId] ??= {})[reply.error.code] ??= made
      return reply
    },
    stream: (operationId, asked, text) => {
      operations[operationId] ??= { ...asked, status: 200, reply: text }
    },
    event: (event) => {
      events[event.type] ??= event
    },
    key: (keyId) => void keyIds.add(keyId),
    hide: (value, shown) => void hidden.set(value, shown),
    text: () => {
      const chance = { beganMs, keyIds: [...keyIds], hidden }
      return `${JSON.stringify(steady({ operations, refusals, events }, chance), null, 2)}\n`
    },
  }
}
