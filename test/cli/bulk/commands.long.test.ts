// gateway commands against a real gateway: a file is priced, paid once however often it is given, and what failed is mended.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Command, createGateway, type Gateway } from '../../../sdk/src/index.ts'
import { lookAt } from '../../../src/cli/commands/file.ts'
import { type GatewayProcess, openGatewayProcess } from '../../rig/gateway-process.ts'
import { openUnsteadyProxy } from '../../rig/unsteady-proxy.ts'
import { programOf, runBeside } from '../background.ts'

// Some commands are processes of their own, and many share few processors.
vi.setConfig({ testTimeout: 120_000 })
const folder = mkdtempSync(join(tmpdir(), 'bulk-'))
let process: GatewayProcess
const { execPath } = globalThis.process
let gateway: Gateway

beforeAll(async () => {
  process = await openGatewayProcess({}, { LOG_LEVEL: 'warn' })
  process.launch()
  await process.ready()
  gateway = createGateway({ url: process.url, apiKey: process.dev().api_key })
}, 120_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await process.remove()
})

const run = (...words: string[]) => process.inThread('commands', ...words)
const json = (...words: string[]) => {
  const { status, stdout, stderr } = run(...words, '--json')
  if (stdout === '') throw new Error(stderr)
  return { status, ...(JSON.parse(stdout) as { command: Command; error?: { message: string } }) }
}

const HEADER = 'amount,currency,channel,recipient.name,recipient.wallet'
const row = (amount: string, name = 'Ana Cruz') => `${amount},PHP,sandbox,${name},0012345678`
function file(name: string, ...rows: string[]): string {
  const path = join(folder, name)
  writeFileSync(path, `${[HEADER, ...rows].join('\r\n')}\r\n`)
  return path
}

test('a file is priced without a contract, then paid; what failed is mended and paid alone', () => {
  const path = file('payouts.csv', row('1500.50'), row('300', ''), row('200'))
  const tried = run('run', path, '--dry-run')
  expect(tried.status).toBe(1)
  expect(tried.stdout).toContain('transfers.payout (dry run)')
  expect(tried.stdout).toMatch(/line 3 +0012345678 +recipient.name +requirements_not_met +recipient.name is missing/)
  expect(tried.stdout).not.toContain('TO LOOK AT')
  expect(tried.stdout).toMatch(/done +2 +PHP 1,700.50/)

  expect(run('run', path)).toMatchObject({ status: 2, stderr: expect.stringContaining('Give --yes') })
  const results = join(folder, 'results.csv')
  const paid = json('run', path, '--yes', '--name', 'Friday', '--results', results)
  expect(paid).toMatchObject({
    status: 1,
    command: { description: 'Friday', status: 'completed', progress: { done: 2, failed: 1 } },
  })
  expect(readFileSync(results, 'utf8').split('\r\n')[2]).toContain('failed')

  const again = run('run', path, '--yes')
  expect(again.status).toBe(1)
  expect(again.stderr).toContain(`This very file was run before`)
  expect(again.stderr).toContain(paid.command.id)

  const mend = run('failed', paid.command.id)
  const mended = join(folder, 'mended.csv')
  expect(mend.stdout).toMatch(/^amount,.*,recipient.name\r\n300,.*,\r\n$/)
  writeFileSync(mended, mend.stdout.replace(/,\r\n$/, ',Ben Reyes\r\n'))
  expect(json('run', mended, '--yes')).toMatchObject({ status: 0, command: { progress: { total: 1, done: 1 } } })
  expect(json('run', mended, '--yes', '--again')).toMatchObject({ status: 0, command: { progress: { done: 1 } } })
})

test('a dry run says which rows to look at before anybody is paid, and whom each pays', async () => {
  const when = [{ field: 'amount', op: 'above', value: 5000, currency: 'PHP' }] as const
  const policy = await gateway.policies.create({
    name: 'Two look',
    when,
    then: { kind: 'approvals', count: 2, role: 'approver' },
  })
  const path = file('twice.csv', row('70'), row('6000', 'Ben Reyes'), row('70'), row('71'))
  const { status, stdout } = run('run', path, '--dry-run')
  expect(status).toBe(0)
  expect(stdout).toMatch(
    /line 3 +Ben Reyes +PHP 6,000.00 +waits for 2 approvals by members of the role approver \(“Two look”\)/,
  )
  expect(stdout).toMatch(/line 4 +Ana Cruz +PHP 70.00 +same amount and recipient as line 2/)
  expect(stdout).not.toMatch(/line 2 +Ana/)
  const { command } = json('run', path, '--yes', '--detach')
  await vi.waitFor(() => expect(run('get', command.id).stdout).toContain('3 of 4 done, 1 waiting'), { timeout: 60_000 })
  expect(run('get', command.id).stderr).toContain(`1 row waits for somebody: gateway commands results ${command.id}`)
  expect(run('results', command.id).stdout).toMatch(/line 3 +waiting +Ben Reyes +PHP 6,000.00 .* The transfer needs 2/)
  await gateway.commands.cancel(command.id)
  await gateway.policies.archive(policy.id)
})

