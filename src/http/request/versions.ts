// The version of a contract as an entity tag (RFC 9110, 8.8.3): what was read can be changed only while it is current.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Contract } from '../../domain/contract/contract.ts'
import { invalid, type Refusal, refuseAll } from '../../domain/contract/refusals.ts'

/** The tag of what is shown. What is over shows another status without another version. */
function entityTag({ version, status, activities }: Contract): string {
  const isUnswept = status === 'expired' && !activities.some(({ type }) => type === 'expired')
  return isUnswept ? `"${version}-expired"` : `"${version}"`
}

/** Puts the tag of the contract on the reply that shows it. */
export function tagged(reply: FastifyReply, contract: Contract): void {
  reply.header('ETag', entityTag(contract))
}

/** The tag of whatever else has versions. */
export const versionTag = (version: number): string => `"${version}"`

/** The same of what is shown with runs of its own: each ends without another version, so those that still run count, too. */
export const tagWithRunning = (version: number, running: number): string =>
  running === 0 ? versionTag(version) : `"${version}-${running}-running"`

const TAGS = /^\s*(?:W\/)?"[^"]*"\s*(?:,\s*(?:W\/)?"[^"]*"\s*)*$/
const STRONG = /(?<!W\/)"(\d{1,9})(?:-expired|-\d-running)?"/g

/** The versions of which one must be current for a command; undefined for any; or why the header is refused. */
export function expectedVersions(request: FastifyRequest): readonly number[] | undefined | Refusal {
  const header = request.headers['if-match']
  if (header === undefined || header.trim() === '*') return undefined
  if (!TAGS.test(header))
    return refuseAll([invalid('If-Match', 'If-Match must be the ETag of a reply, with its quotes: If-Match: "3".')])
  return [...header.matchAll(STRONG)].map((match) => Number(match[1]))
}

/** Whether the client has what would be shown. */
export function isKnown(request: FastifyRequest, contract: Contract): boolean {
  return request.headers['if-none-match'] !== undefined && isKnownTag(request, entityTag(contract))
}

export function isKnownTag(request: FastifyRequest, tag: string): boolean {
  const header = request.headers['if-none-match']
  if (header === undefined) return false
  return (
    header.trim() === '*' ||
    header
      .replaceAll('W/', '')
      .split(',')
      .some((each) => each.trim() === tag)
  )
}
