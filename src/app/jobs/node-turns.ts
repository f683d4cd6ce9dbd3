// Work on groups of lanes one after another, on one session. A node that hangs costs each round one wait, whichever of its groups comes
// first, and that after the groups of all others.
import { isAway, isLockTimeout } from '../../platform/db.ts'
import type { Parted } from '../../platform/scope.ts'

type OfLane = { readonly lane: number }
type Group = Parted<OfLane>

export type NodeTurns = {
  /** `leave`: what is done about a group whose work failed, or was not tried for its node had just failed. */
  readonly each: <Row extends OfLane, Done>(
    groups: readonly Parted<Row>[],
    work: (group: Parted<Row>) => Promise<Done>,
    leave: (group: Parted<Row>) => void,
  ) => Promise<PromiseSettledResult<Done>[]>
}

export function openNodeTurns(nodeOf: (lane: number) => string): NodeTurns {
  const nodeOfGroup = ({ rows: [first] }: Group) => (first ? nodeOf(first.lane) : '')
  /** Nodes that failed in the round before. */
  let failing: ReadonlyMap<string, unknown> = new Map()
  let rounds = 0
  return {
    each: async (groups, work, leave) => {
      const failed = new Map<string, unknown>()
      const settled: PromiseSettledResult<Awaited<ReturnType<typeof work>>>[] = []
      // Each round begins with another group, so that one whose own statement is too slow keeps no other of its node from its turn.
      const from = rounds++ % Math.max(1, groups.length)
      const inTurn = [...groups.slice(from), ...groups.slice(0, from)].toSorted(
        (one, other) => Number(failing.has(nodeOfGroup(one))) - Number(failing.has(nodeOfGroup(other))),
      )
      for (const group of inTurn) {
        const node = nodeOfGroup(group)
        const known = { status: 'rejected', reason: failed.get(node) } as const
        const [result] = failed.has(node) ? [known] : await Promise.allSettled([work(group)])
        settled.push(result)
        if (result.status === 'fulfilled') continue
        if (isAway(result.reason) && !isLockTimeout(result.reason)) failed.set(node, result.reason)
        leave(group)
      }
      failing = failed
      return settled
    },
  }
}
