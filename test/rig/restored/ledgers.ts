// What others know of the day: the provider's own book of all its rails, and a receiver of webhooks that keeps what it was told.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { contractOfReference, referenceOfShort } from '../../../src/domain/contract/ids.ts'
import { lineOf } from '../../../sandbox/books/earlier-journals.ts'
import type { Entry } from '../../../sandbox/books/orders.ts'
import { apply, newState, type State } from '../../../sandbox/books/state.ts'

/** As much of an order as the checks look at. */
export type Ordered = Pick<Entry, 'reference' | 'rail' | 'status' | 'executions' | 'name' | 'amount'>

/** Whether the provider paid it, and does not have it back. */
export const isKept = ({ executions, status }: Pick<Given, 'executions' | 'status'>): boolean =>
  executions > 0 && status !== 'returned'

/** The provider's orders, from its journal: also those whose answer was lost. */
export const ordersOf = (dataDir: string): readonly Ordered[] => stateOf(dataDir).entries

/** What it gave back of payments by their own rails, as orders: each is known by its refund's reference. */
export const refundsOf = (dataDir: string): Given[] =>
  stateOf(dataDir).collects.refunds.map(({ reference, rail, status, amount, payment }) => {
    const isDone = status === 'succeeded'
    return { reference, rail, status: isDone ? 'completed' : status, executions: isDone ? 1 : 0, amount, payment }
  })

export type Given = Pick<Ordered, 'reference' | 'executions'> & {
  readonly rail: string
  readonly status: string
  /** Major units. */
  readonly amount: string
  /** The provider's id of what was paid. */
  readonly payment: string
}

/** What payers paid at the provider: by our reference of the attempt, in the long form. */
export type PaidIn = {
  readonly rail: string
  readonly id: string
  readonly reference: string
  readonly contractId: string
  readonly amountMinor: bigint
}

export const paidAt = (dataDir: string): PaidIn[] =>
  stateOf(dataDir).collects.collections.flatMap(({ rail, id, reference: given, paid, status }): PaidIn[] => {
    const reference = rail === 'qrph' ? (referenceOfShort(given) ?? given) : given
    const contractId = contractOfReference(reference)?.contractId
    if (status !== 'succeeded' || paid === null || contractId === undefined) return []
    return [{ rail, id, reference, contractId, amountMinor: BigInt(paid.replace('.', '')) }]
  })

function stateOf(dataDir: string): State {
  const state = newState()
  const lines = readFileSync(join(dataDir, 'sandbox', 'sandbox.jsonl'), 'utf8').split('\n')
  // The last one may be half written.
  for (const line of lines.slice(0, -1)) if (line !== '') apply(state, lineOf(state, JSON.parse(line)))
  return state
}

export type Told = {
  readonly id: string
  readonly type: string
  readonly sequence: number
  readonly data: {
    readonly object: {
      readonly id: string
      readonly status?: string
      readonly updated_at?: string
      readonly epoch?: number
      readonly undone_after?: string | null
    }
  }
}

export type Listener = {
  readonly url: string
  /** In the order of arrival, each id once; `path` tells the tenants apart. */
  readonly told: (path: string) => readonly Told[]
  /** Ids that came again with other content. */
  readonly contradictions: readonly string[]
  readonly close: () => void
}

export async function listen(): Promise<Listener> {
  const byPath = new Map<string, Map<string, string>>()
  const contradictions: string[] = []
  const server = createServer((request, reply) => {
    let text = ''
    request.on('data', (bytes: Buffer) => (text += bytes.toString()))
    request.on('end', () => {
      const path = request.url ?? ''
      const known = byPath.get(path) ?? new Map<string, string>()
      byPath.set(path, known)
      const id = String(request.headers['webhook-id'])
      if (known.has(id) && known.get(id) !== text) contradictions.push(`${id}: ${known.get(id)} and ${text}`)
      if (!known.has(id)) known.set(id, text)
      reply.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told: (path) => [...(byPath.get(path)?.values() ?? [])].map((text) => JSON.parse(text) as Told),
    contradictions,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
