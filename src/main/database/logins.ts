// Who logs in to the database: the owner, who migrates; the gateway; operators. Which powers a login has, and how those
// of the gateway and of operators come to their passwords.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import { sqlStateOf } from '../../platform/db.ts'
import { connectWritable, refuseStandby, resolved, type Servers, serversOf } from '../../platform/postgres/hosts.ts'

/** The gateway's role (db/migrations/0010_database.sql): it owns nothing and is a member of nothing. */
export const APP_ROLE = 'gateway_app'
/** The operators' role: what the gateway may, and what only operators decide. */
export const OPERATOR_ROLE = 'gateway_operator'

/** Who makes base copies of an embedded database: it may begin and end one, and read no table. */
const BACKUP_ROLE = 'gateway_backup'

/** A login that the gateway will not work with; the message names the fix. */
export class LoginRefused extends Error {
  override readonly name = 'LoginRefused'
}

/** A role and what it could do beyond its grants, as text; empty for one that is confined to them. */
export type Powers = { readonly role: string; readonly powers: readonly string[] }

const POWERS = `
  select r.rolname,
         r.rolsuper, r.rolcreaterole, r.rolcreatedb, r.rolreplication, r.rolbypassrls,
         array(select g.rolname::text from pg_auth_members m join pg_roles g on g.oid = m.roleid
                where m.member = r.oid order by 1) as member_of,
         exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
                  where c.relowner = r.oid and n.nspname !~ '^pg_') as owns_relations,
         exists (select from pg_database d where d.datname = current_database() and d.datdba = r.oid) as owns_database,
         has_schema_privilege('public', 'create') as creates
    from pg_roles r where r.rolname = current_user`

/** Logs in and returns what the role could do beyond its grants. Throws the server's fault if it refuses the login. */
export async function powersOf(login: Servers): Promise<Powers> {
  return onLogin(login, async (client) => {
    const { rows } = await client.query(POWERS)
    const found = rows[0]
    const memberOf = (found.member_of as string[]).filter(
      (role) => !(found.rolname === OPERATOR_ROLE && role === APP_ROLE),
    )
    const powers = [
      [found.rolsuper, 'is a superuser'],
      [found.rolcreaterole, 'may make roles'],
      [found.rolcreatedb, 'may make databases'],
      [found.rolreplication, 'may replicate'],
      [found.rolbypassrls, 'bypasses row security'],
      [found.owns_database, 'owns the database'],
      [found.owns_relations, 'owns tables'],
      [found.creates, 'may create tables'],
      [memberOf.length > 0, `can become ${memberOf.join(', ')}`],
    ] as const
    return { role: found.rolname as string, powers: powers.filter(([has]) => has).map(([, words]) => words) }
  })
}

/**
 * The login of one of our roles beside the owner's: same server and database, and a password that follows from the
 * owner's, so that all gateways that have the owner's URL agree on it without keeping it anywhere. An owner who comes
 * in without a password (trust) has nothing to derive from: the role then comes in the same way.
 */
export function derivedLogin(owner: Servers, role: string): Servers {
  const [first, ...others] = serversOf(owner).map((each) => derivedAt(each, role))
  return others.length === 0 ? { ...first } : { ...first, others }
}

function derivedAt(owner: pg.ClientConfig, role: string): pg.ClientConfig {
  const { user, password, ...place } = resolved(owner)
  if (!password) return { ...place, user: role }
  return {
    ...place,
    user: role,
    password: createHmac('sha256', password).update(`${role} beside ${user}`).digest('base64url'),
  }
}

const TRIES = 5
const OURS = [APP_ROLE, OPERATOR_ROLE, BACKUP_ROLE]

/** Sees to it that the role can log in, with the owner's help where it cannot. Throws {@link LoginRefused}. */
export async function ensureLogin(owner: Servers, login: Servers): Promise<void> {
  // The client reads URL, environment and defaults as the connection itself would.
  const who = new pg.Client(serversOf(login)[0])
  for (let tried = 1; ; tried++) {
    try {
      return await onLogin(login, async () => undefined)
    } catch (fault) {
      if (!isNotLetIn(fault) || tried === TRIES || !OURS.includes(who.user ?? '')) throw refusedLogin(who, fault)
      await letIn(owner, who)
    }
  }
}

/** Whether the server refused the login itself: there is no such role, or it has another password (SQLSTATE class 28). */
export function isNotLetIn(fault: unknown): boolean {
  return sqlStateOf(fault)?.startsWith('28') ?? false
}

