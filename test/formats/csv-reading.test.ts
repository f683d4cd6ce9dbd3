// CSV is read as it was written, whatever is in it, and as spreadsheets write it.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvRow } from '../../src/formats/csv.ts'
import { readCsv } from '../../src/formats/csv-reading.ts'

const cellsOf = (text: string) => {
  const read = readCsv(text)
  return 'fault' in read ? read : read.map(({ cells }) => cells)
}

test('what is written is read again, in its rows and cells', () => {
  // A text that begins as a guard does would lose it: the writer guards texts, and nobody else writes one.
  const cell = fc
    .string({ unit: fc.constantFrom(...'ab1 ,;"\t\r\n=+-@\'ñ'.split('')) })
    .filter((text) => !/^'[=@\t\r+-]/.test(text))
  const table = fc.integer({ min: 1, max: 5 }).chain((width) =>
    fc.array(
      fc.array(cell, { minLength: width, maxLength: width }).filter((row) => row.some((each) => each !== '')),
      {
        minLength: 1,
        maxLength: 8,
      },
    ),
  )
  fc.assert(
    fc.property(table, (rows) => {
      const names = rows[0]!.map((_, i) => `column${i}`)
      expect(cellsOf([names, ...rows].map(csvRow).join(''))).toEqual([names, ...rows])
    }),
    { numRuns: 500 },
  )
})

test('a byte-order mark, semicolons or tabs, and any line end make no difference', () => {
  const expected = [
    ['amount', 'recipient.name'],
    ['5', 'Ana'],
  ]
  for (const separator of [',', ';', '\t'])
    for (const end of ['\n', '\r\n', '\r'])
      for (const mark of ['', '\uFEFF'])
        expect(cellsOf(`${mark}amount${separator}recipient.name${end}5${separator}Ana${end}${end}`)).toEqual(expected)
})

test('lines are counted through quoted line breaks', () => {
  expect(readCsv('a,b\n"x\ny",1\n2,3')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x\ny', '1'] },
    { line: 4, cells: ['2', '3'] },
  ])
})

test('what is no CSV is told with its line', () => {
  expect(readCsv('a\n"b')).toMatchObject({ line: 2, fault: expect.stringContaining('never closed') })
  expect(readCsv('a\n"b"c')).toMatchObject({ line: 2, fault: expect.stringContaining('closing quote') })
})
