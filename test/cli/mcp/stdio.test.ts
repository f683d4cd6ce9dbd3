// gateway mcp as a process, as a desktop client starts it: the protocol over standard input and output, with the key of the
// environment, and a way through broken lines.
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { mkdtempSync, rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { compileGateway } from '../../rig/built.ts'
import { openWorld } from '../../world.ts'
import { runBeside } from '../background.ts'
import { contractIdOf, DRAFT, toolClient } from './client.ts'

const world = await openWorld({ workers: 'resting' })
const url = await world.listen()
const folder = mkdtempSync('/tmp/gateway-mcp-')
const program = compileGateway(folder)
afterAll(async () => {
  await world.stop()
  rmSync(folder, { recursive: true, force: true })
})

const env = { GATEWAY_URL: url, GATEWAY_API_KEY: world.caller.apiKey, XDG_CONFIG_HOME: folder }

test('a desktop client starts it, and pays in two calls', async () => {
  const transport = new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env, stderr: 'pipe' })
  const { use, close } = await toolClient(transport)
  const id = contractIdOf(await use('draft_transfer', DRAFT))
  for (const tool of ['issue_transfer', 'pay_transfer']) {
    const { data } = await use(tool, { id })
    expect(data.done).toBe(false)
    expect((await use(tool, { id, confirmation: data.confirmation })).data.done).toBe(true)
  }
  expect((await world.caller.get(id)).status).toBe('paid')
  await close()
}, 60_000)

test('what is no message is passed over, and it ends with its input', async () => {
  const lines = ['{"jsonrpc"', '7', '{"jsonrpc":"2.0","id":1,"method":"ping"}', '']
  const run = runBeside(program, env, ['mcp'], lines.join('\n'))
  expect(await run.ended).toBe(0)
  expect(run.lines()).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
  expect(run.said.err).toContain('Nothing bounds what an agent may spend')
}, 60_000)

const live = await world.newCaller({ livemode: true })

test.each<[string, string, readonly string[], number]>([
  ['a live key that nothing bounds', live.apiKey, ['mcp'], 1],
  ['a key that is none', 'gck_test_0000000000_x', ['mcp'], 1],
  ['an address beyond this machine', world.caller.apiKey, ['mcp', '--http', '0.0.0.0:3333'], 2],
])(
  '%s is refused at the start',
  async (_what, key, words, code) => {
    const run = runBeside(program, { ...env, GATEWAY_API_KEY: key }, words)
    expect(await run.ended).toBe(code)
    expect(run.said.out).toBe('')
  },
  60_000,
)
