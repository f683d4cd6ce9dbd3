// A worker that works when a test says so, on one contract, as if its time had come: so that each order of things can be had.
import { passOn } from '../../../src/engine/crash-points.ts'
import { type Dispute, runPayout } from '../../../src/app/transfers/payouts.ts'
import { JOB_COLUMNS, payoutFrom } from '../../../src/store/jobs/jobs.ts'
import type { Attempt } from '../../../src/domain/transfer/transfer.ts'
import type { World } from '../../world.ts'

type Known = Pick<World, 'gateway' | 'sql'>
const LEASE_MS = 5000

/** The newest attempt at the contract. */
export async function attemptAt({ sql }: Pick<World, 'sql'>, contractId: string): Promise<Attempt> {
  const [row] = await sql(`select ${JOB_COLUMNS} from jobs j where contract_id = $1`, [contractId])
  if (!row) throw new Error(`no attempt at ${contractId}`)
  return payoutFrom(row)
}

/** What a worker's use cases need; what the rail contradicts goes to `disputes`. */
export function workerDeps({ gateway }: Pick<World, 'gateway'>, disputes: Dispute[] = []) {
  const { execute, callbacks, payments } = gateway.deps
  const onDispute = (facts: Dispute) => void disputes.push(facts)
  const { freezes } = payments
  return { execute, connectors: callbacks.connectors, freezes, leaseMs: LEASE_MS, crashPoint: passOn, onDispute }
}

/** Does what is to be done about the contract's attempt now: sends it, asks about it, or refunds it. */
export async function workNow(world: Known, contractId: string, disputes: Dispute[] = []): Promise<void> {
  await world.sql('update jobs set due_at = now() where contract_id = $1 and due_at is not null', [contractId])
  await runPayout(workerDeps(world, disputes), await attemptAt(world, contractId))
}
