// An account's payments of the past, read in pages and taken by a replay one by one: for rehearsals, and for meters that count
// from the first moment what was paid before. Reads only; the write path is not in its way.
import type { KeyLine } from '../../domain/account/key-line.ts'
import { isKept, looksAt } from '../../domain/policy/look.ts'
import { rolledByAt, SPAN_MS } from '../../domain/policy/meters.ts'
import type { Policy } from '../../domain/policy/policy.ts'
import { type CountedMeter, openReplay, type Past, type PastStep } from '../../domain/policy/replay.ts'
import type { Transfer } from '../../domain/transfer/transfer.ts'
import { clockIn } from '../../platform/days.ts'
import type { Result, Session, Statement } from '../../platform/db.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { linesFrom, listKeyLines } from '../../store/accounts/key-lines.ts'
import { usedProfileVersions } from '../../store/policies/approvers.ts'
import { historyEnd, momentAt, paidSteps, pastStepFrom } from '../../store/policies/history.ts'
import { meterId, type SavedMeter, saveMeters } from '../../store/policies/meters.ts'
import { profileFrom } from '../../store/profiles/profiles.ts'

/** So many steps of an account's history are looked at; what was before is as if it had not been. */
const STEPS_MAX = 200_000
const STEPS_AT_ONCE = 2000
const METERS_AT_ONCE = 5000

/** How the past of an account is read. */
export type History = {
  readonly timeZone: string
  /** Its position by now. */
  readonly end: number
  /** What is behind this position is looked at, up to `end`. */
  readonly begin: number
  /** The moment of the first step that is looked at, where there are more before it than are; else null. */
  readonly cutAt: number | null
  /** In whose place those of its keys stand that are not their own: all that paid up to `end` are among them. */
  readonly lines: ReadonlyMap<string, KeyLine>
}

/**
 * How far back policies look: longer than the longest span by one of its steps, for a span reaches over whole ones. Infinity
 * where a recipient may have been paid first at any time.
 */
export function lookBackMs(policies: readonly Policy[]): number {
  const conditions = policies.flatMap(({ when }) => when)
  if (conditions.some(({ field }) => field === 'recipient.new')) return Number.POSITIVE_INFINITY
  const spans = conditions.flatMap((each) =>
    each.field === 'sum' || each.field === 'count' ? [SPAN_MS[each.span]] : [],
  )
  if (looksAt(policies).volumes?.length) spans.push(SPAN_MS['30_days'])
  return Math.max(0, ...spans.map(({ lengthMs, stepMs }) => lengthMs + stepMs))
}

/** Whether any of its conditions asks what was paid before. */
export const looksBack = (policy: Policy): boolean => lookBackMs([policy]) > 0

/** `fromMs`: the first moment that matters; -Infinity for the beginning. */
export async function openHistory(reader: Session, key: AccountKey, fromMs: number): Promise<History> {
  const [found] = await reader.send([historyEnd(key)])
  const row = found?.rows[0]
  if (!row) throw new Error(`account ${key.accountId} is not there`)
  const end = Number(row['position'])
  const first = Math.max(0, end - STEPS_MAX)
  const begin = await behindMoment(reader, key, { first, end, fromMs })
  const cutAt = first > 0 && begin === first ? ((await momentOf(reader, key, first + 1)) ?? null) : null
  const [lines] = await reader.send([listKeyLines(key)])
  return { timeZone: row['time_zone'] as string, end, begin, cutAt, lines: linesFrom(lines?.rows ?? []) }
}

/** The last position before a moment, by halves: times rise with positions. */
async function behindMoment(
  reader: Session,
  key: AccountKey,
  { first, end, fromMs }: { readonly first: number; readonly end: number; readonly fromMs: number },
): Promise<number> {
  if (fromMs === Number.NEGATIVE_INFINITY) return first
  let [before, notBefore] = [first, end + 1]
  while (notBefore - before > 1) {
    const middle = Math.floor((before + notBefore) / 2)
    const atMs = await momentOf(reader, key, middle)
    if (atMs !== undefined && atMs < fromMs) before = middle
    else notBefore = middle
  }
  return before
}

async function momentOf(reader: Session, key: AccountKey, position: number): Promise<number | undefined> {
  const [found] = await reader.send([momentAt(key, position)])
  return found?.rows[0]?.['at'] as number | undefined
}

