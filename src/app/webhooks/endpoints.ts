// Webhook endpoints, as their owner creates, changes and reads them. Their secrets are shown when they are made, and
// never again.
import {
  ENDPOINTS_MAX,
  endpointNotFound,
  endpointsFull,
  type EndpointVerb,
  eventsFor,
  moveEndpoint,
  waitsUnreadable,
} from '../../domain/webhook/endpoint.ts'
import type { Revealed, ShownEndpoint, TestResult } from '../../domain/webhook/shown.ts'
import { ALL_EVENT_TYPES, readableTypes } from '../../domain/account/events.ts'
import type { Scope } from '../../domain/account/scopes.ts'
import { laneUuid } from '../../domain/contract/ids.ts'
import type { Metadata } from '../../domain/text/metadata.ts'
import { cardInUrl } from '../../domain/text/cards.ts'
import { invalid, isRefusal, type Refusal, refuse, refuseAll } from '../../domain/contract/refusals.ts'
import type { AccountKey } from '../../store/accounts/accounts.ts'
import type { Result } from '../../platform/db.ts'
import type { EndpointKey } from '../../store/webhooks/deliveries.ts'
import { hasUnreadable, unreadableWaiting } from '../../store/webhooks/replays.ts'
import {
  countEndpoints,
  type EndpointSettings,
  type FaringEndpoint,
  faringEndpointFrom,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  type StoredEndpoint,
} from '../../store/webhooks/endpoints.ts'
import type { Deps } from '../deps.ts'
import { changeAccount, type Changer } from '../accounts/changes.ts'
import {
  auditedEndpoint,
  type Change,
  changeEndpoint,
  type EndpointAction,
  holdAllWaiting,
} from './endpoint-changes.ts'
import {
  erasedSecrets,
  newBearerToken,
  newSigningSecret,
  openSecrets,
  rolled,
  sealSecrets,
} from './endpoint-secrets.ts'
import type { CallableEndpoint } from './webhook-deps.ts'

export type EndpointDeps = Pick<Deps, 'reader' | 'nowMs' | 'randomHex' | 'webhooks' | 'changes'>

export type RevealedEndpoint = ShownEndpoint & { readonly revealed: Revealed }

const NOTHING: Revealed = { secret: null, bearer: null }

export type WantedEndpoint = {
  readonly url: string
  readonly description: string | null
  readonly events: readonly string[]
  readonly apiVersion: string
  readonly inFlightMax: number
  readonly metadata: Metadata
  /** Null for one that is made here. */
  readonly bearer: string | null
}

/** Creates an endpoint that receives webhooks about what happens from now on. */
export async function createEndpoint(
  deps: EndpointDeps,
  changer: Changer,
  wanted: WantedEndpoint,
): Promise<RevealedEndpoint | Refusal> {
  const fault = faultOfUrl(deps, wanted.url)
  if (fault) return fault
  const { lane, accountId } = changer
  const key = { lane, accountId, id: laneUuid(lane, deps.nowMs(), deps.randomHex()) }
  const revealed = { secret: newSigningSecret(), bearer: wanted.bearer ?? newBearerToken() }
  const sealed = newSecrets(deps, key, revealed)
  const endpoint = { ...key, ...wanted, ...sealed, status: 'enabled', disabledBecause: null } as const
  const refusal = await changeAccount(deps.changes, changer, [countEndpoints(key)], ([counted], { head }) => {
    if (Number(counted?.rows[0]?.['count']) >= ENDPOINTS_MAX) return endpointsFull()
    const audited = [auditedEndpoint('created', key.id, null, endpoint)]
    return { statements: insertEndpoint(endpoint, head.position), audited, events: [], value: null }
  })
  if (refusal) return refusal
  deps.webhooks.wake(accountId)
  return reveal(deps, key, revealed)
}

export async function allEndpoints(deps: EndpointDeps, owner: AccountKey): Promise<ShownEndpoint[]> {
  const [result] = await deps.reader.send([listEndpoints(owner)])
  return (result?.rows ?? []).map(faringEndpointFrom).map((endpoint) => withSecrets(deps, endpoint))
}

export async function oneEndpoint(deps: EndpointDeps, key: EndpointKey): Promise<ShownEndpoint | Refusal> {
  const [result] = await deps.reader.send([findEndpoint(key)])
  const row = result?.rows[0]
  return row ? withSecrets(deps, faringEndpointFrom(row)) : endpointNotFound()
}

