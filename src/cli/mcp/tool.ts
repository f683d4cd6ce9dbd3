// What a tool is: its words, the shape of what it takes, what it does, and what it says where it cannot. Every call goes to
// the gateway with the key of the session, so what that key may do is decided there and nowhere else.
import type { Static, TObject } from 'typebox'
import { type Gateway, GatewayError, type Problem } from '../../../sdk/src/index.ts'
import { isRefusal } from '../../domain/contract/refusals.ts'
import { readerOf } from '../../app/contracts/validation.ts'
import type { Confirmations } from './confirmations.ts'

/** Whoever calls: one key, for as long as the client stays. */
export type Session = { readonly gateway: Gateway; readonly confirmations: Confirmations<Said> }

/** What a tool says: words for whoever reads, and the same as data. */
export type Said = { readonly text: string; readonly data: object }

export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: object
  readonly annotations: object
  readonly call: (session: Session, input: unknown) => Promise<Said>
}

/** What the tool does to the world, as clients ask it of a tool (readOnlyHint and the others). */
const KINDS = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  writes: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  // A confirmation is taken once, so the same call again does nothing more.
  binds: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
} as const

type Words = { readonly title: string; readonly description: string; readonly kind: keyof typeof KINDS }

export function tool<S extends TObject>(
  name: string,
  { title, description, kind }: Words,
  input: S,
  run: (session: Session, input: Static<S>) => Promise<Said>,
): Tool {
  const read = readerOf(input)
  return {
    name,
    title,
    description,
    inputSchema: input,
    annotations: { title, ...KINDS[kind] },
    call: async (session, given) => {
      const found = read(given ?? {})
      if (isRefusal(found)) throw new ToolFailed(found.code, found.message, { errors: problemsOf(found.problems) })
      return run(session, found.read)
    },
  }
}

/** Why a tool did not do it, where not the gateway said so. */
export class ToolFailed extends Error {
  override readonly name = 'ToolFailed'
  readonly code: string
  readonly details: object
  constructor(code: string, message: string, details: object = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** What is said of a fault; null for one that is nobody's but this program's. */
export function failureOf(fault: unknown): Said | null {
  if (fault instanceof ToolFailed) {
    const { code, message, details } = fault
    return { text: `${message} (${code})`, data: { error: { code, message, ...details } } }
  }
  if (!(fault instanceof GatewayError)) return null
  const { code, message, param, errors, requestId, contractId } = fault
  const lines = errors.length > 1 ? errors.map((each) => `- ${each.message} (${each.code})`) : []
  const error = { code, message, param, errors: problemsOf(errors), request_id: requestId, contract_id: contractId }
  return { text: [`${message} (${code})`, ...lines].join('\n'), data: { error } }
}

const problemsOf = (errors: readonly Problem[]) => errors.map(({ code, param, message }) => ({ code, param, message }))
