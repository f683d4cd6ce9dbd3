// Writes the sealed past of accounts into files, each stretch proved before it is written. Goes on where an earlier run stood, whether
// that ended well or was cut off. Changes nothing in the database.
import { reachedBefore, sealedAccounts, stretchesAfter } from '../../app/archives/reading.ts'
import { type Doubt, PastInDoubt, type ProvedStretch } from '../../app/archives/stretch.ts'
import { whereLanesAre } from '../../app/jobs/moved-lanes.ts'
import type { SealKeys } from '../../app/seals/heads.ts'
import type { Seal } from '../../domain/seal/seal.ts'
import type { Session } from '../../platform/db.ts'
import { privateDirectory } from '../../platform/private-files.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { openArchiveFile } from './file.ts'
import { linesOf } from './lines.ts'
import {
  ACCOUNT_FORM,
  ARCHIVE_FORM,
  type ArchivedFile,
  ArchiveRefused,
  placeOfAccount,
  readAccount,
  readArchive,
  writeAccount,
  writeArchive,
} from './manifest.ts'

export type Archiving = {
  readonly into: string
  /** What was sealed before this moment (ISO 8601, UTC) is written. */
  readonly before: string
  /** That account alone; null for all. */
  readonly accountId: string | null
  readonly keys: SealKeys
  readonly onAccount: (done: number, total: number) => void
  /** Asks home where the lanes are: one that moves meanwhile is read where it has come to. */
  readonly seePlaces: () => Promise<void>
  /** Text in one file, before it is packed; a stretch is never parted. */
  readonly fileChars?: number
}

export type AccountDoubt = Doubt & { readonly accountId: string }

/** What one run added. */
export type Written = {
  /** That were looked at. */
  readonly accounts: number
  readonly files: number
  readonly steps: number
  readonly entries: number
  readonly bytes: number
  /** Accounts whose past is not what was sealed: nothing is written from there on. */
  readonly doubts: readonly AccountDoubt[]
}

const FILE_CHARS = 256 << 20

/**
 * Throws {@link ArchiveRefused}: what is in the directory is another installation's, or of books that went another way; and
 * DatabaseUnavailable (LaneElsewhere) where a lane is not where home says.
 */
export async function writeArchives(session: Session, archiving: Archiving): Promise<Written> {
  const { into, accountId, onAccount, seePlaces } = archiving
  privateDirectory(into)
  await onlyOne(session)
  const accounts = await whereLanesAre(session, seePlaces, () => sealedAccounts(session, accountId))
  if (accountId !== null && accounts.length === 0)
    throw new ArchiveRefused(`Nothing of an account ${accountId} is sealed.`)
  const [files, doubts]: [ArchivedFile[], AccountDoubt[]] = [[], []]
  for (const [done, key] of accounts.entries()) {
    try {
      await whereLanesAre(session, seePlaces, () => archiveAccount(session, key, archiving, files))
    } catch (fault) {
      if (!(fault instanceof PastInDoubt)) throw fault
      doubts.push({ accountId: key.accountId, row: fault.row, problem: fault.problem })
    }
    onAccount(done + 1, accounts.length)
  }
  const sum = (of: (file: ArchivedFile) => number) => files.reduce((total, file) => total + of(file), 0)
  const counts = { steps: sum(({ steps }) => steps), entries: sum(({ entries }) => entries) }
  return { accounts: accounts.length, files: files.length, ...counts, bytes: sum(({ bytes }) => bytes), doubts }
}

const LOCK = {
  name: 'archive_lock',
  text: `select pg_try_advisory_lock(7310868735421803621) as is_ours`,
  values: [],
}

/** The lock goes with the connection. */
async function onlyOne(session: Session): Promise<void> {
  const [result] = await session.send([LOCK])
  if (result?.rows[0]?.['is_ours'] !== true)
    throw new ArchiveRefused('Another archive is being written. Wait for it to end.')
}

/** Adds the files that it writes to `written`. Begun again, it goes on after the last of them. */
async function archiveAccount(
  session: Session,
  key: AccountKey,
  archiving: Archiving,
  written: ArchivedFile[],
): Promise<void> {
  const { into, before, keys, fileChars = FILE_CHARS } = archiving
  const { accountId } = key
  const known = readAccount(into, accountId)
  const files = [...(known?.files ?? [])]
  const reached = await reachedBefore(session, key, files.at(-1)?.last_seal ?? 0, known?.head ?? '')
  if (reached === null)
    throw new ArchiveRefused(
      `The archive of account ${accountId} in ${into} ends with a seal that these books do not have: they were restored to before it, or are others. Write into another directory.`,
    )
  const stretches = stretchesAfter(session, key, reached, before, keys)
  for (;;) {
    const made = await writeFile(placeOfAccount(into, accountId), stretches, fileChars)
    if (made === null) return
    nameKeys(into, made.seals, keys)
    files.push(made.file)
    writeAccount(into, { format: ACCOUNT_FORM, account: accountId, files, head: made.head })
    written.push(made.file)
  }
}

type Made = { readonly file: ArchivedFile; readonly head: string; readonly seals: readonly Seal[] }

/** Takes stretches until the file is large enough, or there are no more; none makes no file. */
async function writeFile(place: string, stretches: AsyncGenerator<ProvedStretch>, most: number): Promise<Made | null> {
  let next = await stretches.next()
  if (next.done) return null
  privateDirectory(place)
  const file = await openArchiveFile(place)
  try {
    const seals = new Map<string, Seal>()
    let [chars, steps, entries] = [0, 0, 0]
    const first = next.value
    let last = first
    while (!next.done) {
      last = next.value
      const lines = linesOf(last.stretch)
      await file.append(lines)
      chars += lines.length
      steps += last.stretch.steps.length
      entries += last.stretch.entries.length
      seals.set(last.seal.key, last.seal)
      if (chars >= most) break
      next = await stretches.next()
    }
    const [from, to] = [first.seal.number, last.seal.number]
    const name = `${padded(from)}-${padded(to)}.jsonl.gz`
    const { bytes, sha256 } = await file.finish(name)
    const counts = { first_seal: from, last_seal: to, steps, entries, until: last.seal.sealed_at }
    return { file: { name, bytes, sha256, ...counts }, head: last.stretch.seal.text, seals: [...seals.values()] }
  } finally {
    await file.close()
  }
}

const padded = (number: number) => String(number).padStart(9, '0')

/** The public halves of the keys that have signed stand beside the files. */
function nameKeys(into: string, seals: readonly Seal[], keys: Archiving['keys']): void {
  const known = readArchive(into)
  const named = new Map((known?.keys ?? []).map(({ id, public_key: publicKey }) => [id, publicKey]))
  for (const { key } of seals) named.set(key, keys.known(key)?.toString('base64') ?? '')
  const installation = seals[0]?.installation ?? ''
  if (known !== null && known.installation !== installation)
    throw new ArchiveRefused(`The archives in ${into} are those of another installation. Write into another directory.`)
  if (known !== null && named.size === known.keys.length) return
  const all = [...named].map(([id, publicKey]) => ({ id, public_key: publicKey }))
  writeArchive(into, { format: ARCHIVE_FORM, installation, keys: all })
}
