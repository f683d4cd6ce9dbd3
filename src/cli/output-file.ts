// A file that a command writes what the gateway gives: opened before anything is done, so that a path that cannot be written costs
// nothing, and written part by part. Knows no command.
import { constants, type Stats } from 'node:fs'
import { access, type FileHandle, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Call, opened } from './client.ts'
import { CommandFailed } from './failures.ts'
import type { Place } from './place.ts'

export type OutputFile = { readonly path: string; readonly handle: FileHandle }

const codeOf = (fault: unknown) => (fault as NodeJS.ErrnoException).code ?? String(fault)

const unwritable = (path: string, code: string) =>
  new CommandFailed(`${path} cannot be written (${code}), and nothing was done.`)

/** Refuses a path that cannot be written, and makes no file: for what asks before it opens one. Opening it has the last word. */
export async function refuseUnwritable(path: string): Promise<void> {
  try {
    const found = await foundAt(path)
    if (found?.isDirectory()) throw unwritable(path, 'EISDIR')
    await (found ? access(path, constants.W_OK) : access(dirname(path), constants.W_OK | constants.X_OK))
  } catch (fault) {
    throw fault instanceof CommandFailed ? fault : unwritable(path, codeOf(fault))
  }
}

async function foundAt(path: string): Promise<Stats | null> {
  try {
    return await stat(path)
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return null
    throw fault
  }
}

/** What was in it stays until it is written. */
export async function openOutput(path: string): Promise<OutputFile> {
  try {
    return { path, handle: await open(path, 'a') }
  } catch (fault) {
    throw unwritable(path, codeOf(fault))
  }
}

/** What the gateway answers, in place of what the file held. `mend` is what is said of how to come by it where it cannot be written. */
export async function writeOutput(
  place: Place,
  asked: Call,
  { path, handle }: OutputFile,
  mend: string,
): Promise<void> {
  const parts = await opened(place, asked)
  try {
    if ((await handle.stat()).isFile()) await handle.truncate(0)
    await pipeline(parts, handle.createWriteStream())
  } catch (fault) {
    if (fault instanceof CommandFailed) throw fault
    throw new CommandFailed(`${path} could not be written (${codeOf(fault)}). ${mend}`)
  }
}
