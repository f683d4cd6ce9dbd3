// The truth about the orders of a rail, whatever its inquiries answer.
import { json, problem, type Reply } from '../replies.ts'
import { type Codes, codeOf } from '../text/codes.ts'
import type { Books } from './books.ts'
import { type Entry, movements, type Rail } from './orders.ts'

const timeOf = (atMs: number) => new Date(atMs).toISOString()

/** Of one reference, or of all when it is null. */
export function railBooks(books: Books, rail: Rail, codes: Codes, reference: string | null): Reply {
  if (reference === null) {
    const orders = books.entriesOf(rail).map((entry) => present(books, codes, entry))
    return json({ orders, totals: books.totals(rail) })
  }
  books.settle()
  const entry = books.newest(rail, reference)
  return entry ? json(present(books, codes, entry)) : problem(404, 'not_found', 'No order came under this reference.')
}

function present(books: Books, codes: Codes, entry: Entry): Record<string, unknown> {
  const { digest: _, number: __, later: ___, earlier: ____, createdAtMs, ...shown } = entry
  return {
    ...shown,
    code: codeOf(codes, entry.code),
    executions: books.executionsOf(entry),
    created_at: timeOf(createdAtMs),
    history: entry.history.map(({ status, code, atMs }) => ({ status, code: codeOf(codes, code), at: timeOf(atMs) })),
    movements: movements(entry).map(({ moment, isBack }) => ({
      direction: isBack ? 'in' : 'out',
      at: timeOf(moment.atMs),
    })),
  }
}
