// What is kept of a release under test/released, and how its parts are called.

/** What a caller read. */
export type KeptCaller = {
  readonly api_key: string
  /** The data of each reply, by its path. */
  readonly reads: Readonly<Record<string, unknown>>
  /** The ids of all events, as the feed told them. */
  readonly events: readonly string[]
}

export type Kept = {
  readonly release: string
  /** Of a test: it opens the secrets of this data alone. */
  readonly sealing_key: string
  /** The public key of its seals. */
  readonly seal_key: string
  readonly endpoint: { readonly id: string; readonly secret: string }
  readonly callers: readonly KeptCaller[]
}

export const NAMES = {
  data: 'data.sql',
  replies: 'replies.json',
  provider: 'provider.jsonl',
  statements: 'statements.json',
} as const
