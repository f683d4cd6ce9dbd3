// Where the boxes and arrows of a money map stand: a column for each step that money takes, an arrow for each pair of accounts.
import type { ContractEntry } from '../../../sdk/src/index.ts'

const BOX = { width: 150, height: 46 }
const GAP = { across: 120, down: 40 }
const EDGE = 12

/** In which column an account stands: on a transfer money goes out to the right, on a payment it comes in from the left. */
const COLUMNS = {
  transfers: { available: 0, pending: 0, suspense: 0, held: 1, in_transit: 2, fee_revenue: 3, outside: 3 },
  payments: { outside: 0, suspense: 1, pending: 2, held: 3, available: 3, in_transit: 3, fee_revenue: 2 },
} as const

export type Box = {
  readonly account: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
type Point = { readonly x: number; readonly y: number }
export type Arrow = {
  readonly key: string
  readonly path: string
  readonly label: Point
  readonly moves: readonly ContractEntry[]
}

export function layOut(kind: keyof typeof COLUMNS, entries: readonly ContractEntry[]) {
  const columns: Readonly<Record<string, number>> = COLUMNS[kind]
  const accounts = [...new Set(entries.flatMap(({ debit, credit }) => [debit, credit]))]
  const columnOf = (account: string) => columns[account] ?? columns['outside'] ?? 0
  // Columns that nothing stands in are left out.
  const used = [...new Set(accounts.map(columnOf))].toSorted((a, b) => a - b)
  const boxes: Box[] = used.flatMap((column, across) =>
    accounts
      .filter((account) => columnOf(account) === column)
      .map((account, down) => ({
        account,
        x: EDGE + across * (BOX.width + GAP.across),
        y: EDGE + down * (BOX.height + GAP.down),
        ...BOX,
      })),
  )
  const bottom = Math.max(0, ...boxes.map(({ y }) => y + BOX.height))
  const arrows = arrowsOf(entries, boxes, bottom)
  const hasWayBack = arrows.some(({ label }) => label.y > bottom)
  return {
    width: 2 * EDGE + used.length * BOX.width + Math.max(0, used.length - 1) * GAP.across,
    height: bottom + EDGE + (hasWayBack ? GAP.down : 0),
    boxes,
    arrows,
  }
}

function arrowsOf(entries: readonly ContractEntry[], boxes: readonly Box[], bottom: number): Arrow[] {
  return [...grouped(entries)].flatMap(([key, moves]) => {
    const [first] = moves
    const from = boxes.find(({ account }) => account === first?.debit)
    const to = boxes.find(({ account }) => account === first?.credit)
    return from && to ? [{ key, moves, ...wayOf(from, to, bottom) }] : []
  })
}

function grouped(entries: readonly ContractEntry[]): Map<string, ContractEntry[]> {
  const pairs = new Map<string, ContractEntry[]>()
  for (const entry of entries) {
    const key = `${entry.debit} ${entry.credit}`
    pairs.set(key, [...(pairs.get(key) ?? []), entry])
  }
  return pairs
}

/** On to the right it is a soft line; within a column it goes straight down or up; back it goes below all boxes. */
function wayOf(from: Box, to: Box, bottom: number): Pick<Arrow, 'path' | 'label'> {
  const middle = { from: from.y + from.height / 2, to: to.y + to.height / 2 }
  if (to.x > from.x) {
    const [start, end] = [from.x + from.width, to.x - 4]
    const bend = start + (end - start) / 2
    const path = `M${start} ${middle.from}C${bend} ${middle.from} ${bend} ${middle.to} ${end} ${middle.to}`
    return { path, label: { x: bend, y: (middle.from + middle.to) / 2 - 8 } }
  }
  if (to.x === from.x) {
    const isDown = to.y > from.y
    const x = from.x + from.width / 2
    const [start, end] = isDown ? [from.y + from.height, to.y - 4] : [from.y, to.y + to.height + 4]
    return { path: `M${x} ${start}L${x} ${end}`, label: { x: x + 46, y: (start + end) / 2 + 4 } }
  }
  const [start, end] = [from.x + from.width / 2, to.x + to.width / 2]
  const below = bottom + GAP.down
  const path = `M${start} ${from.y + from.height}C${start} ${below} ${end} ${below} ${end} ${to.y + to.height + 4}`
  return { path, label: { x: (start + end) / 2, y: bottom + GAP.down - 8 } }
}
