// What one connection of the load generator does from its start to its end: closed loop, the next request after the
// response. Knows requests and counting, no processes.
import { performance } from 'node:perf_hooks'
import { type Connection, openConnection } from './load-connection.ts'
import { openTemplate, readList, type Template, type Values, type Widths } from './load-requests.ts'
import type { Counting } from './load-tally.ts'
import type { Plan, Work } from './plan.ts'

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
  const supply = supplyOf(work)
  const drivers: Driver[] = []
  for (let i = 0; i < plan.connections; i++) {
    const driver = work.kind === 'lifecycle' ? lifecycle(work, counting, supply) : repeated(work, counting, supply)
    const connection = await openConnection(plan.port, { onResponse: driver.hear, onFault })
    drivers.push({ ...driver, begin: () => driver.begin(connection) })
  }
  return {
    run: async () => void (await Promise.all(drivers.map((driver) => driver.begin()))),
    listUsed: supply.used,
  }
}

type Driver = { readonly begin: () => Promise<void> }
type Unbound = {
  readonly begin: (connection: Connection) => Promise<void>
  readonly hear: (status: number, body: Buffer) => void
}

function supplyOf(work: Work): Supply {
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
    widths: { id: ID_LENGTH, key: list[0]?.key.length ?? 0 },
  }
}

/** The same request again and again, with other values. */
function repeated(work: Exclude<Work, { kind: 'lifecycle' }>, counting: Counting, supply: Supply): Unbound {
  const template = openTemplate(work.request, supply.widths)
  let connection: Connection
  let startedAt = 0
  let ended: () => void = () => undefined
  const step = () => {
    const values = counting.isOver() ? null : supply.next()
    if (!values) {
      connection.end()
      return ended()
    }
    startedAt = performance.now()
    connection.send(template(values))
  }
  return {
    begin: (opened) =>
      new Promise((resolve) => {
        connection = opened
        ended = resolve
        step()
      }),
    hear: (status, body) => {
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
  const hear = (status: number, body: Buffer) => {
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
    hear,
  }
}

function idIn(body: Buffer): string {
  const at = body.indexOf(ID_BEFORE) + ID_BEFORE.length
  return body.toString('latin1', at, at + ID_LENGTH)
}
