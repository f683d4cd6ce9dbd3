// The marks: small files beside the database that say where a gateway last saw it stand. A database that comes back from a
// backup stands before them, and is known by that.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Mark } from '../../domain/recovery/epoch.ts'
import type { Config } from '../config/config.ts'
import { HOME } from '../../store/operator/lane-servers.ts'
import { textIfThere, writePrivateFile } from '../../platform/private-files.ts'
import { type PlaceText, placeOf, placeText } from '../../store/operator/epochs.ts'

/** Where marks are kept: read at a start, written while the gateway works. */
export type MarkFiles = {
  /** What was left of the last mark of these books, in each place where one is. Throws {@link MarkUnreadable}. */
  readonly read: (installationId: string) => readonly Mark[]
  readonly write: (mark: Mark) => void
}

/** Where a gateway of this configuration keeps them. */
export const markDirectories = ({ dataDir, markDir }: Pick<Config, 'dataDir' | 'markDir'>): readonly string[] =>
  markDir === null ? [dataDir] : [dataDir, markDir]

/** A mark is there and says nothing; the message says what to do. */
export class MarkUnreadable extends Error {
  override readonly name = 'MarkUnreadable'
}

/** How often it is noted where a server stands. */
export const MARK_MS = 1000

const FORMAT = 1

/**
 * The same mark in each of the directories, so that one of them may be lost with the database. Each book has marks of its own, and each
 * server that lanes of it are on.
 */
export function openMarkFiles(directories: readonly string[], server: string = HOME): MarkFiles {
  const of = server === HOME ? '' : `-${server}`
  const pathsOf = (installationId: string) => directories.map((each) => join(each, `mark-${installationId}${of}.json`))
  return {
    read: (installationId) =>
      pathsOf(installationId).flatMap((path) => {
        const text = textIfThere(path)
        return text === null ? [] : [markFrom(text, path)]
      }),
    write: ({ epoch, isStopped, ...place }) => {
      const written = { format: FORMAT, epoch, isStopped, ...placeText(place), writtenAt: new Date().toISOString() }
      for (const directory of directories) mkdirSync(directory, { recursive: true })
      for (const path of pathsOf(place.installationId)) writePrivateFile(path, `${JSON.stringify(written)}\n`)
    },
  }
}

const NUMBER = /^[0-9]{1,20}$/

function markFrom(text: string, path: string): Mark {
  const said = parsed(text)
  if (said === null || said['format'] !== FORMAT) throw unreadable(path)
  const { epoch, isStopped, installationId, marks, systemId, timeline, position } = said
  const numbers = [marks, position].every((each) => typeof each === 'string' && NUMBER.test(each))
  const names = [installationId, systemId].every((each) => typeof each === 'string')
  const counts = [epoch, timeline].every((each) => Number.isSafeInteger(each))
  if (!numbers || !names || !counts || typeof isStopped !== 'boolean') throw unreadable(path)
  return { ...placeOf(said as PlaceText), epoch: epoch as number, isStopped }
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const unreadable = (path: string) =>
  new MarkUnreadable(
    `${path} does not say where the database stood, so nobody can tell whether it has become older since. Say that it has: gateway recovery begin --evidence "…"; leave that out only where you know that it is the database that the gateway worked with last. Then remove the file and start again.`,
  )
