// One provider for one folder of books: the process that keeps them writes a file, which counts as long as it lives.
import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** The folder's books are kept by another process, which lives. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
}

const TRIES = 20

/** Takes the folder; the function returned releases it. Throws {@link FolderInUse}. */
export function takeFolder(folder: string): () => void {
  const path = join(folder, 'lock')
  const mine = `${process.pid} ${startOf(process.pid) ?? 'unknown'}\n`
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (isPlaced(path, mine)) return () => giveBack(path, mine)
    const holder = textOf(path)
    if (holder !== null && isAlive(holder))
      throw new FolderInUse(`The books in ${folder} are kept by process ${Number.parseInt(holder, 10)} already.`)
    if (holder !== null) setAside(path, holder)
  }
  throw new FolderInUse(`The books in ${folder} change hands too often.`)
}

/** Whole and at once, or not at all: a link is refused where the name is taken. */
function isPlaced(path: string, text: string): boolean {
  const aside = asideOf(path)
  writeFileSync(aside, text, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(aside, path)
    return true
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw fault
  } finally {
    rmSync(aside)
  }
}

/** A holder that died is taken off; one that came in its place in the meantime is put back. */
function setAside(path: string, dead: string): void {
  const aside = asideOf(path)
  try {
    renameSync(path, aside)
    if (textOf(aside) !== dead) linkSync(aside, path)
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'EEXIST') throw fault
  } finally {
    rmSync(aside, { force: true })
  }
}

function giveBack(path: string, mine: string): void {
  if (textOf(path) === mine) rmSync(path, { force: true })
}

const asideOf = (path: string) => `${path}.${process.pid}.${randomBytes(4).toString('hex')}`

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** The same process, and not another one that was given its number since. */
function isAlive(holder: string): boolean {
  const [, pid = '', start = ''] = /^(\d+) (.*)$/m.exec(holder) ?? []
  const now = startOf(Number(pid))
  return now !== null && (start === 'unknown' || now === start)
}

/** When the process began, as the system writes it; null where there is none, or only its remains. */
function startOf(pid: number): string | null {
  const stat = textOf(`/proc/${pid}/stat`)
  if (stat !== null) {
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : (fields[START_FIELD] ?? null)
  }
  const listed = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim()
  return listed === '' || listed === undefined ? null : listed
}

/** `starttime` of proc(5), counted from behind the name. */
const START_FIELD = 19
