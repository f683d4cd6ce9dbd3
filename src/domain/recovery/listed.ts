// The orders that a provider's lists have under our references, each as it ended by all of its lines. Pure.
import {
  type Day,
  debitsBefore,
  isBack,
  isOfAttempt,
  type Line,
  minorOf,
  type Stand,
  takingBack,
} from '../channel/reconcile.ts'
import { contractOfReference } from '../contract/ids.ts'
import { groupedBy } from '../grouped.ts'
import type { ListedOrder } from './compare.ts'

/** `day`: of a statement; absent where a provider lists its orders themselves. */
export type ListedLine = Omit<Line, 'kind'> & { readonly kind: ListedOrder['ended']; readonly day?: Day }

/**
 * One order for each reference of ours, in the order of their first lines; lines with any other reference are none of ours. `stands`: our
 * attempts behind the credits, by reference. `first`: the first day that is stated.
 */
export function ordersIn(
  channelId: string,
  lines: readonly ListedLine[],
  stands: ReadonlyMap<string, Stand>,
  first: Day,
): ListedOrder[] {
  const byReference = groupedBy(lines, ({ reference }) => reference)
  return [...byReference].flatMap(([reference, all]): ListedOrder[] => {
    const stand = stands.get(reference)
    const own = all.filter((line) => hasGone(line, all) || isOfAttempt(line, stand, channelId))
    const named = contractOfReference(reference)
    const last = lastOf(own)
    if (!named || !last) return []
    const takenBack = byReference.get(takingBack(reference)) ?? []
    const before = stand ? debitsBefore(stand, own, first) : 0
    const hasGoneAgain = last.kind === 'returned' && !isBack(last, [...own, ...takenBack], before)
    const ended = hasGoneAgain ? 'sent' : last.kind
    return [{ ...named, reference, channelId, ended, amountMinor: minorOf(last), currency: last.currency }]
  })
}

/** Only we debit the account: the order is out by the list itself, even where the books have forgotten it. */
function hasGone(line: ListedLine, own: readonly ListedLine[]): boolean {
  const debits = own.filter(({ kind }) => kind === 'sent')
  return debits.some((each) => each.currency === line.currency && minorOf(each) === minorOf(line))
}

/** The line that is farthest on the way of an order: a list may have them in any order. */
function lastOf(own: readonly ListedLine[]): ListedLine | undefined {
  const of = (kind: ListedLine['kind']) => own.filter((line) => line.kind === kind)
  const back = of('returned')
  return back.find(({ isUnmarked }) => !isUnmarked) ?? back[0] ?? of('sent').at(-1) ?? of('accepted').at(-1)
}
