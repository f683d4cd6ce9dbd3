// Sign-in at an OpenID provider: where it is, and as whom the gateway asks it.
import { type Env, isLoopback } from './environment.ts'

export type OidcConfig = { readonly issuer: string; readonly clientId: string; readonly clientSecret: string }

/** Null where none is configured. All three belong together. */
export function oidcOf(env: Env, faults: string[]): OidcConfig | null {
  const issuer = env['GATEWAY_OIDC_ISSUER'] || ''
  const clientId = env['GATEWAY_OIDC_CLIENT_ID'] || ''
  const clientSecret = env['GATEWAY_OIDC_CLIENT_SECRET'] || ''
  if (issuer === '' && clientId === '' && clientSecret === '') return null
  if (issuer === '' || clientId === '' || clientSecret === '') {
    faults.push('GATEWAY_OIDC_ISSUER, GATEWAY_OIDC_CLIENT_ID and GATEWAY_OIDC_CLIENT_SECRET belong together: set all')
    return null
  }
  if (!isIssuer(issuer)) {
    faults.push(`GATEWAY_OIDC_ISSUER must be a URL that begins with https://, not "${issuer}"`)
    return null
  }
  return { issuer, clientId, clientSecret }
}

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash } = new URL(text)
  return search === '' && hash === '' && (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname)))
}
