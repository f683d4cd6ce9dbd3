// The control of the sandbox provider that runs beside this gateway: what it plays, its clock, and its books. It takes the
// token of the provider's start, so there is none where the provider runs elsewhere.
import type { PlayedOutcome, ProviderClock, ProviderScenarios, Script } from '../../domain/channel/sandbox.ts'
import { parseAmount } from '../../domain/money/money.ts'
import type { Outbound } from '../../platform/outbound.ts'
import { type Fields, fieldsOf, textOf } from '../rail.ts'

/** Somewhere to look and something to turn, on one provider that all accounts of the gateway share. */
export type SandboxControl = {
  readonly url: string
  /** Its clock, and how far it is ahead of this machine's. */
  readonly clock: () => Promise<ProviderClock>
  /** Moves the clock forwards. */
  readonly advance: (seconds: number) => Promise<ProviderClock>
  readonly scenarios: () => Promise<ProviderScenarios>
  /** Adds a scenario; the id, or in the provider's words why it cannot be played. */
  readonly script: (asked: Fields) => Promise<{ readonly id: string } | { readonly fault: string }>
  /** Ends a scenario, and says whether there was one. */
  readonly endScript: (id: string) => Promise<boolean>
  /** What the rail's books say of a payout; null for a reference that never came. */
  readonly order: (rail: string, reference: string) => Promise<ProviderOrder | null>
  /** The same of a payment, by its own reference or by that of one of its refunds. */
  readonly collection: (rail: string, reference: string) => Promise<ProviderCollection | null>
}

type Moment = { readonly status: string; readonly code: string | null; readonly at: string }

/** A payout in the books. */
export type ProviderOrder = {
  readonly status: string
  readonly code: string | null
  readonly amountMinor: bigint
  readonly currency: string
  /** How often the money moved: more than once is a double payment. */
  readonly executions: number
  readonly returns: number
  readonly history: readonly Moment[]
}

export type ProviderRefund = {
  readonly reference: string
  readonly amountMinor: bigint
  readonly status: string
  readonly code: string | null
}

export type ProviderCollection = {
  readonly status: string
  readonly amountMinor: bigint
  readonly currency: string
  /** How often somebody paid. */
  readonly payments: number
  readonly refunds: readonly ProviderRefund[]
}

/** The provider did not answer, or not in its own words. It is started again by itself within a second. */
export class SandboxUnavailable extends Error {
  override readonly name = 'SandboxUnavailable'
}

export type ControlDeps = {
  readonly outbound: Outbound
  readonly url: string
  readonly token: string
  readonly timeoutMs: number
}

type Ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: Fields) => Promise<Answer>
type Answer = { readonly status: number; readonly body: Fields }

export function openSandboxControl(deps: ControlDeps): SandboxControl {
  const ask: Ask = (method, path, body) => askProvider(deps, method, path, body)
  const found = async (path: string): Promise<Fields | null> => {
    const { status, body } = await ask('GET', path)
    if (status === 404) return null
    if (status !== 200) throw new SandboxUnavailable(`the sandbox provider answered ${path} with ${status}`)
    return body
  }
  const named = (path: string) => found(path).then((body) => body ?? strange(path))
  return {
    url: deps.url,
    clock: async () => clockFrom(await named('/clock')),
    advance: async (seconds) => clockFrom((await ask('POST', '/clock', { advance_seconds: seconds })).body),
    scenarios: async () => scenariosFrom(await named('/scenarios')),
    script: async (asked) => {
      const { status, body } = await ask('POST', '/scenarios', asked)
      return status === 200 ? { id: word(body, 'id') } : { fault: word(body, 'message') }
    },
    endScript: async (id) => (await ask('DELETE', `/scenarios/${encodeURIComponent(id)}`)).status === 200,
    order: async (rail, reference) => {
      const body = await found(`/${rail}/books/${encodeURIComponent(reference)}`)
      return body && orderFrom(body)
    },
    collection: async (rail, reference) => {
      const body = await found(`/${rail}/collections/${encodeURIComponent(reference)}`)
      return body && collectionFrom(body)
    },
  }
}

