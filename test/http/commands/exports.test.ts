// Exports: the lists as files, made in parts, with the hash of the whole, for whoever may read what is in them.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EXPORT_COLUMNS } from '../../../src/app/commands/export-pages.ts'
import { type Caller, openWorld, type World } from '../../world.ts'
import { drafts, give, paused, run, told } from './command-stage.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stop())

async function fileOf(caller: Caller, id: string, headers: Record<string, string> = {}) {
  const { app } = world.gateway
  return app.inject({ url: `/commands/${id}/file`, headers: { 'x-api-key': caller.apiKey, ...headers } })
}
const hashOf = (text: string) => createHash('sha256').update(text).digest()

test('contracts of both kinds are a CSV file with the names of the API, and its hash is that of the whole', async () => {
  const caller = await world.newCaller()
  const spoilt = { name: '=HYPERLINK("x")', wallet: '000123456789' }
  await run(caller, { type: 'transfers.create', rows: [...drafts(449), { ...drafts(1)[0], recipient: spoilt }] })
  await run(caller, {
    type: 'payments.create',
    rows: [{ amount: 75.5, currency: 'PHP', metadata: { team: 'é, "x"' } }],
  })
  const command = await run(caller, { type: 'export', what: 'contracts' })
  expect(command).toMatchObject({ status: 'completed', progress: { total: 451, done: 451, left: 0 }, format: 'csv' })
  expect(command.file).toMatchObject({ status: 'ready', rows: 451, content_type: 'text/csv; charset=utf-8' })
  const reply = await fileOf(caller, command.id)
  const hash = hashOf(reply.body)
  expect(reply.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-length': String(Buffer.byteLength(reply.body)),
    'content-disposition': `attachment; filename="contracts-${command.id}.csv"`,
    'repr-digest': `sha-256=:${hash.toString('base64')}:`,
    etag: `"${hash.toString('hex')}"`,
  })
  expect(command.file).toMatchObject({ sha256: hash.toString('hex'), bytes: Buffer.byteLength(reply.body) })
  const lines = reply.body.trimEnd().split('\r\n')
  expect(lines[0]).toBe(EXPORT_COLUMNS.contracts.join(','))
  expect(lines).toHaveLength(452)
  expect(reply.body).toContain(`"'=HYPERLINK(""x"")"`)
  expect(lines[1]).toContain(',payment,')
  expect((await fileOf(caller, command.id, { 'if-none-match': `"${hash.toString('hex')}"` })).statusCode).toBe(304)
  expect(await told(caller, command.id)).toEqual(['command.completed'])
})

test('a filter is that of the list; entries and events are exported as their lists show them', async () => {
  const caller = await world.newCaller()
  await run(caller, { type: 'transfers.payout', rows: drafts(5) })
  await caller.draft({ amount: 3 })
  const linesOf = async (body: object) => {
    const { id, file } = await run(caller, { type: 'export', format: 'ndjson', ...body })
    const reply = await fileOf(caller, id)
    expect(file?.sha256).toBe(hashOf(reply.body).toString('hex'))
    return reply.body
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }
  const some = await linesOf({
    what: 'contracts',
    filter: { status: ['paid', 'completed'], currency: 'PHP', amount_from: 102 },
  })
  expect(some.map(({ amount }) => amount).toSorted()).toEqual([102, 103, 104])
  const wallets = await caller.all<{ id: string; currency: string }>('/wallets', 'wallets')
  const wallet = wallets.find(({ currency }) => currency === 'PHP')
  const listed = await caller.all<object>(`/wallets/${wallet?.id}/entries`, 'entries')
  const entries = await linesOf({ what: 'entries', filter: { wallet: wallet?.id } })
  expect(entries.length).toBeGreaterThan(5)
  expect(listed).toEqual(expect.arrayContaining(entries.map(({ wallet_id: _, ...entry }) => entry)))
  const paid = await linesOf({ what: 'events', filter: { types: 'contract.paid' } })
  expect(paid.map(({ type }) => type)).toEqual(Array.from({ length: 5 }, () => 'contract.paid'))
  const feed = await caller.all<{ type: string }>('/events', 'events')
  expect(paid).toEqual(feed.filter(({ type }) => type === 'contract.paid'))
})

test('what is wrong with an export is told at once', async () => {
  const ask = async (body: object) => {
    const { error } = await world.caller.ask('POST', '/commands', { body: { type: 'export', ...body } })
    return [error.code, error.param]
  }
  expect(await ask({})).toEqual(['missing_what', 'what'])
  expect(await ask({ what: 'contracts', filter: { statuss: 'paid' } })).toEqual(['unknown_parameter', 'filter.statuss'])
  expect(await ask({ what: 'contracts', filter: { amount_from: 5 } })).toEqual([
    'invalid_amount_from',
    'filter.amount_from',
  ])
  expect(await ask({ what: 'contracts', rows: [{}] })).toEqual(['invalid_rows', 'rows'])
  expect(await ask({ what: 'events', dry_run: true })).toEqual(['invalid_dry_run', 'dry_run'])
})

