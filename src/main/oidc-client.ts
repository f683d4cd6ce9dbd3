// The OpenID provider that is configured, by oauth4webapi, over the guarded client: no redirects, no private addresses but those
// that are allowed, a deadline. The library is loaded by the first sign-in.
import type * as OAuth from 'oauth4webapi'
import { type Oidc, type OidcPerson, OidcUnavailable } from '../app/members/oidc-provider.ts'
import { openAddressGuard } from '../platform/addresses.ts'
import { openOutbound, type Outbound } from '../platform/outbound.ts'
import type { OidcConfig } from './config/oidc.ts'

const TIMEOUT_MS = 5000
const SCOPE = 'openid email'

type Library = typeof OAuth
type Place = { readonly redirectUrl: () => string; readonly nowMs: () => number }

export type OidcClient = Oidc & { readonly close: () => Promise<void> }

export function openOidcClient(config: OidcConfig, allow: readonly string[], place: Place): OidcClient {
  const outbound = openOutbound({ guard: openAddressGuard({ allow }) })
  const discover = openDiscovery(new URL(config.issuer), outbound)
  const client: OAuth.Client = { client_id: config.clientId }
  return {
    begin: async (accountId) => {
      const { oauth, server } = await discover()
      const verifier = oauth.generateRandomCodeVerifier()
      const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
      const url = new URL(server.authorization_endpoint ?? '')
      const parameters = {
        client_id: config.clientId,
        redirect_uri: place.redirectUrl(),
        response_type: 'code',
        scope: SCOPE,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return { url: url.href, state: { state, nonce, verifier, accountId, startedAt: place.nowMs() } }
    },
    finish: async (callback, { state, nonce, verifier }) => {
      const { oauth, server, options } = await discover()
      const authentication = authenticationOf(oauth, server, config.clientSecret)
      const redirectUrl = place.redirectUrl()
      try {
        const answer = oauth.validateAuthResponse(server, client, callback, state)
        const ask = oauth.authorizationCodeGrantRequest
        const response = await ask(server, client, authentication, answer, redirectUrl, verifier, options)
        const expected = { expectedNonce: nonce, requireIdToken: true }
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, expected)
        // The connection proves the provider already; its signature does, too, where a proxy stands between.
        await oauth.validateApplicationLevelSignature(server, response, options)
        return personOf(oauth.getValidatedIdTokenClaims(tokens))
      } catch (fault) {
        // Whatever else the library finds wrong is no proof.
        if (fault instanceof OidcUnavailable) throw fault
        return null
      }
    },
    close: outbound.close,
  }
}

function personOf(claims: OAuth.IDToken | undefined): OidcPerson | null {
  const email = claims?.['email']
  return typeof email === 'string' ? { email, isVerified: claims?.['email_verified'] === true } : null
}

/** The library with what the provider says of itself: asked once, and again after it did not answer. */
function openDiscovery(issuer: URL, outbound: Outbound) {
  const discover = async () => {
    const oauth = await import('oauth4webapi')
    // Configuration takes http for this machine alone.
    const options = {
      [oauth.customFetch]: fetchBy(outbound),
      [oauth.allowInsecureRequests]: issuer.protocol === 'http:',
    }
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...options })
    return { oauth, options, server: await oauth.processDiscoveryResponse(issuer, response) }
  }
  let discovered: ReturnType<typeof discover> | null = null
  return () => {
    discovered ??= discover().catch((cause: unknown) => {
      discovered = null
      throw new OidcUnavailable('the OpenID provider does not answer', { cause })
    })
    return discovered
  }
}

function authenticationOf(oauth: Library, server: OAuth.AuthorizationServer, secret: string): OAuth.ClientAuth {
  const known = server.token_endpoint_auth_methods_supported
  const takesBasic = known === undefined || known.includes('client_secret_basic')
  return takesBasic ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret)
}

type Asked = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: URLSearchParams | Uint8Array | null | undefined
}

const fetchBy =
  (outbound: Outbound) =>
  async (url: string, { method, headers, body }: Asked): Promise<Response> => {
    const sent = body instanceof URLSearchParams ? body.toString() : null
    const reply = await outbound.request({
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
      body: sent,
      timeoutMs: TIMEOUT_MS,
    })
    if (reply.kind !== 'response') throw new OidcUnavailable(`the OpenID provider does not answer: ${reply.reason}`)
    return new Response(new Uint8Array(reply.body), { status: reply.status, headers: { ...reply.headers } })
  }
