// Endpoints of many accounts and a backlog of events for them: they are paused while it is written, so that the gateway
// finds all of it at once when they go on.
import type { Payer, Rig } from '../stage/rig.ts'
import { seedIssued, settleTables } from '../stage/seed.ts'

export type Backlog = {
  /** Makes sure that at least so many events wait. The endpoints are paused. */
  readonly fill: (events: number) => Promise<void>
  /** So many of what waited have been delivered. */
  readonly take: (events: number) => void
  readonly goOn: () => Promise<void>
  readonly pause: () => Promise<void>
  /** The body of one of its events, as it is sent. */
  readonly sample: () => Promise<string>
}

// A contract that is seeded has the events created and issued.
const EVENTS_EACH = 2

/** Opens an endpoint on each of so many accounts, which receives all events. */
export async function openBacklog(rig: Rig, url: string, endpoints: number): Promise<Backlog> {
  const payers = rig.many.slice(0, endpoints)
  const opened: { readonly payer: Payer; readonly id: string }[] = []
  for (const payer of payers) opened.push({ payer, id: await openEndpoint(rig, payer, url, ['*']) })
  const turn = async (how: 'pause' | 'resume') => {
    for (const { payer, id } of opened) await call(rig, payer, 'PUT', `/webhook-endpoints/${id}/${how}`)
  }
  await turn('pause')
  let waiting = 0
  return {
    fill: async (events) => {
      if (waiting >= events) return
      const contracts = Math.ceil((events - waiting) / EVENTS_EACH)
      const seeded = await seedIssued(rig.client, rig.original, payers, contracts)
      waiting += seeded.length * EVENTS_EACH
      await settleTables(rig.client)
    },
    take: (events) => {
      waiting -= events
    },
    goOn: () => turn('resume'),
    pause: () => turn('pause'),
    sample: async () => {
      const { events } = (await call(rig, payers[0] as Payer, 'GET', '/events?limit=1')) as { events: unknown[] }
      return JSON.stringify(events[0])
    },
  }
}

/** Registers an endpoint; its id. */
export async function openEndpoint(rig: Rig, payer: Payer, url: string, events: readonly string[]): Promise<string> {
  const data = await call(rig, payer, 'POST', '/webhook-endpoints', { url, events })
  return (data['webhook_endpoint'] as { id: string }).id
}

/** Calls the gateway as a payer; the data of its answer. */
export async function call(
  { server }: Rig,
  payer: Payer,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: { 'x-api-key': payer.key, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return (JSON.parse(text) as { data: Record<string, unknown> }).data
}
