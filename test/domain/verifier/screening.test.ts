// Screening a name against a list: other spellings are found, other people are not, and a long list costs little.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameScore, wordsOf } from '../../../src/domain/verifier/names.ts'
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

test('a name of common words is found, whatever else is on the list', () => {
  const many = Array.from({ length: 2_500 }, (_, n) => entry(String(n), `Muhammad Ali Zed${n}`))
  const list = [...many, entry('exact', 'Muhammad Ali')]
  const best = (entries: readonly ListEntry[]) => screened(nameIndex(entries), 'Muhammad Ali', 85)[0]
  expect(best(list)).toMatchObject({ entry: 'exact', score: 100 })
  expect(best([...list, entry('alik', 'Alik Petrov')])).toMatchObject({ entry: 'exact', score: 100 })
})

const words = fc.constantFrom(
  'Muhammad',
  'Mohamad',
  'Ali',
  'Alik',
  'A',
  'Zed',
  'Petrov',
  'Petrova',
  'Muhammadali',
  'Reyes',
)
const names = fc.array(words, { minLength: 1, maxLength: 4 }).map((all) => all.join(' '))
const lists = fc.array(names, { maxLength: 3 }).map((all) => all.map((name, n) => ({ name, n })))

test('entries that are added take no hit away; the very words are always a hit; and nothing that scores is passed over', () => {
  fc.assert(
    fc.property(lists, lists, names, fc.integer({ min: 50, max: 95 }), (before, added, name, from) => {
      const listed = before.map((each) => entry(`b${each.n}`, each.name))
      const more = added.map((each) => entry(`a${each.n}`, each.name))
      const found = (entries: readonly ListEntry[]) => screened(nameIndex(entries), name, from)
      // Copies make every word as common as can be.
      const common = Array.from({ length: 60 }, (_, n) => entry(`c${n}`, `Muhammad Ali Zed${n} Qux`))
      const all = found([...listed, ...more, ...common.map((each) => ({ ...each, entry: 'common' }))])
      expect(all).toEqual(expect.arrayContaining(found(listed)))
      expect(found([...listed, entry('very', name)])).toContainEqual(
        expect.objectContaining({ entry: 'very', score: 100 }),
      )
      const own = new Set(wordsOf(name))
      const due = [...listed, ...more].filter(({ names: [other = ''] }) => {
        return nameScore(name, other) >= from && wordsOf(other).some((word) => own.has(word))
      })
      expect(all.map((hit) => hit.entry)).toEqual(expect.arrayContaining(due.map((each) => each.entry)))
    }),
  )
})

test('entries of which thousands share a word: added ones take no hit away', () => {
  const many = Array.from({ length: 2_100 }, (_, n) => entry('many', `Muhammad Ali Zed${n}`))
  const common = fc.constantFrom('Muhammad Ali', 'Ali Muhammad', 'Muhammad Muhammad Ali', 'Muhammad Z Ali')
  fc.assert(
    fc.property(lists, lists, common, (before, added, name) => {
      const listed = [...before.map((each) => entry(`b${each.n}`, each.name)), entry('very', name)]
      const more = [...added.map((each) => entry(`a${each.n}`, each.name)), entry('rare', 'Alik Petrov')]
      const found = (entries: readonly ListEntry[]) => screened(nameIndex(entries), name, 85).map((hit) => hit.entry)
      expect(found([...many, ...listed, ...more])).toEqual(expect.arrayContaining(found(listed)))
    }),
    { numRuns: 20 },
  )
})
