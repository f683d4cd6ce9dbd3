// Sends an operation from its page: to this gateway alone, with a key of test mode alone. Knows no element of the page.
import type { Trial } from '../reference/page.ts'

export type { Trial }

/** Keys of test mode begin so; whatever else is typed is not sent. */
const TEST_KEY = /^gck_test_\w+$/

export type Sent = { readonly line: string; readonly headers: readonly (readonly [string, string])[] }
export type Shown = {
  readonly request: Sent
  readonly status: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

/** What was typed, by the parameter's place and name. */
export type Typed = { readonly key: string; readonly values: Readonly<Record<string, string>>; readonly body: string }

export const placeOf = ({ in: kind, name }: Trial['parameters'][number]): string => `${kind}:${name}`

/** Why it cannot be sent, in a sentence for the person; null where it can. */
export function obstacleOf(trial: Trial, { key, values, body }: Typed): string | null {
  if (trial.takesKey && !TEST_KEY.test(key.trim()))
    return 'Enter an API key of test mode. It begins with gck_test_. A live key moves money and is not sent from here.'
  const missing = trial.parameters.find((each) => each.required && !values[placeOf(each)])
  if (missing) return `Enter ${missing.name}.`
  if (trial.body === null || body.trim() === '') return null
  try {
    JSON.parse(body)
    return null
  } catch (fault) {
    return `The body is not JSON: ${(fault as Error).message}`
  }
}

export async function send(trial: Trial, typed: Typed): Promise<Shown> {
  const { method } = trial
  const address = addressOf(trial, typed.values)
  const headers = headersOf(trial, typed)
  const hasBody = trial.body !== null && typed.body.trim() !== ''
  const reply = await fetch(address, {
    method,
    headers: [...headers].map(([name, value]): [string, string] => [name, value]),
    ...(hasBody ? { body: typed.body } : {}),
    // A member who is signed in here may be signed in to live mode.
    credentials: 'omit',
    cache: 'no-store',
  })
  const text = await reply.text()
  const shown = headers.map(([name, value]) => [name, name === 'X-Api-Key' ? masked(value) : value] as const)
  return {
    request: { line: `${method} ${address}`, headers: shown },
    status: `${reply.status} ${reply.statusText}`,
    headers: [...reply.headers].filter(([name]) => SHOWN.test(name)),
    body: pretty(text),
  }
}

const SHOWN = /^(content-type|etag|idempotent-|ratelimit-|request-id|retry-after|service-version|location)/

function addressOf({ path, parameters }: Trial, values: Typed['values']): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[`path:${name}`] ?? ''))
  const query = new URLSearchParams()
  for (const each of parameters.filter((one) => one.in === 'query')) {
    const value = values[placeOf(each)]
    if (value) query.set(each.name, value)
  }
  return query.size === 0 ? filled : `${filled}?${query}`
}

function headersOf(trial: Trial, { key, values, body }: Typed): (readonly [string, string])[] {
  const typed = trial.parameters
    .filter((each) => each.in === 'header')
    .flatMap((each) => (values[placeOf(each)] ? [[each.name, values[placeOf(each)] ?? ''] as const] : []))
  const json = trial.body !== null && body.trim() !== '' ? [['Content-Type', 'application/json'] as const] : []
  return [...(trial.takesKey ? [['X-Api-Key', key.trim()] as const] : []), ...json, ...typed]
}

const masked = (key: string) => `${key.slice(0, 13)}…`

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Not every reply is JSON: statements are CSV or XML.
    return text
  }
}
