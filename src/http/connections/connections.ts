// How many connections there may be: in all, and from one address. Where there is no room the oldest one that has no
// request under way is closed for the new one, so that idle sockets block no new caller.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../../platform/addresses.ts'

export type ConnectionLimits = {
  readonly max: number
  readonly perAddress: number
  /** Addresses that stand for many clients, such as a proxy: only the limit in all holds for them. */
  readonly isExempt: (address: string) => boolean
}

export type Connections = {
  readonly all: ReadonlySet<Socket>
  /** No request is under way on it; one may be on its way. */
  readonly isIdle: (socket: Socket) => boolean
  /** Its answer is written whole, though the client may not have read it yet. */
  readonly isAnswered: (socket: Socket) => boolean
}

/** What Node's own closeIdleConnections checks: the answer that a socket is to carry, from its head on to its end. */
type Serving = Socket & { readonly _httpMessage?: { readonly writableEnded: boolean } | null }
const isIdle = (socket: Socket) => !(socket as Serving)._httpMessage
const isAnswered = (socket: Socket) => (socket as Serving)._httpMessage?.writableEnded ?? true

/** Holds the server to the limits. What is refused is closed without a reply, as nothing was requested. */
export function limitConnections(server: Server, { max, perAddress, isExempt }: ConnectionLimits): Connections {
  // Oldest first.
  const all = new Set<Socket>()
  const byNetwork = new Map<string, Set<Socket>>()
  server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket
    const network = networkOf(remoteAddress)
    const neighbours = byNetwork.get(network) ?? new Set<Socket>()
    const isFull = all.size >= max
    const isCrowded = neighbours.size >= perAddress && !isExempt(remoteAddress)
    if ((isCrowded && !letGo(neighbours)) || (isFull && !isCrowded && !letGo(all))) return void socket.destroy()
    all.add(socket)
    byNetwork.set(network, neighbours.add(socket))
    socket.once('close', () => {
      all.delete(socket)
      neighbours.delete(socket)
      if (neighbours.size === 0 && byNetwork.get(network) === neighbours) byNetwork.delete(network)
    })
  })

  const letGo = (sockets: Iterable<Socket>): boolean => {
    for (const socket of sockets) {
      if (socket.destroyed || !isIdle(socket)) continue
      socket.destroy()
      return true
    }
    return false
  }
  return { all, isIdle, isAnswered }
}
