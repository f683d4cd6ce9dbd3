// How a command ends that did not do what it was asked: what it could not do, and what it was asked wrongly.

/** The command was understood and cannot be done; the message says why and what to do. Exit code 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  /** What `--json` shows instead of the message alone. */
  readonly details: unknown
  constructor(message: string, details: unknown = null) {
    super(message)
    this.details = details
  }
}

/** Words that are right each by itself, and wrong together. Exit code 2. */
export class Misused extends Error {
  override readonly name = 'Misused'
}
