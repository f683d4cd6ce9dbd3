// The kinds of event that there are, by what they are about: as the gateway lists them.
import { gateway, useRead } from '../gateway.ts'

export type TypeGroup = { readonly noun: string; readonly types: readonly string[] }

/** In the order of the gateway's own list; empty until it is read. */
export function useEventTypes(): readonly TypeGroup[] {
  const read = useRead(['resources', 'events'], (signal) => gateway.resources.get('events', { signal }), {
    staleTime: Number.POSITIVE_INFINITY,
  })
  const items = read.data && 'items' in read.data ? read.data.items : []
  const types = items.map(({ type }) => String(type))
  const nouns = [...new Set(types.map(nounOf))]
  return nouns.map((noun) => ({ noun, types: types.filter((type) => nounOf(type) === noun) }))
}

const nounOf = (type: string) => type.split('.')[0] ?? ''

/** Where the console shows what an event is about; null for what it has no screen of. */
export function screenOfObject(kind: string, id: string): string | null {
  const screens: Readonly<Record<string, string>> = {
    transfer: `/transfers/${id}`,
    payment: `/payments/${id}`,
    wallet: `/wallets/${id}`,
    profile: `/profiles/${id}`,
    key: `/developers/keys/${id}`,
    member: '/members',
    account: '/account',
  }
  return screens[kind] ?? null
}
