// gateway doctor against receivers that are right and receivers that are wrong, each in the way that it must find.
import { mkdtempSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newSecret } from '../../sdk/src/signature.ts'
import { compileGateway } from '../rig/built.ts'
import { type CommandThread, openCommandThread } from '../rig/command-thread.ts'
import { type Background, runBeside } from './background.ts'
import { correct, openReceiver, type Receiver, type Receiving } from './receiver.ts'

const SECRET = newSecret()
const TOKEN = 'a-token-of-the-test'
const workshop = mkdtempSync('/tmp/gateway-doctor-')
let program = ''
let thread: CommandThread
const receivers: Receiver[] = []

beforeAll(() => {
  program = compileGateway(workshop)
  thread = openCommandThread(dirname(program))
})
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
})
afterAll(async () => {
  await thread.close()
  rmSync(workshop, { recursive: true, force: true })
})

async function receiverOf(receive: Receiving): Promise<Receiver> {
  const receiver = await openReceiver(SECRET, receive)
  receivers.push(receiver)
  return receiver
}

const ENV = { WEBHOOK_SECRET: SECRET, WEBHOOK_BEARER_TOKEN: TOKEN }
const doctor = (url: string): Background => runBeside(program, ENV, ['doctor', url])

type Report = {
  readonly passed: number
  readonly warned: number
  readonly failed: number
  readonly checks: readonly { readonly check: string; readonly grade: string; readonly mend: string | null }[]
}

/** The exit code, and the checks that were not passed. */
async function examined(receive: Receiving) {
  const receiver = await receiverOf(receive)
  const run = await thread.runBeside({ words: ['doctor', receiver.url, '--json'], env: ENV })
  expect(run.stderr).toBe('')
  const code = run.status
  const report = JSON.parse(run.stdout) as Report
  for (const { grade, mend } of report.checks) expect(mend === null).toBe(grade === 'pass')
  const named = (grade: string) => report.checks.filter((each) => each.grade === grade).map((each) => each.check)
  return { code, report, receiver, failed: named('fail'), warned: named('warn') }
}

/** Right in all: it looks at the bearer token, too. */
const strict: Receiving = (received, before) =>
  received.headers.authorization === `Bearer ${TOKEN}` ? correct(received, before) : { status: 401, body: '{}' }

test('a correct receiver passes everything', async () => {
  const { code, report, receiver } = await examined(strict)
  expect(report).toMatchObject({ passed: 14, warned: 0, failed: 0 })
  expect(code).toBe(0)
  // The examination was one: some were genuine, some were not, one came twice, and one was large.
  expect(receiver.received.filter(({ isGenuine }) => !isGenuine).length).toBeGreaterThanOrEqual(5)
  const genuine = receiver.received.filter(({ isGenuine }) => isGenuine)
  expect(genuine[0]?.body).toEqual(genuine[1]?.body)
  const sequences = genuine.map(({ event }) => event.sequence)
  expect(sequences).not.toEqual(sequences.toSorted((a, b) => a - b))
  expect(Math.max(...receiver.received.map(({ body }) => body.length))).toBeGreaterThan(60_000)
  expect(receiver.received[0]?.event).toMatchObject({ type: 'contract.paid', livemode: false })
})

const bare: Receiving = () => ({ status: 200, body: '{}' })

/** Verifies, but takes any age: what an own HMAC without a look at the timestamp comes to. */
const ageless: Receiving = ({ headers, isGenuine }) => {
  const seconds = Number(headers['webhook-timestamp'])
  const isOffTime = Math.abs(seconds - Date.now() / 1000) > 300
  return { status: isGenuine || isOffTime ? 200 : 400, body: '{}' }
}

const crashesOnRepetition: Receiving = (received, before) =>
  received.isGenuine && before.some(({ isGenuine, event }) => isGenuine && event.id === received.event.id)
    ? { status: 500, body: '{}' }
    : strict(received, before)

const ABOUT_FORGERY = [
  'a signature of another secret is refused',
  'a body that was changed on the way is refused',
  'an event without a signature is refused',
]
const LATE = 'an event signed ten minutes ago is refused'
const AHEAD = 'an event signed ten minutes ahead is refused'
const BEARER = 'a wrong bearer token is refused'

