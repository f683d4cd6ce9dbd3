// Where the rows of lanes lie: all beside each other on one PostgreSQL; on a distributed engine each lane in a shard, and each shard on a
// node. A statement that locks rows is told of lanes of one shard, and what fails with a node takes the lanes of no other along.
import { ALL_LANES } from '../../domain/contract/ids.ts'
import { groupedBy } from '../../domain/grouped.ts'
import { ANCHOR, LANE_PLACES } from '../../platform/citus/distribution.ts'
import { plainArray, type Statement, textArray } from '../../platform/db.ts'
import { type Parted, partedBy } from '../../platform/scope.ts'
import type { OwnLanes } from './own-lanes.ts'

/** Lanes whose rows lie in one shard, and the node that has it. */
export type LanePlace = { readonly node: string; readonly lanes: readonly number[] }

/** Where all lanes lie on a cluster. `functions`: what has to be there for its shards to be known by their tables. */
export const findLanePlaces = (functions: readonly string[]): Statement => ({
  name: 'lane_places',
  text: LANE_PLACES,
  values: [ANCHOR, plainArray(ALL_LANES), textArray(functions)],
})

/** Lanes that belong together, asked at each use: shards move, and lanes go from process to process. */
export type LaneGroups = () => readonly (readonly number[])[]

export type LanePlaces = {
  /** The lanes of this process that may be worked on now, by the node that fails with them. */
  readonly ownByNode: LaneGroups
  /** Of how many nodes the lanes of this process may not be worked on now. */
  readonly unsettledNodes: () => number
  /** All lanes of this process by shard: what one statement may lock. */
  readonly ownByShard: LaneGroups
  /** All lanes by the node that fails with them. */
  readonly byNode: LaneGroups
  /** All lanes by shard. */
  readonly byShard: LaneGroups
  /** Those that may be worked on now: work that began here may be in a lane of another process. */
  readonly settledByShard: LaneGroups
  /** Takes rows apart by the shard that they lie in. */
  readonly parted: <T extends { readonly lane: number }>(rows: readonly T[]) => readonly Parted<T>[]
  /** The node that has a lane; the empty name on one PostgreSQL. */
  readonly nodeOf: (lane: number) => string
  /** The shard that has a lane, by its number among those that were seen: only for telling lanes apart. */
  readonly shardOf: (lane: number) => number
  /** What was seen of the engine; null on one PostgreSQL. */
  readonly see: (places: readonly LanePlace[] | null) => void
}

/** `isSettled`: whether the lanes of a node may be worked on now. */
export function openLanePlaces(ownLanes: OwnLanes, isSettled: (node: string) => boolean = () => true): LanePlaces {
  let shards: readonly LanePlace[] = [WHOLE]
  let nodes: readonly LanePlace[] = [WHOLE]
  let placeOf: ReadonlyMap<number, { readonly node: string; readonly shard: number }> | null = null
  const shardOf = (lane: number) => placeOf?.get(lane)?.shard ?? 0
  const own = (groups: readonly LanePlace[]) => {
    const lanes = new Set(ownLanes())
    return groups.map((group) => group.lanes.filter((lane) => lanes.has(lane))).filter((group) => group.length > 0)
  }
  const settled = (groups: readonly LanePlace[]) => groups.filter(({ node }) => isSettled(node))
  return {
    ownByNode: () => own(settled(nodes)),
    unsettledNodes: () => own(nodes).length - own(settled(nodes)).length,
    ownByShard: () => own(shards),
    byNode: () => nodes.map(({ lanes }) => lanes),
    byShard: () => shards.map(({ lanes }) => lanes),
    settledByShard: () => settled(shards).map(({ lanes }) => lanes),
    parted: (rows) => partedBy(placeOf && shardOf, rows),
    nodeOf: (lane) => placeOf?.get(lane)?.node ?? '',
    shardOf,
    see: (places) => {
      shards = places ?? [WHOLE]
      nodes = places
        ? Array.from(
            groupedBy(places, ({ node }) => node),
            ([node, each]) => ({ node, lanes: lanesOfNode(each) }),
          )
        : [WHOLE]
      placeOf =
        places &&
        new Map(places.flatMap(({ node, lanes }, shard) => lanes.map((lane) => [lane, { node, shard }] as const)))
    },
  }
}

const WHOLE: LanePlace = { node: '', lanes: ALL_LANES }

const lanesOfNode = (places: readonly LanePlace[]) => places.flatMap(({ lanes }) => lanes).toSorted((a, b) => a - b)
