// What operators over HTTP may touch: the same as on the command line, by the operators' own database login, which is opened when
// somebody first needs it (docs/adr/0047).
import type { ResolutionLimits } from '../../domain/transfer/proposed-resolution.ts'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import type { CompareDeps } from './compare.ts'
import type { ProofDeps } from './proofs.ts'
import type { Reconciliation } from './reconcile.ts'

export type Desk = ProofDeps &
  Pick<CompareDeps, 'withConnector'> & {
    /** Compares the provider's statement of a day with the books. */
    readonly reconcile: (channelId: string, day: string) => Promise<Reconciliation | Refusal>
  }

/** Where the gateway is operated over HTTP. */
export type Operations = {
  readonly limits: ResolutionLimits
  /** Opened once, and again where that failed. */
  readonly desk: () => Promise<Desk>
  readonly close: () => Promise<void>
}

/** The desk, or why there is none. */
export async function openDesk(operations: Operations | null): Promise<Desk | Refusal> {
  if (operations !== null) return operations.desk()
  const mend = 'Set GATEWAY_OPERATIONS=on and GATEWAY_OPERATOR_DATABASE_URL, or use the command line.'
  return refuse('operations_not_offered', null, `This gateway is not operated over HTTP. ${mend}`)
}
