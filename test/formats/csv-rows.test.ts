// Published lists as CSV: a quote opens at the start of a cell alone, so that one within a text swallows no rows.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvRows } from '../../src/formats/verifiers/csv-rows.ts'

async function* inParts(text: string, length: number): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += length) yield text.slice(from, from + length)
}
async function read(text: string, length = text.length): Promise<string[][]> {
  const rows: string[][] = []
  for await (const row of csvRows(inParts(text, Math.max(1, length)), ',')) rows.push(row)
  return rows
}

test('quotes within a text stand for themselves, and every row is there', async () => {
  const text = '1,Ana "Nena Cruz,bad\n2,Ben Reyes,bad\n3,"Carla ""Cai"" Lim",bad\n4,12" Dan,bad\n5,Eve,"x"\n'
  for (const length of [1, 3, text.length])
    expect(await read(text, length)).toEqual([
      ['1', 'Ana "Nena Cruz', 'bad'],
      ['2', 'Ben Reyes', 'bad'],
      ['3', 'Carla "Cai" Lim', 'bad'],
      ['4', '12" Dan', 'bad'],
      ['5', 'Eve', 'x'],
    ])
})

test('text after a closing quote is refused with its row; spaces there are not', async () => {
  expect(await read('1,"Ana" ,x\r\n2,"" ,y')).toEqual([
    ['1', 'Ana', 'x'],
    ['2', '', 'y'],
  ])
  await expect(read('1,Ana\n2,"Ben "Benny" Reyes",x\n')).rejects.toThrow(
    'Row 2 of the file has text after a closing quote',
  )
})

test('what is written by RFC 4180 is read as it was, however it comes in parts', async () => {
  const cells = fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ', 'ñ') }), {
    minLength: 2,
    maxLength: 4,
  })
  const rows = fc.array(
    cells.filter((row) => row.some((cell) => cell !== '')),
    { maxLength: 5 },
  )
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 7 }), async (all, length) => {
      expect(await read(all.map((row) => `${row.map(quoted).join(',')}\r\n`).join(''), length)).toEqual(all)
    }),
  )
})
