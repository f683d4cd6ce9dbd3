// Why somebody who came back from their company's provider is not signed in: the gateway leads the browser to the sign-in with the code of what it
// refused (src/http/members/oidc.ts). Only codes that are known here are taken from an address: anybody can write one.
const SAID = {
  sign_in_failed: 'refusedFailed',
  account_required: 'refusedAccounts',
  rate_limited: 'refusedOften',
} as const

export type RefusedElsewhere = (typeof SAID)[keyof typeof SAID] | 'refusedNow'

/** What is said of it; null for who has not come back. */
export function refusedElsewhere(search: string): RefusedElsewhere | null {
  const code = new URLSearchParams(search).get('refused')
  if (code === null) return null
  return SAID[code as keyof typeof SAID] ?? 'refusedNow'
}
