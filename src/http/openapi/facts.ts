// What an operation says of itself beside its shapes and its door: the headers that it reads and sends, the forms of what it
// takes and gives, and how it can refuse. The document is made from it (document.ts).
import type { TSchema } from 'typebox'
import type { Scope } from '../../domain/account/scopes.ts'
import type { NamedCode } from '../../domain/contract/refusals.ts'
import type { Access } from '../auth/auth.ts'
import type { ReplyHeader, RequestHeader } from './headers.ts'

/** What an operation is called in the document, in SDKs and in the CLI: `transfers.create`. */
export type OperationId = `${string}.${string}`

/** Needs no credential, or another one than a key, a token or a session. */
export const OPEN = { accepts: 'anybody', scope: null } as const
/** Whom an operation lets in: what its guard asks for. */
export type Door = Access | typeof OPEN

export type Facts = {
  readonly description?: string
  readonly reads?: readonly RequestHeader[]
  readonly sends?: readonly ReplyHeader[]
  /** Beyond those that its door, its headers and what it takes bring with them. */
  readonly refusals?: readonly NamedCode[]
  /** Scopes that are needed beside that of the door. */
  readonly scopes?: readonly Scope[]
  /** A credential beside those of the door, by the name of its security scheme. */
  readonly credential?: 'payerToken' | 'clientSecret' | 'signature'
  /** The forms in which a success may come beside JSON: what each is. */
  readonly files?: Readonly<Record<string, string>>
  /** The form of a success that is never JSON. */
  readonly stream?: 'text/event-stream' | 'text/csv'
  /** The form in which a body may come beside JSON. */
  readonly form?: 'application/x-www-form-urlencoded'
  /** What a status shows that is neither a success nor a refusal. */
  readonly states?: Readonly<Record<number, { readonly description: string; readonly shape: TSchema }>>
}

/** One command about a contract: its idempotency key and the version that it expects are read by the write path. */
export const COMMAND: Facts = {
  reads: ['Idempotency-Key', 'If-Match'],
  sends: ['ETag'],
  refusals: ['contract_not_found', 'account_busy', 'in_recovery'],
}

/** The command that opens a contract: there is no version of it yet. */
export const OPENED: Facts = {
  reads: ['Idempotency-Key'],
  sends: ['ETag'],
  refusals: ['account_busy', 'in_recovery', 'restored_request'],
}

/** A change of what has versions, and is no contract. */
export const VERSIONED: Facts = { reads: ['If-Match'], sends: ['ETag'] }

/** The payer comes in, too, with the token that checkout_url ends with. */
export const PAYER: Facts = { credential: 'payerToken', refusals: ['token_not_for_contract', 'rate_limited'] }

/** A provider proves the bytes that it sends. */
export const SIGNED: Facts = { reads: ['Service-Signature'], credential: 'signature' }

/** A read that says whether what the client has is still current. */
export const TAGGED: Facts = { reads: ['If-None-Match'], sends: ['ETag'] }

/** A reply that holds a secret, which nobody may keep. */
export const SECRET: Facts = { sends: ['Cache-Control'] }

/** Tries to sign in are counted for each address. */
export const COUNTED: Facts = { refusals: ['rate_limited', 'cross_site_request'] }

/** All facts of an operation as one. */
export function joined(facts: readonly Facts[]): Facts {
  return {
    ...Object.assign({}, ...facts),
    reads: facts.flatMap(({ reads = [] }) => reads),
    sends: facts.flatMap(({ sends = [] }) => sends),
    refusals: facts.flatMap(({ refusals = [] }) => refusals),
  }
}
