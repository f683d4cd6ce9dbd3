// The processes of one start: begun one after the other, replaced where one dies, ended together. Knows nothing of what they do.
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StopManner } from '../../http/connections/drain.ts'
import type { Log } from '../../platform/log.ts'
import type { Ready, Report } from './messages.ts'
import { openOutbox } from './outbox.ts'
import type { Place } from './place.ts'
import { LOOK_EVERY_MS, openPulse, type Pulse } from './pulse.ts'
import type { Member, Together } from './together.ts'

/** One of the processes could not begin; the words are its own. */
export class ProcessFailed extends Error {
  override readonly name = 'ProcessFailed'
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** How a replacement of all of them ended: as it should; by one that did not begin, so that the old ones go on; by a stop. */
export type Replaced = 'all replaced' | 'one did not begin' | 'stopping'

export type Children = {
  /** Begins the process of this number, and resolves when it is ready. Throws {@link ProcessFailed}. */
  readonly start: (number: number) => Promise<Ready>
  /** Each is replaced by a new one that is ready before the old one ends. */
  readonly replaceAll: () => Promise<Replaced>
  /** Resolves when a newer release has changed the schema; with the migration's name. */
  readonly outdated: Promise<string>
  /** Has all of them end in order, and waits for that. */
  readonly stop: () => Promise<void>
}

const AGAIN_MIN_MS = 500
const AGAIN_MAX_MS = 15_000
/** One that has been ready for so long did not die of what it began with. */
const LIVED_MS = 10_000
/** One that is not ready by then hangs, and whoever waits for its turn with it. The schema and the database were seen to before. */
const READY_WITHIN_MS = 60_000
/** What one that has ended said last is read within this. */
const LAST_WORDS_WITHIN_MS = 5000

type Child = Member & {
  readonly ready: Promise<Ready>
  readonly pulse: Pulse
  readonly ended: Promise<void>
  readonly leave: (manner: StopManner) => Promise<void>
  readonly kill: () => void
}

type State = {
  readonly placeOf: (number: number) => Place
  /** So long each of them may take to end. */
  readonly endsWithinMs: number
  readonly log: Log
  readonly together: Together
  /** All that have not ended. */
  readonly all: Set<Child>
  /** Those that are ready, by their number: whoever takes another one's place here has that one leave. */
  readonly serving: Map<number, Child>
  /** Of all that were ever begun. */
  readonly numbers: Set<number>
  /** They begin one after the other: each sees to the schema and the logins, as any gateway does. */
  turn: Promise<unknown>
  isStopping: boolean
  readonly onOutdated: (migration: string) => void
}

type Given = Pick<State, 'placeOf' | 'endsWithinMs' | 'together' | 'log'>

export function openChildren(given: Given): Children {
  // As JSON a figure that is no number would come as nothing.
  cluster.setupPrimary({ serialization: 'advanced' })
  let tellOutdated: (migration: string) => void = () => undefined
  const outdated = new Promise<string>((resolve) => (tellOutdated = resolve))
  const none = { all: new Set<Child>(), serving: new Map<number, Child>(), numbers: new Set<number>() }
  const state: State = { ...given, ...none, onOutdated: tellOutdated, turn: Promise.resolve(), isStopping: false }
  // Whoever is impatient, or waits in vain, ends all of them.
  process.once('exit', () => {
    if (state.isStopping) for (const child of state.all) child.kill()
  })
  let replacing: Promise<Replaced> | null = null
  return {
    start: async (number) => (await inTurn(state, () => begin(state, number))).ready,
    outdated,
    replaceAll: () => {
      replacing ??= replaceAll(state).finally(() => (replacing = null))
      return replacing
    },
    stop: async () => {
      state.isStopping = true
      await Promise.all([...state.all].map((child) => child.leave('for good')))
    },
  }
}

function inTurn<T>(state: State, work: () => Promise<T>): Promise<T> {
  const done = state.turn.then(work)
  state.turn = done.catch(() => undefined)
  return done
}

/** `former`: whose place it has taken; that one serves on. */
type Begun = { readonly ready: Ready; readonly former: Child | undefined }

async function begin(state: State, number: number): Promise<Begun> {
  if (state.isStopping) throw new ProcessFailed('stopping', 'The gateway is stopping.')
  state.numbers.add(number)
  const child = launch(state, state.placeOf(number))
  state.all.add(child)
  void child.ended.then(() => state.all.delete(child))
  const ready = await readyInTime(child, state.log)
  watch(child, state.log)
  const readyMs = performance.now()
  const former = state.serving.get(number)
  state.serving.set(number, child)
  state.together.join(child)
  void child.ended.then(() => {
    state.together.leave(child)
    if (state.serving.get(number) === child) state.serving.delete(number)
    if (child.isLeaving() || state.isStopping) return
    state.log.error({ number, lived_ms: Math.round(performance.now() - readyMs) }, 'a process died and is replaced')
    for (const other of state.serving.values()) other.send({ kind: 'gone', processId: ready.processId })
    void startAgain(state, number, performance.now() - readyMs < LIVED_MS ? AGAIN_MIN_MS : 0)
  })
  return { ready, former }
}

/** Ends one that hangs at its start. Throws {@link ProcessFailed}. */
async function readyInTime(child: Child, log: Log): Promise<Ready> {
  const late = setTimeout(() => {
    log.error({ number: child.number, within_ms: READY_WITHIN_MS }, 'a process is not ready in time, and is ended')
    child.kill()
  }, READY_WITHIN_MS)
  try {
    return await child.ready
  } finally {
    clearTimeout(late)
  }
}

/** Ends one that stands still, or does not end when it is told to: whoever waits for it would wait for ever. */
function watch(child: Child, log: Log): void {
  const looks = setInterval(() => {
    const found = child.pulse.look()
    if (found === 'ask') child.send({ kind: 'ping' })
    if (found === 'ask' || found === 'wait') return
    clearInterval(looks)
    log.error({ number: child.number }, LOST_WORDS[found])
    child.kill()
  }, LOOK_EVERY_MS).unref()
  void child.ended.then(() => clearInterval(looks))
}

const LOST_WORDS = {
  'stands still': 'a process stands still, and is ended',
  'does not end': 'a process does not end in time, and is ended at once',
}

async function startAgain(state: State, number: number, pauseMs: number): Promise<void> {
  for (let nextMs = pauseMs; !state.isStopping; nextMs = Math.min(Math.max(nextMs * 2, AGAIN_MIN_MS), AGAIN_MAX_MS)) {
    await sleep(nextMs, undefined, { ref: false })
    try {
      return await inTurn(state, () => beginIfNone(state, number))
    } catch (fault) {
      if (!state.isStopping) state.log.error({ err: fault, number }, 'a process cannot be replaced yet')
    }
  }
}

/** One that died while it was being replaced has its successor by now. */
async function beginIfNone(state: State, number: number): Promise<void> {
  if (!state.serving.has(number)) await begin(state, number)
}

async function replaceAll(state: State): Promise<Replaced> {
  // Also one that is dead at the moment: what is begun for it already may be what was on the disk before.
  for (const number of state.numbers) {
    let begun: Begun
    try {
      begun = await inTurn(state, () => begin(state, number))
    } catch (fault) {
      if (state.isStopping) return 'stopping'
      state.log.error({ err: fault, number }, 'a new process did not begin: the old ones go on')
      return 'one did not begin'
    }
    await begun.former?.leave('for others')
    state.log.info({ number }, 'a process was replaced')
  }
  return state.isStopping ? 'stopping' : 'all replaced'
}

function launch({ endsWithinMs, together, onOutdated }: State, place: Place): Child {
  const worker = cluster.fork()
  let ordered: StopManner | null = null
  // Its last words may be read after it has ended.
  const disconnected = once(worker, 'disconnect').catch(() => undefined)
  const ended = once(worker, 'exit').then(async () => {
    await Promise.race([disconnected, sleep(LAST_WORDS_WITHIN_MS, undefined, { ref: false })])
  })
  // Whom a message does not reach has ended, which is heard of by itself.
  const send = openOutbox((order, taken) => void (worker.isConnected() && worker.send(order, taken)))
  const pulse = openPulse(endsWithinMs)
  const ready = new Promise<Ready>((resolve, reject) => {
    worker.on('message', (report: Report) => {
      // What was said to it before it listened has reached nobody.
      if (report.kind === 'here') send(ordered === null ? { kind: 'begin', place } : { kind: 'stop', manner: ordered })
      else if (report.kind === 'pong') pulse.answered()
      else if (report.kind === 'ready') resolve(report.ready)
      else if (report.kind === 'failed') reject(new ProcessFailed(report.code, report.message))
      else if (report.kind === 'outdated') onOutdated(report.migration)
      else together.heard(child, report)
    })
    void ended.then(() => reject(new ProcessFailed('process_ended', endWords(place, worker))))
  })
  // Who waits for it is told; nobody does where it is replaced while the gateway stops.
  ready.catch(() => undefined)
  const child: Child = {
    number: place.number,
    ready,
    pulse,
    ended,
    send,
    leave: (manner) => {
      ordered = manner
      pulse.leaves()
      send({ kind: 'stop', manner })
      return ended
    },
    kill: () => void worker.process.kill('SIGKILL'),
    isLeaving: () => ordered !== null,
  }
  return child
}

function endWords({ number, of }: Place, { process: { exitCode, signalCode } }: Worker): string {
  return `Process ${number} of ${of} ended before it was ready (${signalCode ?? `exit code ${exitCode}`}); what it said is above.`
}
