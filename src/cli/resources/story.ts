// All that is known of one contract, gathered over the API: where it stands, what happened, which requests asked for it, and what
// became of each event at each endpoint. What the key may not read is left out, and named.
import type { Static } from 'typebox'
import { contractOfEvent, isUuid } from '../../domain/contract/ids.ts'
import { traceOf } from '../../platform/telemetry/traces.ts'
import type { ActivitiesReply } from '../../wire/activities.ts'
import type { EventReply } from '../../wire/events.ts'
import type { ExplanationReply } from '../../wire/explanation.ts'
import type { SearchReply } from '../../wire/resources/search.ts'
import type { RequestsReply } from '../../wire/requests.ts'
import type { DeliveriesReply } from '../../wire/webhook-delivery.ts'
import { CommandFailed } from '../failures.ts'

type Data<Reply> = Reply extends { data: infer D } ? D : never
export type Request = Data<Static<typeof RequestsReply>>['requests'][number]
export type Activity = Data<Static<typeof ActivitiesReply>>['activities'][number]
export type EventWithDeliveries = Data<Static<typeof EventReply>>
export type Explanation = Data<Static<typeof ExplanationReply>>['explanation']
type Contract = {
  readonly id: string
  readonly kind: 'transfer' | 'payment'
  readonly status: string
  readonly livemode: boolean
}

export type Story = {
  readonly contract: Contract | null
  /** Of transfer contracts: where the money is, and who must act. */
  readonly explanation: Explanation | null
  readonly activities: readonly Activity[]
  readonly events: readonly EventWithDeliveries[]
  /** Those that the process which answered still knows. */
  readonly requests: readonly Request[]
  /** Under this id a tool for traces shows it, where the gateway exports them. */
  readonly trace: string | null
  /** What could not be read, and why. */
  readonly withheld: readonly string[]
}

/** One call of the API; throws {@link CommandFailed} where it is refused. */
export type Ask = <T>(path: string, query?: Readonly<Record<string, string | number>>) => Promise<T>

const PAGE = 100

/** The story behind the id of a contract, a request, an event, or a delivery after its endpoint's id and a slash. */
export async function storyOf(ask: Ask, id: string): Promise<Story> {
  if (!id.startsWith('req_')) return contractStory(ask, await contractBehind(ask, id), [])
  const { requests } = await ask<{ requests: Request[] }>('/requests', { id })
  const [request] = requests
  if (!request)
    throw new CommandFailed(
      `No request ${id} is known to the process that answered: it keeps the last 500 of an account, until it is restarted.`,
    )
  if (request.contract !== null) return contractStory(ask, request.contract, requests)
  const { trace } = request
  return { contract: null, explanation: null, activities: [], events: [], requests, trace, withheld: [] }
}

async function contractBehind(ask: Ask, id: string): Promise<string> {
  if (isUuid(id)) return id
  const [endpoint = '', delivery] = id.split('/')
  if (delivery !== undefined) {
    const path = `/webhook-endpoints/${encodeURIComponent(endpoint)}/deliveries`
    const { deliveries } = await ask<Data<Static<typeof DeliveriesReply>>>(path, { limit: PAGE })
    const found = deliveries.find((each) => each.id === delivery)
    if (found) return contractBehind(ask, found.event_id)
    throw new CommandFailed(
      `The endpoint's last ${PAGE} deliveries have no ${delivery}. See: gateway webhooks deliveries ${endpoint}`,
    )
  }
  const event = contractOfEvent(id)
  if (event) return event.contractId
  throw new CommandFailed(
    `Nothing to explain has the id "${id}". Give that of a contract, of a request (req_…), of an event (evt_…), or ENDPOINT/dlv_….`,
  )
}

async function contractStory(ask: Ask, id: string, known: readonly Request[]): Promise<Story> {
  const withheld: string[] = []
  const contract = await contractOf(ask, id)
  const path = `/contracts/${contract.kind}/${id}`
  const [explained, activities, events, logged] = await Promise.all([
    contract.kind === 'transfer' ? ask<{ explanation: Explanation }>(`${path}/explain`) : null,
    ask<{ activities: Activity[] }>(`${path}/activities`, { limit: PAGE }),
    unlessRefused('events', withheld, () => eventsOf(ask, id)),
    unlessRefused('requests', withheld, () => ask<{ requests: Request[] }>('/requests', { contract: id, limit: PAGE })),
  ])
  return {
    contract,
    explanation: explained?.explanation ?? null,
    activities: activities.activities,
    events: events ?? [],
    requests: logged?.requests ?? known,
    trace: traceOf(id),
    withheld,
  }
}

async function contractOf(ask: Ask, id: string): Promise<Contract> {
  try {
    return { ...(await ask<{ contract: Contract }>(`/contracts/transfer/${id}`)).contract, kind: 'transfer' }
  } catch (fault) {
    if (codeOf(fault) !== 'contract_not_found') throw fault
    return { ...(await ask<{ contract: Contract }>(`/contracts/payment/${id}`)).contract, kind: 'payment' }
  }
}

/** A contract's newest events, in their order. */
async function eventsOf(ask: Ask, id: string): Promise<EventWithDeliveries[]> {
  const { results } = await ask<Data<Static<typeof SearchReply>>>('/search', { q: id, type: 'event', limit: PAGE })
  const events: EventWithDeliveries[] = []
  for (const result of results.toReversed()) events.push(await ask<EventWithDeliveries>(`/events/${result.id}`))
  return events
}

async function unlessRefused<T>(what: string, withheld: string[], read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (fault) {
    if (codeOf(fault) !== 'scope_missing') throw fault
    withheld.push(`${what}: ${(fault as Error).message.split('\n')[0]}`)
    return null
  }
}

const codeOf = (fault: unknown) =>
  fault instanceof CommandFailed ? (fault.details as { code?: string } | undefined)?.code : undefined
