// transfers send is killed at every step of its way, before the gateway hears of it and before the answer comes back. Run again with
// the same key it goes on, and the money moves once.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SHIPPED_CHANNELS } from '../../src/connectors/catalogue.ts'
import { type GatewayProcess, openGatewayProcess } from '../rig/gateway-process.ts'

vi.setConfig({ testTimeout: 300_000 })
const CHANNELS = SHIPPED_CHANNELS.map((channel) =>
  channel.undo_seconds > 0 ? { ...channel, undo_seconds: 1 } : channel,
)
let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await openGatewayProcess({ channels: CHANNELS }, {})
  gateway.launch()
  await gateway.ready()
}, 120_000)
afterAll(() => gateway.remove())

const STEPS = ['create', 'read', 'issue', 'pay', 'wait'] as const
const SIDES = ['before', 'after'] as const
type Cut = { readonly step: number; readonly side: (typeof SIDES)[number] }

/** Passes calls on to the gateway, and at one of them calls `cut` and says nothing more. */
async function openPassage({ step, side }: Cut, cut: () => void): Promise<{ server: Server; url: string }> {
  let calls = 0
  const server = createServer((asked, reply) => {
    const isCut = calls++ === step
    if (isCut && side === 'before') return cut()
    void bodyOf(asked).then((body) => {
      const { method, headers } = asked
      const on = request(gateway.url + (asked.url ?? ''), { method, headers }, (answer) => {
        void bodyOf(answer).then((bytes) => {
          if (isCut) return cut()
          reply.writeHead(answer.statusCode ?? 0, answer.headers).end(bytes)
        })
      })
      on.end(body)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { server, url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}` }
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

const balance = () => {
  const { stdout } = gateway.inThread('wallets', 'list', '--currency', 'PHP', '--json')
  return (JSON.parse(stdout) as { wallets: { available: number; held: number }[] }).wallets[0]
}

test.each(STEPS.flatMap((name, step) => SIDES.map((side) => ({ name, step, side }))))(
  'killed $side the call that is to $name, it goes on and pays once',
  async ({ name, step, side }) => {
    const reference = `${name}-${side}`
    const words = ['transfers', 'send', '--amount', '10', '--currency', 'PHP', '--channel', 'sandbox']
    words.push('--to-name', 'Ana', '--to-wallet', '1', '--reference', reference, '--wait', '--yes', '--json')
    const before = balance()
    let kill: () => void = () => undefined
    const { server, url } = await openPassage({ step, side }, () => kill())
    const env = { PATH: process.env['PATH'] ?? '', GATEWAY_URL: url, GATEWAY_API_KEY: gateway.dev().api_key }
    const program = join(gateway.dataDir, '../dist/src/cli/index.js')
    const child = spawn(process.execPath, [program, ...words], { env, stdio: 'ignore' })
    kill = () => child.kill('SIGKILL')
    await once(child, 'exit')
    expect(child.signalCode).toBe('SIGKILL')
    server.closeAllConnections()
    server.close()

    const again = gateway.inThread(...words)
    expect(again.status, again.stderr).toBe(0)
    expect((JSON.parse(again.stdout) as { contract: { status: string } }).contract.status).toBe('completed')
    const list = ['transfers', 'list', '--reference', reference, '--json']
    const { contracts } = JSON.parse(gateway.inThread(...list).stdout) as {
      contracts: { preview: { amount: number } }[]
    }
    expect(contracts).toHaveLength(1)
    const after = balance()
    expect(after?.held).toBe(before?.held)
    expect(((before?.available ?? 0) - (after?.available ?? 0)).toFixed(2)).toBe(
      contracts[0]?.preview.amount.toFixed(2),
    )
  },
)
