// A database that a release left, on a cluster: spread with the schema of today, or with an older one and then brought to today's by its
// migrations, which is what an upgrade of a cluster is. Callers read what they read then, the books hold, and money moves.
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { verifyBooksBy } from '../../src/app/operator/verify.ts'
import { openAuditSession, ownedDatabase } from '../../src/main/database/database.ts'
import { distributeDatabase } from '../../src/main/database/prepare.ts'
import { spread } from '../../src/main/database/engine.ts'
import { readSealingKeys, sealSigner } from '../../src/main/database/sealing-keys.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { asThen } from '../rig/released/as-then.ts'
import { fillFromDump, migrateTo } from '../rig/released/dump.ts'
import { type Kept, NAMES } from '../rig/released/kept.ts'
import { openWorld, READY, type World } from '../world.ts'

const FOLDER = 'test/released'
const MIGRATIONS = 'db/migrations'
const SHARDS = 4
const quietly = () => undefined
/** Before it, one operator's action had a key without a lane: no older schema can be spread. */
const FIRST_SPREAD = 39

const emptyDatabase = async () => (await (await fetch(`${inject('databaseDesk')}/empty`)).json()) as pg.ClientConfig

const WAYS = {
  'spread with the schema of today': async () => undefined,
  'spread with an older schema, and then migrated': async (connection: pg.ClientConfig) => {
    await migrateTo(connection, FIRST_SPREAD)
    const moved = await spread(connection, SHARDS, quietly)
    if (!moved.includes('contracts')) throw new Error('the older schema was not spread')
  },
} as const

const onCluster = process.env['TEST_ON_CITUS'] === 'yes'

describe
  .runIf(onCluster)
  .each(
    readdirSync(FOLDER).flatMap((release) => Object.entries(WAYS).map(([way, before]) => ({ release, way, before }))),
  )('what $release left, $way', ({ release, before }) => {
  const at = (name: string) => join(FOLDER, release, name)
  const kept = JSON.parse(readFileSync(at(NAMES.replies), 'utf8')) as Kept
  let world: World
  beforeAll(async () => {
    const connection = await emptyDatabase()
    await fillFromDump(connection, readFileSync(at(NAMES.data), 'utf8'))
    await before(connection)
    await distributeDatabase(ownedDatabase(connection), { durability: 'allow', laneServers: [] }, SHARDS, quietly)
    const found = { database: connection, providerBooks: at(NAMES.provider) }
    world = await openWorld({ workers: 'resting', found, config: { sealingKeys: kept.sealing_key } })
  })
  afterAll(() => world?.stop())

  test('callers read what they read then', async () => {
    for (const { api_key: key, reads } of kept.callers)
      for (const [path, data] of Object.entries(reads)) {
        const reply = await world.ask('GET', path, { headers: { 'x-api-key': key } })
        expect({ path, ...reply.data }).toMatchObject({ path, ...(asThen(data) as object) })
      }
  })

  test('sessions on every node begin without JIT', async () => {
    const nodes = await world.sql(`select success, result from run_command_on_all_nodes('show jit')`)
    expect(nodes).toEqual(Array(3).fill({ success: true, result: 'off' }))
  })

  test('money moves, and the books hold, with what is sealed', async () => {
    for (const { api_key: key } of kept.callers) {
      const asked = { headers: { 'x-api-key': key } }
      const made = await world.ask('POST', '/contracts/transfer', { ...asked, body: READY })
      const { id } = made.data['contract'] as { readonly id: string }
      for (const step of ['issue', 'pay'])
        expect((await world.ask('PUT', `/contracts/transfer/${id}/${step}`, { ...asked, body: {} })).status).toBe(200)
    }
    const auditors = Array.from({ length: 2 }, () => openAuditSession(world.operators))
    const sealKeys = sealSigner(readSealingKeys(kept.sealing_key, ''))
    const verdict = await verifyBooksBy(auditors, { onLane: quietly, sealKeys })
    await Promise.all(auditors.map((each) => each.close()))
    expect(verdict.findings).toEqual([])
    expect(verdict.counts.contracts).toBeGreaterThan(kept.callers.length)
  })
})

/** What migrations do to tables, each kind once. */
const KINDS = `-- safe
alter table contracts add column tried_once text constraint contracts_tried_once check (length(tried_once) < 9);
alter table contracts add column tried_twice boolean not null default false;
alter table wallets add column tried_minor bigint not null default 0 constraint wallets_tried check (tried_minor >= 0);
alter table wallets drop constraint wallets_tried;
alter table wallets add constraint wallets_tried_again check (tried_minor >= 0) not valid;
alter table wallets validate constraint wallets_tried_again;
alter table jobs alter column reference set default 'none';
create table tried_rows (
  lane int not null,
  account_id uuid not null,
  id uuid not null,
  channel_id text not null,
  primary key (lane, account_id, id),
  foreign key (lane, account_id) references accounts
);
grant select, insert on tried_rows to gateway_app;
grant update (channel_id) on tried_rows to gateway_app;
alter table tried_rows add constraint tried_rows_once unique (lane, account_id, channel_id);
create index tried_rows_channels on tried_rows (lane, channel_id) where channel_id <> '';
drop index tried_rows_channels;
create table tried_names (name text primary key);
create view tried_all as select r.lane, r.account_id, r.id, c.tried_twice from tried_rows r join contracts c using (lane, account_id, id);
grant select on tried_all to gateway_app;
create function tried_count(lane int) returns bigint language sql stable as
  'select count(*) from tried_rows r where r.lane = tried_count.lane';
update contracts set tried_once = 'yes' where tried_twice;
alter table contracts drop column tried_once;
`

test.runIf(onCluster)(
  'each kind of change that migrations make is made on every node',
  { timeout: 300_000 },
  async () => {
    const world = await openWorld({ workers: 'resting' })
    const directory = mkdtempSync(join(tmpdir(), 'gateway-kinds-'))
    try {
      const names = readdirSync(MIGRATIONS)
      for (const name of names) copyFileSync(join(MIGRATIONS, name), join(directory, name))
      const next = `${String(names.length + 1).padStart(4, '0')}_kinds.sql`
      writeFileSync(join(directory, next), KINDS)
      const { owner } = world.database
      expect((await migrate({ connection: owner, directory, log: quietly, mode: 'apply' })).applied).toEqual([next])
      // As any migration with the owner's login does afterwards.
      const moved = await spread(owner, null, quietly)
      expect(moved).toEqual(['tried_rows', 'tried_count(integer)'])
      const contract = await world.caller.issued()
      const { lane, accountId } = world.caller.account
      await world.sql('insert into tried_rows values ($1, $2, $3, $4)', [lane, accountId, contract.id, 'sandbox'])
      expect(await world.sql('select tried_count($1) as count', [lane])).toEqual([{ count: '1' }])
      const rows = await world.sql('select a.tried_twice from tried_all a where a.lane = $1 and a.account_id = $2', [
        lane,
        accountId,
      ])
      expect(rows).toEqual([{ tried_twice: false }])
      expect((await world.caller.pay(contract.id)).status).toBe('paid')
      await world.ledgerHolds()
    } finally {
      await world.stop()
      rmSync(directory, { recursive: true })
    }
  },
)
