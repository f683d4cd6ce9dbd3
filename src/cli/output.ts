// What commands print with: lines, JSON, colours and a progress bar (tables: table.ts). Results go to standard output, everything
// else to standard error. Colours only on a terminal, and never with NO_COLOR (styleText sees to both).
import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout, validateStream: true })
}

export function print(line = ''): void {
  process.stdout.write(`${line}\n`)
}

/** For people who wait or must know; never part of the result. */
export function note(line: string): void {
  process.stderr.write(`${styleText('dim', line, { stream: process.stderr, validateStream: true })}\n`)
}

export function warn(line: string): void {
  process.stderr.write(`${styleText('yellow', `Warning: ${line}`, { stream: process.stderr, validateStream: true })}\n`)
}

/** One JSON document on one line. Amounts in minor units are text, so that none loses digits. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? each.toString() : each)))
}

/** The same with the member names of the API: `accountId` is account_id. Not for what holds names of a caller's own. */
export function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const named = Object.entries(value).map(([name, each]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    snakeCased(each),
  ])
  return Object.fromEntries(named)
}

/** Some members of an object: what else it has stays here. */
export const picked = <T, K extends keyof T>(of: T, ...names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, of[name]]))

/** Whether money is real, as every listing and view says it; painted where it stands alone. */
export const modeText = (livemode: boolean) => (livemode ? 'live' : 'TEST')
export const modeWords = (livemode: boolean) => (livemode ? 'live' : paint('yellow', 'TEST: no real money'))

/** What is shown of something; null where there is nothing to show. */
export type Text = string | number | null | undefined

/** Names and values, the values in one column. A name without a value is left out. */
export function printPairs(pairs: readonly (readonly [name: string, value: Text])[]): void {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined)
  const width = Math.max(...shown.map(([name]) => name.length))
  for (const [name, value] of shown) print(`  ${paint('dim', name.padEnd(width))}  ${value}`)
}

export type Progress = {
  /** `done` of `total`, with a word about what is being done. */
  readonly show: (done: number, total: number, doing: string) => void
  /** Says something beside the bar, which goes on below it. */
  readonly aside: (say: () => void) => void
  /** Takes the bar off the screen. */
  readonly end: () => void
}

const BAR_CELLS = 30
const REDRAW_MS = 250

/** A bar on standard error where that is a terminal; silent elsewhere, so that logs stay readable. */
export function openProgress(): Progress {
  const { stderr } = process
  if (!stderr.isTTY) return { show: () => undefined, aside: (say) => say(), end: () => undefined }
  const began = performance.now()
  let shown = { done: 0, total: 1, doing: 'starting' }
  const draw = () => {
    const part = shown.done / Math.max(shown.total, 1)
    const cells = Math.floor(BAR_CELLS * part)
    const seconds = Math.round((performance.now() - began) / 1000)
    const bar = '#'.repeat(cells).padEnd(BAR_CELLS, '.')
    stderr.write(`\r[${bar}] ${Math.floor(100 * part)} %  ${shown.doing}  ${seconds} s\x1b[K`)
  }
  // By the clock: one step may take minutes, and the seconds must be seen to pass.
  const timer = setInterval(draw, REDRAW_MS).unref()
  return {
    show: (done, total, doing) => {
      shown = { done, total, doing }
    },
    aside: (say) => {
      stderr.write('\r\x1b[K')
      say()
    },
    end: () => {
      clearInterval(timer)
      stderr.write('\r\x1b[K')
    },
  }
}
