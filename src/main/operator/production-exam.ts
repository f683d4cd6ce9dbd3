// Examines a production that is set up: its configuration, its database and logins, its clock, its secrets, its rails and accounts.
// Changes nothing; each finding that is not right has its fix.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseUnavailable, sqlStateOf } from '../../platform/db.ts'
import { checkDurability } from '../../platform/migrate.ts'
import { MigrationRefused } from '../../platform/migration-files.ts'
import { PooledByTransaction, StandbyFound } from '../../platform/postgres/hosts.ts'
import { stateOf } from '../backups/schedule.ts'
import type { Config } from '../config/config.ts'
import { Misconfigured } from '../config/config.ts'
import { hasDatabase, openDatabase, openPlannedSession } from '../database/database.ts'
import type { Database } from '../database/opened.ts'
import { pendingMigrations, SchemaBehind } from '../database/prepare.ts'
import { isNotLetIn, LoginRefused, onLogin, powersOf } from '../database/logins.ts'
import { markDirectories, MarkUnreadable, openMarkFiles } from '../database/mark.ts'
import { isUnnoted } from '../../domain/recovery/epoch.ts'
import { placeFrom, readPlace } from '../../store/operator/epochs.ts'
import { openOperator } from './operator.ts'
import { missingForProduction, REQUIREMENTS } from '../config/production.ts'
import { liveRails, RAIL_NAMES } from '../config/rails.ts'
import { clockOffsetMs, clockProbe } from '../../store/probes.ts'
import { PUBLISHED_LISTS, publishedListFrom } from '../../store/verifiers/verifiers.ts'
import { OFFSET_FAILED_MS, OFFSET_WARNED_MS } from '../readiness.ts'
import { LIST_STALE_MS } from '../../wire/verifiers/verifier.ts'
import { sealingOf, usableKey } from './operator-keys.ts'
import { HOME } from '../../store/operator/lane-servers.ts'
import { faultItself, ServerFault } from '../database/server-fault.ts'
import { checkServers, serversOfDatabase } from '../database/servers.ts'
import { checkSealingKeys } from '../database/sealing-keys.ts'

export type Finding = {
  readonly check: string
  readonly grade: 'pass' | 'warn' | 'fail'
  readonly said: string
  readonly mend: string | null
}

const pass = (check: string, said: string): Finding => ({ check, grade: 'pass', said, mend: null })
const warn = (check: string, said: string, mend: string): Finding => ({ check, grade: 'warn', said, mend })
const fail = (check: string, said: string, mend: string): Finding => ({ check, grade: 'fail', said, mend })

/** Every finding, as it comes. `faults` are what of the configuration could not be read. */
export async function* examineProduction(config: Config, faults: readonly string[]): AsyncGenerator<Finding> {
  for (const fault of faults) yield fail('configuration', fault, 'See the table of settings in README.md.')
  yield* configuration(config)
  yield* rails(config)
  if (!hasDatabase(config)) {
    yield fail(
      'database',
      `there is none in ${config.dataDir} yet: schema, login and durability were not examined`,
      'Run: gateway init',
    )
    return
  }
  const database = await openDatabase(config, () => undefined).catch((fault: unknown) => refusedBy('database', fault))
  if ('check' in database) {
    yield database
    return
  }
  try {
    yield* databaseFindings(database, config)
    yield* accounts(config)
  } finally {
    await database.stop()
  }
}

function* configuration(config: Config): Generator<Finding> {
  yield config.mode === 'production'
    ? pass('GATEWAY_MODE', 'production')
    : fail('GATEWAY_MODE', 'not production', 'Set GATEWAY_MODE=production.')
  const lacks = missingForProduction(config)
  for (const { setting, title } of REQUIREMENTS) {
    const found = lacks.filter((lack) => lack.setting === setting)
    for (const { what, mend } of found) yield fail(setting, what, mend)
    if (found.length === 0) yield pass(setting, title)
  }
  const { metrics, dataDir } = config
  yield metrics.port === null
    ? pass('figures', 'GET /metrics, for a key with metrics:read')
    : pass('figures', `without a key at ${metrics.host}:${metrics.port}`)
  if (existsSync(join(dataDir, 'dev.json')))
    yield warn(
      'data directory',
      `${dataDir} has a dev.json: it was one of a trial.`,
      'Give production a directory of its own.',
    )
}

function* rails(config: Config): Generator<Finding> {
  const live = liveRails(config)
  yield live.length === 0
    ? warn(
        'rails',
        'None is live: only money between wallets moves.',
        'Give a rail its address (GATEWAY_…_URL) and what opens it.',
      )
    : pass('rails', `live: ${live.join(', ')}`)
  const tests = RAIL_NAMES.filter((name) => config.rails[name].url !== null && config.rails[name].mode === 'test')
  if (tests.length > 0)
    yield warn(
      'rails',
      `declared to be test environments: ${tests.join(', ')}`,
      'Nothing, where that is meant: they take test contracts alone.',
    )
}

