// A receiver of webhooks in the test's own process, written with the libraries a user would take; and ways to write it wrong.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'

export type Received = {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly event: { readonly id: string; readonly type: string; readonly sequence: number }
  /** Whether both libraries believe it. */
  readonly isGenuine: boolean
}

type Answer = { readonly status: number; readonly body?: string; readonly afterMs?: number }
/** What a receiver answers to a request; `before` are those it had answered already. */
export type Receiving = (received: Received, before: readonly Received[]) => Answer

export type Receiver = {
  readonly url: string
  readonly received: Received[]
  /** The secret that it goes by; may be told later. */
  secret: string
  readonly close: () => Promise<void>
}

const { webhooks: stripe } = new Stripe('sk_test_x')

/** As it should be: verified, and 2xx with a JSON object. */
export const correct: Receiving = ({ isGenuine }) => ({ status: isGenuine ? 200 : 400, body: '{}' })

export async function openReceiver(secret: string, receive: Receiving): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const { headers } = request
      const one = { headers, body, event: JSON.parse(body.toString()) as Received['event'] }
      const judged = { ...one, isGenuine: believes(receiver.secret, body, headers) }
      const { status, body: text = '', afterMs = 0 } = receive(judged, [...received])
      received.push(judged)
      void sleep(afterMs).then(() => response.writeHead(status, { 'content-type': 'application/json' }).end(text))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    received,
    secret,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

function believes(secret: string, body: Buffer, headers: IncomingHttpHeaders): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    stripe.constructEvent(body, String(headers['service-signature']), secret)
    return true
  } catch {
    return false
  }
}
