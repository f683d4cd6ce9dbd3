// What the documentation says can be pasted is pasted: the blocks of each page in their order, into one shell at a fresh
// gateway, and they print what the page says. A block that is not run says why (<!-- not run: reason --> above it).
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Block, blocksOf, missingLine } from '../rig/docs/blocks.ts'
import { openNewcomer } from '../rig/docs/newcomer.ts'

/** Decisions and designs show code of the house, and the pages of operations have a test of their own. */
const ELSEWHERE = /^docs\/(?:adr|design|drills|reference\/(?!index\.md))/

const PAGES = ['README.md', ...markdownIn('docs')]
  .filter((path) => !ELSEWHERE.test(path))
  .map((path): [string, Block[]] => [path, blocksOf(readFileSync(path, 'utf8'))])
  .filter(([, blocks]) => blocks.length > 0)

function markdownIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
  return files.map((entry) => join(entry.parentPath, entry.name)).toSorted()
}

test('there is something to paste', () => {
  expect(PAGES.map(([path]) => path)).toEqual(expect.arrayContaining(['README.md', 'docs/payments.md']))
})

describe.each(PAGES.filter(([, blocks]) => blocks.some(({ notRun }) => notRun === null)))('%s', (path, all) => {
  test('is pasted from top to bottom', { timeout: 300_000 }, async () => {
    const blocks = all.filter(({ notRun }) => notRun === null)
    const newcomer = await openNewcomer()
    try {
      const { printed, whole, exitCode } = await newcomer.paste(blocks)
      const stopped = blocks[printed.length]
      expect(exitCode, `${path}:${stopped?.line ?? 0} failed\n${whole}`).toBe(0)
      for (const [place, { prints, line }] of blocks.entries()) {
        if (prints === null) continue
        const missing = missingLine(prints, printed[place] ?? '')
        expect(missing, `${path}:${line} does not print it, but\n${printed[place]}`).toBeNull()
      }
    } finally {
      await newcomer.leave()
    }
  })
})

describe('the reader of pages', () => {
  const page = [
    '```bash\necho 1\n```',
    'It prints:\n\n```text\n1\n```',
    '<!-- not run: it needs a bank -->\n\n```bash\nbank\n```',
    '## Another\n\n```json\n{}\n```',
    '- In a list:\n\n  ```ts\n  const a = 1\n  ```',
  ].join('\n\n')

  test('finds each block, what it prints, and why it is not run', () => {
    expect(blocksOf(page)).toEqual([
      { line: 1, kind: 'shell', text: 'echo 1\n', prints: '1\n', notRun: null },
      { line: 13, kind: 'shell', text: 'bank\n', prints: null, notRun: 'it needs a bank' },
      { line: 25, kind: 'program', text: 'const a = 1\n', prints: null, notRun: null },
    ])
  })

  test.each([
    ['paid', 'PAID', 'paid'],
    ['{"status":"ok"}', '{"status": "ok"}', '{"status":"ok"}'],
    ['one\ntwo', 'two\none', 'two'],
    [
      '2026-11-22T15:32:01.682Z  Paid: PHP 1.00',
      '2027-01-01T00:00:00Z Paid: PHP 2.00',
      '2026-11-22T15:32:01.682Z  Paid: PHP 1.00',
    ],
    [
      'reference 01a203e2c0017179b8ab3a821fd4e4cc001, attempt 1',
      'reference 02b203e2c0017179b8ab3a821fd4e4cc001, attempt 1',
      null,
    ],
    ['Ready  (8.1 s)\nend', 'Ready (12 s)\nmore\nend', null],
    ['found …, completed', 'found evt: Transfer, completed', null],
  ])('%s is looked for in %s', (prints, printed, missing) => {
    expect(missingLine(prints, printed)).toBe(missing)
  })
})
