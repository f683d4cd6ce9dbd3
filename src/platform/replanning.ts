// When the plans of a session are made anew. One that was made on empty tables stays until they are analysed: made anew each second, it
// knows their size. Where it serves but once a second that is after thirty uses, for making it costs more than a plan for another size
// does in so few.
const REPLAN_MS = 1000
const REPLAN_USES = 30

/** Asked at each use of a session: whether its plans are to be made anew before it. */
export function replanning(): () => boolean {
  let [atMs, uses] = [0, 0]
  return () => {
    uses += 1
    if (performance.now() < atMs || uses < REPLAN_USES) return false
    ;[atMs, uses] = [performance.now() + REPLAN_MS, 0]
    return true
  }
}