test.each<[string, Receiving, string[], string[]]>([
  ['that believes everybody', bare, [...ABOUT_FORGERY, LATE], [AHEAD, BEARER]],
  ['that does not look at the time', ageless, [LATE], [AHEAD, BEARER]],
  ['that answers 500 to what it knows', crashesOnRepetition, ['the same event again is taken'], []],
  [
    'that refuses what is older than what it has',
    (received, before) => {
      const isOlder = before.some(({ isGenuine, event }) => isGenuine && event.sequence > received.event.sequence)
      return received.isGenuine && isOlder ? { status: 409, body: '{}' } : strict(received, before)
    },
    ['an event that comes late, after a newer one, is taken'],
    [],
  ],
  [
    'with a small limit of the body',
    (received, before) => (received.body.length > 50_000 ? { status: 413, body: '{}' } : strict(received, before)),
    ['a body of 60 KiB is taken'],
    [],
  ],
])('a receiver %s fails, and is told why', async (_name, receive, failed, warned) => {
  const found = await examined(receive)
  expect(found.failed).toEqual(failed)
  expect(found.warned).toEqual(warned)
  expect(found.code).toBe(1)
})

test.each<[string, Receiving, string[]]>([
  ['does not look at the bearer token', correct, [BEARER]],
  [
    'refuses types that it does not know',
    (received, before) =>
      received.event.type === 'contract.renamed' ? { status: 422, body: '{}' } : strict(received, before),
    ['an event of an unknown type is taken'],
  ],
  [
    'answers without JSON',
    (received, before) => ({ ...strict(received, before), body: 'OK' }),
    ['it answers with a JSON object'],
  ],
  [
    'crashes where it should refuse',
    (received, before) => (received.headers['webhook-id'] === undefined ? { status: 500 } : strict(received, before)),
    ['an event without a signature is refused'],
  ],
  [
    'is slow',
    (received, before) => ({ ...strict(received, before), afterMs: before.length === 1 ? 2100 : 0 }),
    ['it answers in time'],
  ],
])('a receiver that %s is warned and passes', async (_name, receive, warned) => {
  const found = await examined(receive)
  expect([found.failed, found.warned, found.code]).toEqual([[], warned, 0])
})

test('who refuses even what is genuine is told that first, and nothing else', async () => {
  const { url } = await receiverOf(() => ({ status: 301, body: '{}' }))
  const run = doctor(url)
  expect(await run.ended).toBe(1)
  expect(run.said.out).toMatch(/^fail {2}a genuine event is taken +301 .*redirects are not followed/)
  expect(run.said.out).toContain('this very secret and bearer token')
  expect(run.said.out).toContain('The rest is examined once this is mended.')
  expect(run.said.out).not.toContain('pass')
})

test('where nobody answers, the reason is told in a sentence', async () => {
  const run = doctor('http://127.0.0.1:9/webhooks')
  expect(await run.ended).toBe(1)
  expect(run.said.err).toMatch(/No receiver answers at http:\/\/127\.0\.0\.1:9\/webhooks\. .*ECONNREFUSED.* Start it/)
})

test('without a secret one is made and told, and used without waiting where nobody can press Enter', async () => {
  const receiver = await receiverOf(strict)
  const run = runBeside(program, {}, ['doctor', receiver.url])
  expect(await run.ended).toBe(1)
  const secret = /WEBHOOK_SECRET=(whsec_\S+)/.exec(run.said.err)?.[1] ?? ''
  expect(secret).not.toBe(SECRET)
  expect(run.said.err).toMatch(/WEBHOOK_BEARER_TOKEN=whb_\S{43}\n/)
  expect(receiver.received).toHaveLength(1)
  receiver.secret = secret
  const token = /WEBHOOK_BEARER_TOKEN=(\S+)/.exec(run.said.err)?.[1] ?? ''
  expect(receiver.received[0]?.headers.authorization).toBe(`Bearer ${token}`)
  const again = runBeside(program, {}, ['doctor', receiver.url, '--secret', secret, '--bearer-token', TOKEN, '--json'])
  expect(await again.ended).toBe(0)
})

test.each([
  [['doctor', 'nonsense'], /whole address/],
  [['doctor', 'ftp://127.0.0.1/'], /whole address/],
  [['doctor', 'http://127.0.0.1:9/', '--secret', 'whsec_#'], /whsec_ followed by base64/],
  [['doctor'], /address of a receiver/],
])('used wrongly: %j', async (words, said) => {
  const run = runBeside(program, {}, words)
  expect(await run.ended).toBe(2)
  expect(run.said.err).toMatch(said)
})
