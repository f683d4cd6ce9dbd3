// What a caller read of a release, as it may be read of a later one.
import { expect } from 'vitest'

/** What ends by its time: a transfer that is not paid, a payment, and the file of an export. */
const ENDS: ReadonlySet<unknown> = new Set(['draft', 'issued', 'ready'])

/** Words of a list may have become more, such as the types of events that all of them are; all else is as it was. */
export function asThen(value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string'))
    return expect.arrayContaining(value)
  if (Array.isArray(value)) return value.map(asThen)
  if (typeof value !== 'object' || value === null) return value
  const { status, expires_at: ends } = value as { readonly status?: unknown; readonly expires_at?: unknown }
  // Its time was over in the meantime, which it says although nothing was written: a contract, and the file of an export.
  const isOver = typeof ends === 'string' && Date.parse(ends) < Date.now()
  if (isOver && ENDS.has(status))
    return { ...(asThen({ ...asOver(value), expires_at: null }) as object), expires_at: ends, status: 'expired' }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asThen(inner)]))
}

/** Nobody chooses any more how to pay it, and nobody is waited for who would approve it. */
function asOver(value: object): object {
  const { preview, approval } = value as {
    readonly preview?: { readonly messages?: readonly { readonly code: string }[] }
    readonly approval?: { readonly status: string } | null
  }
  const messages = preview?.messages?.filter(({ code }) => code !== 'method_not_chosen')
  return {
    ...value,
    ...(messages && { preview: { ...preview, messages } }),
    ...(approval?.status === 'waiting' && { approval: { ...approval, status: 'ended' } }),
  }
}
