// Deaths: which kinds of sagas die where. The matrix of the crash test and of docs/crash-points.md.
import { CRASH_POINTS, type CrashPoint } from '../../../src/engine/crash-points.ts'

/** A kind of saga with the stages that a process dies in, and the points that it passes from each. */
export type Dying = {
  readonly name: string
  readonly ends: string
  readonly legs: readonly { readonly from: string; readonly points: readonly CrashPoint[] }[]
}

/** One death: a kind, how far it had come, and where. */
export type CrashCase<K extends Dying> = {
  readonly kind: K
  readonly leg: K['legs'][number]
  readonly point: CrashPoint
}

/** All deaths, in the order of the points. */
export function crashMatrix<K extends Dying>(kinds: readonly K[]): readonly CrashCase<K>[] {
  return CRASH_POINTS.flatMap((point) =>
    kinds.flatMap((kind) =>
      kind.legs.filter((leg) => leg.points.includes(point)).map((leg: K['legs'][number]) => ({ kind, leg, point })),
    ),
  )
}

/**
 * One death for each of the points, by kinds that have been met least. A run that is short and yet meets every point once;
 * the whole matrix meets everything with everything.
 */
export function crashSample<K extends Dying>(
  kinds: readonly K[],
  points: readonly CrashPoint[] = CRASH_POINTS,
): readonly CrashCase<K>[] {
  const met = new Map<K, number>()
  const sample: CrashCase<K>[] = []
  const take = (which: CrashCase<K> | undefined) => {
    if (!which || sample.includes(which)) return
    sample.push(which)
    met.set(which.kind, (met.get(which.kind) ?? 0) + 1)
  }
  const all = crashMatrix(kinds)
  const leastMet = (cases: readonly CrashCase<K>[]) =>
    cases.toSorted((a, b) => (met.get(a.kind) ?? 0) - (met.get(b.kind) ?? 0))[0]
  for (const point of points) take(leastMet(all.filter((each) => each.point === point)))
  return sample
}
