// Asks a verifier of one's own, or has its hook send a code: the signed call, behind a circuit of its own, so that one that is
// down takes nobody else's time. What is sent says who is paid, and nothing of the account but its mode.
import { answerIn } from '../../domain/verifier/answers.ts'
import type { Finding, Verification } from '../../domain/verifier/verification.ts'
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
  const reply = await callAbout(deps, verification, (verifier) => ({
    ...bodyOf(verification, verifier),
    type: 'verification.requested',
  }))
  return reply.kind === 'answered'
    ? answerIn(reply.json, verification.id)
    : { status: 'unavailable', reason: reply.reason }
}

/** Has the hook send a code; whether it took it. */
export async function sendCode(deps: CallingDeps, verification: Verification, code: string): Promise<VerifierReply> {
  return callAbout(deps, verification, (verifier) => ({
    ...bodyOf(verification, verifier),
    type: 'verification.code',
    to: verifier.to,
    code,
  }))
}

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

async function callAbout(
  { reader, sealing, call, circuits, nowMs }: CallingDeps,
  verification: Verification,
  body: (verifier: Verifier) => object,
): Promise<VerifierReply> {
  const { lane, accountId, verifierId, tries } = verification
  const key = { lane, accountId, id: verifierId ?? '' }
  const [found] = verifierId === null ? [] : await reader.send([findVerifier(key)])
  const [verifier] = (found?.rows ?? []).map(verifierFrom)
  const [secrets = []] = (found?.rows ?? []).map(verifierSecretsFrom)
  if (!verifier || verifier.status !== 'active' || verifier.url === null)
    return { kind: 'no_answer', reason: 'The verifier is there no more.' }
  if (!circuits.lets(verifier.id))
    return { kind: 'no_answer', reason: 'The verifier did not answer lately; it is called again in a while.' }
  let isAnswered = false
  try {
    const signed = { secrets: openSecrets(sealing, key, secrets, nowMs()), id: verification.id, attempt: tries }
    const reply = await call({ url: verifier.url, ...signed, body: body(verifier) })
    isAnswered = reply.kind === 'answered'
    return reply
  } finally {
    circuits.tell(verifier.id, isAnswered)
  }
}
