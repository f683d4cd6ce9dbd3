// A road between gateways and their PostgreSQL that can be cut at a COMMIT, or be slow. It takes the place of the server's own
// socket, so that whoever connects there goes along it, and takes it again after each restart of the server. Of the protocol it
// knows where a message ends and which one is a COMMIT.
import { existsSync, renameSync, statSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Where the next COMMIT is cut: not sent at all, sent by half, or executed and its answer lost. */
export const CUTS = ['before', 'within', 'after'] as const
export type Cut = (typeof CUTS)[number]

export type DatabaseRoad = {
  /** Cuts the connection of the next COMMIT that comes along. False where none came within the time. */
  readonly cutNext: (where: Cut, withinMs: number) => Promise<boolean>
  /** From now on a few bytes at a time go along, both ways, for so long. */
  readonly beSlow: (forMs: number) => Promise<void>
  /** Gives the server its socket back; connections that are open stay. */
  readonly close: () => Promise<void>
}

/** Type and length of a message. */
const HEAD_BYTES = 5
const LOOK_EVERY_MS = 5
const SLOW_PIECE_BYTES = 400
const SLOW_PAUSE_MS = 4
/** How long the server has for a COMMIT whose answer is to be lost. */
const EXECUTED_WITHIN_MS = 10_000

type Armed = { readonly where: Cut; readonly done: () => void }
type Road = { armed: Armed | null; isSlow: boolean }

/** Stands in for the socket at `path` (`.s.PGSQL.5432` in the server's directory of sockets). */
export async function openDatabaseRoad(path: string): Promise<DatabaseRoad> {
  const road: Road = { armed: null, isSlow: false }
  const behind = `${path}.behind`
  let listening: { readonly server: Server; readonly inode: number } | null = null
  let isOpen = true
  const interpose = async () => {
    const inode = inodeOf(path)
    if (inode === null || inode === listening?.inode) return
    renameSync(path, behind)
    // Removes whatever has the name of its socket: by now the server's own has another one.
    listening?.server.close()
    const server = createServer((socket) => along(socket, createConnection(behind), road))
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
    server.unref()
    listening = { server, inode: inodeOf(path) ?? 0 }
  }
  await interpose()
  const watching = (async () => {
    for (; isOpen; await sleep(LOOK_EVERY_MS)) await interpose().catch(() => undefined)
  })()
  return {
    cutNext: (where, withinMs) =>
      new Promise((resolve) => {
        const end = (isCut: boolean) => {
          clearTimeout(late)
          road.armed = null
          resolve(isCut)
        }
        const late = setTimeout(() => end(false), withinMs)
        road.armed = { where, done: () => end(true) }
      }),
    beSlow: async (forMs) => {
      road.isSlow = true
      await sleep(forMs)
      road.isSlow = false
    },
    close: async () => {
      isOpen = false
      await watching
      if (existsSync(path) && inodeOf(path) !== listening?.inode) renameSync(path, behind)
      listening?.server.close()
      if (existsSync(behind)) renameSync(behind, path)
    },
  }
}

function inodeOf(path: string): number | null {
  try {
    return statSync(path).ino
  } catch {
    return null
  }
}

/** One connection, both ways. */
function along(client: Socket, server: Socket, road: Road): void {
  const drop = () => {
    client.destroy()
    server.destroy()
  }
  for (const each of [client, server]) {
    each.on('error', drop)
    each.on('close', drop)
  }
  let isAnswerLost = false
  let rest: Buffer = Buffer.alloc(0)
  let isStarted = false
  const toServer = inOrder(server, road)
  const toClient = inOrder(client, road)
  client.on('data', (bytes: Buffer) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    const found = commitIn(rest, isStarted)
    const { armed } = road
    if (armed === null || found.commit === null) {
      toServer(rest.subarray(0, found.whole))
    } else {
      road.armed = null
      const { start, end } = found.commit
      const upTo = { before: start, within: Math.floor((start + end) / 2), after: found.whole }[armed.where]
      isAnswerLost = true
      toServer(rest.subarray(0, upTo))
      if (armed.where === 'after') void executed(server).then(drop).then(armed.done)
      else void sleep(SLOW_PAUSE_MS).then(drop).then(armed.done)
    }
    isStarted ||= found.whole > 0
    rest = rest.subarray(found.whole)
  })
  server.on('data', (bytes: Buffer) => {
    if (!isAnswerLost) toClient(bytes)
  })
}

/** Where the first COMMIT stands among whole messages, and how far those go. The first message of all has no type. */
function commitIn(bytes: Buffer, isStarted: boolean) {
  let at = 0
  let commit: { readonly start: number; readonly end: number } | null = null
  if (!isStarted) at = bytes.length >= 4 && bytes.readInt32BE(0) <= bytes.length ? bytes.readInt32BE(0) : 0
  while ((isStarted || at > 0) && bytes.length - at >= HEAD_BYTES) {
    const end = at + 1 + bytes.readInt32BE(at + 1)
    if (end > bytes.length) break
    // Q: a query of text alone. P: the same, prepared.
    const kind = String.fromCharCode(bytes[at] ?? 0)
    const isQuery = kind === 'Q' || kind === 'P'
    if (commit === null && isQuery && /(^|\0)commit\0/i.test(bytes.toString('latin1', at + HEAD_BYTES, end)))
      commit = { start: at, end }
    at = end
  }
  return { whole: at, commit }
}

/** Until the server says that it has committed, or that it cannot. */
function executed(server: Socket): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(late)
      resolve()
    }
    const late = setTimeout(end, EXECUTED_WITHIN_MS)
    let said = ''
    server.on('data', (bytes: Buffer) => {
      said += bytes.toString('latin1')
      if (/COMMIT\0|ROLLBACK\0/.test(said)) end()
    })
    server.once('close', end)
  })
}

/** Passes bytes on in their order: at once, or a few at a time while the road is slow. */
function inOrder(target: Socket, road: Road): (bytes: Buffer) => void {
  let before = Promise.resolve()
  let waiting = 0
  const pass = async (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; ) {
      const piece = road.isSlow ? bytes.subarray(at, at + SLOW_PIECE_BYTES) : bytes.subarray(at)
      if (road.isSlow) await sleep(SLOW_PAUSE_MS)
      target.write(piece)
      at += piece.length
    }
    waiting -= 1
  }
  return (bytes) => {
    if (waiting === 0 && !road.isSlow) return void target.write(bytes)
    waiting += 1
    before = before.then(() => pass(bytes))
  }
}
