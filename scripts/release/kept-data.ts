// What is kept of releases under test/released, as far as a release has to know: for which schema, and by which migrations.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type KeptData = {
  readonly schema: number
  /** The checksums of what was applied, by the files' names. */
  readonly migrations: ReadonlyMap<string, string>
  /** What belongs to it. */
  readonly files: readonly string[]
}

const FOLDER = 'test/released'
const FILES = ['data.sql', 'replies.json', 'provider.jsonl', 'statements.json']
const HEAD = /^-- schema (\d+)$/m
const APPLIED = /^\('\d+', '(\d{4}_\w+\.sql)', '([0-9a-f]{64})'/gm

export function keptReleases(root: string): string[] {
  return existsSync(join(root, FOLDER)) ? readdirSync(join(root, FOLDER)).toSorted() : []
}

/** Null where nothing is kept of it. */
export function keptOf(root: string, release: string): KeptData | null {
  const files = FILES.map((name) => join(FOLDER, release, name))
  const path = join(root, FOLDER, release, 'data.sql')
  if (!existsSync(path)) return null
  const text = readFileSync(path, 'utf8')
  const migrations = new Map([...text.matchAll(APPLIED)].map(([, name = '', checksum = '']) => [name, checksum]))
  return { schema: Number(HEAD.exec(text)?.[1]), migrations, files }
}
