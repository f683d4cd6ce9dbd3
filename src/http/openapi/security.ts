// The credentials that operations take, with the scope that each of them needs.
import type { Door, Facts } from './facts.ts'
import type { Json } from './shapes.ts'

export const SECURITY_SCHEMES = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'The key of an account, in one mode.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'gateway_session',
    description:
      'A member who is signed in, from a page of the gateway itself. Over HTTPS it is __Host-gateway_session.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'A short read-only token of POST /oauth/token.' },
  payerToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The right to pay one payment contract: what its checkout_url ends with.',
  },
  clientSecret: { type: 'http', scheme: 'basic', description: 'The API key as the password, with any name.' },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'Service-Signature',
    description: 'The provider’s proof of the body’s bytes.',
  },
} as const

/** The alternatives of which one is needed, each with its scopes (OpenAPI 3.1 has scopes for every kind of scheme). */
export function securityOf({ accepts, scope }: Door, { credential, scopes: others = [] }: Facts): Json {
  const scopes = scope === null ? [] : [scope, ...others]
  if (credential === 'signature')
    return accepts === 'anybody' ? [{ signature: [] }] : [{ apiKey: scopes, signature: [] }]
  if (credential === 'clientSecret') return [{ apiKey: scopes }, { clientSecret: scopes }]
  const own = credential === undefined ? [] : [{ [credential]: [] }]
  switch (accepts) {
    case 'anybody':
      return own
    case 'session':
      return [{ session: scopes }, ...own]
    case 'api key':
      return [{ apiKey: scopes }, { session: scopes }, ...own]
    case 'api key or token':
      return [{ apiKey: scopes }, { session: scopes }, { bearer: scopes }, ...own]
  }
}
