// Whether two names are of the same person or firm: a score, and the word for it. Pure: the same two names always score alike.

/** As a scored comparison is shown. */
export const NAME_MATCHES = ['match', 'close', 'no_match'] as const
export type NameMatch = (typeof NAME_MATCHES)[number]

/** The least scores, of 100, for the first two words. */
export type Thresholds = { readonly match: number; readonly close: number }
export const THRESHOLDS: Thresholds = { match: 92, close: 70 }

export function matchOf(score: number, { match, close }: Thresholds): NameMatch {
  if (score >= match) return 'match'
  return score >= close ? 'close' : 'no_match'
}

const WORDS_MAX = 12
const CHARACTERS_MAX = 255

/** Titles and forms of firms: they tell nobody apart. */
const SILENT = new Set(
  'mr mrs ms miss dr atty engr sir madam jr sr ii iii iv inc incorporated corp corporation co company ltd limited llc plc opc gmbh sa'.split(
    ' ',
  ),
)

/** The words of a name as they are compared: small letters without accents, in their order. */
export function wordsOf(name: string): string[] {
  const plain = name
    .slice(0, CHARACTERS_MAX)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[øö]/g, 'o')
    .replace(/ł/g, 'l')
    .replace(/đ/g, 'd')
    .replace(/['’.]/g, '')
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const telling = words.filter((word) => !SILENT.has(word))
  return (telling.length > 0 ? telling : words).slice(0, WORDS_MAX)
}

/** Whether a name has a word in it: a dash or a picture is like nobody's name, and unlike nobody's. */
export const isComparable = (name: string | null): name is string => name !== null && wordsOf(name).length > 0

/** How alike two names are, from 0 to 100: in whatever order, with initials, small slips and joined words. */
export function nameScore(one: string, other: string): number {
  const [a, b] = [wordsOf(one), wordsOf(other)]
  if (a.length === 0 || b.length === 0) return 0
  if (a.toSorted().join(' ') === b.toSorted().join(' ') || a.join('') === b.join('')) return 100
  const weight = (words: readonly string[]) => words.reduce((sum, word) => sum + weightOf(word), 0)
  return Math.round((100 * 2 * pairedWeight(a, b)) / (weight(a) + weight(b)))
}

/** A short word says less than a long one, and an initial least. */
export const weightOf = (word: string) => (word.length === 1 ? 0.4 : Math.min(1, 0.6 + word.length / 20))

export const meanWeight = (one: string, other: string) => (weightOf(one) + weightOf(other)) / 2

/** The weight of the words that both have alike, each counted once: the best pairs first. */
function pairedWeight(a: readonly string[], b: readonly string[]): number {
  const pairs = a.flatMap((one, i) => b.map((other, j) => ({ i, j, alike: wordScore(one, other) })))
  const [usedOfA, usedOfB] = [new Set<number>(), new Set<number>()]
  let sum = 0
  for (const { i, j, alike } of pairs.filter((pair) => pair.alike > 0).toSorted((x, y) => y.alike - x.alike)) {
    if (usedOfA.has(i) || usedOfB.has(j)) continue
    usedOfA.add(i)
    usedOfB.add(j)
    sum += alike * meanWeight(a[i] ?? '', b[j] ?? '')
  }
  return sum
}

const ALIKE_MIN = 0.86
const INITIAL = 0.6

/** How alike two words are, from 0 to 1. Below a bound they are two different words. */
export function wordScore(one: string, other: string): number {
  if (one === other) return 1
  if (one.length === 1 || other.length === 1) return one.charAt(0) === other.charAt(0) ? INITIAL : 0
  if (mostAlike(one, other) < ALIKE_MIN) return 0
  const alike = jaroWinkler(one, other)
  return alike >= ALIKE_MIN ? alike : 0
}

/** No less than the measure of two words, by the letters alone that both have: most pairs of words are nothing alike. */
function mostAlike(one: string, other: string): number {
  let common = 0
  for (let i = 0; i < one.length; i++) if (other.includes(one.charAt(i))) common++
  const jaro = (common / one.length + Math.min(1, common / other.length) + 1) / 3
  return common === 0 ? 0 : jaro + prefixOf(one, other) * 0.1 * (1 - jaro)
}

function prefixOf(one: string, other: string): number {
  let prefix = 0
  while (prefix < 4 && prefix < one.length && one[prefix] === other[prefix]) prefix++
  return prefix
}

/** Jaro and Winkler's measure: letters in common near the same place, swapped ones counted half, a common beginning more. */
export function jaroWinkler(one: string, other: string): number {
  const jaro = jaroOf(one, other)
  return jaro + prefixOf(one, other) * 0.1 * (1 - jaro)
}

function jaroOf(one: string, other: string): number {
  const reach = Math.max(0, Math.floor(Math.max(one.length, other.length) / 2) - 1)
  const taken = Array.from({ length: other.length }, () => false)
  const [ofOne, placesInOther]: [string[], number[]] = [[], []]
  for (let i = 0; i < one.length; i++) {
    const end = Math.min(other.length - 1, i + reach)
    for (let j = Math.max(0, i - reach); j <= end; j++) {
      if (taken[j] || one[i] !== other[j]) continue
      taken[j] = true
      ofOne.push(one.charAt(i))
      placesInOther.push(j)
      break
    }
  }
  const common = ofOne.length
  if (common === 0) return 0
  const ofOther = placesInOther.toSorted((x, y) => x - y).map((place) => other.charAt(place))
  const swapped = ofOne.filter((letter, place) => letter !== ofOther[place]).length / 2
  return (common / one.length + common / other.length + (common - swapped) / common) / 3
}

const HIDDEN_MAX = 5

/** A name of which only the initials are told: "M••••• S•••••". */
export function masked(name: string): string {
  return name
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => {
      const letters = Array.from(word)
      return `${letters[0] ?? ''}${'•'.repeat(Math.min(HIDDEN_MAX, Math.max(1, letters.length - 1)))}`
    })
    .join(' ')
}
