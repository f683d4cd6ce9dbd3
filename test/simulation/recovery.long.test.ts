// The day after the worst day: an older copy of the database comes back while the provider has gone on. Nothing is sent and
// nothing is given back until two operators have looked.
import { cpSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GatewayProcess, openGatewayProcess } from '../rig/gateway-process.ts'

let gateway: GatewayProcess
/** The contract that the provider executed and the books forgot. */
let lost: string
let before: number
beforeAll(async () => {
  gateway = await openGatewayProcess({}, {})
})
afterAll(() => gateway.remove())

type Answer = {
  readonly status: number
  readonly state: string | null
  readonly body: Readonly<Record<string, unknown>>
}
type Contract = { readonly id: string; readonly status: string; readonly version: number }

async function ask(method: string, path: string, body?: object): Promise<Answer> {
  const headers = { 'x-api-key': gateway.dev().api_key, 'content-type': 'application/json' }
  const reply = await fetch(gateway.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return {
    status: reply.status,
    state: reply.headers.get('gateway-state'),
    body: (await reply.json()) as Answer['body'],
  }
}
const contractOf = ({ body }: Answer) => (body as { data: { contract: Contract } }).data.contract
const codeOf = ({ body }: Answer) => (body as { error?: { code: string } }).error?.code ?? null

const DRAFT = { amount: 10, currency: 'PHP', channel: 'sandbox', recipient: { name: 'Ana Cruz', wallet: '0012345678' } }
async function issued(): Promise<string> {
  const { id } = contractOf(await ask('POST', '/contracts/transfer', DRAFT))
  await ask('PUT', `/contracts/transfer/${id}/issue`)
  return id
}
const put = (id: string, verb: string) => ask('PUT', `/contracts/transfer/${id}/${verb}`)
const statusOf = async (id: string) => contractOf(await ask('GET', `/contracts/transfer/${id}`)).status
const completed = (id: string) => expect.poll(() => statusOf(id), { timeout: 30_000 }).toBe('completed')

/** How often the provider executed an order of this contract. */
async function executions(id: string): Promise<number> {
  const { sandbox_url: url, sandbox_token: token } = gateway.dev()
  const reply = await fetch(`${url}/books`, { headers: { authorization: `Bearer ${token}` } })
  const text = JSON.stringify(await reply.json())
  return text.split(`"${id.replaceAll('-', '')}001"`).length - 1
}

async function start(): Promise<void> {
  gateway.launch()
  await gateway.ready()
}
const database = () => join(gateway.dataDir, 'postgres')
const copy = () => join(gateway.dataDir, '..', 'copy')
const recovery = (...words: string[]) => gateway.command('recovery', ...words)

test('a gateway that stops, or is killed, goes on where it was', async () => {
  await start()
  await completed(await paid())
  expect(recovery('status').status).toBe(0)
  await gateway.kill('gateway')
  await start()
  expect((await ask('GET', '/readyz')).body).toEqual({ status: 'ok' })
  await gateway.stop()
  await start()
  expect(recovery('status', '--json').stdout).toContain('"state":"normal"')
}, 120_000)

async function paid(): Promise<string> {
  const id = await issued()
  await put(id, 'pay')
  return id
}

test('an older copy starts in recovery: read and drafted, and nothing else', async () => {
  lost = await issued()
  const other = await issued()
  await gateway.stop()
  cpSync(database(), copy(), { recursive: true, preserveTimestamps: true })
  await start()
  await put(lost, 'pay')
  await completed(lost)
  before = await executions(lost)
  expect(before).toBeGreaterThan(0)
  await gateway.stop()
  rmSync(database(), { recursive: true })
  renameSync(copy(), database())

  await start()
  const ready = await ask('GET', '/readyz')
  expect(ready).toMatchObject({ status: 200, state: 'recovery', body: { status: expect.stringContaining('recovery') } })
  // Undone here, done there: nobody may pay it again, or give the money back.
  expect(await statusOf(lost)).toBe('issued')
  for (const [id, verb] of [
    [lost, 'pay'],
    [other, 'pay'],
    [lost, 'issue'],
  ] as const) {
    const refused = await put(id, verb)
    expect([refused.status, codeOf(refused), refused.state]).toEqual([503, 'in_recovery', 'recovery'])
  }
  expect(codeOf(await ask('DELETE', `/contracts/transfer/${lost}`))).toBe('in_recovery')
  const drafted = contractOf(await ask('POST', '/contracts/transfer', DRAFT))
  expect(drafted.status).toBe('draft')
  expect((await ask('PATCH', `/contracts/transfer/${drafted.id}`, { description: 'later' })).status).toBe(200)
  expect(await executions(lost)).toBe(before)

  const told = recovery('status')
  expect([told.status, told.stdout]).toEqual([1, expect.stringMatching(/In recovery since .*restored from a backup/)])
}, 180_000)

test('a start in recovery stays there', async () => {
  await gateway.kill('gateway')
  await start()
  expect(await ask('GET', '/readyz')).toMatchObject({ state: 'recovery' })
}, 60_000)

test('nobody ends it before the channels are compared; what the provider executed is found, and is in the books again', async () => {
  const early = recovery('resume', '--operator', 'ana', '--evidence', 'it will be well')
  expect([early.status, early.stderr]).toEqual([1, expect.stringContaining('sandbox was not compared')])
  const compared = recovery('compare', '--operator', 'ana', '--json')
  const { channels, lines } = JSON.parse(compared.stdout) as { channels: object[]; lines: object[] }
  expect(channels).toContainEqual(expect.objectContaining({ channel: 'sandbox', state: 'complete' }))
  expect(lines).toEqual([expect.objectContaining({ contract_id: lost, kind: 'adopted', amount: 10, currency: 'PHP' })])
  expect(await statusOf(lost)).toBe('completed')
  expect(codeOf(await ask('DELETE', `/contracts/transfer/${lost}`))).toBe('in_recovery')
  // Again and again: nothing more is found.
  expect(JSON.parse(recovery('compare', '--operator', 'ben', '--json').stdout)).toMatchObject({
    lines: [{ kind: 'adopted' }],
  })
  expect(await executions(lost)).toBe(before)
}, 180_000)

test('one operator does not end it, by whatever name; two do, and money moves once', async () => {
  const evidence = ['--evidence', 'the statements fit']
  for (const operator of ['ana', ' ANA'])
    expect(recovery('resume', '--operator', operator, ...evidence).stdout).toMatch(/another operator has to confirm/)
  expect(await ask('GET', '/readyz')).toMatchObject({ state: 'recovery' })
  expect(recovery('resume', '--operator', 'ben', ...evidence).stdout).toMatch(/works again/)
  await expect.poll(async () => (await ask('GET', '/readyz')).state, { timeout: 30_000 }).toBeNull()
  const again = recovery('resume', '--operator', 'ana', ...evidence)
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('not in recovery')])
  expect(codeOf(await put(lost, 'pay'))).toBeNull()
  expect(await statusOf(lost)).toBe('completed')
  expect(await executions(lost)).toBe(before)
  await comesUnderOtherIds()
  await completed(await paid())
  expect(gateway.command('verify').status).toBe(0)
}, 120_000)

