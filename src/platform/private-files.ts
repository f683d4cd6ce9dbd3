// Files and directories that only the user who runs the gateway may read: so from the moment they exist, whatever
// the umask is.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'

const OTHERS = 0o077

/** Makes the directory, mode 0700, or takes from others what an earlier release gave them. */
export function privateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  narrow(path, 0o700)
}

/** Removes the rights of all but its owner from a file or directory, where others have any. */
function narrow(path: string, mode: 0o600 | 0o700): void {
  if ((statSync(path).mode & OTHERS) !== 0) chmodSync(path, mode)
}

/** Writes the file whole or not at all, mode 0600, to the disk. */
export function writePrivateFile(path: string, text: string): void {
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    writeFileSync(aside, text, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(aside, path)
  } catch (fault) {
    rmSync(aside, { force: true })
    throw fault
  }
}

/** The text of a file that may be taken away at any moment; null where there is no such file. Throws what else goes wrong. */
export function textIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw fault
  }
}
