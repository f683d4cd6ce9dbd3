// Things by a key, as Map.groupBy has them, which the oldest Node that this runs on lacks.

/** The groups in the order in which their first ones stand, each in the order of the whole. */
export function groupedBy<T, K>(all: readonly T[], keyOf: (one: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>()
  for (const one of all) {
    const group = groups.get(keyOf(one))
    if (group) group.push(one)
    else groups.set(keyOf(one), [one])
  }
  return groups
}