test('a file holds nothing of another account, and is read by nobody who may not read the list', async () => {
  const [owner, other] = [await world.newCaller(), await world.newCaller()]
  const [mine, theirs] = [await owner.draft(), await other.draft()]
  const { id } = await run(owner, { type: 'export', what: 'contracts', format: 'ndjson' })
  const file = await fileOf(owner, id)
  expect([file.body.includes(mine.id), file.body.includes(theirs.id)]).toEqual([true, false])
  expect((await fileOf(other, id)).statusCode).toBe(404)
  const weak = await world.withKey(owner, { scopes: ['commands:read', 'commands:write', 'events:read'] })
  expect((await fileOf(weak, id)).statusCode).toBe(403)
  const refused = await weak.ask('POST', '/commands', { body: { type: 'export', what: 'contracts' } })
  expect([refused.status, refused.error.code]).toEqual([403, 'scope_missing'])
  const events = await run(owner, { type: 'export', what: 'events' })
  expect((await fileOf(weak, events.id)).statusCode).toBe(403)
  const own = await run(weak, { type: 'export', what: 'events' })
  expect((await fileOf(weak, own.id)).body).not.toContain('wallet.created')
})

test('an export stops when its maker may not read any more, and goes on for whoever resumes it', async () => {
  const owner = await world.newCaller()
  const maker = await world.withKey(owner, {})
  await owner.draft()
  await world.sql('update api_keys set scopes = array_remove(scopes, $2) where key_id = $1', [
    maker.keyId,
    'wallets:read',
  ])
  // The door remembers a key for a second: the command is let in, and stopped at its first part.
  const { id } = await give(owner, { type: 'export', what: 'contracts' })
  await world.sql('update commands set key_id = $2 where id = $1 and ended_at is null', [id, maker.keyId])
  await world.sql('update api_keys set revoked_at = now() where key_id = $1', [maker.keyId])
  await world.sql(
    `update commands set status = 'running', ended_at = null, file_sha256 = null, file_expires_at = null, due_at = now(), key_id = $2
      where id = $1`,
    [id, maker.keyId],
  )
  const stopped = await paused(owner, id)
  expect(stopped).toMatchObject({ stopped: { code: 'invalid_api_key' } })
  expect((await fileOf(owner, id)).statusCode).toBe(409)
  await owner.ask('PUT', `/commands/${id}/resume`)
  const { file, created_by: by } = await run(owner, { type: 'export', what: 'contracts' })
  expect([file?.rows, by.key]).toEqual([1, owner.keyId])
})

test('after a crash between two parts the file goes on behind the last one, with the right hash', async () => {
  const caller = await world.newCaller()
  await run(caller, { type: 'transfers.create', rows: drafts(650) })
  const whole = await run(caller, { type: 'export', what: 'contracts', format: 'ndjson' })
  const text = (await fileOf(caller, whole.id)).body
  // As it stood when two of its pages were stored.
  const [second] = text.split('\n').slice(399, 400)
  const { id: after } = JSON.parse(second ?? '{}') as { id: string }
  const parts = await world.sql<{ number: number; content: string }>(
    'select number, content from command_file_parts where command_id = $1 order by number',
    [whole.id],
  )
  let seen = 0
  const kept = parts.filter(({ content }) => {
    const isBefore = seen < 400
    seen += content.split('\n').length - 1
    return isBefore && seen <= 400
  })
  const known = kept.map(({ content }) => content).join('')
  const rows = known.split('\n').length - 1
  expect(rows).toBe(400)
  await world.sql('delete from command_file_parts where command_id = $1 and number >= $2', [whole.id, kept.length])
  await world.sql(
    `update commands set status = 'running', ended_at = null, file_sha256 = null, file_expires_at = null, due_at = now(),
            file_parts = $2, file_bytes = $3, total = 400, done = 400, cursor = json_build_object('after', $4::text)
      where id = $1`,
    [whole.id, kept.length, Buffer.byteLength(known), after],
  )
  for (;;) {
    const { data } = await caller.ask('GET', `/commands/${whole.id}`)
    if ((data['command'] as { ended_at: string | null }).ended_at !== null) break
  }
  const again = await fileOf(caller, whole.id)
  expect(again.body).toBe(text)
  expect(again.headers['etag']).toBe(`"${hashOf(text).toString('hex')}"`)
})

test('a file that is over is gone, and its command says so', async () => {
  const caller = await world.newCaller()
  const { id } = await run(caller, { type: 'export', what: 'contracts' })
  await world.sql(`update commands set file_expires_at = now() - interval '1 second' where id = $1`, [id])
  expect((await fileOf(caller, id)).statusCode).toBe(410)
  const { data } = await caller.ask('GET', `/commands/${id}`)
  expect(data['command']).toMatchObject({ file: { status: 'expired' } })
})
