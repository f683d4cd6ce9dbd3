// What happened to orders by themselves, as it is told: in the list of a rail's events, and to registered receivers.
import type { Books } from '../books/books.ts'
import type { Happening } from '../books/orders.ts'
import { ACCOUNT_CLOSED } from '../scenarios.ts'
import { wordOf } from '../text/words.ts'

const TYPES = {
  completed: 'transfer.completed',
  accepted: 'transfer.accepted',
  refused: 'transfer.failed',
  returned: 'transfer.returned',
} as const

/** An event of the list, about the order as it was entered. */
export function eventOf(books: Books, happening: Happening): Record<string, unknown> {
  const { number, rail, status, code, message, atMs } = happening
  const { reference, id, amount, currency } = books.entry(happening.entry)
  const at = new Date(atMs).toISOString()
  return { number, reference, id, status, amount, currency, code: wordOf(rail, code), message, at }
}

/** The body of a callback. The same happening always has the same id, however often it is told. */
export function noticeOf(books: Books, happening: Happening): Record<string, unknown> {
  const { number, rail, status, code, message, atMs } = happening
  const { reference, amount, currency } = books.entry(happening.entry)
  const object = { rail, reference, amount, currency, status, code: wordOf(rail, code), message }
  const created_at = new Date(atMs).toISOString()
  return { id: `evt_${rail}_${number}`, type: TYPES[status], created_at, data: { object } }
}

/** What somebody else would like the receiver to believe: the contrary. */
export function forgeryOf(books: Books, happening: Happening, count: number): Record<string, unknown> {
  const status = happening.status === 'completed' ? 'refused' : 'completed'
  const { id, ...notice } = noticeOf(books, { ...happening, status, code: null, message: null })
  return { id: `${String(id)}_forged_${count}`, ...notice }
}

/** What somebody with the secret would like the receiver to believe: that nothing was paid, so that it is given back. */
export function lieOf(books: Books, happening: Happening, count: number): Record<string, unknown> {
  const { code, message } = ACCOUNT_CLOSED
  const { id, ...notice } = noticeOf(books, { ...happening, status: 'refused', code, message })
  return { id: `${String(id)}_lie_${count}`, ...notice }
}
