// What one connection of the load generator does from its start to its end: closed loop, the next request after the
// response. Knows requests and counting, no processes.
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { type Connection, openConnection } from './load-connection.ts'
import { openTemplate, readList, type Template, type Values, type Widths } from './load-requests.ts'
import type { Counting } from './load-tally.ts'
import type { Plan, Work } from '../plan.ts'

const NO_VALUES = { id: '', key: '' }
const ID_LENGTH = 36

/** Where requests get their values from: nothing more to send is null. */
type Supply = { readonly next: () => Values | null; readonly used: () => number; readonly widths: Widths }

/** Opens the connections; resolves with what starts them all, which resolves when the last has ended. */
export async function openDrivers(
  plan: Plan,
  counting: Counting,
  onFault: (message: string) => void,
): Promise<{ readonly run: () => Promise<void>; readonly listUsed: () => number }> {
  const { work } = plan
  const { used, open } = workersOf(work, counting)
  const drivers: Driver[] = []
  for (let i = 0; i < plan.connections; i++) {
    const driver = open()
    const connection = await openConnection(plan.port, { onResponse: driver.receive, onFault })
    drivers.push({ ...driver, begin: () => driver.begin(connection) })
  }
  return {
    run: async () => void (await Promise.all(drivers.map((driver) => driver.begin()))),
    listUsed: used,
  }
}

/** How each connection works; what they take from is theirs together. */
function workersOf(work: Work, counting: Counting): { readonly used: () => number; readonly open: () => Unbound } {
  if (work.kind === 'whole') {
    const { next, used } = wholeOf(work)
    return { used, open: () => repeated(next, counting) }
  }
  const supply = supplyOf(work)
  const { used, widths } = supply
  if (work.kind === 'lifecycle') return { used, open: () => lifecycle(work, counting, supply) }
  return {
    used,
    open: () => {
      const template = openTemplate(work.request, widths)
      const next = () => {
        const values = supply.next()
        return values && template(values)
      }
      return repeated(next, counting)
    },
  }
}

/** Requests as they stand in a file. */
function wholeOf({ path, requestBytes, order }: Extract<Work, { kind: 'whole' }>) {
  const all = readFileSync(path)
  const count = Math.floor(all.length / requestBytes)
  const isAround = order === 'around'
  let used = 0
  return {
    used: () => used,
    next: (): Buffer | null => {
      const at = (isAround ? used % count : used) * requestBytes
      if (at >= count * requestBytes) return null
      used++
      return all.subarray(at, at + requestBytes)
    },
  }
}

type Driver = { readonly begin: () => Promise<void> }
type Unbound = {
  readonly begin: (connection: Connection) => Promise<void>
  readonly receive: (status: number, body: Buffer) => void
}

function supplyOf(work: Exclude<Work, { kind: 'whole' }>): Supply {
  let used = 0
  if (work.kind !== 'listed') {
    const widths = { id: ID_LENGTH, key: 0 }
    return { next: () => ({ ...NO_VALUES, count: ++used }), used: () => 0, widths }
  }
  const list = readList(work.listPath)
  const isAround = work.order === 'around'
  return {
    next: () => {
      const line = list[isAround ? used % list.length : used]
      if (!line) return null
      used++
      return { ...line, count: used }
    },
    used: () => used,
    widths: { id: list[0]?.id.length ?? 0, key: list[0]?.key.length ?? 0 },
  }
}

/** One request after the other, until there is none left or the time is over. */
function repeated(next: () => Buffer | null, counting: Counting): Unbound {
  let connection: Connection
  let startedAt = 0
  let ended: () => void = () => undefined
  const step = () => {
    const request = counting.isOver() ? null : next()
    if (!request) {
      connection.end()
      return ended()
    }
    startedAt = performance.now()
    connection.send(request)
  }
  return {
    begin: (opened) =>
      new Promise((resolve) => {
        connection = opened
        ended = resolve
        step()
      }),
    receive: (status, body) => {
      counting.response(status, body)
      counting.unit(startedAt)
      step()
    },
  }
}

const ID_BEFORE = '"contract":{"id":"'
const POLL_PAUSE_MS = 10

/** Create, issue, pay, then read until it is completed: one unit. */
function lifecycle(work: Extract<Work, { kind: 'lifecycle' }>, counting: Counting, supply: Supply): Unbound {
  const steps = [work.create, work.issue, work.pay, work.get]
  const templates = steps.map((text) => openTemplate(text, supply.widths))
  const last = templates.length - 1
  let connection: Connection
  let ended: () => void = () => undefined
  let startedAt = 0
  let at = 0
  let id = ''
  const send = () => connection.send((templates[at] as Template)({ id, key: '', count: 0 }))
  const begin = () => {
    if (counting.isOver() || !supply.next()) {
      connection.end()
      return ended()
    }
    startedAt = performance.now()
    at = 0
    send()
  }
  const receive = (status: number, body: Buffer) => {
    counting.response(status, body)
    if (status !== 200) return begin()
    if (at === 0) id = idIn(body)
    if (at < last) {
      at++
      return send()
    }
    if (!body.includes('"status":"completed"')) return void setTimeout(send, POLL_PAUSE_MS)
    counting.unit(startedAt)
    begin()
  }
  return {
    begin: (opened) =>
      new Promise((resolve) => {
        connection = opened
        ended = resolve
        begin()
      }),
    receive,
  }
}

function idIn(body: Buffer): string {
  const at = body.indexOf(ID_BEFORE) + ID_BEFORE.length
  return body.toString('latin1', at, at + ID_LENGTH)
}
