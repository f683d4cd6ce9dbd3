// Tables of moves with one row that is wrong: what the check of the tables has to find.
import { type AnyMove, unlistedIn, unseenIn } from './move-rows.ts'

type Spoil = (row: AnyMove) => readonly AnyMove[]

/** What may be wrong with a row, and the rows that then stand in its place. */
export const SPOILS: readonly (readonly [fault: string, Spoil])[] = [
  ['another status', (row) => [{ ...row, to: row.to === 'completed' ? 'issued' : 'completed' }]],
  ['one posting too many', (row) => [{ ...row, postings: [...row.postings, 'held → pending'] }]],
  ['one posting too few', (row) => [{ ...row, postings: row.postings.slice(1) }]],
  ['its postings in another order', (row) => [{ ...row, postings: row.postings.toReversed() }]],
  ['one activity too many', (row) => [{ ...row, activities: [...row.activities, 'updated'] }]],
  ['one activity too few', (row) => [{ ...row, activities: row.activities.slice(1) }]],
  ['another event', (row) => [{ ...row, event: row.event === null ? 'contract.paid' : null }]],
  ['another like it', (row) => [row, row]],
  ['nothing in its place', () => []],
]

/** The rows that can be wrong in this way without being found. */
export function unnoticed(table: readonly AnyMove[], seen: ReadonlySet<string>, spoil: Spoil): AnyMove[] {
  return table.filter((row, i) => {
    const instead = spoil(row)
    if (JSON.stringify(instead) === JSON.stringify([row])) return false
    const wrong = table.toSpliced(i, 1, ...instead)
    return unlistedIn(wrong, seen).length === 0 && unseenIn(wrong, seen).length === 0
  })
}
