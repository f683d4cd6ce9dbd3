// Whether the database has room for the connections of so many processes: one that finds none would begin, and fail under load.
import { type Config, Misconfigured } from '../config/config.ts'
import { connectionsOf } from '../config/processes.ts'
import type { Database } from '../database/opened.ts'
import { onLogin } from '../database/logins.ts'

/** Throws {@link Misconfigured}. */
export async function checkRoom({ login }: Database, config: Config): Promise<void> {
  const needed = connectionsOf(config)
  await onLogin(login, async (client) => {
    const { rows } = await client.query<{ room: number }>(
      "select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as room",
    )
    const room = rows[0]?.room ?? 0
    if (room < needed)
      throw new Misconfigured(
        `GATEWAY_PROCESSES=${config.processes} takes up to ${needed} connections, and the database has room for ${room}. Raise max_connections, or start fewer processes.`,
      )
  })
}
