// Open consoles as a child process: each follows that the account changes, and after some changes reads again what a screen with a list shows,
// as seldom as a console does (console/src/live/events.ts). It ends with its parent.
import { Agent, request } from 'node:http'

/** As the process is told by its one argument. */
/** `cookie`: the session of a member, as a browser sends it. */
export type ConsolesWish = { readonly port: number; readonly cookie: string; readonly count: number }

const { port, cookie, count } = JSON.parse(process.argv[2] ?? '') as ConsolesWish
/** A console that hears event after event reads again at most so often. */
const REFRESH_MS = 8000
/** What a list and the frame around it read. */
const READS = ['/contracts/transfer?limit=25', '/wallets?limit=25']

const headers = { cookie }
const streams = new Agent({ keepAlive: true })
const reads = new Agent({ keepAlive: true, maxSockets: 8 })
let open = 0

function reread(): void {
  for (const path of READS)
    request({ port, host: '127.0.0.1', path, headers, agent: reads }, (reply) => reply.resume())
      .once('error', fail)
      .end()
}

function fail(fault: Error): void {
  console.error(fault)
  process.exit(1)
}

function openConsole(): void {
  let timer: NodeJS.Timeout | null = null
  const opened = request({ port, host: '127.0.0.1', path: '/events/changes', headers, agent: streams }, (reply) => {
    if (reply.statusCode !== 200) return fail(new Error(`the stream was answered with ${reply.statusCode}`))
    open += 1
    if (open === count) process.send?.({ url: `http://127.0.0.1:${port}` })
    // The first words say only that it has begun.
    reply.on('data', () => {
      timer ??= setTimeout(
        () => {
          timer = null
          reread()
        },
        REFRESH_MS * (0.5 + Math.random() / 2),
      )
    })
  })
  opened.once('error', fail)
  opened.end()
}

process.once('disconnect', () => process.exit(0))
for (let each = 0; each < count; each += 1) openConsole()
