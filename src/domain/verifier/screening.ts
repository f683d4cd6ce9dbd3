// Looks a name up in a list of names, however it is spelled: an index of the words' trigrams finds the words that are like
// those of the name, and of the entries that have such words those are scored that may come to enough. Pure; the index is made once for each list.
import { meanWeight, nameScore, weightOf, wordScore, wordsOf } from './names.ts'

/** One entry of a list: its own id, the names it goes by, and what else it says. */
export type ListEntry = {
  readonly entry: string
  readonly names: readonly string[]
  readonly note: string | null
  /** Dates or years, as the list writes them; absent where it does not say. */
  readonly born?: readonly string[]
  /** ISO 3166-1 alpha-2. */
  readonly countries?: readonly string[]
}

/** An entry that a name is like. */
export type Hit = {
  readonly entry: string
  readonly name: string
  readonly score: number
  readonly note: string | null
  readonly born: readonly string[]
  readonly countries: readonly string[]
}

export type NameIndex = {
  /** `words`: the places of its words. */
  readonly names: readonly { readonly of: ListEntry; readonly name: string; readonly words: readonly number[] }[]
  readonly words: readonly string[]
  /** By word: the places of the names that have it. */
  readonly namesOf: readonly (readonly number[])[]
  /** By trigram: the places of the words that have it. */
  readonly wordsOf: ReadonlyMap<string, readonly number[]>
}

/**
 * Work in small steps, so that whoever takes them can let others run in between: each tells about how many comparisons of two words were
 * done since the one before. Lists are made by callers, and the worst that fits takes many seconds.
 */
export type Steps<T> = Generator<number, T, void>

/** So many numbers that are put into a set or a map are a step, and take no longer than so many comparisons. */
const COUNTED = { numbers: 1_024, as: 64 } as const

function* countedIn(lists: Iterable<readonly number[]>, count: (each: number) => void): Steps<void> {
  let counted = 0
  for (const list of lists)
    for (const each of list) {
      count(each)
      if (++counted % COUNTED.numbers === 0) yield COUNTED.as
    }
}

export function* nameIndex(entries: readonly ListEntry[]): Steps<NameIndex> {
  const places = new Map<string, number>()
  const namesOf: number[][] = []
  const placeOf = (word: string) => {
    const place = places.get(word) ?? namesOf.push([]) - 1
    places.set(word, place)
    return place
  }
  const names: NameIndex['names'][number][] = []
  for (const of of entries)
    for (const name of of.names) {
      const found = wordsOf(name).map(placeOf)
      for (const place of new Set(found)) namesOf[place]?.push(names.length)
      names.push({ of, name, words: found })
      yield found.length
    }
  const words = [...places.keys()]
  const byTrigram = new Map<string, number[]>()
  for (const [place, word] of words.entries()) {
    for (const trigram of trigramsOf(word)) append(byTrigram, trigram, place)
    yield 1
  }
  return { names, words, namesOf, wordsOf: byTrigram }
}

function append(map: Map<string, number[]>, key: string, value: number): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

function trigramsOf(word: string): Set<string> {
  const padded = ` ${word} `
  const found = new Set<string>()
  for (let i = 0; i + 3 <= padded.length; i++) found.add(padded.slice(i, i + 3))
  return found
}

const HITS_MAX = 10

/** A country that both have raises the score, and one that differs lowers it; a name that is nearly the same stays a hit. */
const COUNTRY_POINTS = { same: 5, other: -3 } as const
const NEARLY_SAME = 95

function weighed(score: number, country: string | null, countries: readonly string[]): number {
  if (country === null || countries.length === 0 || score >= NEARLY_SAME) return score
  return Math.min(100, score + (countries.includes(country) ? COUNTRY_POINTS.same : COUNTRY_POINTS.other))
}

/**
 * The entries that the name is like, the likest first; at most ten. `from` is the least score of 100. Whether an entry is a hit depends
 * on it alone: no word is so common that the names which have it are left out, or others would decide who is found.
 */
export function* screened(
  index: NameIndex,
  name: string,
  from: number,
  country: string | null = null,
): Steps<readonly Hit[]> {
  const words = wordsOf(name)
  const mostOf = mostScore(index, words)
  const most = country === null ? 0 : COUNTRY_POINTS.same
  const best = new Map<string, Hit>()
  for (const place of yield* candidatesOf(index, words)) {
    const candidate = index.names[place]
    if (!candidate || (yield* mostOf(candidate.words)) + most < from) continue
    const { of, name: listed } = candidate
    const { born = [], countries = [] } = of
    const score = weighed(nameScore(name, listed), country, countries)
    yield words.length * candidate.words.length
    if (score < from || score <= (best.get(of.entry)?.score ?? 0)) continue
    best.set(of.entry, { entry: of.entry, name: listed, score, note: of.note, born, countries })
  }
  return [...best.values()].toSorted((a, b) => b.score - a.score).slice(0, HITS_MAX)
}

/** Places of the names that have a word like one of these. */
function* candidatesOf(index: NameIndex, words: readonly string[]): Steps<ReadonlySet<number>> {
  const candidates = new Set<number>()
  for (const word of words) {
    const like = yield* likeWords(index, word)
    const having = like.map((place) => index.namesOf[place] ?? [])
    yield* countedIn(having, (each) => candidates.add(each))
  }
  return candidates
}

/**
 * No less than the score of a name by its words, and far less work: thousands have a common word, and few of them another one that is
 * like the rest. What each word adds at most is found once, however many names have it: it makes a pair with one word alone.
 */
function mostScore(
  { words: listed }: NameIndex,
  words: readonly string[],
): (places: readonly number[]) => Steps<number> {
  const own = words.reduce((sum, word) => sum + weightOf(word), 0)
  const letters = words.join('').length
  const known = new Map<number, { readonly adds: number; readonly weight: number; readonly letters: number }>()
  const made = (other: string) => ({
    adds: Math.max(0, ...words.map((word) => wordScore(word, other) * meanWeight(word, other))),
    weight: weightOf(other),
    letters: other.length,
  })
  return function* (places) {
    let [adds, weight, count] = [0, own, 0]
    for (const place of places) {
      const before = known.get(place)
      const word = before ?? made(listed[place] ?? '')
      known.set(place, word)
      if (!before) yield words.length
      adds += word.adds
      weight += word.weight
      count += word.letters
    }
    yield 1
    // Words that are joined otherwise are the same name.
    return count === letters ? 100 : Math.ceil((200 * adds) / weight)
  }
}

/** Words of the index that the word is like: those with a third of its trigrams are compared. */
function* likeWords(index: NameIndex, word: string): Steps<readonly number[]> {
  const trigrams = trigramsOf(word)
  const shared = new Map<number, number>()
  const having = [...trigrams].map((trigram) => index.wordsOf.get(trigram) ?? [])
  yield* countedIn(having, (place) => shared.set(place, (shared.get(place) ?? 0) + 1))
  const least = Math.max(1, Math.floor(trigrams.size / 3))
  const like: number[] = []
  for (const [place, count] of shared) {
    if (count < least) continue
    if (wordScore(word, index.words[place] ?? '') > 0) like.push(place)
    yield 1
  }
  return like
}