test('an upload that broke off goes on by the same file, and by no other', async () => {
  const path = file('broken.csv', ...Array.from({ length: 30 }, (_, i) => row(`${100 + i}`)))
  const { reference } = await lookAt(path)
  const text = readFileSync(path, 'utf8').split('\r\n')
  const upload = { type: 'transfers.create', reference, csv: text.slice(0, 11).join('\n') } as const
  const { id } = await gateway.commands.upload(upload)
  const other = run('run', file('other.csv', row('1')), '--type', 'transfers.create', '--resume', id)
  expect(other.stderr).toContain('Give the very file that it was made of')
  const going = run('run', path, '--type', 'transfers.create')
  expect(going.stderr).toContain(`Going on with the command ${id}: 10 rows are there.`)
  expect(going.stdout).toContain('30 of 30 done')
  expect(going.status).toBe(0)
  // Whoever names it may look on; who does not is told.
  expect(json('run', path, '--type', 'transfers.create', '--resume', id)).toMatchObject({ status: 0, command: { id } })
  expect(run('run', path, '--type', 'transfers.create').stderr).toContain('run before')
  expect(await gateway.transfers.list().all()).toHaveLength(30 + 4 + 2 + 2 + 1)
})

test('a command is gone on with as what it is: --dry-run or another --type starts no payout that is named', async () => {
  const path = file('half.csv', ...Array.from({ length: 30 }, (_, i) => row(`${100 + i}`)))
  const { reference } = await lookAt(path)
  const csv = readFileSync(path, 'utf8').split('\r\n').slice(0, 11).join('\n')
  const { id } = await gateway.commands.upload({ type: 'transfers.payout', reference, csv })
  const wrong = [run('run', path, '--dry-run', '--resume', id)]
  wrong.push(run('run', path, '--type', 'transfers.create', '--resume', id))
  for (const { status, stderr } of wrong)
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining(`is no dry run of transfers.payout. Go on with it by: --resume ${id}`),
    ])
  expect((await gateway.commands.get(id)).command).toMatchObject({ status: 'open', progress: { total: 10 } })
  await gateway.commands.cancel(id)
  const dry = await gateway.commands.upload({ type: 'transfers.create', reference, csv }, { dryRun: true })
  const asPaid = run('run', path, '--resume', dry.id, '--yes')
  expect([asPaid.status, asPaid.stderr]).toEqual([
    2,
    expect.stringContaining(`--resume ${dry.id} --type transfers.create --dry-run`),
  ])
  await gateway.commands.cancel(dry)
})

test('a path that cannot be written is told before anybody is paid, and one that fails later after what was done', async () => {
  const path = file('unwritable.csv', row('410'), row('420'))
  const nowhere = join(folder, 'none', 'results.csv')
  const refused = run('run', path, '--yes', '--results', nowhere)
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining(`${nowhere} cannot be written (ENOENT)`),
  ])
  const { reference } = await lookAt(path)
  expect(await gateway.commands.list({ reference }).all()).toEqual([])
  const known = await gateway.commands.list().all()
  const unmade = run('export', '--what', 'contracts', '--output', nowhere)
  expect([unmade.status, unmade.stderr]).toEqual([1, expect.stringContaining('and nothing was done')])
  expect(await gateway.commands.list().all()).toEqual(known)
  const paid = json('run', path, '--yes', '--results', '/dev/full')
  expect(paid).toMatchObject({
    status: 1,
    command: { progress: { done: 2 } },
    results_error: expect.stringContaining(
      `(ENOSPC). Every row, and what became of it: gateway commands results ${paid.command.id}`,
    ) as string,
  })
})

