// The gateways that this user has logged in to, each under a name, and which of them is in use: a file for this user alone.
// Knows nothing of what is done there.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { privateDirectory, writePrivateFile } from '../../platform/private-files.ts'
import { CommandFailed } from '../failures.ts'

export type Login = { readonly url: string; readonly api_key: string }
export type Logins = { readonly inUse: string | null; readonly logins: Readonly<Record<string, Login>> }

type Written = { readonly in_use?: string | null; readonly logins?: Readonly<Record<string, Login>> }

export const loginsPath = (configDir: string) => join(configDir, 'logins.json')

/** None where nobody has logged in. A file that cannot be read is said, and never written over. */
export function readLogins(configDir: string): Logins {
  const path = loginsPath(configDir)
  if (!existsSync(path)) return { inUse: null, logins: {} }
  const { in_use: inUse = null, logins = {} } = parsed(path)
  return { inUse: inUse !== null && inUse in logins ? inUse : null, logins }
}

function parsed(path: string): Written {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Written
  } catch (fault) {
    const why = fault instanceof SyntaxError ? 'it is no JSON' : (fault as NodeJS.ErrnoException).code
    throw new CommandFailed(`${path} cannot be read (${why}). Mend it, or remove it and log in again.`)
  }
}

/** Whole or not at all, mode 0600 in a directory of mode 0700; without a login there is no file. */
export function writeLogins(configDir: string, { inUse, logins }: Logins): void {
  const path = loginsPath(configDir)
  if (Object.keys(logins).length === 0) return rmSync(path, { force: true })
  privateDirectory(configDir)
  writePrivateFile(path, `${JSON.stringify({ in_use: inUse, logins } satisfies Written, null, 2)}\n`)
}
