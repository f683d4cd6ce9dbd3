// Counting an account's history into its figures, and noting which of its contracts wait for somebody: a page at a time, so that a
// command writes nothing for it. The position stands in the same transaction as what was counted: nothing is lost or counted twice.
import { mattersOf } from '../../domain/account/attention.ts'
import { addedFigures, type FigureRow, figureOf, figuresOf } from '../../domain/account/figures.ts'
import { type ChannelBook, inbound, versionIn } from '../../domain/channel/channel.ts'
import type { Contract } from '../../domain/contract/contract.ts'
import { byBook } from '../../engine/execute.ts'
import { dayIn } from '../../platform/days.ts'
import type { Session, Statement, Stored } from '../../platform/db.ts'
import { scopeOf } from '../../platform/scope.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import { type MatterRow, saveMatters } from '../../store/accounts/attention.ts'
import {
  addFigures,
  type Counted,
  countedFrom,
  countedProgress,
  deleteFigures,
  holdProgress,
  saveProgress,
  type Step,
  stepFrom,
  stepsToCount,
} from '../../store/accounts/figures.ts'
import type { SearchSession } from '../resources/indexing.ts'

/** Steps of history in one transaction. */
const STEPS_AT_ONCE = 250

export type FigureDeps = { readonly search: SearchSession; readonly channels: Pick<ChannelBook, 'at' | 'readAgain'> }

/** `atMs`: when the last step that was counted happened; null where none was looked at just now. */
export type FiguresProgress = Counted & { readonly atMs: number | null }

/** Counts the next page of an account's history; where it stands after that. */
export async function countPage({ search, channels }: FigureDeps, key: AccountKey): Promise<FiguresProgress> {
  return search.run((own) => byBook(channels, () => pageOf(own, channels, key)))
}

function pageOf(session: Session, channels: FigureDeps['channels'], key: AccountKey): Promise<FiguresProgress> {
  const load = [holdProgress(key), countedProgress(key), stepsToCount(key, STEPS_AT_ONCE)]
  return session.transaction(load, ([, progress, steps]) => {
    const before = countedFrom(progress?.rows[0])
    if (before.timeZone !== before.wantedZone) return begunAnew(key, before)
    const rows = (steps?.rows ?? []).map((row) => stepFrom(key, row))
    const last = rows.at(-1)
    if (!last) return { statements: [], value: { ...before, atMs: null } }
    const statements = [
      ...figureStatements(key, rows, before.timeZone),
      ...matterStatements(key, rows, channels),
      saveProgress(key, last.position, before.timeZone),
    ]
    const counted = { ...before, counted: last.position, position: Math.max(before.position, last.position) }
    return { statements, value: { ...counted, atMs: last.atMs } }
  })
}

/** Days of another time zone are other days: all of them are counted again from the beginning. */
function begunAnew(key: AccountKey, before: Counted): Stored<FiguresProgress> {
  const { wantedZone } = before
  const value = { ...before, timeZone: wantedZone, counted: 0, atMs: null }
  return { statements: [deleteFigures(key), saveProgress(key, 0, wantedZone)], value }
}

function figureStatements(key: AccountKey, steps: readonly Step[], timeZone: string): Statement[] {
  const rows = new Map<string, FigureRow>()
  for (const { atMs, contract, before } of steps) {
    const figures = contract && figuresOf(before, contract)
    if (!figures) continue
    const of = { day: dayIn(atMs, timeZone), ...figureOf(contract) }
    const place = Object.values(of).join('\n')
    const known = rows.get(place)
    rows.set(place, { ...of, figures: known ? addedFigures(known.figures, figures) : figures })
  }
  return rows.size === 0
    ? []
    : [
        addFigures(
          scopeOf([key]),
          [...rows.values()].map((row) => ({ ...key, ...row })),
        ),
      ]
}

/** Of several versions of a contract in a page the last one says how it stands. */
function matterStatements(key: AccountKey, steps: readonly Step[], channels: FigureDeps['channels']): Statement[] {
  const newest = new Map<string, Contract>()
  // What stands for a document is superseded: the newest version comes later.
  for (const { contract, hasLeft } of steps) if (contract && !hasLeft) newest.set(contract.id, contract)
  if (newest.size === 0) return []
  const rows: MatterRow[] = [...newest.values()].flatMap((contract) =>
    mattersOf(contract, channelOf(contract, channels)).map((matter) => ({ ...matter, contractId: contract.id })),
  )
  return saveMatters(key, [...newest.keys()], rows)
}

function channelOf({ kind, terms, channelVersion }: Contract, channels: FigureDeps['channels']) {
  if (terms.channelId === null || channelVersion === null) return null
  const channel = versionIn(channels, terms.channelId, channelVersion)
  return kind === 'payment' ? inbound(channel) : channel
}

/** What one request takes in at most; the worker goes on where more was written at once. */
const PAGES_AT_ONCE = 8

/** Counts what happened last, so that it is in what is read next. Where it stands; behind only where much was written at once. */
export async function catchUpFigures(deps: FigureDeps, key: AccountKey): Promise<FiguresProgress> {
  const [row] = await deps.search.run((own) => own.send([countedProgress(key)]))
  let progress: FiguresProgress = { ...countedFrom(row?.rows[0]), atMs: null }
  for (let page = 0; page < PAGES_AT_ONCE && isBehind(progress); page++) progress = await countPage(deps, key)
  return progress
}

/** Whether there is history that is not counted, or counted by the days of another time zone. */
export const isBehind = ({ counted, position, timeZone, wantedZone }: Counted): boolean =>
  counted < position || timeZone !== wantedZone
