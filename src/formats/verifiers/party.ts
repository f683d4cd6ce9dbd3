// Somebody on a published list, whatever form the list has: the names they go by, and what tells them from others.

export type ListedParty = {
  /** The list's own id of the entry. */
  readonly entry: string
  readonly names: readonly string[]
  /** What they are, and why they are on it, in a few words. */
  readonly note: string | null
  /** Dates or years, as the list writes them. */
  readonly born: readonly string[]
  /** ISO 3166-1 alpha-2. */
  readonly countries: readonly string[]
}

/** What a reader tells: parties, and the day on which the list was published once that is known. */
export type Told = ListedParty | { readonly publishedOn: string }

const NOTE_MAX = 300
const NAMES_MAX = 100
const NAME_MAX = 255
const OTHERS_MAX = 10

const CODES = new Map(
  (function* codes() {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    for (let a = 65; a <= 90; a++)
      for (let b = 65; b <= 90; b++) {
        const code = String.fromCharCode(a, b)
        const name = names.of(code)
        if (name !== undefined) yield [name.toLowerCase(), code] as const
      }
  })(),
)
/** As lists write them. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  burma: 'MM',
  'korea, north': 'KP',
  "democratic people's republic of korea": 'KP',
  'iran (islamic republic of)': 'IR',
  'syrian arab republic': 'SY',
  'russian federation': 'RU',
  'democratic republic of the congo': 'CD',
  'congo, democratic republic of the': 'CD',
  'united kingdom of great britain and northern ireland': 'GB',
  'united states of america': 'US',
  'viet nam': 'VN',
  "lao people's democratic republic": 'LA',
  'venezuela (bolivarian republic of)': 'VE',
  'united republic of tanzania': 'TZ',
}

/** The code of a country as a list names it; null for a name that is none. */
function countryCode(text: string): string | null {
  const name = text.trim()
  if (/^[A-Z]{2}$/.test(name)) return name
  const plain = name.toLowerCase()
  return CODES.get(plain) ?? OTHER_NAMES[plain] ?? null
}

type Loose = {
  readonly entry: string
  readonly names: readonly (string | null | undefined)[]
  readonly note?: readonly (string | null | undefined)[]
  readonly born?: readonly string[]
  readonly countries?: readonly string[]
}

/** A party of what a list says, each thing once; null where it names nobody. */
export function party({ entry, names, note = [], born = [], countries = [] }: Loose): ListedParty | null {
  const told = (texts: readonly (string | null | undefined)[]) => [
    ...new Set(
      texts.flatMap((text) => (text ? [text.replaceAll(/\s+/g, ' ').trim()] : [])).filter((text) => text !== ''),
    ),
  ]
  const known = told(names)
    .slice(0, NAMES_MAX)
    .map((name) => name.slice(0, NAME_MAX))
  if (entry === '' || known.length === 0) return null
  const words = told(note).join('; ').slice(0, NOTE_MAX)
  return {
    entry: entry.slice(0, 64),
    names: known,
    note: words === '' ? null : words,
    born: told(born).slice(0, OTHERS_MAX),
    countries: [...new Set(countries.flatMap((each) => countryCode(each) ?? []))].slice(0, OTHERS_MAX),
  }
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A day as lists write it: 2026-01-25…, 25/01/2026, 25-Jan-2026. `isAmerican`: 01/25/2026. Null for what is none. */
export function dayOf(text: string, isAmerican = false): string | null {
  const iso = /\d{4}-\d\d-\d\d/.exec(text)?.[0]
  if (iso !== undefined) return iso
  const [, first = '', second = '', year = ''] = /(\d{1,2})[/.-](\w{1,9})[/.-](\d{4})/.exec(text) ?? []
  const named = MONTHS.indexOf(second.slice(0, 3).toLowerCase()) + 1
  const [day, month] = named > 0 ? [first, String(named)] : isAmerican ? [second, first] : [first, second]
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return /^\d{4}-\d\d-\d\d$/.test(written) && !Number.isNaN(Date.parse(written)) ? written : null
}
