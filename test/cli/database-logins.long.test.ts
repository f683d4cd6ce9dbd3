// The database as a wall: what a running gateway logs in as, what that login can do beyond its grants (nothing), and how
// the logins of a database of one's own come about.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/main/config/config.ts'
import { openDatabase } from '../../src/main/database/database.ts'
import { APP_ROLE, derivedLogin, OPERATOR_ROLE, narrowDatabase } from '../../src/main/database/logins.ts'
import { type EmbeddedPostgres, startPostgres } from '../../src/platform/postgres/postgres.ts'
import { type GatewayProcess, lastLines, openGatewayProcess, ownerConnection } from '../rig/gateway-process.ts'

async function asLogin<T>(login: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(login)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The SQLSTATE that a statement ends with; null where it is done. Nothing of it stays. */
async function faultOf(client: pg.Client, text: string): Promise<string | null> {
  // Not for a transaction, whoever asks.
  const isAlone = text.startsWith('create database')
  if (!isAlone) await client.query('begin')
  try {
    await client.query(text)
    return null
  } catch (fault) {
    return (fault as pg.DatabaseError).code ?? 'no code'
  } finally {
    if (!isAlone) await client.query('rollback')
  }
}

const DENIED = '42501'
const APPEND_ONLY = [
  'seals',
  'seal_keys',
  'contract_versions',
  'ledger',
  'operator_actions',
  'channel_versions',
  'reconciliations',
  'account_events',
  'audit_entries',
  'profile_versions',
  'policy_versions',
  'verifier_versions',
]
const FORBIDDEN = [
  ...APPEND_ONLY.flatMap((table) => [
    `update ${table} set ${table === 'operator_actions' || table === 'reconciliations' ? 'at = now()' : table === 'channel_versions' ? 'version = 1' : table === 'seal_keys' ? 'id = id' : 'lane = lane'}`,
    `delete from ${table}`,
    `truncate ${table}`,
    `alter table ${table} disable trigger all`,
    `alter table ${table} add column x int`,
    `drop table ${table}`,
    `create trigger t before insert on ${table} for each row execute function suppress_redundant_updates_trigger()`,
  ]),
  'set role postgres',
  `set role ${OPERATOR_ROLE}`,
  'set session authorization postgres',
  'create table mine (id int)',
  'create temporary table mine (id int)',
  'create schema mine',
  'create role mine',
  'create database mine',
  'create extension plpgsql_check',
  'create function mine() returns int language sql as $$ select 1 $$',
  'select lo_create(0)',
  'select pg_backup_start($$mine$$)',
  'select * from pg_authid',
  'select rolpassword from pg_authid',
  'select pg_read_file($$PG_VERSION$$)',
  `copy history to program 'cat'`,
  `copy history from '/dev/null'`,
  `alter role ${APP_ROLE} superuser`,
  `grant postgres to ${APP_ROLE}`,
  'update accounts set livemode = true',
  'update accounts set owner_name = owner_name',
  'update accounts set profile_id = profile_id',
  'update api_keys set scopes = scopes',
  'update api_keys set secret_hash = secret_hash',
  'update members set email = email',
  'update passkeys set public_key = public_key',
  'update profiles set livemode = livemode',
  'update mandate_spending set key_id = key_id',
  'update schedules set livemode = livemode',
  'update schedule_runs set contract_id = contract_id',
  'update contracts set account_id = account_id',
  'update wallets set currency = currency',
  'update wallets set account_id = account_id',
  'update idempotency_keys set fingerprint = fingerprint',
  'update payment_events set body = body',
  'insert into operator_actions (id, operator, action, target, evidence) values (gen_random_uuid(), $$$$, $$$$, $$$$, $$$$)',
  'select * from operator_actions',
  `delete from channel_freezes`,
  `delete from payout_pauses`,
  'delete from contracts',
  'delete from accounts',
  'delete from api_keys',
  'delete from members',
  'delete from profiles',
  'delete from mandate_spending',
  'delete from verifications',
  'update verifications set subject = subject',
  'delete from schedules',
  'update schema_migrations set checksum = checksum',
]

describe('with the embedded database', () => {
  let gateway: GatewayProcess
  let owner: pg.ClientConfig
  beforeAll(async () => {
    gateway = await openGatewayProcess({}, {})
    gateway.launch()
    await gateway.ready()
    owner = ownerConnection(gateway.dataDir)
  })
  afterAll(async () => {
    await gateway.stop()
    await gateway.remove()
  })

  test('every session of a running gateway is that of a role that owns nothing and is a member of nothing', async () => {
    const key = { 'x-api-key': gateway.dev().api_key, 'content-type': 'application/json' }
    const body = JSON.stringify({ amount: 1, currency: 'PHP', channel: 'sandbox' })
    const made = await fetch(`${gateway.url}/contracts/transfer`, { method: 'POST', headers: key, body })
    expect(made.status).toBe(200)
    const { rows } = await asLogin(owner, (client) =>
      client.query(
        `select a.usename, count(*)::int from pg_stat_activity a
          where a.datname = 'gateway' and a.backend_type = 'client backend' and a.pid <> pg_backend_pid() group by 1`,
      ),
    )
    expect(rows).toEqual([{ usename: APP_ROLE, count: expect.any(Number) }])
    expect(rows[0].count).toBeGreaterThan(3)
    const owned = await asLogin(owner, (client) =>
      client.query(
        `select (select count(*)::int from pg_shdepend d where d.refobjid = r.oid and d.deptype = 'o') as owns,
                (select count(*)::int from pg_auth_members m where m.member = r.oid) as member_of,
                r.rolsuper or r.rolcreaterole or r.rolcreatedb or r.rolreplication or r.rolbypassrls or r.rolinherit as more
           from pg_roles r where r.rolname = $1`,
        [APP_ROLE],
      ),
    )
    expect(owned.rows).toEqual([{ owns: 0, member_of: 0, more: false }])
  })

  test('with the gateway’s own credentials nothing can be changed, owned or become but what its statements need', async () => {
    await asLogin(derivedLogin(owner, APP_ROLE), async (client) => {
      for (const text of FORBIDDEN) {
        const fault = await faultOf(client, text)
        // Triggers and extensions are refused for want of a right or of the thing itself, never done.
        expect([DENIED, '0A000', '58P01'], `${text}: ${fault}`).toContain(fault)
      }
      for (const text of ['set role none', 'reset role', 'reset session authorization']) {
        await client.query(text)
        const { rows } = await client.query('select current_user, session_user')
        expect(rows, text).toEqual([{ current_user: APP_ROLE, session_user: APP_ROLE }])
      }
    })
  })

  test('on no table there is a right that no statement needs, and what a row is can never change', async () => {
    const rightsOf = (role: string, rights: string) =>
      asLogin(owner, async (client) => {
        const { rows } = await client.query<{ held: string }>(
          `select c.relname || ' ' || p.name as held
             from pg_class c cross join unnest($2::text[]) p (name)
            where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and has_table_privilege($1, c.oid, p.name)
            order by 1`,
          [role, rights.split(',')],
        )
        return rows.map(({ held }) => held)
      })
    for (const role of [APP_ROLE, OPERATOR_ROLE])
      expect(await rightsOf(role, 'truncate,references,trigger,update,maintain'), role).toEqual([])
    const PRUNED = [
      'access_tokens',
      'channel_calls',
      'command_file_parts',
      'command_rows',
      'commands',
      'deliveries',
      'delivery_attempts',
      'idempotency_keys',
      'policy_meters',
    ]
    // What follows the history, and is counted anew.
    const FOLLOWING = ['contract_matters', 'figures']
    // What people take back: origins of a page, a way to sign in, what a profile is looked up by.
    const TAKEN_BACK = ['account_origins', 'passkeys', 'profile_marks', 'verifier_entries']
    // What is forgotten a while after it has ended.
    const GONE = ['processes', 'search_terms']
    const app = [...PRUNED, ...FOLLOWING, ...TAKEN_BACK, ...GONE].map((table) => `${table} delete`).toSorted()
    expect(await rightsOf(APP_ROLE, 'delete')).toEqual(app)
    expect(await rightsOf(OPERATOR_ROLE, 'delete')).toEqual(
      [
        ...app,
        'channel_freezes delete',
        'payout_pauses delete',
        'recovery_channels delete',
        'recovery_lines delete',
        'screening_entries delete',
      ].toSorted(),
    )
    const { rows } = await asLogin(owner, (client) =>
      client.query(
        `select r.name, c.relname, a.attname
           from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
          cross join unnest($1::text[]) r (name)
          where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
            and (a.attname in ('lane', 'account_id', 'id', 'wallet_id', 'endpoint_id', 'livemode', 'created_at', 'kind', 'facts')
                 or c.relname = any($2::text[]))
            and has_column_privilege(r.name, c.oid, a.attnum, 'update')`,
        [
          [APP_ROLE, OPERATOR_ROLE],
          [...APPEND_ONLY, 'delivery_attempts', 'outside_credits'],
        ],
      ),
    )
    // Into which wallet the money of an event came is known once a contract fits it, as the contract is.
    const known = { relname: 'payment_events', attname: 'wallet_id' }
    expect(rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: APP_ROLE, ...known },
      { name: OPERATOR_ROLE, ...known },
    ])
  })

  test('an operator’s command works under a role of its own, which changes nothing that was written down either', async () => {
    const { status, stderr } = gateway.command('accounts', 'create', '--name', 'Reyes', '--currencies', 'PHP')
    expect(stderr).toBe('')
    expect(status).toBe(0)
    await asLogin(derivedLogin(owner, OPERATOR_ROLE), async (client) => {
      for (const table of APPEND_ONLY)
        for (const text of [`delete from ${table}`, `truncate ${table}`, `drop table ${table}`])
          expect(await faultOf(client, text), text).toBe(DENIED)
      for (const text of [
        'set role postgres',
        'create table mine (id int)',
        `update operator_actions set evidence = ''`,
      ])
        expect(await faultOf(client, text), text).toBe(DENIED)
      const found = await client.query('select count(*)::int as kept from operator_actions')
      expect(found.rows).toEqual([{ kept: expect.any(Number) }])
    })
  })

  test('the owner’s password opens neither of the other logins', async () => {
    for (const user of [APP_ROLE, OPERATOR_ROLE])
      await expect(asLogin({ ...owner, user }, async () => undefined)).rejects.toMatchObject({ code: '28P01' })
  })
})

