// One file of an archive while it is written: gzip, hashed as it goes to the disk, under another name until it is whole. Text is
// packed by the megabyte, each a member of its own, as gzip allows: memory does not grow with the file.
import { createHash } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { syncDirectory } from '../../platform/postgres/base-copy.ts'

const packed = promisify(gzip)
const PACK_CHARS = 1 << 20

export type WrittenFile = { readonly bytes: number; readonly sha256: string }

export type ArchiveFile = {
  readonly append: (text: string) => Promise<void>
  /** Gives it its name, once all of it is on the disk. */
  readonly finish: (name: string) => Promise<WrittenFile>
  /** Lets go of it. One that is not finished keeps its other name, and the next run writes over it. */
  readonly close: () => Promise<void>
}

export async function openArchiveFile(place: string): Promise<ArchiveFile> {
  const part = join(place, 'unfinished.part')
  const file = await open(part, 'w', 0o600)
  const hash = createHash('sha256')
  let [waiting, bytes] = ['', 0]
  const write = async () => {
    if (waiting === '') return
    const pack = await packed(waiting)
    waiting = ''
    hash.update(pack)
    bytes += pack.length
    await file.writeFile(pack)
  }
  return {
    append: async (text) => {
      waiting += text
      if (waiting.length >= PACK_CHARS) await write()
    },
    finish: async (name) => {
      await write()
      await file.sync()
      await rename(part, join(place, name))
      await syncDirectory(place)
      return { bytes, sha256: hash.digest('hex') }
    },
    close: () => file.close(),
  }
}
