// The gateway as a command sees it: one call of the client (sdk), and what is said where it fails. Knows no command.
import { once } from 'node:events'
import { createGateway, type Gateway, GatewayError } from '../../sdk/src/index.ts'
import { CommandFailed } from './failures.ts'
import type { Place } from './place.ts'
import { noAnswer, notOurs } from './unreachable.ts'

export type Call = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  readonly idempotencyKey?: string | undefined
  /** The version that the contract must stand at. */
  readonly ifMatch?: number | undefined
}

type Beside = Pick<Call, 'idempotencyKey' | 'ifMatch'>

export const get = (path: string, query: NonNullable<Call['query']> = {}): Call => ({ method: 'GET', path, query })

const withBody =
  (method: Call['method']) =>
  (path: string, body?: object, beside: Beside = {}): Call => ({ method, path, body, ...beside })

export const post = withBody('POST')
export const put = withBody('PUT')
export const patch = withBody('PATCH')
export const remove = withBody('DELETE')

/** How often a call goes again that nobody has answered: enough for a start over, and soon said where nothing is there. */
const RETRIES_MAX = 2

export function gatewayAt({ baseUrl, apiKey, token }: Place): Gateway {
  return createGateway({ url: baseUrl, apiKey: apiKey === '' ? undefined : apiKey, token, retriesMax: RETRIES_MAX })
}

/** One call; the `data` of its envelope. Throws {@link CommandFailed} with what the gateway said. */
export async function call<T>(place: Place, asked: Call): Promise<T> {
  try {
    return await gatewayAt(place).call<T>(asked)
  } catch (fault) {
    throw failureOf(`${asked.method} ${asked.path}`, place, fault)
  }
}

/**
 * Reads the same again and again, for who waits for an end: null while nobody answers, of which `away` is told once, when it begins. What
 * is under way goes on meanwhile, and who were told of a failure would do it again. Throws as {@link call} does what will not pass.
 */
export function looking<T>(place: Place, asked: Call, away: (words: string) => void): () => Promise<T | null> {
  let isAway = false
  return async () => {
    try {
      const found = await gatewayAt(place).call<T>(asked)
      isAway = false
      return found
    } catch (fault) {
      if (!(fault instanceof GatewayError) || !fault.mayPass)
        throw failureOf(`${asked.method} ${asked.path}`, place, fault)
      if (!isAway) away(`No gateway answers at ${place.baseUrl} for now (${fault.code}): still asking.`)
      isAway = true
      return null
    }
  }
}

type Asked = Call & { readonly headers?: Readonly<Record<string, string>> }

/** The parts of a file as they come. Throws as {@link call} does where there is none, and in the midst of it where it breaks off. */
export async function opened(place: Place, asked: Asked): Promise<AsyncIterable<Uint8Array>> {
  const reply = await gatewayAt(place)
    .open(asked)
    .catch((fault: unknown) => {
      throw failureOf(`${asked.method} ${asked.path}`, place, fault)
    })
  return partsOf(reply.body ?? [])
}

async function* partsOf(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch {
    throw new CommandFailed('The file broke off before its end. Ask again.')
  }
}

/** A file as it comes, however long, to where it is to go. Throws as {@link call} does where there is none. */
export async function download(place: Place, asked: Asked, out: NodeJS.WritableStream): Promise<void> {
  for await (const part of await opened(place, asked)) if (!out.write(part)) await once(out, 'drain')
}

/** What to say where a call did not succeed: the gateway's own words, that there is none, or that it was none of ours. */
export function failureOf(what: string, { baseUrl }: Place, fault: unknown): unknown {
  if (!(fault instanceof GatewayError)) return fault
  if (fault.code === 'no_answer' || fault.code === 'timeout') return noAnswer(baseUrl, fault)
  if (fault.code === 'not_a_gateway')
    return notOurs(what, baseUrl, fault.status, fault.message.split('The answer begins: ')[1] ?? '')
  if (fault.status === 0) return new CommandFailed(fault.message)
  return refused(fault)
}

function refused(fault: GatewayError): CommandFailed {
  const { type, code, message, param, errors, status, requestId, contractId, docUrl } = fault
  const lines = [
    // Several are listed below, the first among them.
    errors.length > 1 ? `${errors.length} things are wrong:` : message,
    ...errors.map((each) => `  ${each.param ?? '-'}: ${each.message} (${each.code})`),
    ...(contractId === null ? [] : [`  contract ${contractId} is open: it can still be paid`]),
    `  code ${code}${param === null ? '' : `, param ${param}`}, HTTP ${status}, request ${requestId ?? 'unknown'}`,
  ]
  const error = { type, code, message, param, request_id: requestId ?? 'unknown', doc_url: docUrl, errors }
  return new CommandFailed(lines.join('\n'), contractId === null ? error : { ...error, contract_id: contractId })
}