async function askProvider(
  { outbound, url, token, timeoutMs }: ControlDeps,
  ...[method, path, body]: Parameters<Ask>
): Promise<Answer> {
  const headers = { accept: 'application/json', 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const text = body === undefined ? null : JSON.stringify(body)
  const reply = await outbound.request({ method, url: url + path, headers, body: text, timeoutMs })
  if (reply.kind !== 'response') throw new SandboxUnavailable(`the sandbox provider did not answer: ${reply.reason}`)
  return { status: reply.status, body: parsed(reply.body) ?? strange(path) }
}

function parsed(body: Buffer): Fields | null {
  try {
    return fieldsOf(JSON.parse(body.toString('utf8')))
  } catch {
    return null
  }
}

function strange(what: string): never {
  throw new SandboxUnavailable(`the sandbox provider answered ${what} with something else than asked for`)
}

const word = (body: Fields, name: string): string => textOf(body[name]) ?? strange(name)

function count(body: Fields, name: string): number {
  const value = body[name]
  return typeof value === 'number' ? value : strange(name)
}

function rows(body: Fields, name: string): Fields[] {
  const value = body[name]
  return Array.isArray(value) ? value.map((row) => fieldsOf(row) ?? strange(name)) : strange(name)
}

const clockFrom = (body: Fields): ProviderClock => ({
  nowMs: Date.parse(word(body, 'now')),
  offsetSeconds: count(body, 'offset_seconds'),
})

const outcomeFrom = (row: Fields): PlayedOutcome => ({
  name: word(row, 'name'),
  account: textOf(row['wallet']),
  ending: row['amount_ends_in'] === null ? null : count(row, 'amount_ends_in'),
  summary: word(row, 'summary'),
})

function scriptFrom(row: Fields): Script {
  const { id: _, created_at: __, played: ___, ...asked } = row
  return { id: word(row, 'id'), createdAtMs: Date.parse(word(row, 'created_at')), played: count(row, 'played'), asked }
}

const scenariosFrom = (body: Fields): ProviderScenarios => ({
  transfers: rows(body, 'scenarios').map(outcomeFrom),
  payments: rows(body, 'collections').map(outcomeFrom),
  scripts: rows(body, 'scripted').map(scriptFrom),
})

function moneyFrom(body: Fields) {
  const currency = word(body, 'currency')
  return { currency, amountMinor: minorFrom(word(body, 'amount'), currency) }
}

/** The provider writes decimal text; what it took has 15 significant digits at most, which a number keeps. */
function minorFrom(text: string, currency: string): bigint {
  const read = parseAmount(Number(text), currency)
  return 'amountMinor' in read ? read.amountMinor : strange('an amount')
}

const momentFrom = (row: Fields): Moment => ({
  status: word(row, 'status'),
  code: textOf(row['code']),
  at: word(row, 'at'),
})

const orderFrom = (body: Fields): ProviderOrder => ({
  status: word(body, 'status'),
  code: textOf(body['code']),
  ...moneyFrom(body),
  executions: count(body, 'executions'),
  returns: count(body, 'returns'),
  history: rows(body, 'history').map(momentFrom),
})

const refundFrom = (row: Fields, currency: string): ProviderRefund => ({
  reference: word(row, 'reference'),
  amountMinor: minorFrom(word(row, 'amount'), currency),
  status: word(row, 'status'),
  code: textOf(row['code']),
})

function collectionFrom(body: Fields): ProviderCollection {
  const money = moneyFrom(body)
  const refunds = rows(body, 'refunds').map((row) => refundFrom(row, money.currency))
  return { status: word(body, 'status'), ...money, payments: rows(body, 'payments').length, refunds }
}
