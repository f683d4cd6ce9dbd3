// The countries, as the gateway lists them and as the reader's language calls them.
import { gateway, useRead } from '../gateway.ts'
import { type Language, localeOf, useLanguage } from '../words/language.ts'

type Choice = { readonly value: string; readonly label: string }

export function useCountries(): Choice[] {
  const language = useLanguage()
  const read = useRead(
    ['resources', 'countries'],
    async (signal) => {
      const found = await gateway.resources.get('countries', { signal })
      return 'items' in found ? found.items.map((item) => (item as { readonly code: string }).code) : []
    },
    { staleTime: Number.POSITIVE_INFINITY },
  )
  return (read.data ?? [])
    .map((code) => ({ value: code, label: countryName(code, language) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, localeOf(language)))
}

export function countryName(code: string, language: Language): string {
  return new Intl.DisplayNames([localeOf(language), 'en'], { type: 'region', fallback: 'code' }).of(code) ?? code
}
