// What the command line takes from the environment: which gateway it calls, and where it keeps who it is. Apart from the
// gateway's own configuration, which takes longer to read than a command to answer.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { dataDirOf, type Env } from './environment.ts'

export type CommandLineConfig = {
  readonly url: string | null
  readonly apiKey: string | null
  /** The login that is meant; null for the one in use. */
  readonly login: string | null
  /** A directory for this user alone. */
  readonly configDir: string
  readonly dataDir: string
  /** Who signs in where a member is needed; null for what is asked. */
  readonly member: { readonly email: string | null; readonly password: string | null; readonly code: string | null }
  /** What opens addresses; null for the system's own. */
  readonly browser: string | null
}

export function readCommandLine(env: Env = process.env): CommandLineConfig {
  return {
    url: env['GATEWAY_URL'] || null,
    apiKey: env['GATEWAY_API_KEY'] || null,
    login: env['GATEWAY_PROFILE'] || null,
    configDir: join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'gateway'),
    dataDir: dataDirOf(env),
    member: {
      email: env['GATEWAY_MEMBER_EMAIL'] || null,
      password: env['GATEWAY_MEMBER_PASSWORD'] || null,
      code: env['GATEWAY_MEMBER_CODE'] || null,
    },
    browser: env['BROWSER'] || null,
  }
}
