// A trial of a verifier that is called: the question about nobody that is sent, and how what came back would be read. Pure.
import type { Answer } from './verification.ts'
import type { Verifier } from './verifier.ts'

/** How the reply would be read: the finding of a service, or that a hook took the code. */
export type ReadAs = Answer | { readonly status: 'sent'; readonly reason: string }

export type VerifierTrial = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The body as it was signed. */
  readonly sent: string
  /** Null where no response came; of a long body its beginning, cards masked. */
  readonly response: { readonly status: number; readonly body: string } | null
  readonly durationMs: number
  readonly readAs: ReadAs
}

/** As a real question, and marked: whoever is asked can tell it from one. */
export function sampleFor({ kind, id: verifier, name, livemode, to }: Verifier, id: string, at: string): object {
  const about = { id, livemode, sample: true, kind, verifier: { id: verifier, name }, contract_id: null, channel: null }
  const asked = { ...about, recipient: NOBODY, created_at: at }
  return kind === 'otp'
    ? { ...asked, type: 'verification.code', to, code: '000000' }
    : { ...asked, type: 'verification.requested' }
}

const NOBODY = {
  name: 'Juan dela Cruz',
  email: 'sample@example.com',
  mobile: null,
  wallet: '000123456780',
  tag: null,
  address: null,
  country: 'PH',
}
