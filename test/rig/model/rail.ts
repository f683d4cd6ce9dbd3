// What tests say of a rail where nothing depends on it, and a rail that knows nothing of what it is asked about.
import type { ConnectorFacts } from '../../../src/domain/transfer/commands.ts'
import { ask, type OneContract } from './one-contract.ts'

export const RAIL: ConnectorFacts = { notFoundFinalAfterMs: 1000, dedupeLifetimeMs: null, inquiry: true }

const LEASE_MS = 15_000

/** It is asked about, and nothing is heard of it, until it goes again or is refunded. */
export function giveUp(one: OneContract, connector = RAIL): void {
  while (one.contract.status === 'paid' && one.attempt?.status !== 'queued') {
    one.nowMs = Math.max(one.nowMs + 1, one.attempt?.dueAt ?? 0)
    const { id } = one.contract
    ask(one, { verb: 'inquire', id, leaseMs: LEASE_MS, connector })
    const { number = 0, channelId = '', fence = 0 } = one.attempt ?? {}
    ask(one, { verb: 'report', id, number, channelId, fence, outcome: { kind: 'not_found' }, connector })
  }
}
