// The library that speaks to chains. It is as large as everything else together, so an installation has it only where a
// channel needs it (package.json, peerDependencies; docs/adr/0040).
import { readFileSync } from 'node:fs'
import { Misconfigured } from '../config/config.ts'
import { packageFile } from '../package-file.ts'

/** Throws {@link Misconfigured} with the command that installs the library where it is not installed. */
export async function needChainLibrary(
  channel: string,
  load: () => Promise<unknown> = () => import('viem/accounts'),
): Promise<void> {
  try {
    await load()
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw fault
    throw new Misconfigured(
      `channel ${channel}: a crypto channel needs the package viem, which is not installed. Run: npm install viem@${version()}`,
    )
  }
}

function version(): string {
  const { peerDependencies } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
    peerDependencies: { viem: string }
  }
  return peerDependencies.viem
}
