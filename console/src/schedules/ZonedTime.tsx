// A moment on the clocks of a time zone that is not the reader's own.
import { localeOf, useLanguage } from '../words/language.ts'

export function ZonedTime({ at, zone }: { readonly at: string; readonly zone: string }) {
  const language = useLanguage()
  const format = new Intl.DateTimeFormat(localeOf(language), {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: zone,
  })
  return (
    <time dateTime={at} title={`${at} · ${zone}`}>
      {format.format(new Date(at))}
    </time>
  )
}
