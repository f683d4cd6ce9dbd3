// When a process began, as a text that no other process of this machine with the same id has: ids are given out again.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** Null for a process that there is not. */
export function processStart(pid: number): string | null {
  if (!existsSync('/proc/self/stat')) {
    const listed = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' },
    })
    return listed.stdout?.trim() || null
  }
  try {
    // The name of the program may hold blanks and brackets; what follows its end does not. Ticks since the boot are the 20th.
    const [state, ...rest] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return state === 'Z' ? null : (rest[18] ?? null)
  } catch {
    return null
  }
}
