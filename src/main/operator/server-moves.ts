// A lane goes from one PostgreSQL to another while gateways work on it. Its rows are copied and followed; then gateways send nothing to
// it for a moment, it is taken from the one server, compared, and is on the other. The rows themselves say where a lane is: taken by one
// transaction of its server, it is either still there as a whole or gone from there. What was interrupted is settled by that, and never by
// what home says alone: it may have been restored to before an earlier move.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { actionOf, type Deed } from '../../app/operator/operator-actions.ts'
import type { IdSource } from '../../app/accounts/accounts.ts'
import { isAway, type Session, sqlStateOf } from '../../platform/db.ts'
import { lanesHere } from '../../platform/servers/absence.ts'
import { codeOf } from '../../platform/postgres/errors.ts'
import { beginCopy, caughtUp, connInfoOf, copyProgress, endCopy } from '../../platform/postgres/lane-copy.ts'
import { type Servers, serversOf } from '../../platform/postgres/hosts.ts'
import {
  differences,
  hasLane,
  hasRows,
  type LaneOn,
  missingParents,
  removeLane,
  takeLane,
} from '../../platform/postgres/lane-rows.ts'
import {
  beginMove,
  countNotHolding,
  decideMove,
  giveUpMove,
  holdLane,
  type LaneMove,
  laneMoveFrom,
  openMove,
  placeMovedLane,
  revokeDecision,
  undoMove,
} from '../../store/operator/lane-moves.ts'
import { newestEpoch } from '../../store/operator/epochs.ts'
import { insertOperatorAction } from '../../store/operator/operator-actions.ts'
import type { Database } from '../database/opened.ts'
import { ANCHOR } from '../../platform/citus/distribution.ts'
import type { MoveProgress } from '../../platform/citus/shard-moves.ts'
import { LoginRefused, onLogin, openLogin } from '../database/logins.ts'
import { faultItself, withServer } from '../database/server-fault.ts'
import { asked, seePlacement, serversOfDatabase } from '../database/servers.ts'
import { giveLane, sweptOn } from './given-lanes.ts'

/** Where a move is. */
export type MoveStep =
  | { readonly doing: 'proving the books' | 'moving' }
  | ({ readonly doing: 'copying' } & Omit<MoveProgress, 'doing'> & { readonly phase: string })

/** Lanes that are not moved; the message says why, and what to do. */
export class LanesRefused extends Error {
  override readonly name = 'LanesRefused'
}

type MovesDeps = {
  readonly database: Database
  /** To all servers, as an operator. */
  readonly reader: Session
  readonly ids: IdSource
}

export type ServerMove = { readonly lane: number; readonly from: string; readonly to: string }

const COPIED_WITHIN_MS = 24 * 3_600_000
/** Longer than all that is done meanwhile; gateways go on by themselves when it is over. */
const HELD_MS = 30_000
const HOLDING_WITHIN_MS = 15_000
const CAUGHT_UP_WITHIN_MS = 15_000
const LOCK_MS = 5000
const POLL_MS = 100
const PROGRESS_MS = 1000
/** A server that was away for a moment is waited for: meanwhile nobody may use a lane that is being taken. */
const SETTLED_WITHIN_MS = 60_000

/**
 * Moves a lane, whose books its caller has proved. All of it or nothing: where it throws, the lane is where it was, or
 * {@link settleMove} says where it is. Throws {@link LanesRefused}, LaneCopyRefused, LaneCopyFailed and LoginRefused.
 */
export async function moveToServer(
  deps: MovesDeps,
  { lane, from, to }: ServerMove,
  deed: Deed,
  onStep: (step: MoveStep) => void,
): Promise<void> {
  const { reader, ids } = deps
  const id = randomUUID()
  const order = actionOf({ ids }, 0, 'move lanes', `lane ${lane} from ${from} to ${to}`, deed)
  await reader.transaction<null>([], () => ({
    statements: [beginMove(id, lane, from, to), insertOperatorAction(order)],
    value: null,
  }))
  try {
    const [open] = await reader.send([openMove()])
    const { beganAt, epoch } = laneMoveFrom(open?.rows[0] ?? {})
    await onOwners(deps.database, [from, to], (source, target) =>
      moved(deps, { id, lane, from, to, beganAt, epoch }, { source, target }, onStep),
    )
  } catch (fault) {
    await settledSoon(deps)
    throw fault
  }
}

