// What a caller read of a release, as it may be read of a later one.
import { expect } from 'vitest'

/** Words of a list may have become more, such as the types of events that all of them are; all else is as it was. */
export function asThen(value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string'))
    return expect.arrayContaining(value)
  if (Array.isArray(value)) return value.map(asThen)
  if (typeof value !== 'object' || value === null) return value
  const { status, expires_at: ends } = value as { readonly status?: unknown; readonly expires_at?: unknown }
  // Its time was over in the meantime, which it says although nothing was written.
  if (status === 'issued' && typeof ends === 'string' && Date.parse(ends) < Date.now())
    return { ...(asThen({ ...withoutChoice(value), expires_at: null }) as object), expires_at: ends, status: 'expired' }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asThen(inner)]))
}

/** Nobody chooses any more how to pay it. */
function withoutChoice(value: object): object {
  const { preview } = value as { readonly preview?: { readonly messages?: readonly { readonly code: string }[] } }
  if (!preview?.messages) return value
  const messages = preview.messages.filter(({ code }) => code !== 'method_not_chosen')
  return { ...value, preview: { ...preview, messages } }
}
