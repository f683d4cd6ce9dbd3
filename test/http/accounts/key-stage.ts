// What tests of API keys share: keys as the API shows them, and whoever holds one.
import type { Caller, Reply, World } from '../../world.ts'

export type KeyBody = {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly scopes: readonly string[]
  readonly addresses: readonly string[] | null
  readonly transfer_max: readonly { readonly currency: string; readonly amount: number }[] | null
  readonly expires_at: string | null
  readonly last_used_on: string | null
}
export type Made = { readonly key: KeyBody; readonly apiKey: string }
export type Fields = Readonly<Record<string, unknown>>
export type Holder = Pick<Caller, 'ask'>

export const keyIn = ({ data }: Reply) => data['key'] as KeyBody

function madeBy(reply: Reply): Made {
  if (reply.status !== 200) throw new Error(reply.text)
  return { key: keyIn(reply), apiKey: String(reply.data['api_key']) }
}

/** What a key needs to make transfers and pay them. */
export const PAYING = ['contracts:read', 'contracts:write', 'transfers:issue', 'transfers:pay'] as const

/** A key of the account, with these fields in place of its own. */
export async function make(owner: Holder, fields: Fields): Promise<Made> {
  return madeBy(await owner.ask('POST', '/keys', { body: { name: 'Made', scopes: ['accounts:read'], ...fields } }))
}

/** The key that somebody rolls another one into. */
export async function rolled({ key }: Pick<Made, 'key'>, by: Holder, options: Fields = {}): Promise<Made> {
  return madeBy(await by.ask('POST', `/keys/${key.id}/roll`, { body: options }))
}

/** Whoever holds a key, from an address. */
export const holderIn =
  (world: World) =>
  ({ apiKey }: { readonly apiKey: string }, from?: string): Holder => ({
    ask: (method, url, sent = {}) =>
      world.ask(method, url, { ...sent, ...(from && { from }), headers: { 'x-api-key': apiKey, ...sent.headers } }),
  })
