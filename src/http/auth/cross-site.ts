// Requests that a page of another origin has a browser send. A browser says where they come from; whoever writes by a session,
// or signs in, must come from the gateway's own pages. SameSite=Strict and JSON bodies stand before it, this does not rely on them.
import type { FastifyRequest } from 'fastify'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Why a request by a session is refused; null where it reads, or comes from a page of our own. */
export function refusalOfPage(request: FastifyRequest, baseUrl: string): Refusal | null {
  return READS.has(request.method) || comesFromUs(request, baseUrl) ? null : crossSite()
}

/** The same where nobody is signed in yet: what says no origin comes from no browser. */
export function refusalOfSigningIn(request: FastifyRequest, baseUrl: string): Refusal | null {
  const { origin, 'sec-fetch-site': site } = request.headers
  return (origin === undefined && site === undefined) || comesFromUs(request, baseUrl) ? null : crossSite()
}

function comesFromUs({ headers }: FastifyRequest, baseUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined) return site === 'same-origin'
  return origin === new URL(baseUrl).origin
}

const crossSite = () =>
  refuse('cross_site_request', 'Origin', 'Send it from a page of the gateway itself, or with an API key.')
