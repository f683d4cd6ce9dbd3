// A standby of a node of a cluster: a copy that follows it by streaming, at an address of its own. When the node is dead it is promoted,
// and the cluster told where the node is now, as whatever promotes by itself does (Patroni: citus_update_node).
import { execFile } from 'node:child_process'
import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import { freePort } from '../gateway-child.ts'
import { rowsFrom } from '../gateway-process.ts'
import { caughtUp, part, type Replication } from '../standby/pair.ts'

const run = promisify(execFile)

export type Standby = {
  /** From now on it gets nothing any more. */
  readonly part: () => Promise<void>
  /** The node must be dead. Resolves when the standby can be written and the cluster goes to it. */
  readonly takePlace: () => Promise<void>
}

type Followed = {
  /** The folder of the node, and the one that its standby is to have: the kit stops and starts servers by their names. */
  readonly of: string
  readonly own: string
  /** The node's superuser; and that of the coordinator in the database that is to know of the change. */
  readonly admin: pg.ClientConfig
  readonly coordinator: pg.ClientConfig
  readonly replication: Replication
  /** Has the kit start the standby. */
  readonly start: () => Promise<unknown>
  /** Where the standby is, once it has the node's place. */
  readonly onTaken: (port: number) => void
}

const PROMOTED_WITHIN_SECONDS = 60

/** Makes a standby of a node at work; resolves when it follows, and where it is synchronous the node's commits wait for it. */
export async function addStandby(followed: Followed): Promise<Standby> {
  const { of, own, admin, coordinator, replication, start, onTaken } = followed
  const port = await freePort()
  await copy(of, own, admin)
  // It was copied before commits were to wait for it, and so waits for nobody itself.
  appendFileSync(join(own, 'postgresql.auto.conf'), `port = ${port}\n`)
  await start()
  await caughtUp(admin, replication)
  const standby = { ...admin, port }
  return {
    part: () => part(standby, admin),
    takePlace: async () => {
      const [row] = await rowsFrom<{ done: boolean }>(
        standby,
        `select pg_promote(true, ${PROMOTED_WITHIN_SECONDS}) as done`,
      )
      if (row?.done !== true) throw new Error(`the standby of ${of} could not be promoted`)
      await rowsFrom(
        coordinator,
        `select citus_update_node(n.nodeid, n.nodename, ${port}, force => true, lock_cooldown => 500)
           from pg_dist_node n where n.nodeport = ${admin.port}`,
      )
      onTaken(port)
    },
  }
}

/** By the server's own program and as its user. The slot keeps what is written until the standby follows. */
async function copy(of: string, to: string, { host, port, user }: pg.ClientConfig): Promise<void> {
  const [server = ''] = readFileSync(join(of, 'postmaster.opts'), 'utf8').split(' ')
  const from = ['-h', String(host), '-p', String(port), '-U', String(user)]
  const following = ['--write-recovery-conf', '--wal-method=stream', '--create-slot', '--slot=standby']
  const { uid, gid } = statSync(of)
  const options = { uid, gid, cwd: dirname(to) }
  const words = [...from, ...following, '--checkpoint=fast', '--no-sync', '-D', to]
  await run(join(dirname(server), 'pg_basebackup'), words, options)
}