/** What happened before the restore was told under ids that nothing has again; a reader that had read it goes on. */
async function comesUnderOtherIds(): Promise<void> {
  const found = await ask('GET', `/search?q=${lost}&type=event`)
  const ids = (found.body as { data: { results: { id: string }[] } }).data.results.map(({ id }) => id)
  expect(ids.map((id) => id.includes('_2'))).toEqual([true, true, false, false])
  const told = await ask('GET', `/events?after=${ids[0]?.replace('_2', '')}`)
  expect([told.status, told.body['error']]).toMatchObject([
    409,
    { code: 'epoch_changed', epoch: 2, resume_after: expect.stringMatching(/^evt_[0-9a-f]{36}$/) },
  ])
}

test('an operator says so where no mark can tell: a gateway at work begins anew, in recovery', async () => {
  const evidence = ['--evidence', 'restored from the snapshot of tonight']
  expect(recovery('begin', '--operator', 'ana', ...evidence)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('In recovery since'),
  })
  // What begins anew says that it is in recovery, too, and that it is not ready.
  const ready = () => ask('GET', '/readyz').catch(() => null)
  await expect.poll(ready, { timeout: 30_000 }).toMatchObject({ status: 200, state: 'recovery' })
  expect(gateway.isUp()).toBe(true)
  expect(recovery('begin', '--operator', 'ana', ...evidence).stderr).toMatch(/in recovery already/)
  const { command, schedule } = await stoppedInRecovery()
  for (const operator of ['ana', 'ben']) recovery('resume', '--operator', operator, ...evidence)
  await expect.poll(async () => (await ask('GET', '/readyz')).state, { timeout: 30_000 }).toBeNull()
  await expect.poll(async () => idOf(await ask('GET', `/commands/${command}`), 'command').status).toBe('cancelled')
  expect(idOf(await ask('GET', `/schedules/${schedule}`), 'schedule')).toMatchObject({ status: 'paused', runs: 0 })
  const { body } = await ask('GET', `/commands/${command}/rows`)
  expect(body).toMatchObject({ data: { rows: [{ status: 'skipped', contract_id: null }] } })
}, 120_000)

const idOf = ({ body }: Answer, name: string) =>
  (body as { data: Record<string, { readonly id: string; readonly status: string }> }).data[name] ?? {
    id: '',
    status: '',
  }

/** What would go on after the resume is named, and whoever it is of can stop it. */
async function stoppedInRecovery() {
  const lines = () =>
    (JSON.parse(recovery('compare', '--operator', 'ana', '--json').stdout) as { lines: object[] }).lines
  const { id: command } = idOf(await ask('POST', '/commands', { type: 'transfers.payout', rows: [DRAFT] }), 'command')
  const rule = { every: 'day', time: '09:00', time_zone: 'Asia/Manila' }
  const { id: schedule } = idOf(await ask('POST', '/schedules', { template: DRAFT, rule }), 'schedule')
  const named = expect.objectContaining({ channel: 'commands', reference: command, kind: 'open' }) as object
  expect(lines()).toContainEqual(named)
  expect(recovery('status').stdout).toContain(`gateway commands cancel ${command}`)
  expect((await ask('PUT', `/commands/${command}/cancel`)).status).toBe(200)
  expect((await ask('PUT', `/schedules/${schedule}/pause`)).status).toBe(200)
  expect(lines()).not.toContainEqual(named)
  return { command, schedule }
}

test('a mark that says nothing stops the start with what to do', async () => {
  await gateway.stop()
  const [name = ''] = readdirSync(gateway.dataDir).filter((each) => each.startsWith('mark-'))
  const path = join(gateway.dataDir, name)
  writeFileSync(path, 'x')
  const refused = gateway.command('start')
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/mark-[0-9a-f-]+\.json does not say where the database stood.*gateway recovery begin/),
  ])
  rmSync(path)
  await start()
  expect((await ask('GET', '/readyz')).body).toEqual({ status: 'ok' })
}, 120_000)
