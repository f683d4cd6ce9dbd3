// The built docs site that tests look at. Whoever installed with npm ci has it; anybody else waits for it once.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

export function builtSite(): void {
  if (!existsSync('dist/docs/site.json')) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'ignore' })
}
