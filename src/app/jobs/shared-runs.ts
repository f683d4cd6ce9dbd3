// Work that is the same for all who ask for it at once, such as bringing an index up to what was written last.

/**
 * Runs `work` once for all who ask while another run of the same name is under way. They get the next run, which begins after they
 * asked and so sees what was written before. A run that fails fails for those who wait for it.
 */
export function sharedRuns<Subject, Result>(
  nameOf: (subject: Subject) => string,
  work: (subject: Subject) => Promise<Result>,
): (subject: Subject) => Promise<Result> {
  const underWay = new Map<string, Promise<Result>>()
  const next = new Map<string, Promise<Result>>()

  const begin = (name: string, subject: Subject): Promise<Result> => {
    const run = work(subject).finally(() => {
      if (underWay.get(name) === run) underWay.delete(name)
    })
    underWay.set(name, run)
    return run
  }
  return (subject) => {
    const name = nameOf(subject)
    const waiting = next.get(name)
    if (waiting) return waiting
    const before = underWay.get(name)
    if (!before) return begin(name, subject)
    const run = before
      .catch(() => undefined)
      .then(() => {
        next.delete(name)
        return begin(name, subject)
      })
    next.set(name, run)
    return run
  }
}
