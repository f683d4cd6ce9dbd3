// A small disk of its own for a directory, to be filled to its last byte and freed. Needs a machine that lets us mount one.
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export type SmallDisk = {
  /** Leaves not a byte. */
  readonly fill: () => void
  /** Gives back what was taken. */
  readonly free: () => void
  readonly remove: () => void
}

/** Mounts one of `size` (as "160m") on a directory, which is made; null where this machine gives none. */
export function mountSmallDisk(directory: string, size: string): SmallDisk | null {
  mkdirSync(directory, { recursive: true })
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', directory])
  if (status !== 0) return null
  const filler = join(directory, 'filler')
  const remove = () => void spawnSync('umount', ['-l', directory])
  process.once('exit', remove)
  return {
    fill: () => fillUp(filler),
    free: () => rmSync(filler, { force: true }),
    remove: () => {
      process.off('exit', remove)
      remove()
    },
  }
}

function fillUp(path: string): void {
  const handle = openSync(path, 'a')
  try {
    for (const bytes of [1 << 20, 4096]) {
      const block = Buffer.alloc(bytes)
      while (isWritten(handle, block));
    }
  } finally {
    closeSync(handle)
  }
}

function isWritten(handle: number, block: Buffer): boolean {
  try {
    return writeSync(handle, block) > 0
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw fault
  }
}
