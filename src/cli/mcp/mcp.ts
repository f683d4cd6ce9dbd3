// gateway mcp: the gateway as tools of an agent (Model Context Protocol), over standard input and output, or over HTTP on this
// machine.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { command, flag, option, PLACE } from '../command.ts'
import { CommandFailed, Misused } from '../failures.ts'
import { note, warn } from '../output.ts'
import { findPlace, placeOf } from '../place.ts'
import { untilInterrupted } from '../webhooks/event-stream.ts'
import { openHttpDoor } from './http-door.ts'
import { openMcpSession } from './session.ts'

export const mcp = command('mcp', 'serve the gateway as tools of an agent (MCP)', {
  examples: ['gateway mcp', 'gateway mcp --use agent', 'gateway mcp --http 127.0.0.1:3333'],
  options: {
    ...PLACE,
    http: option('<address>', 'over streamable HTTP on this machine, such as 127.0.0.1:3333', loopback),
    allowAnyKey: flag('take a live key that has no bound, too'),
  },
  run: async ({ http, allowAnyKey, ...place }) => {
    const settings = { allowsAnyKey: allowAnyKey === true, nowMs: Date.now }
    if (http === undefined) return overStdio(placeOf(place), settings)
    return overHttp(http, { baseUrl: findPlace(place).url.value, ...settings })
  },
  notes:
    'Over standard input and output it acts with the key that the other commands would use. Over HTTP each request brings its own\n' +
    'key (X-Api-Key), and --api-key and logins say nothing. What may be done is decided by the key, in the gateway: docs/mcp.md.',
})

type Settings = { readonly allowsAnyKey: boolean; readonly nowMs: () => number }

/** Standard output belongs to the protocol; it ends with standard input. */
async function overStdio({ baseUrl, apiKey }: ReturnType<typeof placeOf>, settings: Settings): Promise<void> {
  const session = await openMcpSession(apiKey, { baseUrl, ...settings })
  if ('refused' in session) throw new CommandFailed(session.refused)
  if (session.warning !== null) warn(session.warning)
  const transport = new StdioServerTransport()
  await session.server.connect(transport)
}

async function overHttp(address: Address, settings: Settings & { readonly baseUrl: string }): Promise<void> {
  const stop = untilInterrupted()
  const door = await openHttpDoor(address, settings)
  note(`Tools of ${settings.baseUrl} at ${door.url}. Ctrl-C to stop.`)
  await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }))
  await door.close()
}

type Address = { readonly host: string; readonly port: number }

/** Each request carries a key in the clear, so it does not leave this machine. */
function loopback(text: string): Address {
  const [, host = '', port = ''] = /^(127\.0\.0\.1|\[::1\]|localhost):(\d{1,5})$/.exec(text) ?? []
  if (host === '' || Number(port) > 65_535)
    throw new Misused(`--http ${text}: give an address of this machine, such as 127.0.0.1:3333`)
  return { host: host === '[::1]' ? '::1' : host === 'localhost' ? '127.0.0.1' : host, port: Number(port) }
}
