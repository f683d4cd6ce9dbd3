// Who holds what a session waits for: looked at by a connection beside it, and said in words that name no row.
import pg from 'pg'
import { connectWritable, refuseStandby, type Servers } from './hosts.ts'

export type Watched = {
  /** In words, who stood in the way when that was last looked at; null where nobody did. */
  readonly holders: () => string | null
  readonly stop: () => Promise<void>
}

const LOOK_MS = 250

/** Watches the server process `pid` until it is stopped. A look that fails says nothing. */
export async function watchLocks(connection: Servers | string, pid: number): Promise<Watched> {
  const named = typeof connection === 'string' ? { connectionString: connection } : connection
  const client = await connectWritable(named, async (server) => {
    const one = new pg.Client(server)
    one.on('error', () => undefined)
    await one.connect()
    return refuseStandby(one)
  })
  let seen: string | null = null
  let looking: Promise<void> = Promise.resolve()
  const look = async () => {
    const { rows } = await client.query<Holder>(HOLDERS, [pid])
    if (rows.length > 0) seen = rows.map(wordsOf).join('; ')
  }
  const timer = setInterval(() => {
    looking = looking.then(look).catch(() => undefined)
  }, LOOK_MS)
  return {
    holders: () => seen,
    stop: async () => {
      clearInterval(timer)
      await looking
      await client.end()
    },
  }
}

type Holder = {
  readonly pid: number
  readonly role: string | null
  readonly table: string | null
  readonly seconds: number | null
}

/** Those that stand in the way, and the table that is waited for, where it is one. */
const HOLDERS = `
  select b.pid, a.usename as role, round(extract(epoch from now() - a.xact_start))::float8 as seconds,
         (select l.relation::regclass::text from pg_locks l where l.pid = $1 and not l.granted limit 1) as table
    from unnest(pg_blocking_pids($1)) b (pid)
    left join pg_stat_activity a on a.pid = b.pid
   limit 5`

function wordsOf({ pid, role, table, seconds }: Holder): string {
  const since = seconds === null ? '' : `, in a transaction of ${seconds} s`
  return `${table ?? 'a row or a table'} is held by process ${pid}${role === null ? '' : ` (${role}${since})`}`
}
