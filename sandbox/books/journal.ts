// An append-only file of JSON lines that survives kill -9: what was waited for is on the disk.
// It must not know what the lines mean.
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

const CHUNK_BYTES = 1 << 20
const NEWLINE = 0x0a

export type Journal = {
  /** Adds a line. It is durable when a `durable()` called afterwards has resolved. */
  append(line: unknown): void
  /** Resolves when every line appended so far is on the disk; rejects for ever once a write has failed. */
  durable(): Promise<void>
  /** Resolves with the reason once a write has failed, as on a full disk: only opening it anew mends that. */
  readonly failed: Promise<Error>
  /** Waits for what is under way, then closes the file. */
  close(): Promise<void>
}

type Group = { text: string; readonly written: Promise<void>; readonly settle: (fault: Error | null) => void }

/** Opens or makes the file, hands each line of it to `replay` in order, and cuts off a last line that a crash tore. */
export async function openJournal(path: string, replay: (line: unknown) => void): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'a+', 0o600)
  try {
    // An earlier release left it readable for all users.
    if (((await file.stat()).mode & 0o077) !== 0) await file.chmod(0o600)
    await syncFolder(dirname(path))
    const wholeBytes = await readLines(file, replay)
    // Without the cut the next line would be glued to the torn one, and both would be lost.
    await file.truncate(wholeBytes)
  } catch (fault) {
    await file.close()
    throw fault
  }
  return groupCommits(file)
}

/** One write and one sync carry every line that came while the write before them was under way. */
function groupCommits(file: FileHandle): Journal {
  let waiting: Group | null = null
  let underWay: Group | null = null
  let fault: Error | null = null
  let fail: (fault: Error) => void = () => {}
  const failed = new Promise<Error>((resolve) => {
    fail = resolve
  })

  async function flush(): Promise<void> {
    while (waiting && !fault) {
      underWay = waiting
      waiting = null
      try {
        await file.appendFile(underWay.text)
        await file.datasync()
      } catch (error) {
        // After a failed sync it is unknown what is on the disk: nothing may be promised any more.
        fault = new Error('the journal cannot be written', { cause: error })
        fail(fault)
      }
      underWay.settle(fault)
    }
    underWay = null
    waiting?.settle(fault)
  }

  function append(line: unknown): void {
    const text = `${JSON.stringify(line)}\n`
    if (waiting) {
      waiting.text += text
      return
    }
    waiting = openGroup(text)
    // The next turn of the loop, so that the requests of this turn share the sync.
    if (!underWay) setImmediate(() => void flush())
  }

  async function durable(): Promise<void> {
    if (fault) throw fault
    await (waiting ?? underWay)?.written
  }

  return {
    append,
    durable,
    failed,
    async close() {
      try {
        await durable()
      } finally {
        await file.close()
      }
    },
  }
}

function openGroup(text: string): Group {
  let settle: Group['settle'] = () => {}
  const written = new Promise<void>((resolve, reject) => {
    settle = (fault) => (fault ? reject(fault) : resolve())
  })
  // This very group may have no waiter; later callers get the fault from `durable`.
  written.catch(() => {})
  return { text, written, settle }
}

/** Reads in pieces, so that a long journal needs no more memory than its longest line. Returns the bytes of whole lines. */
async function readLines(file: FileHandle, take: (line: unknown) => void): Promise<number> {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  let rest = Buffer.alloc(0)
  let wholeBytes = 0
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, at)
    if (bytesRead === 0) return wholeBytes
    at += bytesRead
    const text = Buffer.concat([rest, chunk.subarray(0, bytesRead)])
    let from = 0
    for (let end = text.indexOf(NEWLINE); end >= 0; end = text.indexOf(NEWLINE, from)) {
      take(parsed(text.toString('utf8', from, end)))
      from = end + 1
    }
    wholeBytes += from
    rest = text.subarray(from)
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw new Error(`the journal is damaged before its end, at: ${line.slice(0, 80)}`, { cause: error })
  }
}

/** A new file is only as durable as its name in the folder. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
