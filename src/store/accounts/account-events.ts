// Events of an account that are no contract's, as they are appended to its history.
import { int8, insertRows, json, text, time, uuid } from '../../platform/columns.ts'
import type { AccountEvent } from '../../domain/account/events.ts'
import { OWNER } from '../columns.ts'
import type { AccountKey } from './accounts.ts'

export type PlacedEvent = AccountKey & AccountEvent & { readonly position: number }

export const insertAccountEvents = insertRows('insert_account_events', 'account_events', {
  ...OWNER,
  position: int8((row: PlacedEvent) => row.position),
  id: uuid((row: PlacedEvent) => row.id),
  type: text((row: PlacedEvent) => row.event),
  subject: text((row: PlacedEvent) => row.subject),
  at: time((row: PlacedEvent) => row.at),
  object: json((row: PlacedEvent) => row.object),
})
