// What callers were shown of what never changes: the activities of contracts, each under an id of its own. Nothing else may ever be
// shown under such an id, whatever a restore has undone.
import type { Caller } from '../caller.ts'

type Line = { readonly id: string }
type Lines = { readonly activities?: readonly Line[] }

export type Shown = {
  /** The same caller, all of whose replies are looked at. */
  readonly over: (caller: Caller) => Caller
  /** Ids that came again with other content. */
  readonly contradictions: readonly string[]
}

export function openShown(): Shown {
  const known = new Map<string, string>()
  const contradictions: string[] = []
  const note = (line: Line) => {
    const text = JSON.stringify(line)
    const before = known.get(line.id)
    if (before === undefined) known.set(line.id, text)
    else if (before !== text) contradictions.push(`${line.id}: ${before} and ${text}`)
  }
  const over = (caller: Caller): Caller => ({
    ...caller,
    ask: async (...asked) => {
      const reply = await caller.ask(...asked)
      const listed = (reply.data['contracts'] ?? []) as readonly Lines[]
      for (const { activities } of [(reply.contract ?? {}) as Lines, ...listed])
        for (const line of activities ?? []) note(line)
      return reply
    },
  })
  return { over, contradictions }
}
