// Where the lanes of a cluster lie, and their move to another node while gateways work on them: refused where it cannot be done, kept
// with who ordered it, and the books of the lanes proved before it and after.
import type pg from 'pg'
import { actionOf, type Deed } from '../../app/operator/operator-actions.ts'
import type { IdSource } from '../../app/accounts/accounts.ts'
import { type Verdict, verifyBooksBy } from '../../app/operator/verify.ts'
import type { SealKeys } from '../../app/seals/heads.ts'
import { ALL_LANES, laneOf } from '../../domain/contract/ids.ts'
import type { Session } from '../../platform/db.ts'
import { lanesElsewhere } from '../../platform/servers/absence.ts'
import { engineOf } from '../../platform/citus/distribution.ts'
import {
  moveProgress,
  moveShards,
  type ShardGroup,
  shardGroups,
  type ShardNode,
  shardNodes,
  walLevels,
} from '../../platform/citus/shard-moves.ts'
import { accountsByLane } from '../../store/operator/sizes.ts'
import { findAccount } from '../../store/accounts/admin.ts'
import { insertOperatorAction } from '../../store/operator/operator-actions.ts'
import type { Database } from '../database/opened.ts'
import { ANCHOR } from '../../platform/citus/distribution.ts'
import { LoginRefused, onLogin } from '../database/logins.ts'
import { withServer } from '../database/server-fault.ts'
import { lanesByServer, seePlacement, serversOfDatabase } from '../database/servers.ts'
import { LanesRefused, moveAlone, type MoveStep, moveToServer, settleMove } from './server-moves.ts'

/** Lanes whose rows lie together, and how many accounts they have. `shardId` is null where the node is a PostgreSQL of its own. */
export type LaneGroup = Omit<ShardGroup, 'nodeId' | 'shardId'> & {
  readonly shardId: string | null
  readonly accounts: number
}

export type WantedMove = {
  readonly lane: number
  /** The node, as host:port; or the name of the server. */
  readonly to: string
}

export type MovedLanes = {
  readonly from: string
  readonly to: string
  /** The lanes that were moved. */
  readonly lanes: readonly number[]
  /** What of their books does not hold where they are now. */
  readonly findings: Verdict['findings']
}

/** A lane, or the one of an account. */
export type WantedLane = { readonly lane: number } | { readonly accountId: string }

/** Where a lane is; `lanes` are those that are moved with it, and it. */
export type LaneStanding = Pick<LaneGroup, 'node' | 'lanes' | 'accounts'> & { readonly lane: number }

export type OperatorLanes = {
  readonly lanes: () => Promise<LaneGroup[]>
  /** Where a lane is now; null where there is no such account. Throws {@link LanesRefused}. */
  readonly laneNow: (wanted: WantedLane) => Promise<LaneStanding | null>
  /** Moves the rows of a lane, and of those that share its shard. Throws {@link LanesRefused}. */
  readonly moveLane: (wanted: WantedMove, deed: Deed, onStep: (step: MoveStep) => void) => Promise<MovedLanes>
}

type LanesDeps = {
  readonly database: Database
  readonly reader: Session
  readonly auditor: Session
  readonly sealKeys: () => SealKeys
  readonly ids: IdSource
}

export function openOperatorLanes(deps: LanesDeps): OperatorLanes {
  const { database, reader } = deps
  return {
    lanes: async () => {
      const groups = database.others
        ? await serverGroups(database)
        : await asOwner(database, (client) => shardGroups(client, ANCHOR, ALL_LANES))
      const accountsOn = await accountsCounted(reader)
      return groups.map(({ shardId, node, lanes, bytes }) => ({
        shardId,
        node,
        lanes,
        bytes,
        accounts: accountsOn(lanes),
      }))
    },
    laneNow: (wanted) => laneNow(deps, wanted),
    moveLane: (wanted, deed, onStep) =>
      database.others
        ? moveAlone(database, () => movedToServer(deps, wanted, deed, onStep))
        : asOwner(database, (client) => moved(deps, client, wanted, deed, onStep)),
  }
}

async function accountsCounted(reader: Session): Promise<(lanes: readonly number[]) => number> {
  const [counted] = await reader.send([accountsByLane()])
  const counts = new Map((counted?.rows ?? []).map((row) => [row['lane'] as number, row['accounts'] as number]))
  return (lanes) => lanes.reduce((sum, lane) => sum + (counts.get(lane) ?? 0), 0)
}

async function laneNow({ database, reader }: LanesDeps, wanted: WantedLane): Promise<LaneStanding | null> {
  const lane = 'lane' in wanted ? wanted.lane : laneOf(wanted.accountId)
  // An id that is no account's names some lane all the same, with the accounts of others.
  if ('accountId' in wanted) {
    const [found] = await reader.send([findAccount({ lane, accountId: wanted.accountId })])
    if (found?.rows.length !== 1) return null
  }
  const { node, lanes } = database.others
    ? { node: database.others.placement.serverOf(lane), lanes: [lane] }
    : await asOwner(database, (client) => groupOf(client, lane))
  return { lane, node, lanes, accounts: (await accountsCounted(reader))(lanes) }
}

/** Each server that lanes are spread over is a group of its own. */
async function serverGroups(database: Database): Promise<Omit<LaneGroup, 'accounts'>[]> {
  const servers = new Map(serversOfDatabase(database))
  const groups = lanesByServer(database).map(async ({ node, lanes }) => {
    const { rows } = await withServer(node, () =>
      onLogin(servers.get(node)?.login ?? database.login, (client) =>
        client.query<{ bytes: number }>('select pg_database_size(current_database())::float8 as bytes'),
      ),
    )
    return { shardId: null, node, lanes, bytes: rows[0]?.bytes ?? 0 }
  })
  return Promise.all(groups)
}

