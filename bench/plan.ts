// The plan of the load generator and its reports: the messages between two processes, nothing else.

/** What to send. Texts are whole HTTP requests; `{id}`, `{key}` and `{count}` in them are filled in for each sending. */
export type Work =
  | { readonly kind: 'same'; readonly request: string }
  | {
      readonly kind: 'listed'
      readonly request: string
      /** A file with an id and an API key on each line. */
      readonly listPath: string
      readonly order: 'once' | 'around'
    }
  /** A file of whole requests of this length, one after the other. */
  | {
      readonly kind: 'whole'
      readonly path: string
      readonly requestBytes: number
      readonly order: 'once' | 'around'
    }
  /** Create, issue, pay, and read until it is completed. */
  | {
      readonly kind: 'lifecycle'
      readonly create: string
      readonly issue: string
      readonly pay: string
      readonly get: string
    }

export type Plan = {
  readonly port: number
  readonly connections: number
  readonly warmupMs: number
  readonly measureMs: number
  readonly work: Work
}

/** What happened in the measured window. A unit is a request, or a whole lifecycle. */
export type Tally = {
  readonly units: number
  readonly elapsedMs: number
  readonly meanMs: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Of all responses, those of the warm-up included. */
  readonly statuses: Readonly<Record<string, number>>
  /** The first body that did not come with 200, or null. */
  readonly firstRefusal: string | null
  /** How far the list was used, the warm-up included. */
  readonly listUsed: number
}

/** The reports of the load generator, in this order; a fault ends it. */
export type LoadReport =
  | { readonly kind: 'measuring' }
  | { readonly kind: 'over' }
  | { readonly kind: 'done'; readonly tally: Tally }
  | { readonly kind: 'fault'; readonly message: string }
