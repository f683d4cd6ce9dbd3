// The figures of several processes as one text: counters and times are summed, and what is a state of one process says of which.
import { type Figures, isCounted, sumOf, withLabel } from '../../platform/metrics.ts'

export type FigureBook<Process> = {
  /** What a process said last. */
  readonly told: (process: Process, figures: Figures) => void
  /** It has ended: what it has counted stays, so that no counter goes back. */
  readonly ended: (process: Process) => void
  /** All that was told, and of those that have ended what they counted. */
  readonly text: (numberOf: (process: Process) => number | null) => Promise<string>
}

export function openFigureBook<Process>(): FigureBook<Process> {
  const latest = new Map<Process, Figures>()
  // One after the other, so that none of two that end at once is left out.
  let past: Promise<Figures> = Promise.resolve([])
  return {
    told: (process, figures) => void latest.set(process, figures),
    ended: (process) => {
      const last = latest.get(process)
      latest.delete(process)
      if (last) past = past.then((before) => sumOf([before, last.filter(isCounted)]).figures())
    },
    text: async (numberOf) => {
      // As of one moment: what ends from here on is still among the latest.
      const before = past
      const parts = [...latest].map(([process, figures]) => {
        const number = numberOf(process)
        // Of one that is about to end only what it has counted is of interest.
        return number === null ? figures.filter(isCounted) : withLabel(figures, 'process', String(number))
      })
      return sumOf([await before, ...parts]).text()
    },
  }
}