test('an upload that a proxy lost says how it goes on, and the command stays open for it', async () => {
  const path = file('lost.csv', ...Array.from({ length: 2500 }, (_, i) => row(`${100 + i}`)))
  let parts = 0
  const proxy = await openUnsteadyProxy(process.url, (_, url) =>
    url.includes('/rows') && ++parts === 2 ? { status: 404, body: 'default backend' } : 'passes',
  )
  const env = { GATEWAY_URL: proxy.url, GATEWAY_API_KEY: process.dev().api_key, XDG_CONFIG_HOME: folder }
  const lost = runBeside(programOf(process), env, ['commands', 'run', path, '--type', 'transfers.create'])
  const status = await lost.ended
  await proxy.close()
  const { reference } = await lookAt(path)
  const [open] = await gateway.commands.list({ reference }).all()
  expect({ status, open, said: lost.said.err }).toMatchObject({
    status: 1,
    open: { status: 'open', progress: { total: 2000 } },
    said: expect.stringContaining(
      `Go on: gateway commands run ${path} --resume ${open?.id} --type transfers.create`,
    ) as string,
  })
  await gateway.commands.cancel(open as Command)
  expect((await gateway.commands.wait(open as Command)).command.progress.done).toBe(0)
})

test('a file whose command is being cancelled was run before: its rows are not paid again', async () => {
  const path = file('stopped.csv', row('810'), row('820'))
  const { command: ran } = json('run', path, '--yes')
  expect(ran.progress.done).toBe(2)
  const { reference } = await lookAt(path)
  const known = await gateway.commands.list({ reference }).all()
  // A command finishes its cancel within moments, too short to be met: what the list says meanwhile is held here.
  const commands = [{ ...known[0], status: 'running', cancelling: true, ended_at: null }]
  const body = JSON.stringify({ code: 200, data: { commands, next: null } })
  const headers = { 'content-type': 'application/json' }
  const proxy = await openUnsteadyProxy(process.url, (_, url) =>
    url.includes(`reference=${encodeURIComponent(reference)}`) ? { status: 200, headers, body } : 'passes',
  )
  const env = { GATEWAY_URL: proxy.url, GATEWAY_API_KEY: process.dev().api_key, XDG_CONFIG_HOME: folder }
  const again = runBeside(programOf(process), env, ['commands', 'run', path, '--yes'])
  const status = await again.ended
  await proxy.close()
  expect({ status, said: again.said.err }).toMatchObject({
    status: 1,
    said: expect.stringMatching(new RegExp(`This very file was run before.*--resume ${ran.id}`)) as string,
  })
  expect(await gateway.commands.list({ reference }).all()).toEqual(known)
})

const hasTerminals = spawnSync('script', ['--version']).error === undefined
if (!hasTerminals) console.warn('SKIPPED: there is no script(1) here that would make a terminal')

/** `commands run` as a person has it, who is asked. */
function atTerminal(...words: string[]) {
  const line = [execPath, programOf(process), 'commands', 'run', ...words].join(' ')
  const asked = spawn('script', ['-qec', line, '/dev/null'], {
    env: { ...globalThis.process.env, GATEWAY_DATA_DIR: process.dataDir, XDG_CONFIG_HOME: folder },
  })
  let said = ''
  asked.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const closed = once(asked, 'close')
  const ended = async () => {
    await closed
    return said
  }
  return {
    says: (what: string) => vi.waitFor(() => expect(said).toContain(what), { timeout: 60_000 }),
    ended,
    /** All that was said, once it has ended. */
    answer: (words: string) => {
      asked.stdin.write(`${words}\n`)
      return ended()
    },
  }
}

test.skipIf(!hasTerminals)(
  'who says no cancels nothing that somebody else has started with the same file',
  async () => {
    const path = file('both.csv', ...Array.from({ length: 1000 }, (_, i) => row(`${10 + i}`)))
    const asked = atTerminal(path)
    await asked.says('[y/N]')
    const { reference } = await lookAt(path)
    const [made] = await gateway.commands.list({ reference }).all()
    const { id } = await gateway.commands.start(made as Command)
    // So that it is not over before the answer.
    await gateway.commands.pause(id)
    expect(await asked.answer('n')).toContain('Nothing was done.')
    expect((await gateway.commands.get(id)).command).toMatchObject({ status: 'paused', cancelling: false })
    await gateway.commands.cancel(id)
  },
)

test.skipIf(!hasTerminals)(
  'who says no is left no file of results, and one that cannot be written is told before the question',
  async () => {
    const path = file('declined.csv', row('430'))
    const results = join(folder, 'declined-results.csv')
    const asked = atTerminal(path, '--results', results)
    await asked.says('[y/N]')
    expect(existsSync(results)).toBe(false)
    expect(await asked.answer('n')).toContain('Nothing was done.')
    expect(existsSync(results)).toBe(false)
    const held = join(folder, 'held.csv')
    writeFileSync(held, 'as it was')
    const kept = atTerminal(path, '--results', held)
    await kept.says('[y/N]')
    await kept.answer('n')
    expect(readFileSync(held, 'utf8')).toBe('as it was')
    const refused = await atTerminal(path, '--results', folder).ended()
    expect(refused).toContain(`${folder} cannot be written (EISDIR), and nothing was done.`)
    expect(refused).not.toContain('[y/N]')
  },
)