/** Absent members stay as they are. */
export type EndpointPatch = Partial<Pick<EndpointSettings, 'url' | 'description' | 'events' | 'inFlightMax'>> & {
  readonly bearer?: string
  /** The pairs after the patch; never alone, for pairs of a caller's own could look like a refusal. */
  readonly metadata?: (before: Metadata) => Pick<EndpointSettings, 'metadata'> | Refusal
  readonly verb?: Extract<EndpointVerb, 'enable' | 'disable'>
}

/**
 * Changes an endpoint. What was tried already stays as it is: a new filter holds for what comes. Moved to another
 * origin it gets new secrets: a caller who may change the URL may not have known the old ones, and the receiver there
 * must not get them.
 */
export async function updateEndpoint(
  deps: EndpointDeps,
  changer: Changer,
  id: string,
  patch: EndpointPatch,
  scopes: ReadonlySet<Scope>,
): Promise<RevealedEndpoint | Refusal> {
  const key = keyOf(changer, id)
  const fault = patch.url === undefined ? null : faultOfUrl(deps, patch.url)
  if (fault) return fault
  const { bearer, verb, metadata: patched, ...settings } = patch
  const made = { secret: newSigningSecret(), bearer: bearer ?? newBearerToken() }
  let isMoved = false
  if (verb === 'enable') await holdAllWaiting(deps.webhooks, key)
  const readable = readableTypes(scopes)
  const mayReadAll = patch.url === undefined || readable.length === ALL_EVENT_TYPES.length
  const decide = (before: StoredEndpoint, [waiting]: readonly Result[]): Change | Refusal => {
    const move = verb === undefined ? { state: before, serving: 'goes on' as const } : moveEndpoint(before, verb)
    if (isRefusal(move)) return move
    if (move.state === before && Object.keys(patch).every((member) => member === 'verb'))
      return { after: before, serving: 'goes on' }
    const pairs = patched?.(before.metadata)
    if (isRefusal(pairs)) return pairs
    // Who says where events go has sent there only what it may read itself, like who says which (the patch's own were looked at).
    const isElsewhere = patch.url !== undefined && patch.url !== before.url
    const sent = isElsewhere && patch.events === undefined ? eventsFor(scopes, before.events) : null
    if (isRefusal(sent)) return sent
    // What waits for a disabled one is put aside when it is enabled.
    if (isElsewhere && before.status !== 'disabled' && hasUnreadable(waiting)) return waitsUnreadable()
    isMoved = patch.url !== undefined && originOf(patch.url) !== originOf(before.url)
    const { status, disabledBecause } = move.state
    // The process that serves it has it as it was when it was taken.
    const isOther = Object.keys(patch).some((member) => !['verb', 'description', 'metadata'].includes(member))
    const serving = isOther && move.serving === 'goes on' ? 'is interrupted' : move.serving
    const secrets = isMoved ? newSecrets(deps, key, made) : withBearer(deps, key, before, bearer)
    return { after: { ...before, ...settings, ...pairs, ...secrets, status, disabledBecause }, serving }
  }
  const answer = await changeEndpoint(
    deps,
    changer,
    id,
    'updated',
    decide,
    mayReadAll ? [] : [unreadableWaiting(key, readable)],
  )
  if (isRefusal(answer)) return answer
  // A bearer token that the owner chose is not shown again.
  return reveal(deps, key, isMoved ? { ...made, bearer: bearer === undefined ? made.bearer : null } : NOTHING)
}

/** The origin of a receiver, which can read all that comes there. */
const originOf = (url: string) => new URL(url).origin

type MadeSecrets = { readonly secret: string; readonly bearer: string }

function newSecrets({ webhooks, nowMs }: EndpointDeps, key: EndpointKey, { secret, bearer }: MadeSecrets) {
  const secrets = [{ text: secret, createdAt: nowMs(), expiresAt: null }]
  return sealSecrets(webhooks.sealing, key, { secrets, bearer })
}

function withBearer({ webhooks, nowMs }: EndpointDeps, key: EndpointKey, before: StoredEndpoint, bearer?: string) {
  if (bearer === undefined) return {}
  return sealSecrets(webhooks.sealing, key, { ...openSecrets(webhooks.sealing, key, before, nowMs()), bearer })
}

