// Who is called, and as whom: logins, what goes before what, and what is said of an address that is wrong. Completion in a real shell.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openGatewayProcess, type GatewayProcess } from '../../rig/gateway-process.ts'
import { runBeside } from '../background.ts'

vi.setConfig({ testTimeout: 120_000 })
let gateway: GatewayProcess
let folder: string
let program: string
beforeAll(async () => {
  gateway = await openGatewayProcess({}, {})
  gateway.launch()
  await gateway.ready()
  program = join(gateway.dataDir, '../dist/src/cli/index.js')
  folder = mkdtempSync('/tmp/gateway-login-')
}, 120_000)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await gateway.remove()
})

const config = () => join(folder, 'config')
const env = () => ({ XDG_CONFIG_HOME: config(), GATEWAY_DATA_DIR: join(folder, 'nothing') })
/** Beside the test, which may serve what is called; with `input` on standard input. */
async function run(words: readonly string[], more: Readonly<Record<string, string>> = {}, input = '') {
  const ran = runBeside(program, { ...env(), ...more }, words, input)
  return { status: await ran.ended, ...ran.said }
}

test('a login is tried, kept for this user alone, used, named and forgotten', async () => {
  const { api_key: key, account_id: id, other_account: other } = gateway.dev()
  const login = ['login', '--url', gateway.url, '--profile', 'shop']
  expect(await run(login, {}, 'gck_test_0000000000_wrong\n')).toMatchObject({ status: 1 })
  expect(await run(login, {}, 'password\n')).toMatchObject({
    status: 2,
    err: expect.stringContaining('Nothing was kept'),
  })
  expect(await run(['whoami'])).toMatchObject({ status: 1, err: expect.stringContaining('gateway login') })
  const kept = await run(login, {}, `${key}\n`)
  expect([kept.status, kept.out]).toEqual([0, expect.stringContaining('Logged in as shop: TEST account')])
  expect(kept.out + kept.err).not.toContain(key)
  const file = join(config(), 'gateway/logins.json')
  expect([statSync(file).mode & 0o777, statSync(join(config(), 'gateway')).mode & 0o777]).toEqual([0o600, 0o700])
  expect(await run(['login', '--url', gateway.url, '--profile', 'two'], {}, other.api_key)).toMatchObject({ status: 0 })

  const who = async (words: readonly string[], more = {}) => {
    const { out } = await run(['whoami', '--json', ...words], more)
    return JSON.parse(out) as Record<string, unknown>
  }
  expect(await who([])).toMatchObject({ account_id: other.account_id, url_from: 'the login two', in_use: 'two' })
  expect(await who(['--use', 'shop'])).toMatchObject({ account_id: id, key_from: 'the login shop' })
  expect(await who([], { GATEWAY_PROFILE: 'shop' })).toMatchObject({ account_id: id })
  expect(await who([], { GATEWAY_API_KEY: key })).toMatchObject({ account_id: id, key_from: 'GATEWAY_API_KEY' })
  expect(await run(['use', 'shop'])).toMatchObject({ status: 0 })
  expect(await who([])).toMatchObject({ account_id: id })
  expect(await run(['use', 'three'])).toMatchObject({
    status: 1,
    err: 'No login is called three. There are: shop, two.\n',
  })
  // A stored key goes nowhere else.
  const away = await run(['transfers', 'list', '--url', 'http://127.0.0.1:2'])
  expect([away.status, away.err]).toEqual([1, expect.stringContaining('No key is known for http://127.0.0.1:2')])
  expect(await run(['logout', '--all'])).toMatchObject({ status: 0, out: 'Forgotten: shop, two.\n' })
  expect(await run(['whoami'])).toMatchObject({ status: 1 })
})

test('what cannot be read is not written over', async () => {
  const path = join(config(), 'gateway/logins.json')
  writeFileSync(path, '{')
  const { status, err } = await run(['login', '--url', gateway.url, '--profile', 'x'], {}, gateway.dev().api_key)
  expect([status, err]).toEqual([1, expect.stringContaining('it is no JSON')])
  expect(readFileSync(path, 'utf8')).toBe('{')
  rmSync(path)
})

const PAGE: RequestListener = (_, reply) =>
  void reply.writeHead(404, { 'content-type': 'text/html' }).end('<html>no</html>')
const AWAY: RequestListener = (_, reply) => void reply.writeHead(302, { location: 'https://elsewhere.example/' }).end()
const SILENT: RequestListener = (request) => void request.socket.destroy()

