// Batches over maps: begun under the locks of their accounts, and later committed or thrown away, several at a time.
import type { ChannelBook } from '../../../src/domain/channel/channel.ts'
import type { BatchState } from '../../../src/engine/batch-state.ts'
import { HELD } from '../../../src/engine/batch.ts'
import type { AnyResult, CommandRequest } from '../../../src/engine/command-request.ts'
import { decideBatch } from '../../../src/engine/execute.ts'
import { loadRules } from '../../../src/engine/rules.ts'
import { MANY_LANES } from '../../../src/platform/scope.ts'
import { loadState } from './load.ts'
import { storeState } from './store.ts'
import { must, type Tables } from './tables.ts'

/** A batch that was decided and holds its accounts. */
export type BegunBatch = {
  readonly requests: readonly CommandRequest[]
  readonly answers: readonly (AnyResult | typeof HELD)[]
  readonly state: BatchState
  /** By `account/contract`: how often the job had been leased before. */
  readonly fences: ReadonlyMap<string, number>
  readonly commit: () => void
  /** As if its process had died: nothing of it was done. */
  readonly abandon: () => void
}

export type MemoryBooks = {
  readonly tables: Tables
  readonly begin: (requests: readonly CommandRequest[], nowMs: number) => BegunBatch
}

export function openMemoryBooks(tables: Tables, channels: ChannelBook): MemoryBooks {
  const locked = new Set<string>()
  return {
    tables,
    begin: (requests, nowMs) => {
      const state = loadState(tables, requests, nowMs, locked)
      must(loadRules(MANY_LANES, state, requests) === null, 'no policies are kept here')
      const own = new Set(state.accounts.keys())
      const fences = new Map([...state.jobs].map(([place, { fence }]) => [place, fence]))
      const answers = decideBatch(state, channels, requests)
      for (const accountId of own) locked.add(accountId)
      const unlock = () => own.forEach((accountId) => locked.delete(accountId))
      return {
        requests,
        answers,
        state,
        fences,
        commit: () => {
          try {
            storeState(tables, state)
          } finally {
            unlock()
          }
        },
        abandon: unlock,
      }
    },
  }
}
