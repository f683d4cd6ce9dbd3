// An OpenID provider on this machine (OpenID Connect Core 1.0): discovery, keys and a token endpoint that holds the client to its
// secret, its redirect URI and PKCE. Whose browser comes, and what the id_token says wrongly, is set by the test.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export const CLIENT = { clientId: 'gateway', clientSecret: 'a secret of the gateway' }

/** What somebody signs in as, and what is wrong with how the provider says so. */
export type Answer = {
  readonly email: string
  readonly verified?: boolean
  readonly state?: string
  /** Claims in place of the right ones. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** Signed by another key than the published one. */
  readonly isForged?: true
}

export type OpenidProvider = {
  readonly issuer: string
  /** What the browser comes back with, after its user signed in at the address that the gateway gave. */
  readonly signIn: (authorizationUrl: string, answer: Answer) => URL
  /** How often a code was exchanged. */
  readonly exchanges: () => number
  readonly stop: () => Promise<void>
}

type Pending = { readonly answer: Answer; readonly query: URLSearchParams }

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const others = generateKeyPairSync('rsa', { modulusLength: 2048 })

export async function startOpenidProvider(): Promise<OpenidProvider> {
  const codes = new Map<string, Pending>()
  let exchanges = 0
  const server = createServer((request, reply) => {
    const send = (status: number, body: object): void => {
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.url === '/.well-known/openid-configuration') return send(200, metadata(issuer))
    if (request.url === '/jwks')
      return send(200, { keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: '1', use: 'sig' }] })
    void formOf(request).then((form) => {
      exchanges++
      const pending = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      const fault = pending ? faultOf(request, form, pending.query) : 'invalid_grant'
      if (!pending || fault) return send(400, { error: fault })
      return send(200, { access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: idToken(issuer, pending) })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    signIn: (authorizationUrl, answer) => {
      const { searchParams: query } = new URL(authorizationUrl)
      const code = randomBytes(16).toString('hex')
      codes.set(code, { answer, query })
      const back = new URL(query.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', answer.state ?? query.get('state') ?? '')
      return back
    },
    exchanges: () => exchanges,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  code_challenge_methods_supported: ['S256'],
})

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

/** What is wrong with the exchange of a code. */
function faultOf({ headers }: IncomingMessage, form: URLSearchParams, query: URLSearchParams): string | null {
  const { clientId, clientSecret } = CLIENT
  const basic = `Basic ${Buffer.from(`${clientId}:${encodeURIComponent(clientSecret).replaceAll('%20', '+')}`).toString('base64')}`
  if (headers.authorization !== basic) return 'invalid_client'
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  const isWhole = query.get('code_challenge_method') === 'S256' && query.get('response_type') === 'code'
  const isSame = form.get('redirect_uri') === query.get('redirect_uri') && challenge === query.get('code_challenge')
  return isWhole && isSame ? null : 'invalid_grant'
}

function idToken(issuer: string, { answer, query }: Pending): string {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: issuer,
    aud: CLIENT.clientId,
    sub: 'a person',
    iat: now,
    exp: now + 60,
    nonce: query.get('nonce'),
    email: answer.email,
    email_verified: answer.verified ?? true,
    ...answer.claims,
  }
  const text = [{ alg: 'RS256', kid: '1' }, claims]
    .map((each) => Buffer.from(JSON.stringify(each)).toString('base64url'))
    .join('.')
  const { privateKey } = answer.isForged ? others : keys
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
}