async function movedToServer(
  deps: LanesDeps,
  { lane, to }: WantedMove,
  deed: Deed,
  onStep: (step: MoveStep) => void,
): Promise<MovedLanes> {
  const { database } = deps
  const names = serversOfDatabase(database).map(([name]) => name)
  if (!names.includes(to)) throw new LanesRefused(`No server is called ${to}. There are: ${names.join(', ')}.`)
  await settleMove(deps)
  const from = database.others?.placement.serverOf(lane) ?? to
  if (from === to) throw new LanesRefused(`Lane ${lane} is on ${to} already. Nothing was moved.`)
  await refuseUnproved(deps, [lane], onStep).catch((fault: unknown) => {
    // What is not where home says cannot be proved there: the move finds out where it is, and says what to do.
    if (!lanesElsewhere(fault)?.includes(lane)) throw fault
  })
  await moveToServer(deps, { lane, from, to }, deed, onStep)
  await seePlacement(database)
  onStep({ doing: 'proving the books' })
  return { from, to, lanes: [lane], findings: await findingsOf(deps, [lane]) }
}

/** Works on a cluster as the owner of its tables. Throws {@link LanesRefused}, and LoginRefused where nobody knows the owner. */
async function asOwner<T>({ owner, login }: Database, work: (client: pg.Client) => Promise<T>): Promise<T> {
  if ((await onLogin(login, engineOf)) === 'postgresql')
    throw new LanesRefused(
      'This database is on one PostgreSQL: all lanes are there. Others can be named in GATEWAY_LANES_FILE (docs/several-servers.md).',
    )
  if (owner === null)
    throw new LoginRefused("Only the database's owner sees and moves shards: set GATEWAY_OWNER_DATABASE_URL.")
  return onLogin(owner, work)
}

async function moved(
  deps: LanesDeps,
  client: pg.Client,
  { lane, to }: WantedMove,
  deed: Deed,
  onStep: (step: MoveStep) => void,
): Promise<MovedLanes> {
  const target = await targetOf(client, to)
  const before = await groupOf(client, lane)
  if (before.nodeId === target.nodeId) throw new LanesRefused(`Lane ${lane} is on ${to} already. Nothing was moved.`)
  await refuseWithoutLogical(client, [before.nodeId, target.nodeId])
  await refuseUnproved(deps, before.lanes, onStep)
  const order = actionOf(deps, 0, 'move lanes', `shard of lane ${lane} to ${to}`, deed)
  await deps.reader.transaction<null>([], () => ({ statements: [insertOperatorAction(order)], value: null }))
  onStep({ doing: 'moving' })
  await watched(deps.database, onStep, () => moveShards(client, before, target))
  onStep({ doing: 'proving the books' })
  const after = await groupOf(client, lane)
  return { from: before.node, to: after.node, lanes: after.lanes, findings: await findingsOf(deps, after.lanes) }
}

async function refuseUnproved(deps: LanesDeps, lanes: readonly number[], onStep: (step: MoveStep) => void) {
  onStep({ doing: 'proving the books' })
  const faults = await findingsOf(deps, lanes)
  if (faults.length > 0)
    throw new LanesRefused(
      `The books of the lanes do not hold: ${faults[0]?.problem}. Nothing was moved. See: gateway verify`,
    )
}

async function targetOf(client: pg.Client, to: string): Promise<ShardNode> {
  const nodes = await shardNodes(client)
  const target = nodes.find(({ node }) => node === to)
  if (target) return target
  const names = nodes.map(({ node }) => node).join(', ')
  throw new LanesRefused(`No node of the cluster that takes rows is called ${to}. There are: ${names}.`)
}

async function groupOf(client: pg.Client, lane: number): Promise<ShardGroup> {
  const group = (await shardGroups(client, ANCHOR, ALL_LANES)).find(({ lanes }) => lanes.includes(lane))
  if (group) return group
  throw new LanesRefused(`Lane ${lane} lies nowhere: the tables are not distributed. Run: gateway migrate --distribute`)
}

async function refuseWithoutLogical(client: pg.Client, nodeIds: readonly number[]): Promise<void> {
  const levels = await walLevels(client)
  const short = nodeIds.filter((nodeId) => levels.get(nodeId) !== 'logical')
  if (short.length > 0)
    throw new LanesRefused(
      'The nodes replicate no changes of single tables: set wal_level = logical on each, and start them again. Nothing was moved.',
    )
}

async function findingsOf({ auditor, sealKeys }: LanesDeps, lanes: readonly number[]): Promise<Verdict['findings']> {
  return (await verifyBooksBy([auditor], { onLane: () => undefined, sealKeys: sealKeys(), lanes })).findings
}

const LOOK_MS = 1000

/** Tells once a second how far the move is, on a connection of its own. */
async function watched<T>(database: Database, onStep: (step: MoveStep) => void, move: () => Promise<T>): Promise<T> {
  return onLogin(database.login, async (client) => {
    const look = async () => {
      const progress = await moveProgress(client)
      if (progress === null) return
      const { doing: phase, copiedBytes, bytes } = progress
      onStep({ doing: 'copying', phase, copiedBytes, bytes })
    }
    // A look that fails says nothing of the move.
    const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS)
    try {
      return await move()
    } finally {
      clearInterval(timer)
    }
  })
}
