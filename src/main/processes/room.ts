// Whether the database has room for the connections of so many processes: one that finds none would begin, and fail under load.
import type pg from 'pg'
import { type Config, Misconfigured } from '../config/config.ts'
import { HOME } from '../../store/operator/lane-servers.ts'
import { connectionsOf, whileReplacedOf } from '../config/processes.ts'
import type { Database } from '../database/opened.ts'
import { onLogin } from '../database/logins.ts'
import { withServer } from '../database/server-fault.ts'
import { presentServers } from '../database/servers.ts'
import type { Log } from '../../platform/log.ts'

/**
 * Looks at each server: a process may have as many connections to any of them. Throws {@link Misconfigured}; that only a replacement
 * would lack some is said, for that is away with the next start.
 */
export async function checkRoom(database: Database, config: Config, log: Log): Promise<void> {
  const [needed, whileReplaced] = [connectionsOf(config), whileReplacedOf(config)]
  for (const [name, { login }] of presentServers(database)) {
    const room = await withServer(name, () => onLogin(login, roomOf))
    const at = name === HOME ? 'the database' : `the server ${name} of GATEWAY_LANES_FILE`
    if (room < needed)
      throw new Misconfigured(
        `GATEWAY_PROCESSES=${config.processes} takes up to ${needed} connections, and ${at} has room for ${room}. Raise max_connections, or start fewer processes.`,
      )
    if (room < whileReplaced)
      log.warn(
        { needed: whileReplaced, room },
        `while processes are replaced (SIGHUP) they take up to ${whileReplaced} connections, and ${at} has room for ${room}: raise max_connections before`,
      )
  }
}

async function roomOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ room: number }>(
    "select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as room",
  )
  return rows[0]?.room ?? 0
}
