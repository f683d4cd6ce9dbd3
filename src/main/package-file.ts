// Where the files of this package are, from any working directory.
import { fileURLToPath } from 'node:url'

/** The root of the package, from the sources as from the built files. */
export function packageFile(path: string): string {
  const here = fileURLToPath(import.meta.url)
  const root = here.includes('/dist/src/main/') ? '../../../' : '../../'
  return fileURLToPath(new URL(root + path, import.meta.url))
}