async function* databaseFindings(database: Database, config: Config): AsyncGenerator<Finding> {
  const schema = await judged('schema', () => schemaFinding(database))
  yield schema
  // What this release asks of a schema that lacks its migrations may be refused in words of SQL.
  const guarded = (check: string, look: () => Promise<Finding>) =>
    judged(check, () =>
      look().catch((fault: unknown) => {
        if (schema.grade === 'pass' || !isOfSchema(fault)) throw fault
        return warn(check, 'Not looked at: the schema lacks migrations.', `${MIGRATE} Then run this again.`)
      }),
    )
  // A session over several servers must know which has which lanes.
  const overAll = (check: string, look: () => Promise<Finding>) => {
    const isPlaced = database.others?.placement.isSeen() ?? true
    const why = 'Not looked at: it is not known which server has which lanes.'
    return isPlaced ? guarded(check, look) : warn(check, why, 'Mend what is said of lanes, and run this again.')
  }
  if (database.others)
    yield await guarded('lanes', async () => {
      await checkServers(database, 'is a fault')
      return pass('lanes', `on ${serversOfDatabase(database).length} servers`)
    })
  for (const [name, server] of serversOfDatabase(database)) {
    const of = name === HOME ? '' : ` of ${name}`
    yield await guarded(`database login${of}`, () => loginFinding(server, of))
    yield await guarded(`durability${of}`, () => durability(server, of))
  }
  yield await overAll('clock', () => clock(database))
  yield await overAll('note of the database', () => noteOfDatabase(database, config))
  yield await overAll('published lists', () => lists(database))
  yield await guarded('backups', () => backups(database, config))
  yield await overAll('sealing keys', async () => {
    const session = openPlannedSession(database)
    try {
      await checkSealingKeys(session, sealingOf(config))
      return pass('sealing keys', 'they open every secret that is stored')
    } finally {
      await session.close()
    }
  })
}

const MIGRATE = 'Run gateway migrate with GATEWAY_OWNER_DATABASE_URL.'

async function schemaFinding(database: Database): Promise<Finding> {
  const { pending, version } = await pendingMigrations(database)
  return pending.length === 0
    ? pass('schema', `version ${version}`)
    : fail('schema', `It lacks ${pending.join(', ')}.`, MIGRATE)
}

/** A table, a column or a function that is not there. */
const isOfSchema = (fault: unknown) => /^42(?:P01|703|883)$/.test(sqlStateOf(faultItself(fault)) ?? '')

async function loginFinding({ login }: Database, of: string): Promise<Finding> {
  const { role, powers } = await powersOf(login)
  return powers.length === 0
    ? pass(`database login${of}`, `${role}, which owns nothing`)
    : fail(
        `database login${of}`,
        `${role} ${powers.join(', ')}.`,
        'Log in as gateway_app in DATABASE_URL, and in database_url of GATEWAY_LANES_FILE (docs/operating.md).',
      )
}

async function durability({ login }: Database, of: string): Promise<Finding> {
  const [first, ...others] = await onLogin(login, (client) => checkDurability(client, 'refuse'))
  return first === undefined
    ? pass(`durability${of}`, 'what is acknowledged is on the disk')
    : warn(`durability${of}`, [first, ...others].join('; '), 'Turn it on where the server can.')
}

const DAY_MS = 86_400_000

async function backups({ login, server }: Database, { backups: { directory, everyMs } }: Config): Promise<Finding> {
  if (server === null) return pass('backups', 'those of your own server, by its own means (docs/backups.md)')
  if (directory === null)
    return warn('backups', 'None is made.', 'Set GATEWAY_BACKUP_DIR to a directory on another disk.')
  const { newestMs, archive } = await stateOf(directory, { login }, server.directory)
  const ageMs = newestMs === null ? null : Date.now() - newestMs
  if (ageMs === null || ageMs > everyMs + DAY_MS)
    return warn(
      'backups',
      ageMs === null ? 'There is none yet.' : `The newest is ${Math.floor(ageMs / DAY_MS)} days old.`,
      'Run gateway backup; the log of the gateway says why it made none.',
    )
  if (!archive.isOn || archive.isFailing)
    return warn('backups', 'The log of the database is not archived.', 'See docs/runbooks/GatewayLogNotArchived.md.')
  return pass('backups', `the newest is ${Math.floor(ageMs / 3_600_000)} hours old, and the log is archived`)
}

async function clock(database: Database): Promise<Finding> {
  const session = openPlannedSession(database)
  try {
    const sentAtMs = Date.now()
    const [probed] = await session.send([clockProbe()])
    const offsetMs = clockOffsetMs(probed, sentAtMs, Date.now())
    const said = `${Math.abs(offsetMs)} ms ${offsetMs > 0 ? 'behind' : 'ahead of'} the database's`
    if (Math.abs(offsetMs) < OFFSET_WARNED_MS) return pass('clock', said)
    const judge = Math.abs(offsetMs) < OFFSET_FAILED_MS ? warn : fail
    return judge('clock', said, 'Set both clocks by a time server (NTP).')
  } finally {
    await session.close()
  }
}

