// What tests of webhook endpoints share: asking for them in the words of a story, and looking at their rows.
import type { Caller, Reply, World } from '../../world.ts'

export type EndpointBody = {
  readonly id: string
  readonly url: string
  readonly description: string | null
  readonly events: readonly string[]
  readonly events_not_sent: readonly string[]
  readonly api_version: string
  readonly in_flight_max: number
  readonly metadata: Record<string, string>
  readonly status: string
  readonly disabled_because: string | null
  readonly secret: string | null
  readonly secrets: readonly {
    readonly hint: string
    readonly created_at: string
    readonly expires_at: string | null
  }[]
  readonly bearer_token: string | null
  readonly bearer_token_hint: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly delivery: Readonly<Record<string, unknown>>
}

export const URL_OF_NOBODY = 'http://127.0.0.1:9/hook'
const path = (id: string) => `/webhook-endpoints/${id}`

export const endpointOf = ({ status, text, data }: Reply): EndpointBody => {
  if (status !== 200) throw new Error(`no endpoint but ${status}: ${text}`)
  return data['webhook_endpoint'] as EndpointBody
}

export async function makeEndpoint(caller: Caller, fields: Record<string, unknown> = {}): Promise<EndpointBody> {
  return endpointOf(await caller.ask('POST', '/webhook-endpoints', { body: { url: URL_OF_NOBODY, ...fields } }))
}

export async function getEndpoint(caller: Caller, id: string): Promise<EndpointBody> {
  return endpointOf(await caller.ask('GET', path(id)))
}

export async function patchEndpoint(caller: Caller, id: string, body: Record<string, unknown>): Promise<EndpointBody> {
  return endpointOf(await caller.ask('PATCH', path(id), { body }))
}

export async function putEndpoint(caller: Caller, id: string, verb: 'pause' | 'resume'): Promise<EndpointBody> {
  return endpointOf(await caller.ask('PUT', `${path(id)}/${verb}`))
}

export type Progress = {
  readonly position: number
  readonly fence: number
  readonly leased: boolean
  readonly failures: number
  readonly openings: number
  readonly trusted: number
  readonly failed_tries: number
  readonly open: boolean
  readonly failing: boolean
  readonly due: boolean
}

/** The endpoint's progress row. */
export async function progressOf(world: World, id: string): Promise<Progress> {
  const [row] = await world.sql<Progress>(
    `select position::int, fence, leased_until is not null as leased, failures, openings, trusted, failed_tries,
            open_until is not null as open, failing_since is not null as failing, next_due_at is not null as due
       from webhook_progress where endpoint_id = $1`,
    [id],
  )
  if (!row) throw new Error(`endpoint ${id} has no progress`)
  return row
}

/** As if a process served the endpoint up to there and holds it. */
export async function leaseTo(world: World, id: string, position: number): Promise<void> {
  await world.sql(
    `update webhook_progress set position = $2, leased_until = now() + interval '1 minute' where endpoint_id = $1`,
    [id, position],
  )
}

export type DeliveryRow = {
  readonly position: number
  readonly replay: number
  readonly status: string
  readonly due: boolean
}

/** The endpoint's deliveries, oldest event first. */
export function deliveriesOf(world: World, id: string): Promise<DeliveryRow[]> {
  return world.sql<DeliveryRow>(
    `select position::int, replay, status, due_at is not null as due from deliveries
      where endpoint_id = $1 order by position, replay`,
    [id],
  )
}

/** Deliveries of the endpoint at these positions, as if they had been tried. */
export async function tried(world: World, id: string, positions: readonly number[], status: string): Promise<void> {
  await world.sql(
    `insert into deliveries (lane, account_id, endpoint_id, position, status, tries, due_at, created_at, updated_at, body)
     select e.lane, e.account_id, e.id, x.position, $3, 1, case when $3 = 'pending' then now() end, now(), now(), 'x'
       from webhook_endpoints e, unnest($2::bigint[]) x (position) where e.id = $1`,
    [id, positions, status],
  )
}

/** Where the account's history ends. */
export async function endOf(world: World, { account }: Caller): Promise<number> {
  const [row] = await world.sql<{ position: number }>('select position::int from accounts where account_id = $1', [
    account.accountId,
  ])
  return row?.position ?? 0
}
