// The colour of an account on the payment page: on its button as it is, with black or white on it; and as the colour of links
// and signs, darkened or lightened until it can be read (WCAG 2.2, 1.4.3 AA). Pure.

/** The least contrast of text, WCAG AA. */
export const CONTRAST_MIN = 4.5

/** The grounds that links stand on, of the two themes of the page. */
const GROUNDS = { light: ['#ffffff', '#eef2f7', '#f1f6fd'], dark: ['#0c1118', '#151c27', '#1c2635'] } as const
const TOWARDS = { light: '#000000', dark: '#ffffff' } as const
const STEPS = 64

export type Theme = keyof typeof GROUNDS

/** What a page shows for a colour. */
export type Accent = {
  readonly button: { readonly background: string; readonly text: string }
  /** Of links and signs. */
  readonly links: Readonly<Record<Theme, string>>
}

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/.test(text)

/** Takes a colour as #rrggbb, in small letters. */
export function accentOf(colour: string): Accent {
  return {
    button: { background: colour, text: inkOn(colour) },
    links: { light: readable(colour, 'light'), dark: readable(colour, 'dark') },
  }
}

/** Black or white, whichever can be read better: of any colour one of them reaches 4.58. */
const inkOn = (colour: string) => (contrast('#000000', colour) >= contrast('#ffffff', colour) ? '#000000' : '#ffffff')

/** The colour itself where it can be read on every ground of the theme; else the nearest step to black or white that can. */
function readable(colour: string, theme: Theme): string {
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(colour, TOWARDS[theme], step / STEPS)
    if (GROUNDS[theme].every((ground) => contrast(mixed, ground) >= CONTRAST_MIN)) return mixed
  }
  return TOWARDS[theme]
}

/** The ratio of WCAG 2.2: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const WEIGHTS = [0.2126, 0.7152, 0.0722] as const

function luminance(colour: string): number {
  return WEIGHTS.reduce((sum, weight, index) => sum + weight * linear((partsOf(colour)[index] ?? 0) / 255), 0)
}

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)

const partsOf = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

function mix(colour: string, towards: string, share: number): string {
  const target = partsOf(towards)
  const parts = partsOf(colour).map((part, index) => Math.round(part + ((target[index] ?? 0) - part) * share))
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
