// Set up before each file of tests on a cluster: notes what the gateway sends, and when the file is over has each statement
// explained. One that is more than one task, or is refused, fails the file, but for those of MANY_TASKS; so does a commit in
// two phases, but for those of TWO_PHASES. Processes that a test starts are not looked at.
import pg from 'pg'
import { afterAll, expect } from 'vitest'
import { APP_ROLE, OPERATOR_ROLE } from '../../../src/main/database/logins.ts'
import { EVERY_LANE } from '../../house/migrations.ts'
import { endedPorts } from './cluster.ts'
import { isNamed, MANY_TASKS, TWO_PHASES } from './many-tasks.ts'

type Sent = {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  readonly by: pg.Client
}

type Recording = {
  /** What is to be explained when this file is over, by its text: of several times, that with the most values. */
  readonly sent: Map<string, Sent>
  /** What was explained for a file before, and how long its values were. */
  readonly explained: Map<string, number>
  /** Which statements went ahead of a commit in two phases. */
  readonly prepared: Set<string>
}

const KEY = Symbol.for('gateway.test.citus')
const kept = globalThis as typeof globalThis & { [KEY]?: Recording }
// The statements of one shard have another form where they are sent to its node in its names: of the files that know nothing of clusters every
// second works through the coordinator.
const [path = ''] = (expect.getState().testPath ?? '').split('/test/').slice(-1)
const isAlternate = /^(http|app|pay|sandbox|webhooks|ledger|engine)\//.test(path) && path.length % 2 === 1
process.env['TEST_CITUS_WORKERS'] = isAlternate ? 'through the coordinator' : 'direct'

// The files of one fork share it: what was explained for one need not be for the next.
const recording = (kept[KEY] ??= startRecording())

afterAll(async () => {
  const found = await foundOut()
  if (found.length > 0)
    throw new Error(`A cluster has this in more than one place (test/rig/citus/many-tasks.ts):\n${found.join('\n')}`)
})

/** What was found out since the last time. */
export async function foundOut(): Promise<string[]> {
  const { prepared } = recording
  const found = [...(await explainedAll()), ...Array.from(prepared, (each) => `committed in two phases: ${each}`)]
  prepared.clear()
  return found
}

type Asked = { readonly name?: string; readonly text: string; readonly values?: readonly unknown[] | undefined }

/** What the driver is being answered at the moment. */
type Answered = { readonly _getActiveQuery: () => { readonly text?: string; readonly name?: string } | null }

function startRecording(): Recording {
  const started: Recording = { sent: new Map(), explained: new Map(), prepared: new Set() }
  const query = pg.Client.prototype.query
  // What each connection sent since its last BEGIN.
  const courses = new WeakMap<pg.Client, string[]>()
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [first, second] = given
    const asked =
      typeof first === 'string' ? { text: first, values: second as unknown[] | undefined } : (first as Asked)
    if ([APP_ROLE, OPERATOR_ROLE].includes(this.user ?? '')) {
      if (!courses.has(this)) this.on('notice', ({ message = '' }) => noticed(this, message))
      const { text, name = shortened(text), values } = asked
      const course = text === 'begin' ? [] : (courses.get(this) ?? [])
      // How long is waited for locks says nothing of what is done.
      courses.set(this, text === 'begin' || text.startsWith('set local ') ? course : [...course, name].slice(-50))
      note({ name, text, values: values ?? [], by: this })
    }
    return Reflect.apply(query, this, given) as unknown
  } as typeof query

  const noticed = (client: pg.Client, message: string) => {
    if (!message.includes('PREPARE TRANSACTION')) return
    const { text = '', name = shortened(text) } = (client as unknown as Answered)._getActiveQuery() ?? {}
    const names = text === 'commit' ? (courses.get(client) ?? []) : [name]
    if (!names.some((each) => isNamed(TWO_PHASES, each))) started.prepared.add(names.join(', '))
  }
  const note = (sent: Sent) => {
    if (!/^\s*(--[^\n]*\n\s*)*(select|insert|update|delete|with)\b/i.test(sent.text)) return
    const before = started.sent.get(sent.text)
    const most = before ? sizeOf(before) : (started.explained.get(sent.text) ?? -1)
    if (sizeOf(sent) > most) started.sent.set(sent.text, sent)
  }
  return started
}

const shortened = (text: string) => text.trim().replace(/\s+/g, ' ').slice(0, 60)

const sizeOf = ({ values }: Sent) => values.reduce<number>((sum, each) => sum + String(each).length, 0)

async function explainedAll(): Promise<string[]> {
  const { sent, explained } = recording
  const found: string[] = []
  const clients = new Map<string, pg.Client>()
  for (const each of sent.values()) {
    const { host, port, user, database } = each.by
    // A cluster of one test, which has ended it: what it did is explained on that of the run.
    if (endedPorts.has(port)) continue
    // Where it was sent: a worker knows the cluster as the coordinator does, and not the tables that are the coordinator's own.
    const place = `${user}@${host}:${port}/${database}`
    let client = clients.get(place)
    if (!client) {
      client = new pg.Client({ host, port, user, database })
      await client.connect()
      clients.set(place, client)
    }
    explained.set(each.text, sizeOf(each))
    const said = await tasksOf(client, each)
    // In the names of a shard nothing is left for the cluster to plan. One for which the node lacks a table is sent to the coordinator.
    const isNamedHere = IN_A_SHARD.test(each.text)
    if (isNamedHere && said === MISSING) continue
    if (isNamedHere && typeof said === 'number' && said > 0) found.push(`${each.name}: planned by the cluster`)
    if (said === 0 || said === 1 || said === FORBIDDEN || EVERY_LANE.test(each.text) || isNamed(MANY_TASKS, each.name))
      continue
    found.push(`${each.name}: ${said === MISSING ? 'refused: a table is missing' : said}`)
  }
  sent.clear()
  await Promise.all(Array.from(clients.values(), (client) => client.end()))
  return found
}

const FORBIDDEN = 'forbidden'
const MISSING = 'missing'
const IN_A_SHARD = /\b(from|join|using|into|update)\s+\w+_\d{6,}\b/

/** How many tasks a statement is; 0 for one that the coordinator answers alone, and the refusal of one that is none. */
async function tasksOf(client: pg.Client, { text, values }: Sent): Promise<number | string> {
  try {
    const { rows } = await client.query(`explain ${text}`, [...values])
    const plan = rows.map((row) => row['QUERY PLAN'] as string).join('\n')
    return Array.from(plan.matchAll(/Task Count: (\d+)/g), ([, count]) => Number(count)).reduce(
      (sum, each) => sum + each,
      0,
    )
  } catch (fault) {
    const { code, message } = fault as pg.DatabaseError
    // Its login may not, on no server.
    if (code === '42501') return FORBIDDEN
    return code === '42P01' ? MISSING : `refused: ${message}`
  }
}
