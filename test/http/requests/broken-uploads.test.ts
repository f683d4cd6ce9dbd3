// Uploads that break off, against a gateway as a process: whoever sent them is to blame, so the log says nothing of an
// error, nothing is made, and the others are served.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { DevFile } from '../../../src/main/development.ts'
import { compileGateway } from '../../rig/built.ts'
import { type BesideProcess, startBeside } from '../../rig/gateway-beside.ts'

const folder = mkdtempSync(join(tmpdir(), 'gateway-uploads-'))
let gateway: BesideProcess
let dev: DevFile

beforeAll(async () => {
  chmodSync(folder, 0o755)
  const database = (await (await fetch(inject('databaseDesk'))).json()) as pg.ClientConfig
  gateway = await startBeside(compileGateway(folder), folder, 'one', database, { LOG_LEVEL: 'warn' })
  dev = JSON.parse(readFileSync(join(folder, 'one', 'dev.json'), 'utf8')) as DevFile
}, 120_000)
afterAll(async () => {
  gateway?.signal('SIGKILL')
  await gateway?.ended
  rmSync(folder, { recursive: true, force: true })
})

const headers = () => ({ 'x-api-key': dev.api_key, 'content-type': 'application/json' })

async function contracts(): Promise<unknown[]> {
  const answer = await fetch(`${gateway.url}/contracts/transfer`, { headers: headers() })
  return ((await answer.json()) as { data: { contracts: unknown[] } }).data.contracts
}

const logged = () => readFileSync(join(folder, 'one.log'), 'utf8')

test.each([
  ['a body', '/contracts/transfer', 'Content-Length: 500', '{"amount": 1'],
  ['chunks', '/contracts/transfer', 'Transfer-Encoding: chunked', '5\r\n{"amo\r\n'],
  ['an event', '/webhooks', 'Content-Length: 500', '{"id": "evt"'],
])('%s that breaks off is no error of ours', async (_what, path, length, sent) => {
  const before = await contracts()
  const log = logged()
  const { hostname, port, host } = new URL(gateway.url)
  for (let i = 0; i < 5; i++) {
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const lines = [`POST ${path} HTTP/1.1`, `Host: ${host}`, `X-Api-Key: ${dev.api_key}`]
    const head = [...lines, 'Content-Type: application/json', length, '', ''].join('\r\n')
    socket.write(head + sent)
    // A round trip later, what was sent before has been taken in.
    await contracts()
    socket.resetAndDestroy()
    await contracts()
  }
  expect(await contracts()).toEqual(before)
  expect(logged()).toBe(log)
})
