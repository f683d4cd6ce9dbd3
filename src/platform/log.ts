// Log lines: JSON to standard error, secrets left out. Standard output belongs to what a user asked for.
import { type Logger, pino } from 'pino'

export type Log = Logger

const SECRETS = ['*.authorization', '*["x-api-key"]', '*.password', '*.secret', '*.api_key', 'headers', 'body']

export function openLog(level: string): Log {
  return pino(
    { level, base: null, redact: { paths: SECRETS, censor: '[left out]' } },
    pino.destination({ fd: 2, sync: false }),
  )
}
