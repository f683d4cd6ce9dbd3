// A road to a gateway that fails as roads do: connections cut before, while or after the gateway works, answers of a proxy in
// between, silence. What happens to each request is decided by whoever drives the test.
import { createServer, type IncomingMessage, request as ask, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** What becomes of one request. */
export type Fate =
  | 'passes'
  | 'is cut before it arrives'
  | 'loses its answer'
  | 'gets half of its answer'
  | 'is never answered'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

export type Seen = {
  readonly method: string
  readonly path: string
  readonly key: string | undefined
  readonly body: string
  readonly fate: Fate
}

export type UnsteadyProxy = {
  readonly url: string
  /** Every request so far, in order. */
  readonly seen: Seen[]
  /** Cuts every connection that is open. */
  readonly cutAll: () => void
  readonly close: () => Promise<void>
}

export async function openUnsteadyProxy(
  target: string,
  fateOf: (count: number, path: string) => Fate,
): Promise<UnsteadyProxy> {
  const seen: Seen[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, reply) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts)
      const { method = '', url = '', headers } = request
      const fate = fateOf(seen.length + 1, url)
      seen.push({ method, path: url, key: headers['idempotency-key']?.toString(), body: body.toString(), fate })
      meet(target, request, body, reply, fate)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    cutAll,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        cutAll()
      }),
  }
}

function meet(target: string, request: IncomingMessage, body: Buffer, reply: ServerResponse, fate: Fate): void {
  if (fate === 'is never answered') return
  if (fate === 'is cut before it arrives') return void reply.destroy()
  if (typeof fate === 'object') return void reply.writeHead(fate.status, fate.headers).end(fate.body ?? '')
  const { method, url = '', headers } = request
  const onwards = ask(target + url, { method, headers: { ...headers, host: new URL(target).host } }, (answer) => {
    if (fate === 'loses its answer') return void answer.resume().once('end', () => reply.destroy())
    reply.writeHead(answer.statusCode ?? 500, answer.headers)
    if (fate === 'passes') return void answer.pipe(reply)
    answer.once('data', (part: Buffer) => reply.write(part.subarray(0, part.length / 2), () => reply.destroy()))
  })
  onwards.on('error', () => reply.destroy())
  reply.on('close', () => onwards.destroy())
  onwards.end(body)
}
