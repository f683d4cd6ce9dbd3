// What a use case asks of an OpenID provider. Who asks it over the network is main's affair.

/** What goes along in the browser, sealed, from the start of a sign-in to its end. */
export type OidcState = {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly accountId: string | null
  readonly startedAt: number
}

/** Who the provider says it is. */
export type OidcPerson = { readonly email: string; readonly isVerified: boolean }

export type Oidc = {
  /** Where the browser is to go, and what has to come back. Rejects where the provider does not answer. */
  readonly begin: (accountId: string | null) => Promise<{ readonly url: string; readonly state: OidcState }>
  /** Null for whatever does not prove a person: a wrong state, nonce, audience, signature or code. */
  readonly finish: (callback: URL, state: OidcState) => Promise<OidcPerson | null>
}

/** The provider does not answer, or not as one. */
export class OidcUnavailable extends Error {
  override readonly name = 'OidcUnavailable'
}
