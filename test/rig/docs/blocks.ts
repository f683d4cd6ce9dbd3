// The code blocks of a Markdown page: which are run, what each is to print, and why one is not run.

/** Written in a language that could be run: each is run, or says why not. */
const CODE: Readonly<Record<string, 'shell' | 'program'>> = {
  bash: 'shell',
  sh: 'shell',
  ts: 'program',
  typescript: 'program',
  js: 'program',
  mjs: 'program',
  javascript: 'program',
}
/** Right after code: what it prints. */
const OUTPUT = ['text', 'json']

export type Block = {
  readonly line: number
  readonly kind: 'shell' | 'program'
  readonly text: string
  /** Null where nothing is said of what it prints. */
  readonly prints: string | null
  /** Why it is not run; null for a block that is. */
  readonly notRun: string | null
}

const FENCE = /^( *)(`{3,})([\w-]*)[^\n]*\n([\s\S]*?)^\1\2 *$/gm
const REASON = /<!--\s*not run:\s*(\S[\s\S]*?)\s*-->\s*$/

export function blocksOf(page: string): Block[] {
  const blocks: Block[] = []
  let end = 0
  let isAfterCode = false
  for (const found of page.matchAll(FENCE)) {
    const [whole, indent = '', , language = '', inside = ''] = found
    const between = page.slice(end, found.index)
    const text = inside.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
    const kind = CODE[language]
    const last = blocks.at(-1)
    if (kind) {
      const line = page.slice(0, found.index).split('\n').length
      blocks.push({ line, kind, text, prints: null, notRun: REASON.exec(between)?.[1] ?? null })
    } else if (OUTPUT.includes(language) && isAfterCode && last && !/^#/m.test(between))
      blocks[blocks.length - 1] = { ...last, prints: text }
    isAfterCode = kind !== undefined
    end = found.index + whole.length
  }
  return blocks
}

/** A line without what differs between two runs: times, ids, hashes, durations, ports, and how much room is between words. */
const settled = (line: string): string =>
  line
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?/g, '<time>')
    .replaceAll(/\b(?:\w+_)*[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g, '<id>')
    .replaceAll(/\b(?:[a-z]+_)*[0-9A-Za-z]*\d[0-9A-Za-z]{15,}\b/g, '<id>')
    .replaceAll(/127\.0\.0\.1:\d+/g, '<host>')
    .replaceAll(/\b\d+(?:\.\d+)? m?s\b/g, '<duration>')
    .replaceAll(/[\s─]+/g, ' ')
    .trim()

/**
 * The first line that was to be printed and was not, in its order; null where all were. `…` stands for anything, and
 * other lines may come between.
 */
export function missingLine(prints: string, printed: string): string | null {
  const lines = printed.split('\n').map(settled)
  let from = 0
  for (const wanted of prints.split('\n').filter((line) => line.trim() !== '')) {
    const parts = settled(wanted)
      .split('…')
      .map((part) => part.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    const form = new RegExp(`^${parts.join('.*')}$`)
    const at = lines.findIndex((line, place) => place >= from && form.test(line))
    if (at < 0 && wanted.trim() !== '…') return wanted
    if (at >= 0) from = at + 1
  }
  return null
}
