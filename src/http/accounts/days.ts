// The days that a query asks for, as YYYY-MM-DD, with a bound on how many.
import { invalid, refuseAll } from '../../domain/contract/refusals.ts'
import { RefusedRequest } from '../errors.ts'

const DAY_MS = 86_400_000

type Bounds = { readonly default: number; readonly max: number }

/** The days from the first to the last, both included; so many up to today where nothing is said. Throws where they are no such days. */
export function daysOf(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  today: string,
  bounds: Bounds,
): string[] {
  const last = startOf('to', to ?? today)
  const first = from === undefined ? last - (bounds.default - 1) * DAY_MS : startOf('from', from)
  const count = (last - first) / DAY_MS + 1
  if (count < 1) throw refused('from', 'from is later than to. Change one of them.')
  if (count > bounds.max) throw refused('from', `from to to are more than ${bounds.max} days. Ask for fewer.`)
  return Array.from({ length: count }, (_, i) => dayOf(first + i * DAY_MS))
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

function startOf(param: string, text: string): number {
  const moment = Date.parse(`${text}T00:00:00Z`)
  // 31 June is no day.
  if (Number.isNaN(moment) || dayOf(moment) !== text)
    throw refused(param, `${param} ${text} is no day. Give YYYY-MM-DD.`)
  return moment
}

const refused = (param: string, message: string) => new RefusedRequest(refuseAll([invalid(param, message)]))
