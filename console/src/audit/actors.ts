// Who may have acted: the account's members and keys by what people call them.
import { gateway, useRead } from '../gateway.ts'
import { useCan } from '../session/session.ts'

export type Actor = { readonly id: string; readonly name: string; readonly kind: 'member' | 'key' }
export type Actors = {
  readonly all: readonly Actor[]
  /** The name of a member or a key, also as activities name it; null for what is neither. */
  readonly nameOf: (id: string) => string | null
  /** Whether it is a key that acts under a mandate. */
  readonly isMandated: (id: string) => boolean
}

const MOST = 500

/** The id of a key as activities name it: its letters in a UUID of version 8, without the digits of version and variant. */
function keyOf(proxy: string): string {
  const digits = proxy.replaceAll('-', '')
  const bytes = `${digits.slice(0, 12)}${digits.slice(13, 16)}${digits.slice(17)}`.match(/../g) ?? []
  return String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16)).filter((code) => code > 0))
}

export function useActors(): Actors {
  const can = useCan()
  const enabled = can('accounts:read')
  const members = useRead(
    ['members', 'actors'],
    (signal) => gateway.members.list({ removed: true }, { signal }).all(MOST),
    { enabled },
  )
  const keys = useRead(['keys', 'actors'], (signal) => gateway.keys.list({ limit: 100 }, { signal }).all(MOST), {
    enabled,
  })
  const all: Actor[] = [
    ...(members.data ?? []).map(({ id, name, email }) => ({ id, name: name ?? email, kind: 'member' as const })),
    ...(keys.data ?? []).map(({ id, name }) => ({ id, name, kind: 'key' as const })),
  ]
  const names = new Map(all.map(({ id, name }) => [id, name]))
  const mandated = new Set((keys.data ?? []).flatMap(({ id, mandate }) => (mandate === null ? [] : [id])))
  return {
    all,
    nameOf: (id) => names.get(id) ?? names.get(keyOf(id)) ?? null,
    isMandated: (id) => mandated.has(id) || mandated.has(keyOf(id)),
  }
}
