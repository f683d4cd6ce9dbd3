// Processor time and memory of processes, from /proc. Where there is none (macOS) nothing is measured, and null says so.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

// The unit of /proc/<pid>/stat on every Linux that Node runs on (USER_HZ).
const TICKS_PER_SECOND = 100

/** Processor time of one process so far, user and system, in seconds. */
export function cpuSeconds(pid: number): number | null {
  const stat = statOf(pid)
  return stat ? stat.ownTicks / TICKS_PER_SECOND : null
}

/** Processor time of a process, of its children that live, and of those that it has waited for, in seconds. */
export function familyCpuSeconds(pid: number): number | null {
  const parent = statOf(pid)
  if (!parent) return null
  const ticks = childrenOf(pid).reduce((sum, { ownTicks }) => sum + ownTicks, parent.ownTicks + parent.endedTicks)
  return ticks / TICKS_PER_SECOND
}

function childrenOf(pid: number): (Stat & { readonly pid: number })[] {
  return readdirSync('/proc').flatMap((entry) => {
    const child = /^\d+$/.test(entry) ? statOf(Number(entry)) : null
    return child?.parent === pid ? [{ ...child, pid: Number(entry) }] : []
  })
}

/** The same of several; null where one cannot be measured, or where there is none. */
export function familiesCpuSeconds(pids: readonly number[]): number | null {
  const each = pids.map(familyCpuSeconds)
  return each.length === 0 || each.includes(null) ? null : each.reduce<number>((sum, own) => sum + (own ?? 0), 0)
}

/** The most memory that a process of the family has ever had resident, in bytes. */
export function peakRssBytes(pid: number): number | null {
  const peaks = [pid, ...(existsSync('/proc') ? childrenOf(pid) : []).map((child) => child.pid)].map(ownPeakRssBytes)
  return peaks.reduce((most, own) => (own === null ? most : Math.max(most ?? 0, own)), null)
}

function ownPeakRssBytes(pid: number): number | null {
  const text = readOrNull(`/proc/${pid}/status`)
  const kilobytes = text === null ? undefined : /^VmHWM:\s+(\d+) kB/m.exec(text)?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
}

type Stat = { readonly parent: number; readonly ownTicks: number; readonly endedTicks: number }

function statOf(pid: number): Stat | null {
  const text = readOrNull(`/proc/${pid}/stat`)
  if (text === null) return null
  // The name in brackets may hold spaces; what follows it begins with the state (proc(5), field 3).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const field = (number: number) => Number(fields[number - 3])
  return { parent: field(4), ownTicks: field(14) + field(15), endedTicks: field(16) + field(17) }
}

/** A process may end between the read of the folder and the read of the file. */
function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
