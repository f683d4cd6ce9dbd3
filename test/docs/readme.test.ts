// The README tells the truth: its first transfer runs from top to bottom as it is written, and its tables name what there is.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GatewayProcess, openGatewayProcess } from '../rig/gateway-process.ts'

const README = readFileSync('README.md', 'utf8')
let gateway: GatewayProcess

beforeAll(async () => {
  gateway = await openGatewayProcess({}, {})
  gateway.launch()
  await gateway.ready()
}, 120_000)
afterAll(async () => gateway.remove())

/** The text from a heading to the next one of its level. */
function section(title: string): string {
  const from = README.split(`\n## ${title}\n`)[1]
  if (from === undefined) throw new Error(`the README has no section ${title}`)
  return from.split('\n## ')[0] ?? ''
}

test('the first transfer runs as it is written, and ends completed', async () => {
  const fences = [...section('Your first transfer').matchAll(/```bash\n([\s\S]*?)```/g)].map((match) => match[1] ?? '')
  expect(fences.length).toBeGreaterThan(3)
  const directory = join(dirname(gateway.dataDir), 'newcomer')
  mkdirSync(directory)
  symlinkSync(gateway.dataDir, join(directory, '.gateway'))
  const bash = spawn('bash', ['-c', `set -euo pipefail\n${fences.join('\n')}\necho\necho "ID=$ID"`], { cwd: directory })
  let out = ''
  bash.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()))
  bash.stderr.on('data', (bytes: Buffer) => (out += bytes.toString()))
  await once(bash, 'close')
  expect(bash.exitCode, out).toBe(0)
  expect(out).toContain('"code":"missing_channel"')
  const id = /ID=([0-9a-f-]{36})/.exec(out)?.[1]
  const headers = { 'x-api-key': gateway.dev().api_key }
  const reply = await fetch(`${gateway.url}/contracts/transfer/${id}`, { headers })
  expect(await reply.json()).toMatchObject({ data: { contract: { status: 'completed', preview: { amount: 1517.5 } } } })
  expect(out).toContain('"available":998482.5')
}, 60_000)

test('every variable that is read is in the table, with its default, and no other', () => {
  const source = ['config', 'rails-config'].map((name) => readFileSync(`src/main/${name}.ts`, 'utf8')).join('\n')
  const read = [...source.matchAll(/env\['([A-Z_]+)'\]|(?:whole|oneOf(?:<.*?>)?|scale|url)\('([A-Z_]+)'/g)].map(
    (match) => match[1] ?? match[2],
  )
  const rows = [...section('Configuration').matchAll(/^\| `([A-Z_]+)` \| (\S.*?) \|/gm)]
  expect(rows.map((row) => row[1]).sort()).toEqual([...new Set(read)].sort())
  const defaults = [...source.matchAll(/(?:whole|oneOf)\('([A-Z_]+)',(?: \[.*?\],)? '?([^',]+)'?/g)]
  expect(defaults.length).toBeGreaterThan(5)
  for (const [, name, value = ''] of defaults)
    expect(rows.find((row) => row[1] === name)?.[2], name).toBe(`\`${value.replaceAll('_', '')}\``)
})

test('every command is in the table, and every document that is named exists', () => {
  const help = gateway.command('--help').stdout.split('Commands:')[1] ?? ''
  const commands = [...help.matchAll(/^ {2}([a-z]+)/gm)].map((match) => match[1]).filter((name) => name !== 'help')
  const listed = [...section('Commands').matchAll(/^\| `([a-z]+)/gm)].map((match) => match[1])
  expect(listed.sort()).toEqual(commands.sort())
  for (const [, path] of README.matchAll(/`((?:docs\/)?[\w/-]+\.md)`/g))
    expect(readFileSync(path ?? '', 'utf8').length).toBeGreaterThan(200)
})
