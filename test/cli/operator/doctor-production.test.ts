// gateway doctor --production where something is not as it should be: each thing is a finding in plain words, and no finding is lost.
import { mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createReceiverKey } from '../../../src/app/accounts/receiver-secrets.ts'
import { main } from '../../../src/cli/main.ts'
import { freePort } from '../../rig/gateway-child.ts'
import { EAST, urlOf } from '../../rig/servers/other-server.ts'
import { openWorld } from '../../world.ts'

let folder: string
let said: string
beforeEach(() => {
  said = ''
  folder = mkdtempSync(join(tmpdir(), 'gateway-exam-'))
  vi.stubEnv('GATEWAY_DATA_DIR', folder)
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += String(text)
    return true
  })
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  process.exitCode = undefined
})

type Check = { readonly check: string; readonly grade: string; readonly said: string; readonly mend: string | null }

async function doctor(): Promise<readonly Check[]> {
  await main(['doctor', '--production', '--json'])
  const { checks, error } = JSON.parse(said) as { checks: Check[]; error?: unknown }
  expect(error).toBeUndefined()
  return checks
}

test('a database that is away is a finding, beside those of the configuration', async () => {
  const url = `postgres://owner:secret@127.0.0.1:${await freePort()}/gateway`
  vi.stubEnv('DATABASE_URL', url)
  vi.stubEnv('GATEWAY_OWNER_DATABASE_URL', url)
  const checks = await doctor()
  for (const check of ['schema', 'clock', 'sealing keys', 'accounts'])
    expect(checks).toContainEqual({
      check,
      grade: 'fail',
      said: expect.stringContaining('connect ECONNREFUSED 127.0.0.1:'),
      mend: 'Mend that, and run this again.',
    })
  expect(checks.map(({ check }) => check)).toContain('GATEWAY_MODE')
})

test('beside a schema that lacks a migration the lanes are said not to be looked at, in no words of SQL', async () => {
  const world = await openWorld({ lanesElsewhere: EAST, workers: 'resting' })
  try {
    const east = world.database.others?.servers.get('east')?.owner
    if (!east) throw new Error('the world has no second server')
    const file = join(folder, 'lanes.json')
    const url = urlOf(east)
    writeFileSync(file, JSON.stringify({ servers: [{ name: 'east', database_url: url, owner_database_url: url }] }))
    chmodSync(file, 0o600)
    vi.stubEnv('DATABASE_URL', urlOf(world.database.owner))
    vi.stubEnv('GATEWAY_LANES_FILE', file)
    await world.sql('alter table lane_moves rename column came_at to came')
    await world.sql('delete from schema_migrations where version = (select max(version) from schema_migrations)')
    const checks = await doctor()
    expect(checks).toContainEqual(expect.objectContaining({ check: 'schema', grade: 'fail' }))
    expect(checks).toContainEqual({
      check: 'lanes',
      grade: 'warn',
      said: 'Not looked at: the schema lacks migrations.',
      mend: 'Run gateway migrate with GATEWAY_OWNER_DATABASE_URL. Then run this again.',
    })
    for (const check of ['clock', 'note of the database', 'published lists', 'sealing keys'])
      expect(checks).toContainEqual(
        expect.objectContaining({ check, said: 'Not looked at: it is not known which server has which lanes.' }),
      )
    expect(said).not.toContain('does not exist')
  } finally {
    await world.stop()
  }
})

/** What is said of the world's live account. */
async function accountFinding(): Promise<Check | undefined> {
  said = ''
  return (await doctor()).find(({ check, said: words }) => check === 'accounts' && words.includes('key'))
}

test('keys that are over, and those of providers, are none that can be used', async () => {
  const world = await openWorld({ workers: 'resting' })
  try {
    vi.stubEnv('DATABASE_URL', urlOf(world.database.owner))
    const live = await world.newCaller({ livemode: true })
    const { accountId } = live.account
    expect(await accountFinding()).toMatchObject({ grade: 'pass' })
    await world.sql(`update api_keys set expires_at = now() - interval '1 minute' where account_id = $1`, [accountId])
    const { reader, webhooks } = world.gateway.deps
    const wanted = { name: 'Provider', livemode: true, scopes: ['events:write'], expiresInSeconds: null } as const
    await createReceiverKey(reader, webhooks.sealing, live.account, wanted, Date.now())
    expect(await accountFinding()).toMatchObject({
      grade: 'warn',
      said: expect.stringContaining('has no key that can be used.'),
    })
  } finally {
    await world.stop()
  }
})
