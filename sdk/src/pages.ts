// Lists that come in pages, as one thing to go through. Knows how to ask for the next page, not of what.

export type Page<T> = {
  readonly items: readonly T[]
  /** What names the page after this one (`after`); null behind the last. */
  readonly next: string | null
}

/** Nothing is asked before somebody reads. */
export type List<T> = AsyncIterable<T> & {
  /** The first page alone. */
  readonly page: () => Promise<Page<T>>
  readonly pages: () => AsyncIterable<Page<T>>
  /** Everything, or the first so many. */
  readonly all: (itemsMax?: number) => Promise<T[]>
}

export function listOf<T>(ask: (after: string | null) => Promise<Page<T>>): List<T> {
  async function* pages(): AsyncGenerator<Page<T>> {
    for (let after: string | null = null; ; ) {
      const page: Page<T> = await ask(after)
      yield page
      if (page.next === null) return
      after = page.next
    }
  }
  async function* items(): AsyncGenerator<T> {
    for await (const page of pages()) yield* page.items
  }
  return {
    [Symbol.asyncIterator]: items,
    page: () => ask(null),
    pages,
    all: async (itemsMax = Infinity) => {
      const all: T[] = []
      for await (const page of pages()) {
        all.push(...page.items)
        if (all.length >= itemsMax) break
      }
      return all.slice(0, itemsMax)
    },
  }
}
