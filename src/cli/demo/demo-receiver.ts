// The events that the demo receives of its contracts: webhooks at a receiver of its own on this machine, or, where the
// gateway does not call such an address, the event stream. Knows no story.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyServiceSignature, verifyStandardWebhook } from '../../../sdk/src/signature.ts'
import { CommandFailed } from '../failures.ts'
import { call, post, remove } from '../client.ts'
import type { Place } from '../place.ts'
import { streamEvents } from '../webhooks/event-stream.ts'
import type { ContractEvent } from '../../wire/events.ts'
import { nowSeconds } from '../webhooks/local-delivery.ts'
import type { Endpoint, EndpointData } from '../webhooks/webhook-view.ts'

export type Received = {
  readonly id: string
  readonly type: string
  readonly sequence: number
  readonly contractId: string
  /** Whether both signatures and the bearer token were right; null where nothing is signed. */
  readonly isGenuine: boolean | null
  /** From the change of the contract to here. */
  readonly afterMs: number
}

export type Inbox = {
  /** The endpoint, or why there is none and the stream is read instead. */
  readonly way: { readonly endpoint: Endpoint } | { readonly because: string }
  /** Passes on what came of the contract so far, and from now on what comes. */
  readonly follow: (contractId: string, notify: (received: Received) => void) => void
  /** What came of the contract once the type is among it, or so far when that takes too long. */
  readonly until: (contractId: string, type: string) => Promise<readonly Received[]>
  /** Deletes the endpoint, and receives nothing more. */
  readonly end: () => Promise<void>
}

const RECEIVED_WITHIN_MS = 15_000
const POLL_MS = 50
const BODY_BYTES_MAX = 256 * 1024

type Take = (body: string, isGenuine: boolean | null) => void

/** Receives from now on everything that happens in the account. */
export async function openInbox(place: Place): Promise<Inbox> {
  const all: Received[] = []
  let passOn: (received: Received) => void = () => undefined
  const take: Take = (body, isGenuine) => {
    const received = receivedFrom(body, isGenuine)
    // A repetition is known by its id.
    if (all.some(({ id }) => id === received.id)) return
    all.push(received)
    passOn(received)
  }
  const of = (contractId: string) => all.filter((each) => each.contractId === contractId)
  const { way, end } = await openWebhooks(place, take).catch((fault: unknown) => {
    // Only what the gateway refuses is a reason to receive in another way.
    if (fault instanceof CommandFailed && fault.details !== null) return openStream(place, take, fault.message)
    throw fault
  })
  return {
    way,
    follow: (contractId, notify) => {
      for (const each of of(contractId)) notify(each)
      passOn = (received) => {
        if (received.contractId === contractId) notify(received)
      }
    },
    until: async (contractId, type) => {
      const deadline = performance.now() + RECEIVED_WITHIN_MS
      while (!of(contractId).some((each) => each.type === type) && performance.now() < deadline) await sleep(POLL_MS)
      return of(contractId)
    },
    end,
  }
}

function receivedFrom(body: string, isGenuine: boolean | null): Received {
  const { id, type, sequence, data } = JSON.parse(body) as ContractEvent
  const { id: contractId, updated_at: changedAt } = data.object
  return { id, type, sequence, contractId, isGenuine, afterMs: Date.now() - Date.parse(changedAt) }
}

type Opened = Pick<Inbox, 'way' | 'end'>

async function openWebhooks(place: Place, take: Take): Promise<Opened> {
  const known: { endpoint: Endpoint | null } = { endpoint: null }
  const server = createServer((request, response) => {
    receive(request, response, take, known.endpoint).catch(() => response.destroy())
  })
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const body = { url, events: ['*'], description: 'gateway demo' }
  try {
    const data = await call<EndpointData>(place, post('/webhook-endpoints', body))
    const endpoint = data.webhook_endpoint
    known.endpoint = endpoint
    const end = async () => {
      await call(place, remove(`/webhook-endpoints/${endpoint.id}`))
      close()
    }
    return { way: { endpoint }, end }
  } catch (fault) {
    close()
    throw fault
  }
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  take: Take,
  endpoint: Endpoint | null,
): Promise<void> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) return void response.writeHead(413).end()
    chunks.push(chunk)
  }
  // An event of somebody else may be quicker than the secret: it comes again.
  if (endpoint === null) return void response.writeHead(503).end()
  const body = Buffer.concat(chunks)
  const isGenuine = proves(request, body, endpoint)
  response.writeHead(isGenuine ? 200 : 400, { 'content-type': 'application/json' }).end('{}')
  take(body.toString(), isGenuine)
}

function proves({ headers }: IncomingMessage, body: Buffer, { secret, bearer_token: bearer }: Endpoint): boolean {
  const secrets = secret === null ? [] : [secret]
  const window = { nowSeconds: nowSeconds() }
  return (
    verifyServiceSignature(body, headers['service-signature'], secrets, window).ok &&
    verifyStandardWebhook(body, headers, secrets, window).ok &&
    headers.authorization === `Bearer ${bearer ?? ''}`
  )
}

function openStream(place: Place, take: Take, because: string): Promise<Opened> {
  const stop = new AbortController()
  return new Promise((resolve, reject) => {
    const end = async () => stop.abort()
    const opened = () => resolve({ way: { because }, end })
    const events = streamEvents({ place, types: null, after: null, stop: stop.signal, opened, lost: () => undefined })
    const read = async () => {
      for await (const { body } of events) take(body, null)
    }
    read().catch(reject)
  })
}
