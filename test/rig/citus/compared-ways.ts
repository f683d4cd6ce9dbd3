// Ways to the nodes of a cluster as a gateway has them that looks when a test tells it to.
import { onLogin } from '../../../src/main/database/logins.ts'
import { openNodeWays, type SeenWays } from '../../../src/main/database/node-ways.ts'
import type { Session } from '../../../src/platform/db.ts'
import { openLog } from '../../../src/platform/log.ts'
import type { Servers } from '../../../src/platform/postgres/hosts.ts'
import { openStanding, type ServerPlace, type Standing } from '../../../src/platform/postgres/standing.ts'

export type SeenNodes = {
  readonly ways: SeenWays
  readonly standing: Standing
  /** Lines of its log. */
  readonly said: readonly string[]
}

/** Looks once by what the coordinator answers to `asked`; nodes are used when they were compared. */
export async function seeNodes(asked: Pick<Session, 'send'>, login: Servers): Promise<SeenNodes> {
  const said: string[] = []
  const standing = openStanding()
  const ways = openNodeWays(asked, { login, standing }, openLog('info', { write: (line) => void said.push(line) }))
  await ways.look()
  return { ways, standing, said }
}

/** Each node that lets the gateway in is what it was when it was noted: its place is taken for that. */
export async function compareNodes(ways: SeenWays): Promise<void> {
  for (const { connection, standing, answered } of ways.open()) {
    standing.workWith(await placeAt(connection()))
    answered(true)
  }
}

// In its first history: nothing was promoted here.
const placeAt = (connection: Servers): Promise<ServerPlace> =>
  onLogin(connection, async (client) => {
    const { rows } = await client.query<{ id: string }>('select system_identifier::text as id from pg_control_system()')
    return { systemId: rows[0]?.id ?? '', timeline: 1 }
  })
