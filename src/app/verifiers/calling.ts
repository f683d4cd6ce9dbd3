// Asks a verifier of one's own, or has its hook send a code: the signed call, behind a circuit of its own, so that one that is
// down takes nobody else's time. What is sent says who is paid, and nothing of the account but its mode.
import { answerIn } from '../../domain/verifier/answers.ts'
import type { Finding, NoAnswer, Verification } from '../../domain/verifier/verification.ts'
import type { Verifier } from '../../domain/verifier/verifier.ts'
import type { Session } from '../../platform/db.ts'
import type { Sealing } from '../../platform/sealing.ts'
import { findVerifier, verifierFrom, verifierSecretsFrom } from '../../store/verifiers/verifiers.ts'
import type { CallVerifier, VerifierReply } from '../../webhooks/verifier-calls.ts'
import { iso } from '../../wire/times.ts'
import type { Circuits } from './circuits.ts'
import { openSecrets } from './secrets.ts'

export type CallingDeps = {
  readonly reader: Session
  readonly sealing: Sealing
  readonly call: CallVerifier
  readonly circuits: Circuits
  readonly nowMs: () => number
}

/** What the verifier answers. Whatever is no answer to this very question is none. */
export async function calledFinding(deps: CallingDeps, verification: Verification): Promise<Finding> {
  const reply = await callAbout(deps, verification, async (verifier) => ({
    ...bodyOf(verification, verifier),
    type: 'verification.requested',
  }))
  return reply.kind === 'answered' ? answerIn(reply.json, verification.id) : findingOf(reply)
}

/** What is sent, written down before it is; null where it is not wanted any more. */
type WrittenCode = () => Promise<string | null>

/** Has the hook send a code, which is written once the hook may be called. */
export async function sendCode(
  deps: CallingDeps,
  verification: Verification,
  written: WrittenCode,
): Promise<NoAnswer | { readonly status: 'sent' } | { readonly status: 'not_wanted' }> {
  const reply = await callAbout(deps, verification, async (verifier) => {
    const code = await written()
    return code === null
      ? null
      : { ...bodyOf(verification, verifier), type: 'verification.code', to: verifier.to, code }
  })
  if (reply.kind === 'answered') return { status: 'sent' }
  return reply.kind === 'not_wanted' ? { status: reply.kind } : findingOf(reply)
}

/** What came of it, called or not. `not_wanted`: nothing was to be sent any more. */
type Called =
  | VerifierReply
  | { readonly kind: 'not_asked'; readonly reason: string }
  | { readonly kind: 'not_wanted'; readonly reason: string }

const RESTING = {
  kind: 'not_asked',
  reason: 'The verifier did not answer lately; it is called again in a while.',
} as const

const findingOf = ({ kind, reason }: Exclude<Called, { kind: 'answered' }>): NoAnswer =>
  kind === 'no_answer' ? { status: 'unavailable', reason } : { status: 'not_asked', reason }

const bodyOf = (
  { id, livemode, kind, contractId, channelId, recipient, createdAt }: Verification,
  verifier: Verifier,
) => ({
  id,
  livemode,
  kind,
  verifier: { id: verifier.id, name: verifier.name },
  contract_id: contractId,
  channel: channelId,
  recipient,
  created_at: iso(createdAt),
})

/** `body`: what is sent, made once the verifier may be called; null where nothing is to be sent any more. */
async function callAbout(
  { reader, sealing, call, circuits, nowMs }: CallingDeps,
  verification: Verification,
  body: (verifier: Verifier) => Promise<object | null>,
): Promise<Called> {
  const { lane, accountId, verifierId, tries } = verification
  const key = { lane, accountId, id: verifierId ?? '' }
  const [found] = verifierId === null ? [] : await reader.send([findVerifier(key)])
  const [verifier] = (found?.rows ?? []).map(verifierFrom)
  const [secrets = []] = (found?.rows ?? []).map(verifierSecretsFrom)
  if (!verifier || verifier.status !== 'active' || verifier.url === null)
    return { kind: 'no_answer', reason: 'The verifier is there no more.' }
  if (!circuits.lets(verifier.id)) return RESTING
  let reply: Exclude<Called, { kind: 'not_asked' }> = { kind: 'not_wanted', reason: 'It is not wanted any more.' }
  try {
    const sent = await body(verifier)
    if (sent) {
      reply = { kind: 'no_answer', reason: 'The call broke off.' }
      const signed = { secrets: openSecrets(sealing, key, secrets, nowMs()), id: verification.id, attempt: tries }
      reply = await call({ url: verifier.url, ...signed, body: sent })
    }
    return reply
  } finally {
    circuits.tell(verifier.id, reply.kind)
  }
}
