// Who is told that accounts have new history.
import type { Signals } from '../app/webhooks/signals.ts'
import type { Peers } from './processes/peers.ts'

/** Tells all who follow accounts' histories, here and in the other processes of this start. */
export function followers(all: readonly Pick<Signals, 'notify'>[], peers: Peers | null) {
  const notify = (accountIds: readonly string[]) => {
    for (const each of all) each.notify(accountIds)
  }
  peers?.onTold(notify)
  return (accountIds: readonly string[]) => {
    notify(accountIds)
    peers?.tell(accountIds)
  }
}
