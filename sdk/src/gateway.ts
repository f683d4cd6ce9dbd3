// The client: every operation of the API, and what a client adds to them. Made for one caller; keeps nothing but its settings.
import type { Calls } from './calls.gen.ts'
import { type CommandRunning, openCommands } from './commands.ts'
import type { ById, InStatus } from './contracts.ts'
import { followEvents, type FollowOptions, followStream, type StreamOptions } from './follow.ts'
import { VERSION } from './operations.gen.ts'
import { operationsOf } from './operations.ts'
import type { ServerMessage } from './sse.ts'
import { type Call, openTransport, type Query, type Settings } from './transport.ts'
import type { EventType, GatewayEvent, PaymentStatus, TransferStatus } from './types.gen.ts'
import { type Kind, openWaiter, type WaitOptions } from './wait.ts'

type Waits<K extends Kind, Status extends string> = {
  /**
   * The contract as soon as it stands as wanted: told by the stream of events, and asked now and then. Throws
   * `status_unreachable` where it has taken another way, `wait_timeout` where it takes too long.
   */
  readonly waitUntil: <S extends Status>(
    contract: { readonly id: string; readonly kind: K } | ById,
    wanted: S | readonly S[],
    options?: WaitOptions,
  ) => Promise<InStatus<K, S>>
}

type Follow = Omit<FollowOptions, 'types'> & { readonly types?: readonly EventType[] | undefined }

export type Gateway = Omit<Calls, 'transfers' | 'payments' | 'events' | 'commands'> & {
  /** Where the gateway is. */
  readonly url: string
  readonly transfers: Calls['transfers'] & Waits<'transfer', TransferStatus>
  readonly payments: Calls['payments'] & Waits<'payment', PaymentStatus>
  readonly commands: Calls['commands'] & CommandRunning
  readonly events: Calls['events'] & {
    /** Events as they happen, without a gap and without a repetition, however often the connection is lost. */
    readonly follow: (options?: Follow) => AsyncGenerator<GatewayEvent, void>
    /** The same, each as the very text that a webhook of it has as its body. */
    readonly messages: (options?: Follow) => AsyncGenerator<ServerMessage, void>
  }
  /** Any call by method and path: the `data` of its reply, or the reply itself where it has none. */
  readonly call: <T = unknown>(call: Call) => Promise<T>
  /** Any stream of server-sent events by its path, such as /requests/stream, however often the connection is lost. */
  readonly stream: (path: string, query?: Query, options?: StreamOptions) => AsyncGenerator<ServerMessage, void>
  /** Any call whose reply is no JSON, such as a statement as CSV; its body is yours to read. */
  readonly open: (call: Call) => Promise<Response>
}

/** A client for one account's key, one token, or the session of the page it runs in. */
export function createGateway(settings: Settings = {}): Gateway {
  const transport = openTransport(settings, VERSION)
  const operations = operationsOf(transport) as unknown as Calls
  const waitUntil = openWaiter(transport)
  const waiting = <K extends Kind, Status extends string>(kind: K): Waits<K, Status> => ({
    waitUntil: (contract, wanted, options) =>
      waitUntil(kind, contract.id, [wanted].flat() as string[], options) as Promise<never>,
  })
  return {
    ...operations,
    url: transport.url,
    transfers: { ...operations.transfers, ...waiting('transfer') },
    payments: { ...operations.payments, ...waiting('payment') },
    commands: { ...operations.commands, ...openCommands(operations.commands) },
    events: {
      ...operations.events,
      messages: (options) => followEvents(transport, options),
      follow: async function* (options) {
        for await (const { data } of followEvents(transport, options)) yield JSON.parse(data) as GatewayEvent
      },
    },
    call: async <T>(call: Call) => {
      const reply = (await transport.call(call)) as { readonly data?: unknown }
      return (reply.data === undefined ? reply : reply.data) as T
    },
    stream: (path, query = {}, options = {}) => followStream(transport, path, query, options),
    open: transport.open,
  }
}
