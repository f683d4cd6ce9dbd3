// Screening a name against a list: other spellings are found, other people are not, and a long list costs little.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameScore, wordScore, wordsOf } from '../../../src/domain/verifier/names.ts'
import * as steps from '../../../src/domain/verifier/screening.ts'
import type { Hit, ListEntry, NameIndex, Steps } from '../../../src/domain/verifier/screening.ts'

/** All steps at once: what each tells of the work that it took, and what comes of them. */
function stepped<T>(all: Steps<T>): { readonly took: readonly number[]; readonly made: T } {
  const took: number[] = []
  for (let step = all.next(); ; step = all.next()) {
    if (step.done) return { took, made: step.value }
    took.push(step.value)
  }
}

const nameIndex = (entries: readonly ListEntry[]): NameIndex => stepped(steps.nameIndex(entries)).made
const screened = (index: NameIndex, name: string, from: number, country: string | null = null): readonly Hit[] =>
  stepped(steps.screened(index, name, from, country)).made

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
      expect(all).toEqual(expect.arrayContaining([...found(listed)]))
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

const trigrams = (word: string) => new Set(Array.from(` ${word} `.slice(2), (_, i) => ` ${word} `.slice(i, i + 3)))

/** Words that are looked at: alike, and with a third of the trigrams of the one that is asked about. */
function isLike(word: string, other: string): boolean {
  const own = trigrams(word)
  const shared = [...trigrams(other)].filter((each) => own.has(each)).length
  return shared >= Math.max(1, Math.floor(own.size / 3)) && wordScore(word, other) > 0
}

const slips = fc.tuple(words, fc.nat(9), fc.constantFrom('', 'x', 'l', ' ')).map(([word, at, put]) => {
  return `${word.slice(0, at)}${put}${word.slice(at + 1)}`
})
const slipped = fc.array(fc.oneof(words, slips), { minLength: 1, maxLength: 12 }).map((all) => all.join(' '))

test('hits are those of scoring every name that has a like word: none is passed over for what it may come to', () => {
  fc.assert(
    fc.property(fc.array(slipped, { maxLength: 10 }), slipped, fc.integer({ min: 40, max: 99 }), (all, name, from) => {
      const listed = all.map((each, n) => entry(String(n), each))
      const due = listed.flatMap(({ entry: of, names: [other = ''] }) => {
        const score = nameScore(name, other)
        const isLooked = wordsOf(name).some((word) => wordsOf(other).some((each) => isLike(word, each)))
        return isLooked && score >= from ? [{ of, score }] : []
      })
      const found = screened(nameIndex(listed), name, from).map(({ entry: of, score }) => ({ of, score }))
      const byEntry = (hits: typeof found) => hits.toSorted((a, b) => Number(a.of) - Number(b.of))
      expect(byEntry(found)).toEqual(byEntry(due))
    }),
    { numRuns: 300 },
  )
})

const WORDS = 12
/** Names of twelve words with twenty letters, each two slips away from those of all others. */
const alike = (n: number) =>
  Array.from({ length: WORDS }, (_, w) => {
    const slip = (n * WORDS + w).toString(36).padStart(3, '0')
    return `abcdefghijklmnopq${slip}`
  }).join(' ')

test('the worst list that a caller can make is looked through in small steps, each of which tells what it took', () => {
  const names = Array.from({ length: 60 }, (_, n) => alike(n))
  const making = stepped(steps.nameIndex(names.map((name, n) => entry(String(n), name))))
  const looking = stepped(steps.screened(making.made, alike(0), 50))
  const sum = (took: readonly number[]) => took.reduce((all, each) => all + each, 0)
  expect(looking.made).toHaveLength(10)
  // Each word with each, and each name with each: in one step never more than two names.
  expect(sum(looking.took)).toBeGreaterThan(2 * names.length * WORDS * WORDS)
  expect(Math.max(...looking.took)).toBeLessThanOrEqual(WORDS * WORDS)
  expect(sum(making.took)).toBeGreaterThanOrEqual(2 * names.length * WORDS)
  expect(Math.max(...making.took)).toBeLessThanOrEqual(WORDS)
})

test('a listed word counts once, as it makes one pair: names of one common word are not scored', () => {
  const index = nameIndex(Array.from({ length: 1_000 }, (_, n) => entry(String(n), `Reyes Q${n}uv W${n}xy Z${n}ptt`)))
  const looking = stepped(steps.screened(index, 'Reyes Reyess Reyesa Reyeso', 85))
  expect(looking.made).toEqual([])
  // Scoring one takes sixteen comparisons.
  expect(looking.took).not.toContain(16)
})
