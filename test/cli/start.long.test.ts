// gateway start, as its own process: what it says when it is ready, when it cannot start, and when it is told to stop.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileGateway } from '../rig/built.ts'
import { freePort } from '../rig/gateway-child.ts'

type Started = {
  readonly child: ChildProcess
  readonly said: { out: string; err: string }
  readonly ended: Promise<unknown>
}

const workshop = mkdtempSync('/tmp/gateway-start-')
const dataDir = join(workshop, 'data')
const taken = createServer()
let program = ''
let port = 0
let firstSandboxUrl = ''
const started: Started[] = []

beforeAll(async () => {
  chmodSync(workshop, 0o755)
  program = compileGateway(workshop)
  port = await freePort()
  taken.listen(0, '127.0.0.1')
  await once(taken, 'listening')
})

afterAll(async () => {
  taken.close()
  for (const { child } of started) child.kill('SIGKILL')
  await Promise.all(started.map(({ ended }) => ended))
  // The watchdog stops the database once its last user is gone.
  for (let tries = 0; leftOf(dataDir).length > 0 && tries < 200; tries++) await sleep(50)
  rmSync(workshop, { recursive: true, force: true })
})

function start(settings: Record<string, string>, ...words: string[]): Started {
  const env = { PATH: process.env['PATH'] ?? '', PORT: String(port), GATEWAY_DATA_DIR: dataDir, ...settings }
  const child = spawn(process.execPath, [program, 'start', ...words], { env, cwd: workshop })
  const said = { out: '', err: '' }
  child.stdout.on('data', (bytes: Buffer) => (said.out += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (said.err += bytes.toString()))
  const run = { child, said, ended: once(child, 'exit') }
  started.push(run)
  return run
}

async function ready({ child, said }: Started, words: string): Promise<void> {
  while (!said.out.includes(words)) {
    if (child.exitCode !== null) throw new Error(`it ended: ${said.out}${said.err}`)
    await sleep(20)
  }
}

/** The processes whose command line names the directory. */
function leftOf(directory: string): string[] {
  return spawnSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes(directory))
}

test('a first start says what a newcomer needs, its curl works as it stands, and SIGINT stops all of it', async () => {
  const run = start({})
  await ready(run, 'Ctrl-C to stop')
  const { out } = run.said
  for (const words of [
    `Gateway ready at http://127.0.0.1:${port}`,
    '/docs',
    'gck_test_',
    join(dataDir, 'dev.json'),
    'npm run demo',
  ])
    expect(out).toContain(words)
  expect(out).not.toContain('\x1b[')
  firstSandboxUrl = (JSON.parse(readFileSync(join(dataDir, 'dev.json'), 'utf8')) as { sandbox_url: string }).sandbox_url
  expect(run.said.err).not.toMatch(/Warning|Deprecation/)
  const curl = /^ {2}curl [\s\S]*?^ {4}-d .*$/m.exec(out)?.[0] ?? ''
  const reply = JSON.parse(spawnSync('bash', ['-c', curl], { encoding: 'utf8' }).stdout) as {
    data: { contract: object }
  }
  expect(reply.data.contract).toMatchObject({ status: 'draft', amount: 1500, preview: { valid: true } })
  // As npm does: the terminal's signal, and its own copy of it right after.
  run.child.kill('SIGINT')
  run.child.kill('SIGINT')
  await run.ended
  expect(run.child.exitCode).toBe(0)
  expect(run.said.out).toMatch(/SIGINT: finishing what is under way[\s\S]*Stopped\. .*\n$/)
  expect(leftOf(dataDir)).toEqual([])
})

test('--json is one line for scripts; a second signal ends the process where it stands', async () => {
  const run = start({}, '--json')
  await ready(run, '\n')
  const { url, dev } = JSON.parse(run.said.out) as { url: string; dev: { api_key: string; sandbox_url: string } }
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect(dev.api_key).toMatch(/^gck_test_/)
  // Links to the provider's pages outlive a restart.
  expect(dev.sandbox_url).toBe(firstSandboxUrl)
  // A provider that does not answer its signal holds the stop up.
  const provider = Number(
    leftOf(dataDir)
      .find((line) => line.includes('sandbox/server.js'))
      ?.trim()
      .split(' ')[0],
  )
  process.kill(provider, 'SIGSTOP')
  run.child.kill('SIGTERM')
  await sleep(1500)
  expect(run.child.exitCode).toBe(null)
  run.child.kill('SIGTERM')
  await run.ended
  expect(run.child.exitCode).toBe(143)
  process.kill(provider, 'SIGKILL')
})

test('SIGHUP stops one process, and replaces several: it says which, and when it is over', async () => {
  const one = start({})
  await ready(one, 'Ctrl-C to stop')
  one.child.kill('SIGHUP')
  await one.ended
  expect(one.said.out).toMatch(/SIGHUP: finishing what is under way[\s\S]*Stopped\. .*\n$/)
  const several = start({ GATEWAY_DRAIN_SECONDS: '1' }, '--processes', '2')
  await ready(several, 'Ctrl-C to stop')
  several.child.kill('SIGHUP')
  await ready(several, 'SIGHUP: replacing the processes, one after the other')
  several.child.kill('SIGHUP')
  await ready(several, 'SIGHUP: the processes are being replaced already.')
  await ready(several, 'All processes were replaced (')
  several.child.kill('SIGHUP')
  await expect.poll(() => several.said.out.match(/All processes were replaced \(\d+\.\d s\)\./g)?.length).toBe(2)
  several.child.kill('SIGTERM')
  await several.ended
  expect(several.said.out).toMatch(/SIGTERM: finishing[\s\S]*Stopped\. .*\n$/)
})

test.each([
  [
    'a taken port',
    () => ({ PORT: String((taken.address() as { port: number }).port) }),
    1,
    /^Port \d+ on 127\.0\.0\.1 is taken\. .*PORT=3001/,
  ],
  [
    'every fault of the configuration',
    () => ({ PORT: 'x', LOG_LEVEL: 'loud' }),
    2,
    /PORT must be[\s\S]*LOG_LEVEL must be/,
  ],
  [
    'a database that is not there',
    () => ({ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/x' }),
    1,
    /DATABASE_URL cannot be reached \(ECONNREFUSED\)/,
  ],
  [
    'a data directory that is none',
    () => ({ GATEWAY_DATA_DIR: '/dev/null/data' }),
    1,
    /\/dev\/null\/data.*GATEWAY_DATA_DIR/,
  ],
])('%s is told in a sentence, with its exit code', async (_name, settings, code, words) => {
  const run = start(settings())
  await run.ended
  expect(run.child.exitCode).toBe(code)
  expect(run.said.err).toMatch(words)
  expect(run.said.err).not.toMatch(/^\s+at |secret/m)
  expect(run.said.out).toBe('')
})
