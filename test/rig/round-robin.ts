// A small proxy before several gateways, as a load balancer is: it asks each whether it is ready, gives requests to those that are,
// in turn, and tries nothing twice.
import { Agent, createServer, type IncomingMessage, request as ask, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type RoundRobin = {
  readonly url: string
  /** From now on it is asked whether it is ready. */
  readonly add: (url: string) => void
  readonly close: () => Promise<void>
}

const LOOK_MS = 100

export async function openRoundRobin(): Promise<RoundRobin> {
  const all = new Set<string>()
  const ready = new Set<string>()
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const server = createServer((request, reply) => {
    const target = [...ready][turn++ % Math.max(1, ready.size)]
    if (target === undefined) return void reply.writeHead(502).end('nobody is ready')
    passOn(agent, target, request, reply)
  })
  const look = setInterval(() => {
    for (const url of all)
      fetch(`${url}/readyz`).then(
        async (answer) => {
          await answer.arrayBuffer()
          if (answer.ok) ready.add(url)
          else ready.delete(url)
        },
        () => ready.delete(url),
      )
  }, LOOK_MS)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (url) => {
      all.add(url)
      ready.add(url)
    },
    close: () =>
      new Promise((resolve) => {
        clearInterval(look)
        agent.destroy()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function passOn(agent: Agent, target: string, request: IncomingMessage, reply: ServerResponse): void {
  const { method, url = '', headers } = request
  const onwards = ask(
    target + url,
    { agent, method, headers: { ...headers, host: new URL(target).host } },
    (answer) => {
      const { connection: _, 'keep-alive': __, ...shown } = answer.headers
      reply.writeHead(answer.statusCode ?? 502, shown)
      answer.pipe(reply)
    },
  )
  onwards.on('error', (fault: NodeJS.ErrnoException) => {
    if (reply.headersSent) reply.destroy()
    else reply.writeHead(502).end(`${fault.code} at ${method} ${url}`)
  })
  request.pipe(onwards)
}
