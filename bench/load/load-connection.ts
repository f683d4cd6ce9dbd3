// One keep-alive connection of the load generator, on a bare socket: a client library would cost more than the server.
// Understands HTTP/1.1 responses with a Content-Length, and no others.
import { connect } from 'node:net'

export type Connection = { readonly send: (request: Buffer) => void; readonly end: () => void }

export type Listener = {
  /** A whole response. The body is a view that is overwritten by the next one. */
  readonly onResponse: (status: number, body: Buffer) => void
  readonly onFault: (message: string) => void
}

const READ_BYTES = 16_384
const NOTHING = Buffer.alloc(0)

/** Connects to a port of the loopback. One request at a time: the next is sent after the response. */
export function openConnection(port: number, listener: Listener): Promise<Connection> {
  return new Promise((resolve, reject) => {
    let held: Buffer = NOTHING
    let ended = false
    const read = (bytes: number, buffer: Uint8Array) => {
      const chunk = Buffer.from(buffer.buffer, buffer.byteOffset, bytes)
      const all = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      const response = responseIn(all)
      // What is kept must not be a view: the socket writes the next chunk into the same place.
      held = response === null ? Buffer.from(all) : NOTHING
      if (response === 'malformed')
        listener.onFault(`not the HTTP that was expected: ${all.toString('latin1', 0, 200)}`)
      else if (response) listener.onResponse(response.status, response.body)
      return true
    }
    const socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: { buffer: Buffer.allocUnsafeSlow(READ_BYTES), callback: read },
    })
    socket.once('error', (fault) => {
      listener.onFault(fault.message)
      reject(fault)
    })
    socket.once('close', () => !ended && listener.onFault('the server closed a connection'))
    socket.once('connect', () =>
      resolve({
        send: (request) => void socket.write(request),
        end: () => {
          ended = true
          socket.end()
        },
      }),
    )
  })
}

type Response = { readonly status: number; readonly body: Buffer }

/** The response in the bytes, or null where some are still to come. */
function responseIn(bytes: Buffer): Response | 'malformed' | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const head = bytes.toString('latin1', 0, headEnd)
  const status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (!head.startsWith('HTTP/1.1 ') || length === undefined) return 'malformed'
  const bodyEnd = headEnd + 4 + Number(length)
  if (bytes.length < bodyEnd) return null
  return bytes.length > bodyEnd ? 'malformed' : { status, body: bytes.subarray(headEnd + 4, bodyEnd) }
}
