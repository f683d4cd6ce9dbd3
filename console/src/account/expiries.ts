// How long contracts can be paid, in steps that people think in.
import { type Language, localeOf, useLanguage } from '../words/language.ts'

export type Span = { readonly seconds: number; readonly label: string }

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const
const CHOICES = [900, 1800, 3600, 21_600, 86_400, 259_200, 604_800, 1_209_600, 2_592_000]

function labelOf(seconds: number, language: Language): string {
  const [unit, length] = UNITS.find(([, each]) => seconds % each === 0) ?? UNITS[3]
  return new Intl.NumberFormat(localeOf(language), { style: 'unit', unit, unitDisplay: 'long' }).format(
    seconds / length,
  )
}

/** The usual ones, and what is set already where it is none of them. */
export function useSpans(current: number | null = null): readonly Span[] {
  const language = useLanguage()
  const all = current === null || CHOICES.includes(current) ? CHOICES : [...CHOICES, current].toSorted((a, b) => a - b)
  return all.map((seconds) => ({ seconds, label: labelOf(seconds, language) }))
}

export const spanText = (seconds: number | null, spans: readonly Span[], otherwise: string): string =>
  seconds === null ? otherwise : (spans.find((each) => each.seconds === seconds)?.label ?? `${seconds} s`)
