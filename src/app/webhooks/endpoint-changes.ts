// One change of a webhook endpoint in one transaction, with what it means for the process that serves it. The account
// is held first, for its place in the history counts, then the progress and the endpoint: every transaction that holds
// more than one of them takes them in this order.
import { type Audited, changed } from '../../domain/account/audit.ts'
import { endpointNotFound, type Serving } from '../../domain/webhook/endpoint.ts'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import type { Result, Statement } from '../../platform/db.ts'
import type { EndpointKey } from '../../store/webhooks/deliveries.ts'
import {
  beginAnew,
  type EndpointSettings,
  interruptServing,
  lockEndpoint,
  saveEndpoint,
  type StoredEndpoint,
  storedEndpointFrom,
} from '../../store/webhooks/endpoints.ts'
import { lockEndpointProgress } from '../../store/webhooks/progress.ts'
import { holdWaiting, waitingForDisabled } from '../../store/webhooks/replays.ts'
import { changeAccount, type Changer, unchanged } from '../accounts/changes.ts'
import type { Deps } from '../deps.ts'
import type { WebhookDeps } from './webhook-deps.ts'

export type Change = { readonly after: StoredEndpoint; readonly serving: Serving }

export type EndpointAction = 'updated' | 'secret_rolled' | 'deleted'

/** Decides on the endpoint as it stands, and on what is loaded beside it, and writes what was decided. The process that serves it loads it again. */
export async function changeEndpoint(
  { webhooks, changes }: Pick<Deps, 'webhooks' | 'changes'>,
  changer: Changer,
  id: string,
  action: EndpointAction,
  decide: (before: StoredEndpoint, beside: readonly Result[]) => Change | Refusal,
  beside: readonly Statement[] = [],
): Promise<StoredEndpoint | Refusal> {
  const { lane, accountId } = changer
  const key = { lane, accountId, id }
  const load = [lockEndpointProgress(key), lockEndpoint(key), ...beside]
  const answer = await changeAccount<StoredEndpoint>(changes, changer, load, ([, locked, ...loaded], { head }) => {
    const row = locked?.rows[0]
    if (!row) return endpointNotFound()
    const before = storedEndpointFrom(row)
    const change = decide(before, loaded)
    if (isRefusal(change)) return change
    const { after, serving } = change
    // What changes nothing is not written, so that it is no update either.
    if (after === before) return unchanged(before)
    const statements = [...servingStatements(key, serving, head.position), saveEndpoint(after)]
    return { statements, audited: [auditedEndpoint(action, id, before, after)], events: [], value: after }
  })
  if (!isRefusal(answer)) webhooks.wake(accountId)
  return answer
}

/** What the audit list keeps of an endpoint; its secrets are left out. */
export function auditedEndpoint(
  action: EndpointAction | 'created',
  id: string,
  before: EndpointSettings | null,
  after: EndpointSettings,
): Audited {
  const differs = changed(before ? auditedSettings(before) : {}, auditedSettings(after))
  return {
    action: `webhook_endpoint.${action}`,
    object: { type: 'webhook_endpoint', id },
    before: before && (differs?.before ?? null),
    after: differs?.after ?? null,
  }
}

function auditedSettings({ url, description, events, inFlightMax, status, metadata }: EndpointSettings) {
  return { url, description, events, in_flight_max: inFlightMax, status, metadata }
}

function servingStatements(key: EndpointKey, serving: Serving, position: number): Statement[] {
  switch (serving) {
    case 'goes on':
      return []
    case 'is interrupted':
      return [interruptServing(key)]
    case 'begins anew':
      // Most was held before; what a late write of the process that served it has left is held here.
      return [holdWaiting(key, 'all'), beginAnew(key, position)]
  }
}

const HELD_AT_ONCE = 10_000

/** Puts aside what waits for a disabled endpoint, a page in each transaction. For any other it does nothing. */
export async function holdAllWaiting({ serialSession }: WebhookDeps, key: EndpointKey): Promise<void> {
  const load = [lockEndpointProgress(key), waitingForDisabled(key, HELD_AT_ONCE)]
  let held: number
  do {
    held = await serialSession.run((session) =>
      session.transaction(load, ([, waiting]) => {
        const positions = (waiting?.rows ?? []).map((row) => Number(row['position']))
        return { statements: positions.length > 0 ? [holdWaiting(key, positions)] : [], value: positions.length }
      }),
    )
  } while (held === HELD_AT_ONCE)
}
