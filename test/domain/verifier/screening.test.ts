// Screening a name against a list: other spellings are found, other people are not, and a long list costs little.
import { expect, test } from 'vitest'
import { type ListEntry, nameIndex, screened } from '../../../src/domain/verifier/screening.ts'

const entry = (id: string, ...names: string[]): ListEntry => ({ entry: id, names, note: null })
const LIST = [
  entry('1', 'Viktor Anatolyevich Bout', 'Victor But'),
  entry('2', 'Muhammad al-Khalidi', 'Mohammed Al Khalidi'),
  entry('3', 'Reyes Shipping Company Limited'),
]
const ids = (name: string, from = 85) => screened(nameIndex(LIST), name, from).map((hit) => hit.entry)

test.each([
  ['VIKTOR ANATOLYEVICH BOUT', ['1']],
  ['Bout, Viktor Anatolievich', ['1']],
  ['Victor But', ['1']],
  ['Mohamad al-Khalidi', ['2']],
  ['Reyes Shipping Co. Ltd.', ['3']],
  ['Ana Reyes', []],
  ['', []],
])('%s', (name, found) => {
  expect(ids(name)).toEqual(found)
})

test('an entry is hit once, by the likest of its names', () => {
  expect(screened(nameIndex(LIST), 'Victor But', 60)).toMatchObject([{ entry: '1', name: 'Victor But', score: 100 }])
})

test('among 50,000 entries one is found by looking at few', () => {
  const word = (n: number) => `${'bcdfghklmnprst'[n % 14]}${'aeiou'[n % 5]}${'lmnrstvz'[n % 8]}${n.toString(36)}`
  const many = Array.from({ length: 50_000 }, (_, n) =>
    entry(String(n), `${word(n)} ${word(n * 7 + 3)} ${word(n * 13)}`),
  )
  const index = nameIndex([...many, ...LIST])
  expect(screened(index, 'Viktor Anatolievich Bout', 85).map((hit) => hit.entry)).toContain('1')
  expect(screened(index, 'Gabriela Silang', 85)).toEqual([])
})
