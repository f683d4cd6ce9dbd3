// The console reads CSV as it streams, in pieces of any size, and reads what the gateway reads.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine, CsvFault, type CsvRecord, recordsOf } from '../../../console/src/payouts/new/csv.ts'
import { readCsv } from '../../../src/formats/csv-reading.ts'

async function streamed(text: string, cuts: readonly number[]): Promise<CsvRecord[] | number> {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b)
  async function* pieces() {
    for (const [i, from] of [0, ...places].entries()) yield text.slice(from, places[i] ?? text.length)
  }
  const found: CsvRecord[] = []
  try {
    for await (const records of recordsOf(pieces())) found.push(...records)
  } catch (error) {
    if (error instanceof CsvFault) return error.line
    throw error
  }
  return found
}

/** The gateway takes the guard off a text that a spreadsheet would run; here it is passed on. */
const unguarded = (cell: string) => (/^'[=@\t\r+-]/.test(cell) ? cell.slice(1) : cell)

const texts = fc.string({
  unit: fc.constantFrom('a', '1', ',', ';', '\t', '"', '""', '\r', '\n', '\r\n', ' ', 'ñ', '='),
})

test('in pieces of any size it is what the gateway reads of the whole', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.array(fc.nat(200)), fc.boolean(), async (text, cuts, hasMark) => {
      const marked = `${hasMark ? '\uFEFF' : ''}${text}`
      const whole = readCsv(marked)
      const found = await streamed(marked, cuts)
      const read = Array.isArray(found)
        ? found.map(({ line, cells }) => ({ line, cells: cells.map(unguarded) }))
        : { line: found }
      const told = 'fault' in whole ? { line: whole.line } : whole
      expect(read).toEqual(told)
    }),
    { numRuns: 2000 },
  )
})

test('what is written is read again as it was', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', ';', '\t', '\n', 'ñ') })
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(rows, async (lines) => {
      const text = ['head,er\n', ...lines.map(csvLine)].join('')
      const read = (await streamed(text, [])) as CsvRecord[]
      expect(read.slice(1).map(({ cells }) => cells)).toEqual(lines.filter((line) => line.some((each) => each !== '')))
    }),
  )
})