/** By it a start knows a database that came back older; a file system that goes with its container takes it along, and nobody is told. */
async function noteOfDatabase(database: Database, config: Config): Promise<Finding> {
  const check = 'note of the database'
  const directories = markDirectories(config)
  const session = openPlannedSession(database)
  try {
    const [found] = await session.send([readPlace()])
    const place = placeFrom(found?.rows[0] ?? {})
    const noted = openMarkFiles(directories).read(place.installationId)
    const where = directories.join(' and ')
    if (noted.length > 0) return pass(check, `in ${where}`)
    if (!isUnnoted(noted, place)) return pass(check, `none yet: no gateway has worked with the database for long`)
    return warn(
      check,
      `None in ${where}, though gateways have worked with the database: whether it came back older is not noticed here.`,
      'Where it was restored or failed over since: gateway recovery begin, before the start. Give GATEWAY_DATA_DIR or GATEWAY_MARK_DIR a volume that outlives the container.',
    )
  } catch (fault) {
    if (fault instanceof MarkUnreadable) return fail(check, 'It cannot be read, and a start is refused.', fault.message)
    throw fault
  } finally {
    await session.close()
  }
}

const MS_PER_DAY = 86_400_000

/** Whoever was added since a list was last looked for is not found. */
async function lists(database: Database): Promise<Finding> {
  const session = openPlannedSession(database)
  try {
    const [found] = await session.send([PUBLISHED_LISTS])
    const ages = (found?.rows ?? []).map(publishedListFrom).map(({ source, checkedAt }) => {
      const ageMs = Date.now() - checkedAt
      const days = Math.floor(ageMs / MS_PER_DAY)
      return { ageMs, said: `${source}: last looked for ${days === 0 ? 'today' : `${days} days ago`}` }
    })
    const stale = ages.filter(({ ageMs }) => ageMs > LIST_STALE_MS)
    if (ages.length === 0) return pass('published lists', 'none is loaded')
    return stale.length === 0
      ? pass('published lists', ages.map(({ said }) => said).join('; '))
      : warn('published lists', stale.map(({ said }) => said).join('; '), 'Load the newest ones (docs/verifiers.md).')
  } finally {
    await session.close()
  }
}

/** Needs the operators' login, which a running gateway has no use for. */
async function* accounts(config: Config): AsyncGenerator<Finding> {
  const office = await openOperator(config, () => undefined).catch((fault: unknown) => {
    if (faultItself(fault) instanceof LoginRefused)
      return warn(
        'accounts',
        'Not looked at: that needs the login of an operator.',
        'Set GATEWAY_OPERATOR_DATABASE_URL for this command.',
      )
    return refusedBy('accounts', fault)
  })
  if ('check' in office) return yield office
  try {
    const all = await office.accounts()
    const live = all.filter(({ livemode }) => livemode)
    if (live.length === 0) yield fail('accounts', 'None is live.', 'Make the first: gateway init --account …')
    for (const { accountId, name, owner } of live) {
      const key = await usableKey(office, accountId)
      if (!owner)
        yield warn(
          'accounts',
          `${name} (${accountId}) names nobody to turn to.`,
          'Name the first one’s: gateway init --owner-name … --owner-email …',
        )
      yield key
        ? pass('accounts', `${name} (${accountId}), live, with a key`)
        : warn(
            'accounts',
            `${name} (${accountId}) has no key that can be used.`,
            `gateway keys create --account ${accountId} --name …`,
          )
    }
  } finally {
    await office.close()
  }
}

async function judged(check: string, look: () => Promise<Finding>): Promise<Finding> {
  return look().catch((fault: unknown) => refusedBy(check, fault))
}

const WORDS = [
  LoginRefused,
  SchemaBehind,
  MigrationRefused,
  Misconfigured,
  ServerFault,
  DatabaseUnavailable,
  StandbyFound,
  PooledByTransaction,
]

/** What the database or the configuration refuses is a finding; a fault of ours is not. */
function refusedBy(check: string, fault: unknown): Finding {
  const code = (fault as { code?: unknown } | null)?.code
  if (!WORDS.some((known) => fault instanceof known) && typeof code !== 'string') throw fault
  const mend = isNotLetIn(fault)
    ? 'Mend DATABASE_URL, or have gateway init make that login with GATEWAY_OWNER_DATABASE_URL.'
    : 'Mend that, and run this again.'
  return fail(check, wordsOf(fault), mend)
}

/** A connection says that the database does not answer, and its cause why. */
function wordsOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault)
  if (fault instanceof DatabaseUnavailable && fault.cause) return `${fault.message}: ${wordsOf(fault.cause)}`
  // Of several addresses that are tried in vain there is a code alone.
  return fault.message || ((fault as NodeJS.ErrnoException).code ?? fault.name)
}