test.each([
  ['a page', PAGE, '', /is not a gateway: it answered .* with a page \(HTTP 404\)/],
  ['a redirect', AWAY, '', /with a redirect \(HTTP 302\)/],
  ['a closed connection', SILENT, '', /closed the connection without an answer/],
  ['no TLS', PAGE, 'https', /does not speak TLS .*http:\/\//],
])('an address that answers with %s is told in a sentence', async (_, answer, scheme, said) => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const url = `${scheme || 'http'}://127.0.0.1:${port}`
  const ran = await run(['transfers', 'list', '--url', url, '--api-key', 'gck_test_x'])
  server.close()
  expect([ran.status, ran.err]).toEqual([1, expect.stringMatching(said)])
  expect(ran.err.trim().split('\n')).toHaveLength(1)
})

test.each([
  [['--url', 'nonsense'], 2, /--url: "nonsense" is no address of a gateway/],
  [['--url', 'ftp://shop.example'], 2, /no address of a gateway/],
  [['--url', 'http://127.0.0.1:2'], 1, /nothing listens there/],
  [['--url', 'http://127.0.0.1:9'], 1, /No client calls port 9/],
])('transfers list %j', async (words, code, said) => {
  const ran = await run(['transfers', 'list', ...words, '--api-key', 'gck_test_x'])
  expect([ran.status, ran.err]).toEqual([code, expect.stringMatching(said)])
  expect(ran.err.trim().split('\n')).toHaveLength(1)
})

test('no command makes a database by accident', async () => {
  for (const words of [['accounts', 'list'], ['migrate'], ['migrate', '--dry-run'], ['verify']]) {
    const ran = await run(words)
    expect([ran.status, ran.err]).toEqual([1, expect.stringContaining('There is no database in')])
  }
  expect(() => statSync(join(folder, 'nothing'))).toThrow(/ENOENT/)
})

test('bash completes commands, options and their choices', async () => {
  const { out: script } = await run(['completion', 'bash'])
  const complete = (line: string) => {
    const words = line.split(' ').map((word) => `'${word}'`)
    const ask = `${script}\nCOMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _gateway; echo "\${COMPREPLY[@]}"`
    const ran = spawnSync('bash', ['--norc', '-c', ask], { encoding: 'utf8' })
    expect(ran.stderr).toBe('')
    return ran.stdout.trim().split(' ')
  }
  expect(complete('gateway tr')).toEqual(['transfers', 'trigger'])
  expect(complete('gateway transfers se')).toEqual(['send'])
  expect(complete('gateway transfers send --to-n')).toEqual(['--to-name'])
  expect(complete('gateway wallets list --status ')).toEqual(['open', 'closed'])
  expect(complete('gateway --json transfers wa')).toEqual(['watch'])
  expect(complete('gateway profiles destinations ')).toEqual(expect.arrayContaining(['add', 'update', 'remove']))
})

test.each(['zsh', 'fish'])('there is a script for %s', async (shell) => {
  const { status, out } = await run(['completion', shell])
  expect([status, out]).toEqual([0, expect.stringContaining('transfers')])
})

/** A zsh at a terminal, with nothing set up before: what it makes of two words that are begun. */
const IN_ZSH = String.raw`
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "source $1; PS1=REA; PS1+=DY"
zpty -r z shown '*READY*'
zpty -w -n z $'gateway transfers se\t--to-n\tX'
zpty -r z shown '*X*'
print -r -- $shown
zpty -d z`
const IN_FISH = 'source $argv[1]; complete -C "gateway transfers se"; complete -C "gateway transfers send --to-n"'

for (const [shell, program, options] of [
  ['zsh', IN_ZSH, ['-f']],
  ['fish', IN_FISH, ['--no-config']],
] as const) {
  const isThere = spawnSync(shell, ['--version']).error === undefined
  if (!isThere) console.warn(`SKIPPED: there is no ${shell} here that would complete words`)
  test.skipIf(!isThere)(`${shell} completes commands and options`, async () => {
    const path = join(folder, `completion.${shell}`)
    writeFileSync(path, (await run(['completion', shell])).out)
    const args = [...options, '-c', program, ...(shell === 'zsh' ? ['zsh'] : []), path]
    const ran = spawnSync(shell, args, { encoding: 'utf8', env: { ...process.env, HOME: folder, TERM: 'dumb' } })
    expect(ran.status, ran.stderr).toBe(0)
    expect(ran.stdout).toMatch(/send\b[^]*--to-name\b/)
  })
}
