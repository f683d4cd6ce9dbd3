// What the provider remembers, and how each line of its journal changes it: the same way when the line is written and
// when it is replayed. It must not know about HTTP, nor read a clock.
import { applyCollect, type CollectLine, type CollectState, newCollectState } from '../collections/collect-state.ts'
import { type Due, type DueHeap, openDueHeap } from './due.ts'
import type { Fields } from '../text/fields.ts'
import { type Entry, keyOf, type Move, moved, RAILS, type Rail, type RailEvent } from './orders.ts'
import { type Script, scriptOf } from '../scripts.ts'

/** One item of a file: the order that it made, or a copy of an order that was known before. */
export type FileItem = { readonly reference: string; readonly group: string; readonly isDuplicate: boolean }
export type PaymentFile = {
  readonly id: string
  readonly digest: string
  readonly createdAtMs: number
  readonly items: readonly FileItem[]
}

export type Receiver = {
  readonly id: string
  readonly url: string
  readonly secret: string
  readonly rails: readonly Rail[]
}

/** An event that a receiver has not confirmed. */
export type Undelivered = { readonly key: string; readonly receiver: Receiver; readonly event: RailEvent }

export type ScriptState = {
  readonly script: Script
  /** How many submissions it checked, to find every N-th; how often it played; the orders that it took. */
  seen: number
  played: number
  readonly took: Set<string>
}

export type Line =
  | { readonly entry: Entry }
  | { readonly file: PaymentFile; readonly entries: readonly Entry[] }
  | { readonly move: Move }
  | { readonly faultOf: string }
  | { readonly clockShiftMs: number }
  | { readonly script: { readonly id: string; readonly asked: Fields; readonly createdAtMs: number } }
  | { readonly played: { readonly script: string; readonly took: string | null; readonly seen: number } }
  | { readonly scriptEnded: string }
  | { readonly receiver: Receiver }
  | { readonly receiverEnded: string }
  | { readonly delivered: string }
  | { readonly collect: CollectLine }

export type State = {
  /** By number, from 1: the entry n is at n - 1. */
  readonly entries: Entry[]
  /** The newest entry of each reference. */
  readonly newest: Map<string, number>
  readonly files: Map<string, PaymentFile>
  readonly faults: Set<string>
  readonly railEvents: Readonly<Record<Rail, RailEvent[]>>
  readonly due: DueHeap
  readonly scripts: Map<string, ScriptState>
  readonly receivers: Map<string, Receiver>
  readonly undelivered: Map<string, Undelivered>
  /** Money coming in. */
  readonly collects: CollectState
  clockShiftMs: number
  /** Ids are never used again. */
  scriptCount: number
  receiverCount: number
}

export function newState(): State {
  return {
    entries: [],
    newest: new Map(),
    files: new Map(),
    faults: new Set(),
    railEvents: { sandbox: [], instapay: [], pesonet: [], gcash: [], maya: [] },
    due: openDueHeap(),
    scripts: new Map(),
    receivers: new Map(),
    undelivered: new Map(),
    collects: newCollectState(),
    clockShiftMs: 0,
    scriptCount: 0,
    receiverCount: 0,
  }
}

export function apply(state: State, line: Line): void {
  if ('entry' in line) return applyEntry(state, line.entry)
  if ('move' in line) return applyMove(state, line.move)
  if ('collect' in line) return applyCollect(state.collects, line.collect)
  if ('file' in line) {
    state.files.set(line.file.id, line.file)
    for (const entry of line.entries) applyEntry(state, entry)
  } else if ('faultOf' in line) state.faults.add(line.faultOf)
  else if ('clockShiftMs' in line) state.clockShiftMs = line.clockShiftMs
  else if ('delivered' in line) state.undelivered.delete(line.delivered)
  else if ('receiver' in line || 'receiverEnded' in line) applyReceiver(state, line)
  else applyScript(state, line)
}

function applyEntry(state: State, entry: Entry): void {
  state.entries.push(entry)
  state.newest.set(keyOf(entry), entry.number)
  waitForNext(state, entry)
}

function waitForNext(state: State, entry: Entry): void {
  const [next] = entry.later
  if (next) state.due.push({ atMs: next.atMs, number: entry.number })
}

function applyMove(state: State, move: Move): void {
  const before = state.entries[move.number - 1]
  if (!before) throw new Error(`the journal moves order ${move.number}, which is not there`)
  const entry = moved(before, move)
  state.entries[move.number - 1] = entry
  waitForNext(state, entry)
  const { status, code, message, atMs } = move
  if (status === 'recalled') return
  const { rail } = entry
  const railEvents = state.railEvents[rail]
  const event = { number: railEvents.length + 1, rail, entry: entry.number, status, code, message, atMs }
  railEvents.push(event)
  for (const receiver of state.receivers.values()) {
    if (!receiver.rails.includes(rail)) continue
    const key = `${receiver.id} ${rail} ${event.number}`
    state.undelivered.set(key, { key, receiver, event })
  }
}

function applyReceiver(state: State, line: { readonly receiver: Receiver } | { readonly receiverEnded: string }): void {
  if ('receiver' in line) {
    state.receivers.set(line.receiver.id, line.receiver)
    state.receiverCount += 1
    return
  }
  state.receivers.delete(line.receiverEnded)
  for (const { key, receiver } of state.undelivered.values())
    if (receiver.id === line.receiverEnded) state.undelivered.delete(key)
}

function applyScript(
  state: State,
  line: Extract<Line, { script: unknown } | { played: unknown } | { scriptEnded: string }>,
): void {
  if ('script' in line) {
    const { id, asked, createdAtMs } = line.script
    state.scripts.set(id, { script: scriptOf(id, asked, createdAtMs), seen: 0, played: 0, took: new Set() })
    state.scriptCount += 1
  } else if ('scriptEnded' in line) state.scripts.delete(line.scriptEnded)
  else {
    const known = state.scripts.get(line.played.script)
    if (!known) return
    known.played += 1
    known.seen = line.played.seen
    if (line.played.took !== null) known.took.add(line.played.took)
  }
}

/** The earliest move that is due by now. What is not waited for any more (an order was recalled) is dropped. */
export function nextDue(state: State, nowMs: number): Move | null {
  for (let due = state.due.peek(); due && due.atMs <= nowMs; due = state.due.peek()) {
    state.due.pop()
    const step = stepOf(state, due)
    if (step) return { number: due.number, ...step }
  }
  return null
}

function stepOf(state: State, due: Due) {
  const step = state.entries[due.number - 1]?.later[0]
  return step?.atMs === due.atMs ? step : undefined
}

export const isRail = (text: string): text is Rail => RAILS.some((rail) => rail === text)