/** What is left of a move that was broken off is found by the next one, too. */
async function settledSoon(deps: MovesDeps): Promise<void> {
  for (const until = performance.now() + SETTLED_WITHIN_MS; performance.now() < until; await sleep(PROGRESS_MS)) {
    const fault = await settleMove(deps).then(
      () => null,
      (why: unknown) => faultItself(why),
    )
    if (!isAway(fault) && !isConnectionLost(fault)) return
  }
}

/** Of a connection of our own, which is no session: the server, or the way to it, was away. */
function isConnectionLost(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false
  const isServers = /^(08|57P)/.test(sqlStateOf(fault) ?? '')
  return (
    isServers || codeOf(fault)?.startsWith('E') === true || /^Connection terminated|not queryable/.test(fault.message)
  )
}

type Both = { readonly source: Owned; readonly target: Owned }
type Owned = { readonly client: pg.Client; readonly owner: Servers }

async function moved(
  deps: MovesDeps,
  move: ServerMove & Pick<LaneMove, 'id' | 'beganAt' | 'epoch'>,
  { source, target }: Both,
  onStep: (step: MoveStep) => void,
): Promise<void> {
  const { reader } = deps
  const { id, lane } = move
  const copy = { source: source.client, target: target.client, lane, anchor: ANCHOR }
  if (await isThereAlready(deps.database, move, copy)) {
    await giveLane(copy, move, null)
    return void (await reader.send([placeMovedLane(id)]))
  }
  await refuseOtherEpoch(copy, move)
  onStep({ doing: 'moving' })
  const [own] = serversOf(source.owner)
  await beginCopy({ ...copy, sourceConnInfo: connInfoOf(own ?? {}) })
  await followed(copy, onStep)
  await reader.send([holdLane(id, HELD_MS)])
  await untilHeld(reader, id)
  const taking = await openLogin(source.owner)
  try {
    await taking.query('begin')
    await takeLane({ on: taking, lane, anchor: ANCHOR }, LOCK_MS)
    // Nobody writes the lane any more: what was committed before is all that there will be.
    await caughtUp(copy, { timeoutMs: CAUGHT_UP_WITHIN_MS })
    await bringBeside(copy)
    const sweptUntil = await sweptOn(copy)
    await refuseDifferent(copy)
    await endCopy(copy)
    await refuseOtherEpoch(copy, move)
    const [decided] = await reader.send([decideMove(id)])
    if (decided?.rows.length !== 1)
      throw new LanesRefused(`It took longer than ${HELD_MS / 1000} seconds to take the lane from ${move.from}.`)
    await taking.query('commit')
    await giveLane(copy, move, sweptUntil)
  } finally {
    await taking.end()
  }
  await reader.send([placeMovedLane(id)])
}

type Copies = { readonly source: pg.Client; readonly target: pg.Client; readonly lane: number; readonly anchor: string }

/**
 * A server notes where the accounts that it has stand as an epoch begins there. A lane that goes to one which has done so, from one which
 * has not, would be noted nowhere: its accounts would hear of no restore, and ids that it undid would come again. Throws {@link LanesRefused}.
 */
async function refuseOtherEpoch({ source, target }: Copies, { from, to }: ServerMove): Promise<void> {
  const [there, here] = [await newestAt(source), await newestAt(target)]
  if (there === here) return
  throw new LanesRefused(
    `A recovery has begun that is not known on both servers yet: ${from} is in epoch ${there}, ${to} in ${here}. Start a gateway once, which tells each server, and try again. The lane was not moved.`,
  )
}

const newestAt = async (on: pg.Client) => (await asked(on, newestEpoch()))[0]?.['number'] as number

