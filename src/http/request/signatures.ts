// The header that a provider signs its bytes with.
import type { FastifyRequest } from 'fastify'

/** Every Service-Signature of a request: the server would join several into one text, which might then be believed. */
export function signaturesOf({ raw }: Pick<FastifyRequest, 'raw'>): string[] {
  const { rawHeaders } = raw
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'service-signature')
}
