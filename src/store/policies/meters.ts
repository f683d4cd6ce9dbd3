// Meters of policies as they are stored: by a hash of what is counted, with their steps as JSON.
import { type Meter, type MeterName, meterText } from '../../domain/policy/meters.ts'
import { forRows, insertRows, json, time, uuid } from '../../platform/columns.ts'
import type { Row } from '../../platform/db.ts'
import { hash128 } from '../../platform/hashes.ts'
import { OWNER } from '../columns.ts'
import type { AccountKey } from '../accounts/accounts.ts'

/** 128 bits of the SHA-256 of what is counted, as a UUID. */
export const meterId = (name: MeterName): string => hash128(meterText(name))

export type MeterKey = AccountKey & { readonly meter: string }
export type StoredMeter = MeterKey & { readonly steps: Meter }
/** With the moment from which on nothing looks back to it; null where it is kept for ever. */
export type SavedMeter = StoredMeter & { readonly rolledByAt: number | null }

const METER_KEY = { ...OWNER, meter: uuid((row: MeterKey) => row.meter) }

export const loadMeters = forRows(
  'load_meters',
  METER_KEY,
  (keys) => `select m.lane, m.account_id, m.meter, m.steps
     from ${keys}
     join policy_meters m on m.lane = x.lane and m.account_id = x.account_id and m.meter = x.meter
    where $lane(m)`,
)

type StoredStep = readonly [step: number, sumMinor: string, count: number]

export function meterFrom(row: Row): StoredMeter {
  const steps = row['steps'] as readonly StoredStep[]
  return {
    lane: row['lane'] as number,
    accountId: row['account_id'] as string,
    meter: row['meter'] as string,
    steps: steps.map(([step, sumMinor, count]) => ({ step, sumMinor: BigInt(sumMinor), count })),
  }
}

const stored = (meter: Meter): StoredStep[] =>
  meter.map(({ step, sumMinor, count }) => [step, sumMinor.toString(), count])

export const saveMeters = insertRows(
  'save_meters',
  'policy_meters',
  {
    ...METER_KEY,
    steps: json((row: SavedMeter) => stored(row.steps)),
    rolled_by_at: time((row: SavedMeter) => row.rolledByAt),
  },
  'on conflict (lane, account_id, meter) do update set steps = excluded.steps, rolled_by_at = excluded.rolled_by_at',
)
