// Long work on the one thread that answers everybody: it is done in steps, and the event loop goes on between them.

/** Takes the steps to their end. Each tells how much was done, in a unit of the caller's. */
export type InTurns = <T>(steps: Generator<number, T, void>) => Promise<T>

/** So much is done in one turn of the event loop, by all who share these turns together: they take them one after the other. */
export function openTurns(atOnce: number): InTurns {
  let last: Promise<unknown> = Promise.resolve()
  const turn = (): Promise<unknown> => {
    last = last.then(() => new Promise(setImmediate))
    return last
  }
  return async (steps) => {
    let done = 0
    // A turn for the first as well, or many pieces of work that are short would be done in one.
    await turn()
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
      done += step.value
      if (done < atOnce) continue
      done = 0
      await turn()
    }
  }
}