/** Whether an earlier move, of which home does not know any more, has brought the lane there. Throws {@link LanesRefused}. */
async function isThereAlready(
  database: Database,
  { lane, from, to }: ServerMove,
  { source, target, anchor }: Copies,
): Promise<boolean> {
  const there = { on: target, lane, anchor }
  const see = 'Home was restored to before a move of the lane: see docs/several-servers.md, “Home from before a move”.'
  if (await hasLane({ on: source, lane, anchor })) {
    // Whoever moved on what such a server has would say that nothing is all that there is of the lane.
    if (!(await hasLaneSince(database, { on: source, lane, anchor })))
      throw new LanesRefused(
        `${from} is from before lane ${lane} came to it: see docs/several-servers.md, “A server from before a lane came to it”. Nothing was moved.`,
      )
    if (!(await hasLane(there)) || !(await hasRows(there))) return false
    throw new LanesRefused(`Both ${from} and ${to} have lane ${lane}. ${see} Nothing was moved.`)
  }
  if (await isNowhereElse(database, [from, to], there)) return true
  throw new LanesRefused(`Neither ${from} nor ${to} has lane ${lane}. ${see} Nothing was moved.`)
}

/** Whether a server has the lane since the newest move of it that home knows, or since a later one. */
async function hasLaneSince({ others }: Database, { on, lane }: LaneOn): Promise<boolean> {
  const { text, values } = lanesHere([lane], others?.placement.cameAt ?? (() => null))
  return (await on.query(text, [...values])).rows.length === 1
}

/**
 * Whether a server has a lane that is not where it was. Each server began with a row of every lane: one that has no rows there is there if
 * no later move has taken it from there, and no third server has accounts of it.
 */
async function isNowhereElse(
  database: Database,
  [from, to]: readonly [string, string],
  there: LaneOn,
): Promise<boolean> {
  if (!(await hasLane(there))) return false
  if (await hasRows(there)) return true
  if (!(await hasLaneSince(database, there))) return false
  const others = serversOfDatabase(database).filter(([name]) => name !== from && name !== to)
  const accounts = others.map(([name, { login }]) =>
    withServer(name, () =>
      onLogin(login, (client) => client.query('select 1 from accounts where lane = $1 limit 1', [there.lane])),
    ),
  )
  return (await Promise.all(accounts)).every(({ rows }) => rows.length === 0)
}

/** Until the target has what was there when it was asked, with a word each second. */
async function followed(
  copy: { source: pg.Client; target: pg.Client; lane: number },
  onStep: (step: MoveStep) => void,
) {
  const stop = new AbortController()
  const tell = async () => {
    while (!stop.signal.aborted) {
      await sleep(PROGRESS_MS, undefined, { signal: stop.signal })
      const { ready, tables } = await copyProgress(copy)
      onStep({ doing: 'copying', phase: 'copying tables', copiedBytes: ready, bytes: tables })
    }
  }
  // A look that fails says nothing of the copy; what ends it is thrown where it is waited for.
  const told = tell().catch(() => undefined)
  try {
    await caughtUp(copy, { timeoutMs: COPIED_WITHIN_MS })
  } finally {
    stop.abort()
    await told
  }
}

/** Until every process that is alive sends nothing to the lane. Throws {@link LanesRefused} where one does not come to that. */
async function untilHeld(reader: Session, id: string): Promise<void> {
  for (const until = performance.now() + HOLDING_WITHIN_MS; ; await sleep(POLL_MS)) {
    const [counted] = await reader.send([countNotHolding(id)])
    const left = counted?.rows[0]?.['left'] as number
    if (left === 0) return
    if (performance.now() > until)
      throw new LanesRefused(
        `${left} of the processes at work have not let go of the lane within ${HOLDING_WITHIN_MS / 1000} seconds: something that was begun there takes long, or they are of a release that knows of no moves.`,
      )
  }
}

// Who put money into a wallet, and what proves it; which keys have sealed histories.
const BESIDE = [
  ['operator_actions', 'where t.id in (select c.action_id from outside_credits c where c.lane = $1)'],
  ['seal_keys', 'where $1::int is not null'],
] as const

/** Brings along what the rows of the lane name, and is of no lane. */
async function bringBeside({ source, target, lane }: Copies): Promise<void> {
  for (const [table, which] of BESIDE) {
    const { rows } = await source.query<{ row: unknown }>(`select to_json(t) as row from ${table} t ${which}`, [lane])
    await target.query(
      `insert into ${table} select t.* from json_populate_recordset(null::${table}, $1::json) t on conflict do nothing`,
      [JSON.stringify(rows.map(({ row }) => row))],
    )
  }
}

