// Copies the files of a data directory, whose server may be at work, with the size and SHA-256 of each: PostgreSQL's base backup
// as its manual describes it ("Making a Base Backup Using the Low Level API"). Knows no table and no manifest.
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from './errors.ts'

export type CopiedFile = {
  /** Below the directory that was copied. */
  readonly path: string
  readonly bytes: number
  /** Lower-case hexadecimal. */
  readonly sha256: string
}

/** What there is to copy. */
export type Listing = {
  readonly directories: readonly string[]
  readonly files: readonly { readonly path: string; readonly bytes: number }[]
  readonly bytes: number
}

/** Directories that a server makes anew, or whose content belongs to the server that runs. */
const EMPTIED = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const LEFT_OUT =
  /^(postmaster\.(pid|opts).*|backup_label(\.old)?|tablespace_map(\.old)?|backup_manifest|postgresql\.auto\.conf\.tmp|current_logfiles(\.tmp)?|(recovery|standby)\.signal)$/
const TEMPORARY = /^(pgsql_tmp.*|pg_internal\.init.*)$/

/** Another file system, mounted for tables: such a copy would not hold them. */
export class TablespaceFound extends Error {
  override readonly name = 'TablespaceFound'
}

/** Lists what a base copy holds. Throws {@link TablespaceFound}. */
export async function listForCopy(data: string): Promise<Listing> {
  const directories: string[] = []
  const files: { path: string; bytes: number }[] = []
  const look = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(data, below), { withFileTypes: true }).catch(ifThere([]))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (below === 'pg_tblspc')
        throw new TablespaceFound(`${join(data, path)} is a tablespace, which is not copied. Move its tables back.`)
      if (entry.isDirectory() || EMPTIED.has(path)) {
        if (TEMPORARY.test(entry.name)) continue
        directories.push(path)
        if (!EMPTIED.has(path)) await look(path)
      } else if (entry.isFile() && !TEMPORARY.test(entry.name) && !(below === '' && LEFT_OUT.test(entry.name))) {
        const found = await lstat(join(data, path)).catch(ifThere(null))
        if (found) files.push({ path, bytes: found.size })
      }
    }
  }
  await look('')
  // What an empty archive of its own holds, the server expects to find.
  directories.push('pg_wal/archive_status')
  return { directories, files, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) }
}

/** For what the server took away meanwhile. */
function ifThere<T>(otherwise: T): (fault: unknown) => T {
  return (fault) => {
    if (codeOf(fault) === 'ENOENT') return otherwise
    throw fault
  }
}

const COPIES_AT_ONCE = 4

/** Copies a listing to an empty directory; files that have vanished since are left out. `onBytes` is told what was copied. */
export async function copyListing(
  from: string,
  { directories, files }: Pick<Listing, 'directories' | 'files'>,
  to: string,
  onBytes: (bytes: number) => void,
): Promise<CopiedFile[]> {
  for (const each of directories) mkdirSync(join(to, each), { recursive: true, mode: 0o700 })
  const copied: CopiedFile[] = []
  const waiting = [...files]
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { path } = next
      const done = await copyHashed(join(from, path), join(to, path)).catch(ifThere(null))
      if (!done) continue
      copied.push({ path, ...done })
      onBytes(done.bytes)
    }
  }
  const stopAll = (fault: unknown) => {
    waiting.length = 0
    throw fault
  }
  // None writes on after this has failed: its caller removes what is there.
  const ended = await Promise.allSettled(Array.from({ length: COPIES_AT_ONCE }, () => work().catch(stopAll)))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
  for (const each of ['.', ...directories]) await syncDirectory(join(to, each))
  return copied.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

const CHUNK_BYTES = 1 << 20

/** Copies one file to the disk as it is read, mode 0600; never over one that is there. */
export async function copyHashed(from: string, to: string): Promise<{ bytes: number; sha256: string }> {
  const source = await open(from, 'r')
  try {
    const target = await open(to, 'wx', 0o600)
    try {
      const copied = await pour(source, target)
      await target.sync()
      return copied
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function pour(source: FileHandle, target: FileHandle): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  let bytes = 0
  for (;;) {
    const { bytesRead } = await source.read(chunk, 0, chunk.length, bytes)
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') }
    const read = chunk.subarray(0, bytesRead)
    hash.update(read)
    for (let written = 0; written < bytesRead; ) written += (await target.write(read, written)).bytesWritten
    bytes += bytesRead
  }
}

/** The names in a directory are on the disk. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
