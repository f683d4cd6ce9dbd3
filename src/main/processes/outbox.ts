// What is on its way to a process. One that stands still takes nothing in, and all that is said to it would be kept here meanwhile.
import type { Order } from './messages.ts'

/** Far more than a process leaves lying that turns: what it has taken in is counted no more, and the channel itself holds some hundreds. */
export const TOLD_WAITING_MAX = 100

/**
 * Sends by `write`, which calls back when the channel has taken the order. That accounts have new history is a hint: whoever misses it looks by
 * itself within two seconds. So it is left out where so much waits; all else is sent.
 */
export function openOutbox(write: (order: Order, taken: () => void) => void): (order: Order) => void {
  let waiting = 0
  return (order) => {
    if (order.kind !== 'told') return write(order, () => undefined)
    if (waiting >= TOLD_WAITING_MAX) return
    waiting += 1
    write(order, () => {
      waiting -= 1
    })
  }
}
