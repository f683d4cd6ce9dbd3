// A standby of a node of a cluster: a copy that follows it by streaming, and for which its commits wait. When the node is dead it
// takes its place: its address, its folder, and with that its name in the kit. Whoever kills or starts the node then means this one.
import { execFile } from 'node:child_process'
import { appendFileSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import { freePort } from '../gateway-child.ts'
import { rowsFrom } from '../gateway-process.ts'
import { caughtUp } from '../standby/pair.ts'

const run = promisify(execFile)

export type Standby = {
  /** The node must be dead. Resolves when the standby is at its address and can be written. */
  readonly takePlace: () => Promise<void>
}

type Followed = {
  /** As the kit calls it. */
  readonly name: string
  /** The folder of the nodes, each in one of its name. */
  readonly data: string
  /** Its superuser. */
  readonly admin: pg.ClientConfig
  /** Has the kit do something. */
  readonly kitDoes: (...words: string[]) => Promise<unknown>
}

/** What the folder of a node's standby is called: the kit stops and starts it by this. */
export const standbyOf = (name: string) => `${name}-standby`

const PROMOTED_WITHIN_SECONDS = 60
/** Of a standby only: whom it follows, and where it is meanwhile. */
const AS_STANDBY = ['primary_conninfo', 'primary_slot_name', 'port']

/** Makes a standby of a node at work; resolves when the node's commits wait for it. */
export async function addStandby({ name, data, admin, kitDoes }: Followed): Promise<Standby> {
  const [of, own] = [join(data, name), join(data, standbyOf(name))]
  const port = await freePort()
  await copy(of, own, admin)
  appendFileSync(join(own, 'postgresql.auto.conf'), `port = ${port}\n`)
  await kitDoes('start', standbyOf(name))
  await caughtUp(admin, 'synchronous')
  return {
    takePlace: async () => {
      for (const each of AS_STANDBY) await rowsFrom({ ...admin, port }, `alter system reset ${each}`)
      await kitDoes('stop', standbyOf(name))
      rmSync(of, { recursive: true })
      renameSync(own, of)
      // It was copied before commits were to wait for it, and so waits for nobody itself.
      await kitDoes('start', name)
      const [row] = await rowsFrom<{ done: boolean }>(
        admin,
        `select pg_promote(true, ${PROMOTED_WITHIN_SECONDS}) as done`,
      )
      if (row?.done !== true) throw new Error(`the standby of ${name} could not be promoted`)
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