/** Pauses or resumes: what happens meanwhile is delivered afterwards. A disabled one that is resumed begins anew. */
export async function moveEndpointBy(
  deps: EndpointDeps,
  changer: Changer,
  id: string,
  verb: 'pause' | 'enable',
): Promise<RevealedEndpoint | Refusal> {
  if (verb === 'enable') await holdAllWaiting(deps.webhooks, keyOf(changer, id))
  const decide = (before: StoredEndpoint): Change | Refusal => {
    const move = moveEndpoint(before, verb)
    if (isRefusal(move)) return move
    const { state, serving } = move
    return { after: state === before ? before : { ...before, ...state }, serving }
  }
  return changed(deps, changer, id, 'updated', decide, NOTHING)
}

/** A new signing secret; the one before signs too until the overlap is over. */
export function rollSecret(
  deps: EndpointDeps,
  changer: Changer,
  id: string,
  overlapSeconds: number,
): Promise<RevealedEndpoint | Refusal> {
  const { sealing } = deps.webhooks
  const key = keyOf(changer, id)
  const secret = newSigningSecret()
  const decide = (before: StoredEndpoint): Change => {
    const nowMs = deps.nowMs()
    const open = rolled(openSecrets(sealing, key, before, nowMs), secret, nowMs, overlapSeconds)
    return { after: { ...before, ...sealSecrets(sealing, key, open) }, serving: 'is interrupted' }
  }
  return changed(deps, changer, id, 'secret_rolled', decide, { secret, bearer: null })
}

/** Deletes the endpoint and erases its secrets. As it was at the end, with its new status. */
export async function deleteEndpoint(
  deps: EndpointDeps,
  changer: Changer,
  id: string,
): Promise<FaringEndpoint | Refusal> {
  const last = await oneEndpoint(deps, keyOf(changer, id))
  if (isRefusal(last)) return last
  const answer = await changeEndpoint(deps, changer, id, 'deleted', (before) => {
    const move = moveEndpoint(before, 'delete')
    if (isRefusal(move)) return move
    return { after: { ...before, ...move.state, ...erasedSecrets(deps.webhooks.sealing) }, serving: move.serving }
  })
  return isRefusal(answer) ? answer : { ...answer, fares: last.fares }
}

/** Sends an event to the endpoint, whatever its status, and returns the result. */
export async function testEndpoint(
  deps: EndpointDeps,
  key: EndpointKey,
  event: { readonly id: string; readonly body: Buffer },
): Promise<TestResult | Refusal> {
  const endpoint = await oneEndpoint(deps, key)
  if (isRefusal(endpoint)) return endpoint
  const { open, url, inFlightMax } = endpoint
  const callable: CallableEndpoint = {
    ...key,
    url,
    secrets: open.secrets,
    bearer: open.bearer,
    inFlightMax,
  }
  return deps.webhooks.sendTest(callable, event.body, event.id) ?? trialsFull(inFlightMax)
}

const trialsFull = (inFlightMax: number) =>
  refuse(
    'rate_limited',
    null,
    `As many calls are under way as may be: ${inFlightMax} to this endpoint, and so many for the account. Try again once one has ended.`,
  )

async function changed(
  deps: EndpointDeps,
  changer: Changer,
  id: string,
  action: EndpointAction,
  decide: (before: StoredEndpoint) => Change | Refusal,
  revealed: Revealed,
): Promise<RevealedEndpoint | Refusal> {
  const answer = await changeEndpoint(deps, changer, id, action, decide)
  return isRefusal(answer) ? answer : reveal(deps, keyOf(changer, id), revealed)
}

const keyOf = ({ lane, accountId }: AccountKey, id: string): EndpointKey => ({ lane, accountId, id })

async function reveal(deps: EndpointDeps, key: EndpointKey, revealed: Revealed): Promise<RevealedEndpoint | Refusal> {
  const endpoint = await oneEndpoint(deps, key)
  return isRefusal(endpoint) ? endpoint : { ...endpoint, revealed }
}

function withSecrets({ webhooks, nowMs }: EndpointDeps, endpoint: FaringEndpoint): ShownEndpoint {
  return { ...endpoint, open: openSecrets(webhooks.sealing, endpoint, endpoint, nowMs()) }
}

function faultOfUrl({ webhooks }: EndpointDeps, url: string): Refusal | null {
  const fault = webhooks.faultOfUrl(url)
  if (fault !== null) return refuseAll([invalid('url', fault)])
  const withCard = cardInUrl('url', url)
  return withCard && refuseAll([withCard])
}
