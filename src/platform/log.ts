// Log lines: JSON to standard error, secrets left out. Standard output belongs to the results of commands. What lasts,
// such as a database that is away, is logged once a minute with a count, and without the stack of the code that met it.
import { type DestinationStream, type Logger, type LogFn, pino } from 'pino'
import { DatabaseUnavailable, isEverybodys, sqlStateOf } from './db.ts'

export type Log = Logger

const SECRETS = ['*.authorization', '*["x-api-key"]', '*.password', '*.secret', '*.api_key', 'headers', 'body']

export function openLog(level: string, destination?: DestinationStream): Log {
  const recent = new Map<string, { again: number }>()
  const logMethod = function (this: Logger, args: Parameters<LogFn>, method: LogFn): void {
    const lasting = lastingCause(args[0])
    if (lasting === null) return method.apply(this, args)
    const { cause, facts } = lasting
    const known = recent.get(cause)
    if (known) {
      known.again += 1
      return
    }
    recent.set(cause, { again: 0 })
    method.apply(this, [facts, args[1]] as Parameters<LogFn>)
    setTimeout(() => {
      const again = recent.get(cause)?.again ?? 0
      recent.delete(cause)
      if (again > 0) method.apply(this, [{ cause, again }, `the same ${again} times more within a minute`])
    }, MINUTE_MS).unref()
  }
  return pino(
    { level, base: null, redact: { paths: SECRETS, censor: '[left out]' }, hooks: { logMethod } },
    destination ?? pino.destination({ fd: 2, sync: false }),
  )
}

const MINUTE_MS = 60_000

/**
 * The cause of a line that is logged once a minute: a state of the database, or what `lasting` names. Its facts keep
 * what went wrong as text; the first occurrence stands for all.
 */
function lastingCause(first: unknown): { readonly cause: string; readonly facts: object } | null {
  if (typeof first !== 'object' || first === null) return null
  const { err, lasting, ...facts } = first as { readonly err?: unknown; readonly lasting?: string }
  if (err instanceof DatabaseUnavailable) {
    const inner = err.cause instanceof Error ? err.cause.message : ''
    return { cause: `database: ${err.message} ${inner}`, facts: { ...facts, reason: err.message, cause: inner } }
  }
  if (isEverybodys(err)) {
    const reason = err instanceof Error ? err.message : ''
    return { cause: `database: ${sqlStateOf(err)}`, facts: { ...facts, sqlstate: sqlStateOf(err), reason } }
  }
  // Logged for an account by each of its commands and by each of its due jobs.
  if (err instanceof Error && err.name === 'Busy')
    return { cause: err.message, facts: { ...facts, reason: err.message } }
  return lasting === undefined ? null : { cause: lasting, facts: { ...facts, reason: lasting } }
}
