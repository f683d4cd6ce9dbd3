// What one request did, gathered while it is carried out: for its line in the log, its figures and its span.

export type Observed = {
  /** The contract that its command was about; null where it gave none. */
  contractId: string | null
  verb: string | null
  /** When the command began to wait for its batch, by a clock that does not jump. */
  submittedAt: number
  /** How many commands were committed together with its own; 0 where it gave none. */
  batchSize: number
  /** How long its commands waited for a batch, and how long the batches took. */
  queuedMs: number
  batchMs: number
  /** The code of the refusal that answered it. */
  code: string | null
}

export const newObserved = (): Observed => ({
  contractId: null,
  verb: null,
  submittedAt: 0,
  batchSize: 0,
  queuedMs: 0,
  batchMs: 0,
  code: null,
})
