// The colours of the payment page, and what it makes of an account's own: the same as src/http/checkout/style.ts and
// src/domain/account/accent.ts have, which a console may not import. A test holds them to one another.

export const THEMES = {
  light: {
    ground: '#eef2f7',
    card: '#ffffff',
    line: '#cfd8e3',
    edge: '#6b7a8f',
    text: '#14202f',
    soft: '#4a5a6e',
    accent: '#0b57c2',
    button: '#0b57c2',
    'ink-button': '#ffffff',
    hover: '#f1f6fd',
    test: '#14202f',
    'ink-test': '#ffd977',
  },
  dark: {
    ground: '#0c1118',
    card: '#151c27',
    line: '#2d394a',
    edge: '#8595aa',
    text: '#e6ecf5',
    soft: '#a8b5c7',
    accent: '#86b8ff',
    button: '#86b8ff',
    'ink-button': '#0a1626',
    hover: '#1c2635',
    test: '#ffd977',
    'ink-test': '#14202f',
  },
} as const

export type Theme = keyof typeof THEMES
export type Accent = {
  readonly button: { readonly background: string; readonly text: string }
  readonly links: Readonly<Record<Theme, string>>
}

/** WCAG AA, for text. */
const CONTRAST_MIN = 4.5
const STEPS = 64
const TOWARDS = { light: '#000000', dark: '#ffffff' } as const

/** #rrggbb in small letters; null for what is none. */
export function colourOf(text: string): string | null {
  const colour = text.trim().toLowerCase()
  return /^#[0-9a-f]{6}$/.test(colour) ? colour : null
}

/** The button has the colour itself, with black or white on it; links have it, or the nearest to it that can be read. */
export function accentOf(colour: string): Accent {
  const isBlack = contrast('#000000', colour) >= contrast('#ffffff', colour)
  return {
    button: { background: colour, text: isBlack ? '#000000' : '#ffffff' },
    links: { light: readable(colour, 'light'), dark: readable(colour, 'dark') },
  }
}

function readable(colour: string, theme: Theme): string {
  const { card, ground, hover } = THEMES[theme]
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(colour, TOWARDS[theme], step / STEPS)
    if ([card, ground, hover].every((each) => contrast(mixed, each) >= CONTRAST_MIN)) return mixed
  }
  return TOWARDS[theme]
}

/** The ratio of WCAG 2.2: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const WEIGHTS = [0.2126, 0.7152, 0.0722] as const

const luminance = (colour: string) =>
  partsOf(colour).reduce((sum, part, place) => sum + (WEIGHTS[place] ?? 0) * linear(part / 255), 0)

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)

const partsOf = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

function mix(colour: string, towards: string, share: number): string {
  const target = partsOf(towards)
  const parts = partsOf(colour).map((part, place) => Math.round(part + ((target[place] ?? 0) - part) * share))
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
