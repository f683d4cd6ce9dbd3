// The order in which policies are asked, as somebody puts it: which priorities make it so. Pure.
import { invalid, type Refusal, refuseAll } from '../contract/refusals.ts'
import { policyArchived, policyNotFound } from './decide.ts'
import { inOrder, type Policy } from './policy.ts'

const PRIORITY_MAX = 1000
/** Room for others, where all are numbered anew. */
const STEP = 10

/** Of all policies those that can be asked, in order, with one of them right before another; null for behind all others. */
export function placed(all: readonly Policy[], id: string, before: string | null): readonly Policy[] | Refusal {
  const policy = all.find((each) => each.id === id)
  if (!policy) return policyNotFound()
  if (policy.status === 'archived') return policyArchived()
  const others = inOrder(all).filter((each) => each !== policy && each.status !== 'archived')
  const place = before === null ? others.length : others.findIndex((each) => each.id === before)
  if (place >= 0) return others.toSpliced(place, 0, policy)
  const mend = 'GET /policies lists them.'
  return refuseAll([invalid('before', `before is no other policy of yours that can be asked. ${mend}`)])
}

/**
 * The next versions of those whose priority must differ for the policies to be asked in this order. Of the one that was moved alone,
 * where there is a number for it; else those behind it rise; where there is no number left, all are numbered anew.
 */
export function reordered(policies: readonly Policy[], moved: string, nowMs: number): readonly Policy[] {
  const wanted = raised(withRoom(policies, moved))
  const isPastEnd = wanted.some((priority) => priority > PRIORITY_MAX)
  return policies.flatMap((policy, place) => {
    const priority = isPastEnd ? place * STEP : (wanted[place] ?? policy.priority)
    if (priority === policy.priority) return []
    return [{ ...policy, priority, version: policy.version + 1, updatedAt: nowMs }]
  })
}

type Placed = Pick<Policy, 'id' | 'priority'>

const isAskedFirst = (one: Placed, other: Placed) =>
  one.priority < other.priority || (one.priority === other.priority && one.id < other.id)

/** With a priority of the one that was moved which fits between its neighbours; as they are where there is none. */
function withRoom(policies: readonly Placed[], moved: string): readonly Placed[] {
  const place = policies.findIndex(({ id }) => id === moved)
  const [last, own, next] = [policies[place - 1], policies[place], policies[place + 1]]
  if (!own) return policies
  const near = [own.priority, ...(last ? [last.priority, last.priority + 1] : []), ...(next ? [next.priority - 1] : [])]
  const priority = near.find((wanted) => {
    const there = { id: moved, priority: wanted }
    return wanted >= 0 && (!last || isAskedFirst(last, there)) && (!next || isAskedFirst(there, next))
  })
  return priority === undefined ? policies : policies.with(place, { id: moved, priority })
}

/** Each as low as it can be, and no lower than it is. Of the same number the older policy is asked first. */
function raised(policies: readonly Placed[]): readonly number[] {
  let [last, lastId] = [-1, '']
  return policies.map(({ id, priority }) => {
    const least = lastId < id ? last : last + 1
    ;[last, lastId] = [Math.max(priority, least), id]
    return last
  })
}