test('what is wrong with a file is one sentence, and nothing stays open', async () => {
  const said = (...words: string[]) => {
    const { status, stderr } = run('run', ...words, '--dry-run')
    expect([status, stderr]).toEqual([1, expect.not.stringMatching(/^\s+at /m)])
    return stderr
  }
  expect(said('nothing.csv')).toContain('nothing.csv cannot be read (ENOENT)')
  expect(said(folder)).toContain('is no file')
  expect(said(file('empty.csv'))).toContain('empty.csv has no rows')
  const wrong = join(folder, 'wrong.csv')
  writeFileSync(wrong, 'amuont,currency\n5,PHP\n')
  expect(said(wrong)).toContain('line 1, column 1: amuont is not known. Did you mean amount?')
  writeFileSync(wrong, 'amount,currency,wallet\n5,PHP,1\n')
  expect(said(wrong)).toContain('wallet is not known. Did you mean recipient.wallet?')
  expect(said(file('word.csv', row('100'), row('much')))).toContain('line 3, column amount: “much” is no number')
  writeFileSync(wrong, `${HEADER}\n"5,PHP\n`)
  expect(said(wrong)).toContain('line 2')
  writeFileSync(wrong, Buffer.from([0x61, 0x0a, 0xff, 0xfe]))
  expect(said(wrong)).toContain('not in UTF-8')
  expect(await gateway.commands.list({ status: 'open' }).all()).toEqual([])
})

test('commands are listed, looked at, and moved', async () => {
  const { id } = await gateway.commands.upload({ type: 'transfers.create', rows: [{ amount: 1, currency: 'PHP' }] })
  expect(run('list', '--status', 'open').stdout).toContain(id)
  expect(run('get', id.slice(0, 13)).stdout).toMatch(/rows +0 of 1 done, 1 left/)
  await gateway.commands.start(id)
  await gateway.commands.wait(id)
  expect(run('results', id).stdout).toMatch(/row 0 +done/)
  expect(run('results', id, '--csv').stdout).toContain('0,,done,')
  expect(run('failed', id).stderr).toContain('No row of this command failed.')
  expect(run('pause', id).stderr).toContain('command_not_movable')
  const { id: other } = await gateway.commands.create({ type: 'transfers.create' })
  expect(run('cancel', other).stdout).toMatch(/status +cancelled/)
})

test('the commands of a dry run are found by its id, or by a part of it', async () => {
  const rows = [{ amount: 5, currency: 'PHP' }]
  const dry = await gateway.commands.upload({ type: 'transfers.create', rows }, { dryRun: true })
  await gateway.commands.start(dry)
  await gateway.commands.wait(dry)
  const found = (id: string) => run('list', '--dry-run-id', id, '--csv').stdout.match(/^[0-9a-f-]{36}/gm) ?? []
  expect(found(dry.id)).toEqual([])
  const real = await gateway.commands.create({ type: 'transfers.create', dry_run_id: dry.id })
  expect([found(dry.id), found(dry.id.slice(-12))]).toEqual([[real.id], [real.id]])
})

test('what there is comes as a file that is whole', () => {
  const output = join(folder, 'contracts.csv')
  const written = run('export', '--what', 'contracts', '--output', output)
  expect([written.status, written.stdout]).toEqual([0, expect.stringMatching(/bytes, SHA-256 [0-9a-f]{64}/)])
  expect(readFileSync(output, 'utf8')).toContain('Ana Cruz')
})

test('a key that may not read contracts pays a file, is shown no rows, and is refused a file of them before money moves', async () => {
  const path = file('unread.csv', row('10'), row('20'))
  const scopes = ['commands:read', 'commands:write', 'contracts:write', 'transfers:issue', 'transfers:pay'] as const
  const key = await gateway.keys.create({ name: 'payouts', scopes: [...scopes] })
  const as = ['--api-key', key.api_key]
  const refused = run('run', path, '--yes', '--results', join(folder, 'unread-results.csv'), ...as)
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('contracts:read or events:read') })
  const paid = run('run', path, '--yes', '--json', ...as)
  expect(paid).toMatchObject({ status: 0, stderr: expect.stringContaining('So no rows are shown.') })
  expect(JSON.parse(paid.stdout)).toMatchObject({ command: { progress: { done: 2, failed: 0 } }, failures: [] })
})
