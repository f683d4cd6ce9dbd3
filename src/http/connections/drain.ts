// How a server ends after a signal to stop: it serves on for a while, then takes no new connections, and every accepted
// request is answered before its connection is closed. No answer is cut off, and none is the framework's own.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import type { Connections } from './connections.ts'

/** `for others`: other processes take what comes to the same port from now on, so that nothing is refused here. */
export type StopManner = 'for good' | 'for others'

/** How far the stop has come. `stopping`: served still, but not ready for more. `ending`: what comes now is refused. */
export type Stopping = { stopping: boolean; ending: boolean; manner: StopManner }

export const newStopping = (): Stopping => ({ stopping: false, ending: false, manner: 'for good' })

/** Serves on until callers have gone elsewhere; no longer once `lost`: what is served from then on is wrong. */
export async function servedOn(seconds: number, lost: AbortSignal): Promise<void> {
  await sleep(seconds * 1000, undefined, { signal: lost }).catch(() => undefined)
}

const LOOK_EVERY_MS = 50
const NOBODY_FOR_MS = 100
const OPEN_FOR_MS = 2000
/** Requests arrive within ten seconds and are answered soon after: what is not by then is not going to be. */
const ANSWERED_WITHIN_MS = 15_000
/** Where others go on, whoever has a connection open is given time to use it once more, and is told with the answer that it ends. */
const LINGER_FOR_OTHERS_MS = 5000
/** An answer that the client has not read on for so long, such as an abandoned stream, is waited for no longer. */
const UNREAD_MS = 1000

/**
 * Why a request is refused while the server ends; null where it is served. Its connection ends with its answer, so that a
 * caller's next request goes elsewhere and none is on its way when the connection is closed.
 */
export function refusalWhileStopping({ stopping, ending }: Stopping, reply: FastifyReply): Refusal | null {
  if (!stopping) return null
  reply.header('Connection', 'close')
  return ending ? refuse('shutting_down', null, 'The gateway is stopping. Try again after Retry-After.') : null
}

/**
 * Has `app.close()` close connections gently: one on which nothing has come for `lingerMs` is closed; one whose request
 * is under way, or may be on its way, is not. After a while all are.
 */
export function endGently(app: FastifyInstance, state: Stopping, connections: Connections, lingerMs: number): void {
  const { server } = app
  app.addHook('preClose', async () => {
    state.stopping = true
    const isForOthers = state.manner === 'for others'
    state.ending = !isForOthers
    if (!server.listening) return
    // Node would close at once what seems idle, though a request may be on its way.
    server.closeIdleConnections = () => undefined
    const sweep = sweepOf(connections, isForOthers ? LINGER_FOR_OTHERS_MS : lingerMs)
    const looks = setInterval(sweep, LOOK_EVERY_MS)
    const late = setTimeout(() => server.closeAllConnections(), ANSWERED_WITHIN_MS)
    server.once('close', () => {
      clearInterval(looks)
      clearTimeout(late)
    })
    // What is not accepted here yet the others accept.
    if (!isForOthers) await untilNobodyComes(server)
  })
}

/**
 * A client that has connected and is not yet accepted is reset by the system once the server stops listening. So it
 * goes on listening, and answers new clients that it closes, until none has come for a moment.
 */
async function untilNobodyComes(server: Server): Promise<void> {
  const from = performance.now()
  let lastAt = from
  const note = () => {
    lastAt = performance.now()
  }
  server.on('connection', note)
  for (let now = from; now - lastAt < NOBODY_FOR_MS && now - from < OPEN_FOR_MS; now = performance.now())
    await sleep(LOOK_EVERY_MS)
  server.off('connection', note)
  // Right after the system was polled for new connections.
  await new Promise(setImmediate)
}

function sweepOf(connections: Connections, lingerMs: number): () => void {
  const quiet = new Map<Socket, { readonly bytes: number; readonly since: number }>()
  const isUnread = unreadSince(connections)
  return () => {
    const now = performance.now()
    for (const socket of connections.all) {
      const known = quiet.get(socket)
      if (isUnread(socket, now)) socket.destroy()
      else if (!connections.isIdle(socket)) quiet.delete(socket)
      else if (known?.bytes !== socket.bytesRead) quiet.set(socket, { bytes: socket.bytesRead, since: now })
      else if (now - known.since >= lingerMs) socket.destroySoon()
    }
  }
}

/** Whether a connection's answer is written whole, and nothing of the rest of it has been taken for a while. */
function unreadSince(connections: Connections): (socket: Socket, now: number) => boolean {
  const unread = new Map<Socket, { readonly left: number; readonly since: number }>()
  return (socket, now) => {
    const left = connections.isAnswered(socket) ? socket.writableLength : 0
    const known = unread.get(socket)
    if (left === 0) unread.delete(socket)
    else if (known?.left !== left) unread.set(socket, { left, since: now })
    else return now - known.since >= UNREAD_MS
    return false
  }
}
