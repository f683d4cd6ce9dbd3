// The README and the document about payments tell the truth: what a newcomer is to type runs from top to bottom as it is
// written, and the tables name what there is.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SHIPPED_CHANNELS } from '../../src/connectors/catalogue.ts'
import { PAYMENT_MOVES } from '../../src/domain/payment/move-table.ts'
import { REQUIREMENTS } from '../../src/main/config/production.ts'
import { type GatewayProcess, openGatewayProcess } from '../rig/gateway-process.ts'

const README = readFileSync('README.md', 'utf8')
const PAYMENTS = readFileSync('docs/payments.md', 'utf8')
let gateway: GatewayProcess

beforeAll(async () => {
  gateway = await openGatewayProcess({}, {})
  gateway.launch()
  await gateway.ready()
}, 120_000)
afterAll(async () => gateway.remove())

/** The text from a heading to the next one of its level. */
function section(title: string, text = README): string {
  const from = text.split(`\n## ${title}\n`)[1]
  if (from === undefined) throw new Error(`there is no section ${title}`)
  return from.split('\n## ')[0] ?? ''
}

const fencesOf = (text: string, language = 'bash') =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? '')

/** Types it all into one shell, in a directory like a newcomer's; what was printed, the variable's value at the end. */
async function typed(
  name: string,
  lines: readonly string[],
  variable: string,
): Promise<{ out: string; value: string }> {
  const directory = join(dirname(gateway.dataDir), name)
  mkdirSync(directory)
  symlinkSync(gateway.dataDir, join(directory, '.gateway'))
  const script = `set -euo pipefail\n${lines.join('\n')}\necho\necho "VALUE=$${variable}"`
  const bash = spawn('bash', ['-c', script], { cwd: directory })
  let out = ''
  bash.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()))
  bash.stderr.on('data', (bytes: Buffer) => (out += bytes.toString()))
  await once(bash, 'close')
  expect(bash.exitCode, out).toBe(0)
  return { out, value: /^VALUE=(.*)$/m.exec(out)?.[1] ?? '' }
}

/** The contract as it is now. */
async function found(path: string): Promise<unknown> {
  const reply = await fetch(`${gateway.url}${path}`, { headers: { 'x-api-key': gateway.dev().api_key } })
  return reply.json()
}

test('the first transfer runs as it is written, and ends completed', async () => {
  const fences = fencesOf(section('Your first transfer'))
  expect(fences.length).toBeGreaterThan(3)
  const { out, value: id } = await typed('newcomer', fences, 'ID')
  expect(out).toContain('"code":"missing_channel"')
  expect(await found(`/contracts/transfer/${id}`)).toMatchObject({
    data: { contract: { status: 'completed', preview: { amount: 1517.5 } } },
  })
  expect(out).toContain('"available":998482.5')
}, 180_000)

test('the first payment runs as it is written, is paid, and a part goes back', async () => {
  const [environment = ''] = fencesOf(section('Your first transfer'))
  const fences = fencesOf(section('Your first payment'))
  expect(fences.length).toBeGreaterThan(2)
  const { value: id } = await typed('merchant', [environment, ...fences], 'PAYMENT')
  expect(await found(`/contracts/payment/${id}`)).toMatchObject({
    data: { contract: { status: 'paid', amount_received: 500, amount_refunded: 100, attempts: [{ type: 'gcash' }] } },
  })
}, 180_000)

test('the payment of the document about payments runs as it is written, settles, and a part is back', async () => {
  const fences = fencesOf(section('A first payment', PAYMENTS))
  expect(fences.length).toBeGreaterThan(2)
  const { value: id } = await typed('rice', fences, 'PAYMENT')
  expect(await found(`/contracts/payment/${id}`)).toMatchObject({
    data: { contract: { status: 'completed', amount_received: 750, refunds: [{ amount: 75, status: 'done' }] } },
  })
}, 180_000)

test('what the document about payments says of each way is what is shipped', () => {
  const settles: Readonly<Record<number, string>> = { 0: 'at once', 86_400: 'after a day', 172_800: 'after two days' }
  const kinds = SHIPPED_CHANNELS.flatMap(({ collect }) => (collect ? [collect] : []))
  expect(kinds.length).toBe(5)
  for (const { kind, settle_after_seconds: seconds } of kinds) {
    const row = PAYMENTS.split('\n').find((line) => line.includes(`{"type": "${kind}"`) && line.startsWith('|'))
    expect(row, kind).toMatch(new RegExp(`\\| ${settles[seconds]} \\|$`))
  }
  const told = [...section('Events, and what to do on each', PAYMENTS).matchAll(/^\| `(contract\.\w+)`/gm)].map(
    ([, type]) => type,
  )
  const moves = new Set(PAYMENT_MOVES.map(({ event }) => event).filter((event) => event !== null))
  expect(told.sort()).toEqual([...moves].sort())
})

test('the checklist for production is the list that the start, init and the doctor go by', () => {
  const operating = readFileSync('docs/operating.md', 'utf8')
  const rows = [...section('Going to production', operating).matchAll(/^\| `(\w+)` \| (.*) \|$/gm)]
  expect(rows.map((row) => row[1])).toEqual(REQUIREMENTS.map(({ setting }) => setting))
  for (const { setting, title } of REQUIREMENTS)
    expect(rows.find((row) => row[1] === setting)?.[2], setting).toMatch(new RegExp(`^${title}`))
})

test('every document and picture that is named exists', () => {
  const named = [...README.matchAll(/`((?:docs\/)?[\w/-]+\.md)`|\]\(((?!https?:)[^)#]+)/g)].map(
    ([, code, link]) => code ?? link,
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((path) => path === undefined || !existsSync(path))).toEqual([])
})

test('the README opens with what it is, a picture, two commands and the first transfer', () => {
  const headings = [...README.matchAll(/^## (.+)$/gm)].map(([, title]) => title)
  expect(headings.slice(0, 2)).toEqual(['Two commands', 'Your first transfer'])
  expect(README.split('\n## ')[0]).toContain('](docs/pictures/')
  expect(
    fencesOf(README, '')
      .at(0)
      ?.trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/)[0]),
  ).toEqual(['npm ci && npm start', 'npm ci && npm test'])
})
