// What is in a directory of archives: a manifest for each account with its files in their order, and one for all with the keys that
// have signed. Written after the files that they name, so that a run that was cut off goes on where it stood.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isUuid } from '../../domain/contract/ids.ts'
import { writePrivateFile } from '../../platform/private-files.ts'

/** An archive cannot be written or read; the message says why and what to do. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused'
}

export const ARCHIVE_FORM = 'gateway.archive.v1'
export const ACCOUNT_FORM = 'gateway.archive.account.v1'

export type ArchivedFile = {
  readonly name: string
  readonly bytes: number
  readonly sha256: string
  readonly first_seal: number
  readonly last_seal: number
  readonly steps: number
  readonly entries: number
  /** When its last seal was made (ISO 8601): what is in it happened before. */
  readonly until: string
}

/** Of one account. */
export type AccountManifest = {
  readonly format: typeof ACCOUNT_FORM
  readonly account: string
  readonly files: readonly ArchivedFile[]
  /** The text of its last seal, which the next file goes on from. */
  readonly head: string
}

/** Of all. */
export type ArchiveManifest = {
  readonly format: typeof ARCHIVE_FORM
  readonly installation: string
  readonly keys: readonly { readonly id: string; readonly public_key: string }[]
}

const ALL = 'archive.json'
const OWN = 'manifest.json'

export const placeOfAccount = (directory: string, accountId: string): string => join(directory, accountId)

export const readArchive = (directory: string): ArchiveManifest | null =>
  read<ArchiveManifest>(join(directory, ALL), ARCHIVE_FORM)

export const readAccount = (directory: string, accountId: string): AccountManifest | null =>
  read<AccountManifest>(join(placeOfAccount(directory, accountId), OWN), ACCOUNT_FORM)

export const writeArchive = (directory: string, manifest: ArchiveManifest): void =>
  writePrivateFile(join(directory, ALL), `${JSON.stringify(manifest, null, 2)}\n`)

export const writeAccount = (directory: string, manifest: AccountManifest): void =>
  writePrivateFile(join(placeOfAccount(directory, manifest.account), OWN), `${JSON.stringify(manifest, null, 2)}\n`)

/** The accounts that have a directory of their own, finished or not. */
export const accountsIn = (directory: string): string[] =>
  existsSync(directory) ? readdirSync(directory).filter(isUuid).toSorted() : []

function read<T extends { readonly format: string }>(path: string, format: T['format']): T | null {
  if (!existsSync(path)) return null
  try {
    const found = JSON.parse(readFileSync(path, 'utf8')) as T
    if (found.format === format) return found
  } catch (fault) {
    if (!(fault instanceof SyntaxError)) throw fault
  }
  throw new ArchiveRefused(`${path} is no manifest of an archive, or of a later release of the gateway.`)
}
