// Looks a name up in a list of names, however it is spelled: an index of the words' trigrams finds the words that are like
// those of the name, and only the entries that have such words are scored. Pure; the index is made once for each list.
import { nameScore, wordScore, wordsOf } from './names.ts'

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
  readonly names: readonly { readonly of: ListEntry; readonly name: string }[]
  readonly words: readonly string[]
  /** By word: the places of the names that have it. */
  readonly namesOf: readonly (readonly number[])[]
  /** By trigram: the places of the words that have it. */
  readonly wordsOf: ReadonlyMap<string, readonly number[]>
}

export function nameIndex(entries: readonly ListEntry[]): NameIndex {
  const names = entries.flatMap((entry) => entry.names.map((name) => ({ of: entry, name })))
  const places = new Map<string, number[]>()
  names.forEach(({ name }, place) => {
    for (const word of new Set(wordsOf(name))) append(places, word, place)
  })
  const words = [...places.keys()]
  const byTrigram = new Map<string, number[]>()
  words.forEach((word, place) => {
    for (const trigram of trigramsOf(word)) append(byTrigram, trigram, place)
  })
  return { names, words, namesOf: [...places.values()], wordsOf: byTrigram }
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
/** A word that so many names have tells nobody apart: names that share nothing else are not looked at. */
const COMMON_MIN = 2_000

/** A country that both have raises the score, and one that differs lowers it; a name that is nearly the same stays a hit. */
const COUNTRY_POINTS = { same: 5, other: -3 } as const
const NEARLY_SAME = 95

function weighed(score: number, country: string | null, countries: readonly string[]): number {
  if (country === null || countries.length === 0 || score >= NEARLY_SAME) return score
  return Math.min(100, score + (countries.includes(country) ? COUNTRY_POINTS.same : COUNTRY_POINTS.other))
}

/** The entries that the name is like, the likest first; at most ten. `from` is the least score of 100. */
export function screened(index: NameIndex, name: string, from: number, country: string | null = null): Hit[] {
  const words = wordsOf(name)
  const candidates = new Map<number, number>()
  const common: number[][] = []
  for (const word of words)
    for (const place of likeWords(index, word)) {
      const having = index.namesOf[place] ?? []
      if (having.length > COMMON_MIN && words.length > 1) common.push([...having])
      else for (const each of having) candidates.set(each, (candidates.get(each) ?? 0) + 1)
    }
  if (candidates.size === 0) for (const each of common.flat()) candidates.set(each, 1)
  const best = new Map<string, Hit>()
  for (const place of candidates.keys()) {
    const candidate = index.names[place]
    if (!candidate) continue
    const { of, name: listed } = candidate
    const { born = [], countries = [] } = of
    const score = weighed(nameScore(name, listed), country, countries)
    if (score < from || score <= (best.get(of.entry)?.score ?? 0)) continue
    best.set(of.entry, { entry: of.entry, name: listed, score, note: of.note, born, countries })
  }
  return [...best.values()].toSorted((a, b) => b.score - a.score).slice(0, HITS_MAX)
}

/** Words of the index that the word is like: those with a third of its trigrams are compared. */
function likeWords(index: NameIndex, word: string): number[] {
  const trigrams = trigramsOf(word)
  const shared = new Map<number, number>()
  for (const trigram of trigrams)
    for (const place of index.wordsOf.get(trigram) ?? []) shared.set(place, (shared.get(place) ?? 0) + 1)
  const least = Math.max(1, Math.floor(trigrams.size / 3))
  return [...shared].flatMap(([place, count]) =>
    count >= least && wordScore(word, index.words[place] ?? '') > 0 ? [place] : [],
  )
}
