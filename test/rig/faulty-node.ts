// A node that can be made to fail: it hands every call on to the real one, and spoils the ones a test names, before or
// after the real one has heard them.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `before`: the real node never hears the call. `after`: it does, and the answer is what fails. */
export type Fault = {
  readonly when: 'before' | 'after'
  /** Calls alone that contain it; else every one of the method. */
  readonly where?: string
  /**
   * What comes instead of the answer. A text is sent as the body with status 200. `leaves`: the connection is reset, and so is
   * that of every call after it, of any method, until the fault is taken away.
   */
  readonly how:
    | 'hangs'
    | 'resets'
    | 'leaves'
    | 'fails'
    | { readonly body: string }
    | { readonly result: unknown }
    | Refusal
}

const AWAY: Fault = { when: 'before', how: 'resets' }

type Refusal = { readonly error: { readonly code: number; readonly message: string } }

export type FaultyNode = {
  readonly url: string
  /** The methods that were called, in order. */
  readonly calls: readonly string[]
  /** Spoils every call of the method from now on; null to let it pass again. */
  readonly spoil: (method: string, fault: Fault | null) => void
  readonly close: () => Promise<void>
}

type Call = { readonly id: number; readonly method: string }

export async function startFaultyNode(realUrl: string): Promise<FaultyNode> {
  const faults = new Map<string, Fault>()
  const calls: string[] = []
  /** The method whose call was the last that the node heard, while it is away. */
  let left: string | null = null
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const call = JSON.parse(body) as Call
      calls.push(call.method)
      const own = faults.get(call.method)
      const meant = own?.where === undefined || body.includes(own.where) ? own : undefined
      const fault = left === null ? meant : AWAY
      if (fault?.how === 'leaves') left = call.method
      void answer(realUrl, body, call, fault, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    spoil: (method, fault) => {
      if (left === method) left = null
      if (fault === null) faults.delete(method)
      else faults.set(method, fault)
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(
  realUrl: string,
  body: string,
  { id }: Call,
  fault: Fault | undefined,
  response: ServerResponse,
): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const truth = fault?.when === 'before' ? '' : await (await fetch(realUrl, { method: 'POST', headers, body })).text()
  if (!fault) return void response.writeHead(200, headers).end(truth)
  const { how } = fault
  if (how === 'hangs') return
  if (how === 'resets' || how === 'leaves') return void response.socket?.resetAndDestroy()
  if (how === 'fails') return void response.writeHead(502).end('<html>Bad Gateway</html>')
  response.writeHead(200, headers).end('body' in how ? how.body : JSON.stringify({ jsonrpc: '2.0', id, ...how }))
}