function refusedLogin({ user, password }: pg.Client, cause: unknown): unknown {
  if (!isNotLetIn(cause)) return cause
  const fix =
    typeof password === 'string'
      ? `Let it in with a password (scram-sha-256) in the server's pg_hba.conf`
      : `DATABASE_URL has no password, so ${user} has none to log in with. Name one in DATABASE_URL`
  const other = `or log in as it yourself: DATABASE_URL for ${APP_ROLE}, GATEWAY_OWNER_DATABASE_URL for the owner`
  return new LoginRefused(
    `The database refuses the login of the gateway's role ${user} (${(cause as Error).message}). ${fix}, ${other}.`,
    { cause },
  )
}

/** Lets the role log in and gives it its password, in the form that the server keeps: no log can hold the password itself. */
async function letIn(owner: Servers, { user, password }: pg.Client): Promise<void> {
  const secret = typeof password === 'string' ? ` password '${scramVerifier(password)}'` : ''
  try {
    await onLogin(owner, (client) => client.query(`alter role ${user} login${secret}`))
  } catch (fault) {
    // Another gateway does the same at this moment; what it sets is the same.
    if (sqlStateOf(fault) !== 'XX000') throw fault
  }
}

const ITERATIONS = 4096

/** What PostgreSQL keeps of a password (RFC 5803). */
function scramVerifier(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`
}

const BACKUP_GRANTS = `
  do $$ begin
    if not exists (select from pg_roles where rolname = '${BACKUP_ROLE}') then
      create role ${BACKUP_ROLE} noinherit;
    end if;
    if not has_function_privilege('${BACKUP_ROLE}', 'pg_backup_stop(boolean)', 'execute') then
      grant execute on function pg_backup_start(text, boolean), pg_backup_stop(boolean) to ${BACKUP_ROLE};
    end if;
  end $$`

/** The login that begins and ends base copies, with the help of an owner who is a superuser, as that of an embedded database is. */
export async function backupLoginOf(owner: pg.ClientConfig): Promise<Servers> {
  const login = derivedLogin(owner, BACKUP_ROLE)
  await onLogin(owner, (client) => client.query(BACKUP_GRANTS))
  await ensureLogin(owner, login)
  return login
}

const PUBLIC_RIGHTS = `
  select quote_ident(current_database()) as database,
         has_database_privilege('${APP_ROLE}', current_database(), 'temp') as temporary,
         has_function_privilege('${APP_ROLE}', 'lo_create(oid)', 'execute') as large_objects,
         has_schema_privilege('${APP_ROLE}', 'public', 'create') as creates,
         (select r.rolsuper from pg_roles r where r.rolname = current_user) as is_super`

/**
 * Takes from everybody what a database gives to everybody and the gateway does not need: temporary tables and large
 * objects would be its own. A copy or a restore of the database has these rights again, so every migration checks.
 */
export async function narrowDatabase(owner: pg.ClientBase): Promise<void> {
  await resetRoles(owner)
  const found = (await owner.query(PUBLIC_RIGHTS)).rows[0]
  if (found.temporary) await owner.query(`revoke temporary on database ${found.database} from public`)
  if (found.creates) await owner.query('revoke create on schema public from public')
  if (found.large_objects && found.is_super)
    await owner.query(
      'revoke execute on function lo_create(oid), lo_creat(integer), lo_from_bytea(oid, bytea), lo_put(oid, bigint, bytea) from public',
    )
}

const ROLE_SETTINGS = `
  select quote_ident(r.rolname) as role, quote_ident(d.datname) as database
    from pg_db_role_setting s join pg_roles r on r.oid = s.setrole left join pg_database d on d.oid = s.setdatabase
   where r.rolname = any($1) and (d.datname is null or d.datname = current_database())`

/** A role may change what its own sessions begin with, so an intruder with the login could change them for good. */
async function resetRoles(owner: pg.ClientBase): Promise<void> {
  const { rows } = await owner.query<{ role: string; database: string | null }>(ROLE_SETTINGS, [OURS])
  for (const { role, database } of rows)
    await owner.query(`alter role ${role}${database === null ? '' : ` in database ${database}`} reset all`)
}

/** Does work on a connection of its own, which is closed afterwards. Throws {@link StandbyFound}. */
export async function onLogin<T>(login: Servers, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openLogin(login)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** A connection to the server that can be written. Throws {@link StandbyFound}. */
export function openLogin(login: Servers): Promise<pg.Client> {
  return connectWritable(login, async (server) => {
    const client = new pg.Client({ ...server, application_name: 'gateway', connectionTimeoutMillis: 5000 })
    // A broken connection rejects the query in flight; without a listener it would end the process as well.
    client.on('error', () => undefined)
    await client.connect()
    return refuseStandby(client)
  })
}
