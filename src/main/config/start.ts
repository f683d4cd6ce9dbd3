// The configuration as a start needs it: readable, in one of the two worlds, and whole for that world. Everything that is
// wrong or missing is reported at once.
import { type Config, configOf, Misconfigured } from './config.ts'
import type { Env } from './environment.ts'
import { faultOfMode } from './mode.ts'
import { type Lack, missingForProduction } from './production.ts'

/** Reads it for a start; throws {@link Misconfigured} with every fault and every lack, one a line. */
export function readStartConfig(env?: Env): Config {
  const { config, faults, lacks } = examineConfig(env)
  const lines = [...faults, ...lacks.map(({ what, mend }) => `${what} ${mend}`)]
  if (lines.length > 0) throw new Misconfigured(lines.join('\n'))
  return config
}

/** The same without a verdict: what cannot be read, and what production lacks. */
export function examineConfig(env?: Env): { config: Config; faults: string[]; lacks: Lack[] } {
  const faults: string[] = []
  const config = configOf(faults, env)
  const fault = faultOfMode(config)
  if (fault !== null) faults.push(fault)
  return { config, faults, lacks: config.mode === 'production' ? missingForProduction(config) : [] }
}
