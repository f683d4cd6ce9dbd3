// What the demo hears of its contract: webhooks at a receiver of its own on this machine, or, where the gateway does not
// call such an address, the event stream. Knows no story; what is told when is the demo's business.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyServiceSignature, verifyStandardWebhook } from '../../../sdk/src/signature.ts'
import { CommandFailed } from '../arguments.ts'
import { call, type Place } from '../client.ts'
import { streamEvents } from '../webhooks/event-stream.ts'
import type { EventBody } from '../webhooks/events.ts'
import { nowSeconds } from '../webhooks/local-delivery.ts'
import type { EndpointBody } from '../webhooks/webhook-view.ts'

export type Heard = {
  readonly id: string
  readonly type: string
  readonly sequence: number
  readonly contractId: string
  /** Whether both signatures and the bearer token were right; null where nothing is signed. */
  readonly isGenuine: boolean | null
  /** From the change of the contract to here. */
  readonly afterMs: number
}

export type Hearing = {
  /** The endpoint, or why there is none and the stream is listened to instead. */
  readonly way: { readonly endpoint: EndpointBody } | { readonly because: string }
  /** Tells what was heard of the contract so far, and from now on as it comes. */
  readonly follow: (contractId: string, tell: (heard: Heard) => void) => void
  /** What was heard of the contract once the type is among it, or so far when that takes too long. */
  readonly until: (contractId: string, type: string) => Promise<readonly Heard[]>
  /** Deletes the endpoint, and hears nothing more. */
  readonly end: () => Promise<void>
}

const HEARD_WITHIN_MS = 15_000
const POLL_MS = 50
const BODY_BYTES_MAX = 256 * 1024

type Ear = { readonly heard: Heard[]; tell: (heard: Heard) => void }

/** Listens from now on to everything that happens in the account. */
export async function openHearing(place: Place): Promise<Hearing> {
  const ear: Ear = { heard: [], tell: () => undefined }
  const of = (contractId: string) => ear.heard.filter((each) => each.contractId === contractId)
  const { way, end } = await openWebhooks(place, ear).catch((fault: unknown) => {
    // Only what the gateway refuses is a reason to listen in another way.
    if (fault instanceof CommandFailed && fault.details !== null) return openStream(place, ear, fault.message)
    throw fault
  })
  return {
    way,
    follow: (contractId, tell) => {
      for (const each of of(contractId)) tell(each)
      ear.tell = (heard) => {
        if (heard.contractId === contractId) tell(heard)
      }
    },
    until: async (contractId, type) => {
      const deadline = performance.now() + HEARD_WITHIN_MS
      while (!of(contractId).some((each) => each.type === type) && performance.now() < deadline) await sleep(POLL_MS)
      return of(contractId)
    },
    end,
  }
}

type Opened = Pick<Hearing, 'way' | 'end'>

async function openWebhooks(place: Place, ear: Ear): Promise<Opened> {
  const known: { endpoint: EndpointBody | null } = { endpoint: null }
  const server = createServer((request, response) => {
    answer(request, response, ear, known.endpoint).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const body = { url, events: ['*'], description: 'gateway demo' }
  try {
    const what = { method: 'POST', path: '/webhook-endpoints', body } as const
    const { webhook_endpoint: endpoint } = await call<{ webhook_endpoint: EndpointBody }>(place, what)
    known.endpoint = endpoint
    const end = async () => {
      await call(place, { method: 'DELETE', path: `/webhook-endpoints/${endpoint.id}` })
      closeServer(server)
    }
    return { way: { endpoint }, end }
  } catch (fault) {
    closeServer(server)
    throw fault
  }
}

function closeServer(server: Server): void {
  server.close()
  server.closeAllConnections()
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  ear: Ear,
  endpoint: EndpointBody | null,
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
  hear(ear, body.toString(), isGenuine)
}

function proves({ headers }: IncomingMessage, body: Buffer, { secret, bearer_token: bearer }: EndpointBody): boolean {
  const secrets = secret === null ? [] : [secret]
  const window = { nowSeconds: nowSeconds() }
  return (
    verifyServiceSignature(body, headers['service-signature'], secrets, window).ok &&
    verifyStandardWebhook(body, headers, secrets, window).ok &&
    headers.authorization === `Bearer ${bearer ?? ''}`
  )
}

function hear(ear: Ear, body: string, isGenuine: boolean | null): void {
  const arrivedAt = Date.now()
  const { id, type, sequence, data } = JSON.parse(body) as EventBody
  const { id: contractId, updated_at: changedAt } = data.object
  const heard = { id, type, sequence, contractId, isGenuine, afterMs: arrivedAt - Date.parse(changedAt) }
  // A repetition is known by its id.
  if (ear.heard.some((each) => each.id === id)) return
  ear.heard.push(heard)
  ear.tell(heard)
}

function openStream(place: Place, ear: Ear, because: string): Promise<Opened> {
  const stop = new AbortController()
  return new Promise((resolve, reject) => {
    const end = async () => stop.abort()
    const opened = () => resolve({ way: { because }, end })
    const events = streamEvents({ place, types: null, after: null, stop: stop.signal, opened, lost: () => undefined })
    const listen = async () => {
      for await (const { body } of events) hear(ear, body, null)
    }
    listen().catch(reject)
  })
}
