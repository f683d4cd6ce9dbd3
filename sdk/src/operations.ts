// The operations of the API document as functions: gateway.transfers.create(body, options). One table says all of them
// (operations.gen.ts); this reads it. Knows no operation by name.
import { withNumbers } from './amounts.ts'
import { GatewayError } from './errors.ts'
import { OPERATIONS, STEPS } from './operations.gen.ts'
import { listOf, type Page } from './pages.ts'
import type { Call, CallOptions, Query, Transport } from './transport.ts'

/** One line of the table. */
type Operation = {
  /** transfers.create, as the document has it but in camelCase. */
  readonly id: string
  readonly method: string
  readonly path: string
  /** b: takes a body; q: takes a query; u: an idempotency key says nothing there, so it is sent once. */
  readonly traits: string
  /** What of the reply is given back: -, the reply itself; *, its data; [name, a list; else the member of that name. */
  readonly result: string
  /** Where amounts are in the body. */
  readonly amounts: readonly string[]
}

type Group = { [name: string]: Group | ((...words: readonly unknown[]) => unknown) }

export function operationsOf(transport: Transport): Group {
  const root: Group = {}
  for (const line of OPERATIONS.split('\n')) {
    const [id = '', method = '', path = '', traits = '', result = '', amounts = ''] = line.split(' ')
    const operation = { id, method, path, traits, result, amounts: amounts === '' ? [] : amounts.split(',') }
    const names = id.split('.')
    const last = names.pop() ?? ''
    let group = root
    for (const name of names) group = (group[name] ??= {}) as Group
    group[last] = (...words) => carryOut(transport, operation, words)
  }
  return root
}

function carryOut(transport: Transport, operation: Operation, words: readonly unknown[]): unknown {
  const { id, result } = operation
  if (result.startsWith('['))
    return listOf(async (after) => {
      const call = callOf(operation, words)
      const query = after === null ? call.query : { ...call.query, after }
      return pageOf(await transport.call({ ...call, query }), result.slice(1))
    })
  // What is wrong with the words is told as everything else is: by the promise.
  const answered = async () => {
    const reply = await transport.call(callOf(operation, words))
    return expected(id, statusOf(words[0]), partOf(reply, result))
  }
  return answered()
}

/** The words are what the path names, then the body or the query where there is one, then the options. */
function callOf(operation: Operation, words: readonly unknown[]): Call {
  const { method, traits, amounts } = operation
  const places = operation.path.split('/').filter((part) => part.startsWith('{'))
  const path = places.reduce(
    (made, place, at) => made.replace(place, nameOf(operation, place, words[at])),
    operation.path,
  )
  const hasParams = traits.includes('b') || traits.includes('q')
  const params = hasParams ? words[places.length] : undefined
  const given = words[places.length + (hasParams ? 1 : 0)] as CallOptions | undefined
  const options = traits.includes('u') ? { ...given, retriesMax: 0 } : given
  const body = traits.includes('b') ? withNumbers(params, amounts) : undefined
  const query = traits.includes('q') ? (params as Query | undefined) : undefined
  return { ...options, method, path, body, query }
}

/** An id as text, or what has one: a contract, a wallet. */
function nameOf({ id }: Operation, place: string, word: unknown): string {
  const name = typeof word === 'object' && word !== null ? (word as { readonly id?: unknown }).id : word
  if (typeof name === 'string' && name !== '') return encodeURIComponent(name)
  const param = place.slice(1, -1)
  throw new GatewayError(`${id}: ${param} is missing. Give the id, or what has one.`, { code: 'missing_id', param })
}

type Reply = { readonly data: Readonly<Record<string, unknown>> }

function partOf(reply: unknown, result: string): unknown {
  if (result === '-') return reply
  const { data } = reply as Reply
  return result === '*' ? data : data[result]
}

function pageOf(reply: unknown, name: string): Page<unknown> {
  const { data } = reply as Reply
  return { items: data[name] as readonly unknown[], next: (data['next'] as string | null | undefined) ?? null }
}

const statusOf = (word: unknown) => (word as { readonly status?: string } | null | undefined)?.status

/**
 * What a step gives back is as its types say. A contract that came in a status leaves in one that the step leads to, but
 * where somebody else has gone on with it meanwhile.
 */
function expected(id: string, from: string | undefined, part: unknown): unknown {
  const targets = from === undefined ? undefined : (STEPS as Targets)[id]?.[from]
  const contract = ((part as { contract?: unknown } | null)?.contract ?? part) as { readonly status?: string } | null
  const status = contract?.status
  if (targets === undefined || status === undefined || targets.includes(status)) return part
  throw new GatewayError(`${id}: the contract is ${status}. Somebody else has gone on with it; see error.contract.`, {
    code: 'unexpected_status',
    contract,
  })
}

type Targets = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