/** The steps of a history in pages; between two of them others have their turn. */
export async function* stepsOf(
  reader: Session,
  key: AccountKey,
  { begin, end }: Pick<History, 'begin' | 'end'>,
): AsyncGenerator<readonly PastStep[]> {
  for (let after = begin; after < end; after += STEPS_AT_ONCE) {
    const [found] = await reader.send([paidSteps(key, after, Math.min(end, after + STEPS_AT_ONCE))])
    yield stepsIn(key, found)
  }
}

const stepsIn = (key: AccountKey, found: Result | undefined): PastStep[] =>
  (found?.rows ?? []).flatMap((row) => pastStepFrom(key, row) ?? [])

type Since = Map<string, ReadonlyMap<string, number>>
const versionText = (profileId: string, version: number) => `${profileId} ${version}`

/** Reads since when the saved destinations are as they are that these steps paid to, of those that are not known yet. */
export async function learnDestinations(
  reader: Session,
  { lane, accountId }: AccountKey,
  steps: readonly PastStep[],
  known: Since,
): Promise<void> {
  const used = new Map(
    steps.flatMap(({ transfer }) => {
      const by = transfer.terms.recipientProfile
      if (!by?.destination) return []
      const { profile: id, profileVersion: version } = by
      return [[versionText(id, version), { lane, accountId, id, version }] as const]
    }),
  )
  const asked = [...used].flatMap(([name, key]) => (known.has(name) ? [] : [key]))
  if (asked.length === 0) return
  const [found] = await reader.send([usedProfileVersions({ kind: 'one lane', lane }, asked)])
  for (const { id, version, destinations } of (found?.rows ?? []).map(profileFrom))
    known.set(versionText(id, version), new Map(destinations.map((each) => [each.id, each.changedAt])))
}

export function pastIn({ timeZone, lines }: Pick<History, 'timeZone' | 'lines'>, known: Since = new Map()): Past {
  return {
    localOf: (atMs) => clockIn(atMs, timeZone),
    destinationSince: ({ terms: { recipientProfile: used } }: Transfer) =>
      used?.destination
        ? (known.get(versionText(used.profile, used.profileVersion))?.get(used.destination) ?? null)
        : null,
    lineOf: (keyId) => lines.get(keyId) ?? null,
  }
}

/** What a policy counts, ready to be written with the change that brings it into force. */
export type Backfill = {
  /** What was paid since it was counted, and the keys that may have come since: to be loaded while the account is held. */
  readonly load: readonly Statement[]
  /** Writes what the policy looks at, and no policy that was in force did. The same however often it is asked. */
  readonly statements: (loaded: readonly Result[], inForce: readonly Policy[]) => Statement[]
}

/**
 * Counts what an account paid before a policy is in force, so that its limits hold from the first moment. The account is not
 * held meanwhile: only what is paid until it is remains to be counted then.
 */
export async function openBackfill(reader: Session, key: AccountKey, policy: Policy, nowMs: number): Promise<Backfill> {
  const history = await openHistory(reader, key, nowMs - lookBackMs([policy]))
  const replay = openReplay([policy], Number.POSITIVE_INFINITY, pastIn(history))
  for await (const steps of stepsOf(reader, key, history)) for (const step of steps) replay.take(step)
  const counted = replay.meters()
  return {
    load: [paidSteps(key, history.end, null), listKeyLines(key)],
    statements: ([steps, lines], inForce) => {
      const past = pastIn({ ...history, lines: linesFrom(lines?.rows ?? []) })
      const rest = openReplay([policy], Number.POSITIVE_INFINITY, past, counted)
      for (const step of stepsIn(key, steps)) rest.take(step)
      const known = isKept(inForce)
      return savedMeters(
        key,
        rest.meters().filter(({ name }) => !known(name)),
      )
    },
  }
}

function savedMeters({ lane, accountId }: AccountKey, meters: readonly CountedMeter[]): Statement[] {
  const rows: SavedMeter[] = meters.map(({ name, meter }) => ({
    lane,
    accountId,
    meter: meterId(name),
    steps: meter,
    rolledByAt: rolledByAt(meter, name.span),
  }))
  const pages = Math.ceil(rows.length / METERS_AT_ONCE)
  return Array.from({ length: pages }, (_, page) =>
    saveMeters({ kind: 'one lane', lane }, rows.slice(page * METERS_AT_ONCE, (page + 1) * METERS_AT_ONCE)),
  )
}
