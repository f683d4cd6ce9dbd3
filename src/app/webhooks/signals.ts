// Signals within this process that an account has new history. A hint to read it, without the events themselves: what
// another process commits is not signalled here.

export type Signals = {
  /** Signals to the listeners of the accounts. Without any listener the accounts are not even iterated. */
  readonly notify: (accountIds: Iterable<string>) => void
  /** Calls back at every signal of the account, at once and in no turn of its own; returns what ends that. */
  readonly listen: (accountId: string, callback: () => void) => () => void
}

export function openSignals(): Signals {
  const listeners = new Map<string, Set<() => void>>()
  return {
    notify: (accountIds) => {
      if (listeners.size === 0) return
      for (const accountId of new Set(accountIds)) for (const callback of listeners.get(accountId) ?? []) callback()
    },
    listen: (accountId, callback) => {
      // A listener of its own each time, so that one callback may listen twice and stop once.
      const listener = () => callback()
      const ofAccount = listeners.get(accountId) ?? new Set()
      listeners.set(accountId, ofAccount.add(listener))
      return () => {
        ofAccount.delete(listener)
        if (ofAccount.size === 0 && listeners.get(accountId) === ofAccount) listeners.delete(accountId)
      }
    },
  }
}
