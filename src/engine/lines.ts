// Work that is done piece by piece, one after the other: in one line, or in several while those before are held up.

/** How many pieces may be under way, and after how long without an end the next one goes beside those that are. */
export type Abreast = { readonly max: number; readonly afterMs: number }

export type Work = {
  readonly isWaiting: () => boolean
  /** Takes the next piece at once, and resolves when it is done. Never rejects. */
  readonly next: () => Promise<void>
  /** A line found nothing more to do. */
  readonly rested: () => void
}

export type Lines = {
  /** To be called whenever more waits. */
  readonly wake: () => void
  /** One of those that are under way; null where none is. */
  readonly underWay: () => Promise<void> | null
}

/** Without `abreast` one line. */
export function openLines({ isWaiting, next, rested }: Work, abreast: Abreast | null): Lines {
  const lines = new Map<symbol, Promise<void>>()
  let heldUp = 0

  const wake = (): void => {
    if (!isWaiting() || lines.size > heldUp || lines.size >= (abreast?.max ?? 1)) return
    const own = Symbol('line')
    lines.set(own, line(own))
  }
  const line = async (own: symbol): Promise<void> => {
    // Everything that this turn of the event loop still reads from sockets joins the first piece.
    await new Promise(setImmediate)
    while (isWaiting()) await (abreast ? watched(next(), abreast) : next())
    rested()
    lines.delete(own)
  }
  const watched = async (piece: Promise<void>, { afterMs }: Abreast): Promise<void> => {
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      heldUp++
      wake()
    }, afterMs)
    await piece
    clearTimeout(late)
    if (isLate) heldUp--
  }

  return { wake, underWay: () => lines.values().next().value ?? null }
}
