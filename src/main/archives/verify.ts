// Proves a directory of archives by their seals and by public keys alone: no database, no network. Each account from its first seal
// to the last one that is there.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { PastInDoubt, proved } from '../../app/archives/stretch.ts'
import { NOTHING_REACHED, type Reached } from '../../app/seals/reached.ts'
import type { SealKeys } from '../../app/seals/heads.ts'
import { removedFrom } from '../../domain/seal/removed.ts'
import type { Step } from '../../domain/seal/seal.ts'
import { sha256Hex } from '../../platform/hashes.ts'
import { stretchesIn } from './lines.ts'
import {
  type AccountManifest,
  accountsIn,
  type ArchivedFile,
  ArchiveRefused,
  placeOfAccount,
  readAccount,
} from './manifest.ts'

/** What was proved of an account. */
export type ProvedArchive = {
  readonly accountId: string
  readonly seals: number
  readonly steps: number
  readonly entries: number
  /** Of its steps, how many had lost their document when they were written: an earlier archive has it. */
  readonly removed: number
  /** When its last seal was made (ISO 8601), and the SHA-256 of its text; null where there is none. */
  readonly until: string | null
  readonly head: string | null
  /** The first thing that is not as it was sealed; null where all is. */
  readonly fault: { readonly file: string; readonly problem: string } | null
}

/** Called with the steps of each stretch that was proved. */
type OnSteps = (accountId: string, steps: readonly Step[]) => Promise<void>

/** Throws {@link ArchiveRefused} where the directory holds no archive. */
export async function verifyArchives(
  directory: string,
  keys: SealKeys,
  onAccount: (done: number, total: number) => void,
  onSteps: OnSteps = () => Promise.resolve(),
): Promise<ProvedArchive[]> {
  const accounts = accountsIn(directory)
  if (accounts.length === 0) throw new ArchiveRefused(`There is no archive in ${directory}.`)
  const all: ProvedArchive[] = []
  for (const accountId of accounts) {
    const manifest = readAccount(directory, accountId)
    // A first file that was cut off: nothing of it is archived.
    if (manifest !== null) all.push(await verifyAccount(placeOfAccount(directory, accountId), manifest, keys, onSteps))
    onAccount(all.length, accounts.length)
  }
  return all
}

async function verifyAccount(
  place: string,
  manifest: AccountManifest,
  keys: SealKeys,
  onSteps: OnSteps,
): Promise<ProvedArchive> {
  const { account: accountId, files, head } = manifest
  let reached = NOTHING_REACHED
  const counts = { steps: 0, entries: 0, removed: 0 }
  let until: string | null = null
  const found = (file: string | null, problem = ''): ProvedArchive => {
    const fault = file === null ? null : { file, problem }
    const last = reached.text === null ? null : sha256Hex(reached.text)
    return { accountId, seals: reached.number, ...counts, until, head: last, fault }
  }
  for (const file of files) {
    const path = join(place, file.name)
    try {
      if ((await sha256Of(path)) !== file.sha256) return found(path, 'it is not the file that was written')
      for await (const stretch of stretchesIn(linesOfFile(path))) {
        const next = proved(accountId, reached, stretch, keys)
        reached = next.reached
        until = next.seal.sealed_at
        counts.steps += stretch.steps.length
        counts.entries += stretch.entries.length
        counts.removed += stretch.steps.filter(isWithoutDocument).length
        await onSteps(accountId, stretch.steps)
      }
      if (reached.number !== file.last_seal) return found(path, endsElsewhere(reached, file))
    } catch (fault) {
      return found(path, problemOf(fault))
    }
  }
  const isWhole = reached.text === head
  return isWhole ? found(null) : found(join(place, 'manifest.json'), 'its head is not the last seal of its files')
}

export const isWithoutDocument = ({ isContract, document }: Step): boolean =>
  isContract && removedFrom(document) !== null

const endsElsewhere = ({ number }: Reached, { last_seal: last }: ArchivedFile) =>
  `it ends with seal ${number}, and ${last} is said to be its last`

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Far more than a line can have that the gateway writes. */
const LINE_CHARS_MAX = 64 << 20

async function* linesOfFile(path: string): AsyncGenerator<string> {
  const text = createGunzip().setEncoding('utf8')
  const whole = pipeline(createReadStream(path), text)
  // Said by the loop below, too: a fault of the one ends the other.
  whole.catch(() => undefined)
  let rest = ''
  for await (const chunk of text as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_CHARS_MAX) throw new SyntaxError('a line without an end')
    yield* lines
  }
  if (rest !== '') throw new SyntaxError('a line without an end')
}

/** What is wrong with a file, where it is the file; anything else is thrown on. */
function problemOf(fault: unknown): string {
  if (fault instanceof PastInDoubt) return fault.message
  if (fault instanceof SyntaxError || fault instanceof TypeError) return 'it has not the form of an archive'
  const { code } = fault as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'it is not there'
  if (code?.startsWith('Z_') || code === 'ERR_STREAM_PREMATURE_CLOSE') return 'it is no whole file of gzip'
  throw fault
}
