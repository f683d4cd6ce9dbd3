// A newer release migrates beside a gateway at work: steps that want every table that money is in for themselves get them, nothing
// is refused for good, and the books hold.
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { migrate } from '../../src/platform/migrate.ts'
import { type Caller, openWorld, READY } from '../world.ts'

const world = await openWorld()
const directory = mkdtempSync(join(tmpdir(), 'gateway-migrations-'))
afterAll(async () => {
  rmSync(directory, { recursive: true })
  await world.stop()
})

/** In another order than the write path's: such a step and a batch can wait for each other. */
const STEPS = [
  ['jobs', 'contracts', 'wallets'],
  ['wallets', 'idempotency_keys', 'contracts'],
  ['contracts', 'jobs', 'wallets', 'deliveries'],
].map((tables, place) => tables.map((table) => `alter table ${table} add column later_${place} int;`).join('\n'))

/** This release's migrations, and those of the next one. */
function newerRelease(): number {
  cpSync('db/migrations', directory, { recursive: true })
  const known = readdirSync(directory).length
  STEPS.forEach((sql, place) => {
    const number = String(known + place + 1).padStart(4, '0')
    writeFileSync(join(directory, `${number}_later_${place}.sql`), `-- safe\n${sql}\n`)
  })
  return known + STEPS.length
}

let calls = 0
let again = 0

/** Until it is answered: what was refused for the moment is asked again under the same key, as the SDK does. */
async function asked(caller: Caller, method: 'POST' | 'PUT', path: string, body?: object): Promise<string> {
  calls += 1
  const headers = { 'idempotency-key': `call-${calls}` }
  for (;;) {
    const reply = await caller.ask(method, path, { ...(body && { body }), ...(method === 'POST' && { headers }) })
    if (reply.status < 300) return (reply.data['contract'] as { id: string }).id
    expect([reply.status, reply.headers['retry-after'] === undefined], reply.text).toEqual([503, false])
    again += 1
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function pay(caller: Caller): Promise<string> {
  const id = await asked(caller, 'POST', '/contracts/transfer', READY)
  await asked(caller, 'PUT', `/contracts/transfer/${id}/issue`)
  return asked(caller, 'PUT', `/contracts/transfer/${id}/pay`)
}

test('steps on the busiest tables end, every request is answered, and all that was paid arrives once', async () => {
  const version = newerRelease()
  const callers = await Promise.all(Array.from({ length: 8 }, () => world.newCaller()))
  let isOver = false
  let before = 0
  const paid = callers.map(async (caller) => {
    const ids: string[] = []
    while (!isOver) before = ids.push(await pay(caller))
    return ids
  })
  // Everybody is at work when it begins.
  await expect.poll(() => before).toBeGreaterThan(1)
  const lines: string[] = []
  const { owner } = world.database
  const result = await migrate({ connection: owner, directory, mode: 'apply', log: (line) => lines.push(line) })
  isOver = true
  const ids = (await Promise.all(paid)).flat()
  expect(result, lines.join('\n')).toMatchObject({ version, applied: { length: STEPS.length } })
  for (const id of ids) expect(await world.settle(id)).toBe('completed')
  expect(ids.length).toBeGreaterThan(callers.length)
  await world.ledgerHolds()
  // The old release, started on the newer schema: it says so, and works on.
  const said: string[] = []
  const old = { connection: owner, directory: 'db/migrations', log: (line: string) => said.push(line) }
  expect(await migrate({ ...old, mode: 'apply' })).toEqual({ applied: [], pending: [], version })
  expect(said).toEqual([expect.stringContaining('newer')])
  // Where one of them does not leave it working, it touches nothing.
  await world.sql(`update schema_migrations set kind = 'breaking' where version = $1`, [version])
  await expect(migrate({ ...old, mode: 'apply' })).rejects.toMatchObject({ code: 'newer_schema' })
})