async function refuseDifferent(copy: Copies): Promise<void> {
  const [different, missing] = [await differences(copy), await missingParents({ on: copy.target, lane: copy.lane })]
  if (different.length > 0)
    throw new LanesRefused(
      `The two copies of the lane are not the same, in ${different.join(', ')}: somebody writes there beside the gateway.`,
    )
  if (missing.length > 0)
    throw new LanesRefused(
      `The other server lacks rows of ${missing.join(', ')} that the lane names. Start a gateway once, and try again.`,
    )
}

/** How a move ended that was interrupted; null where none was. */
export type Settled = ServerMove & { readonly how: 'moved' | 'given_up' }

/**
 * Ends a move that was interrupted: the lane is where its rows are. What it has left on the other server is removed there. The lane is held
 * no longer than it takes to ask the one server that it was on.
 */
export async function settleMove(deps: MovesDeps): Promise<Settled | null> {
  const { reader, database } = deps
  const [open] = await reader.send([openMove()])
  const move = open?.rows[0] && laneMoveFrom(open.rows[0])
  if (!move) return null
  const { id, lane, from, to } = move
  const isTaken = await onOwners(database, [from], (source) => isTakenFrom(reader, move, source.client))
  const how = await onOwners(database, [from, to], async (source, target) => {
    const copy = { source: source.client, target: target.client, lane, anchor: ANCHOR }
    await endCopy(copy)
    const there = { on: target.client, lane, anchor: ANCHOR }
    const isTo = await hasLane(there)
    if (isTaken === 'by this move' || (isTaken === 'before' && (await isNowhereElse(database, [from, to], there)))) {
      await giveLane(copy, move, null)
      await reader.send([placeMovedLane(id)])
      return 'moved'
    }
    // What the target has for its own is never removed, nor what may be all that there is.
    if (isTaken === 'no' && !isTo) await removeLane(there)
    await reader.send([giveUpMove(id)])
    return 'given_up'
  })
  await seePlacement(database)
  return { lane, from, to, how }
}

/**
 * Whether the lane is gone from where it was, and by what. Until the move is decided all of it stays there once home has noted that, unless
 * an earlier move had taken it. Afterwards it is there if the server has its row of the lane.
 */
async function isTakenFrom(
  reader: Session,
  { id, lane }: LaneMove,
  source: pg.Client,
): Promise<'no' | 'by this move' | 'before'> {
  const [undoing] = await reader.send([undoMove(id)])
  const isUndone = undoing?.rows.length === 1
  // A transaction that takes it may still be about to be committed: it is waited for.
  if (!(await hasLane({ on: source, lane, anchor: ANCHOR }))) return isUndone ? 'before' : 'by this move'
  if (!isUndone) await reader.send([revokeDecision(id)])
  return 'no'
}

const ALONE = 0x6c616e65

/** Does work while no other command moves lanes of this installation. Throws {@link LanesRefused}. */
export async function moveAlone<T>({ login }: Pick<Database, 'login'>, work: () => Promise<T>): Promise<T> {
  return onLogin(login, async (client) => {
    const { rows } = await client.query<{ is_ours: boolean }>('select pg_try_advisory_lock($1) as is_ours', [ALONE])
    if (rows[0]?.is_ours !== true)
      throw new LanesRefused('Another command moves a lane at this moment. Wait until it has ended, and try again.')
    return work()
  })
}

/** Works with servers as their owners, in this order. Throws LoginRefused where one of them is not known. */
async function onOwners<T, Names extends readonly string[]>(
  database: Database,
  names: readonly [...Names],
  work: (...owned: { [Each in keyof Names]: Owned }) => Promise<T>,
): Promise<T> {
  const servers = new Map(serversOfDatabase(database))
  const owners = names.map((name) => {
    const owner = servers.get(name)?.owner ?? null
    if (owner !== null) return { name, owner }
    throw new LoginRefused(
      `Rows are moved by the owners of both databases. Name that of ${name}: GATEWAY_OWNER_DATABASE_URL for home, owner_database_url in GATEWAY_LANES_FILE for others.`,
    )
  })
  const opened: Owned[] = []
  try {
    for (const { name, owner } of owners) opened.push({ owner, client: await withServer(name, () => openLogin(owner)) })
    return await work(...(opened as { [Each in keyof Names]: Owned }))
  } finally {
    await Promise.all(opened.map(({ client }) => client.end()))
  }
}
