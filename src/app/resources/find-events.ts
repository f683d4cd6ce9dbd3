// Events by the first digits of their id, which are those of the contract that they are about.
import { idOfEvent, type AnyEventType, type FoundEvent } from '../../domain/account/events.ts'
import { idRange } from '../../domain/resource/terms.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { type EventRange, eventsInRange, storedEventFrom } from '../../store/contracts/events.ts'
import type { SearchSession } from './indexing.ts'

/** Reads a query for events; null for what is no id and no beginning of one. */
export function eventsAsked(query: string): EventRange | null {
  const digits = query
    .trim()
    .toLowerCase()
    .replace(/^evt_/, '')
    .replace(/_\d{1,9}$/, '')
    .replaceAll('-', '')
  // The first part takes all that it can: a number follows none but a whole id.
  const [, id, number = ''] = /^([0-9a-f]{8,32})(\d{0,9})$/.exec(digits) ?? []
  if (id === undefined) return null
  return { ...idRange(id), sequence: number.length >= NUMBER_DIGITS ? Number(number) : null }
}

const NUMBER_DIGITS = 4

export type EventPage = { readonly events: readonly FoundEvent[]; readonly next: string | null }

const NEWEST = { id: 'ffffffff-ffff-ffff-ffff-ffffffffffff', sequence: 2_147_483_647 }

/** A page of events of these types, newest first. */
export async function findEvents(
  session: SearchSession,
  key: AccountKey,
  range: EventRange,
  { types, before, limit }: { types: readonly AnyEventType[]; before: typeof NEWEST | null; limit: number },
): Promise<EventPage> {
  const statement = eventsInRange(key, range, types, before ?? NEWEST, limit + 1)
  const [result] = await session.run((own) => own.send([statement]))
  const found = (result?.rows ?? []).map(storedEventFrom)
  const events = found.slice(0, limit)
  const last = events.at(-1)
  return { events, next: found.length > limit && last ? idOfEvent(last) : null }
}