describe('with a database of one’s own', () => {
  const folder = mkdtempSync('/tmp/gateway-logins-')
  let server: EmbeddedPostgres
  beforeAll(async () => {
    server = await startPostgres({ dataDir: join(folder, 'data'), log: () => undefined })
  })
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const urlAs = (user: string, password: string) => {
    const url = new URL(server.url)
    url.username = user
    url.password = password
    return url.href
  }

  /** Starts a gateway with these settings, hands it over, and ends it. */
  async function withGateway(
    settings: Readonly<Record<string, string>>,
    work: (gateway: GatewayProcess) => Promise<void>,
  ): Promise<void> {
    const gateway = await openGatewayProcess({}, settings)
    try {
      await work(gateway)
    } finally {
      await gateway.stop()
      await gateway.remove()
    }
  }

  test('the gateway’s own login: migrated by the owner’s once, who is not needed again', async () => {
    const own = { DATABASE_URL: urlAs(APP_ROLE, 'a password of its own') }
    const owners = { ...own, GATEWAY_OWNER_DATABASE_URL: server.url }
    await withGateway(owners, async (gateway) => {
      const migrated = gateway.command('migrate')
      expect(migrated).toMatchObject({ status: 0, stderr: '' })
      expect(migrated.stdout).toMatch(/^applied 0001_/)
      expect(gateway.command('migrate').stdout).toMatch(/^Up to date/)
    })
    await withGateway(own, async (gateway) => {
      gateway.launch()
      await gateway.ready()
      const { rows } = await asLogin({ connectionString: server.url }, (client) =>
        client.query(
          `select distinct usename from pg_stat_activity
            where application_name like 'gateway%' and datname = 'gateway' and pid <> pg_backend_pid()`,
        ),
      )
      expect(rows).toEqual([{ usename: APP_ROLE }])
      const listed = gateway.command('accounts', 'list')
      expect(listed.status).toBe(1)
      expect(listed.stderr).toMatch(/GATEWAY_OPERATOR_DATABASE_URL or GATEWAY_OWNER_DATABASE_URL/)
    })
    await withGateway(owners, async (gateway) => {
      expect(gateway.command('accounts', 'list')).toMatchObject({ status: 0, stderr: '' })
    })
    const operators = { ...own, GATEWAY_OPERATOR_DATABASE_URL: '' }
    await asLogin({ connectionString: server.url }, (client) =>
      client.query(`alter role ${OPERATOR_ROLE} password 'an operator'`),
    )
    await withGateway(
      { ...operators, GATEWAY_OPERATOR_DATABASE_URL: urlAs(OPERATOR_ROLE, 'an operator') },
      async (gateway) => {
        expect(gateway.command('accounts', 'list')).toMatchObject({ status: 0, stderr: '' })
      },
    )
  })

  test('a schema that is behind, and a login that grew powers, are refused with the mend', async () => {
    const own = { DATABASE_URL: urlAs(APP_ROLE, 'a password of its own') }
    const refused = async (words: RegExp) =>
      withGateway(own, async (gateway) => {
        const { status, stderr } = gateway.command('start')
        expect(status).not.toBe(0)
        expect(stderr).toMatch(words)
      })
    const asOwner = (text: string) => asLogin({ connectionString: server.url }, (client) => client.query(text))
    await asOwner('create role others; grant others to gateway_app')
    await refused(/can become others.*GATEWAY_OWNER_DATABASE_URL/)
    await asOwner('drop role others; alter role gateway_app createrole')
    await refused(/may make roles/)
    await asOwner('alter role gateway_app nocreaterole')
    await asOwner('delete from schema_migrations where version = (select max(version) from schema_migrations)')
    await refused(/The schema lacks .*gateway migrate with GATEWAY_OWNER_DATABASE_URL/)
  })

  test.skipIf(process.getuid?.() !== 0)('a production’s embedded database is not touched by root', async () => {
    const config = { ...readConfig({}), mode: 'production', databaseUrl: null } as const
    await expect(openDatabase(config, () => undefined)).rejects.toThrow(/not touched by root.*sudo -u USER/)
  })

  test('what a stolen login made of its own settings is gone after the next start', async () => {
    const asApp = { connectionString: urlAs(APP_ROLE, 'a password of its own') }
    await asLogin(asApp, (client) => client.query(`alter role ${APP_ROLE} set synchronous_commit = off`))
    await asLogin({ connectionString: server.url }, narrowDatabase)
    const shown = await asLogin(asApp, (client) => client.query('show synchronous_commit'))
    expect(shown.rows).toEqual([{ synchronous_commit: 'on' }])
  })

  test('in production a login that owns the database is refused with the mend; in development it is enough', async () => {
    const config = { ...readConfig({}), databaseUrl: server.url }
    const opened = await openDatabase({ ...config, mode: 'development' }, () => undefined)
    expect(opened.login).toMatchObject({ user: APP_ROLE })
    const refused = openDatabase({ ...config, mode: 'production' }, () => undefined)
    await expect(refused).rejects.toThrow(/as postgres, which is a superuser.*Log in as gateway_app.*gateway migrate/)
  })

  test('the owner’s URL alone, as in a trial, still is enough: the gateway works under its own role', async () => {
    await asLogin({ ...server.connection, database: 'postgres' }, (client) => client.query('create database trial'))
    const url = new URL(server.url)
    url.pathname = '/trial'
    await withGateway({ DATABASE_URL: url.href }, async (gateway) => {
      gateway.launch()
      await gateway.ready()
      const { rows } = await asLogin({ connectionString: url.href }, (client) =>
        client.query(
          // PostgreSQL's own workers look after it, too, and log in as nobody.
          `select distinct usename from pg_stat_activity
            where datname = 'trial' and pid <> pg_backend_pid() and backend_type = 'client backend'`,
        ),
      )
      expect(rows, lastLines(gateway.logPath)).toEqual([{ usename: APP_ROLE }])
      expect(gateway.command('accounts', 'list')).toMatchObject({ status: 0, stderr: '' })
    })
  })
})
