// Tries a verifier that is called: a question about nobody, signed and sent as a real one is, and how its reply would be read.
// Nothing is written, nobody is verified by it, and no contract knows of it.
import { maskCards } from '../../domain/text/cards.ts'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import { answerIn } from '../../domain/verifier/answers.ts'
import { type ReadAs, sampleFor, type VerifierTrial } from '../../domain/verifier/trial.ts'
import { archivedVerifier, type Verifier, verifierNotFound } from '../../domain/verifier/verifier.ts'
import type { OwnedKey } from '../../store/columns.ts'
import { findVerifier, verifierFrom, verifierSecretsFrom } from '../../store/verifiers/verifiers.ts'
import type { CallOnTrial, ExchangeWithVerifier, VerifierExchange } from '../../webhooks/verifier-calls.ts'
import { iso } from '../../wire/times.ts'
import type { Deps } from '../deps.ts'
import { openSecrets } from './secrets.ts'

/** Of one verifier one trial is under way at a time; of all together so many in this process. */
const AT_ONCE = 32
const SHOWN_MAX = 2048

export function openTrials(exchange: ExchangeWithVerifier): CallOnTrial {
  const underWay = new Set<string>()
  return (verifierId, call) => {
    if (underWay.has(verifierId) || underWay.size >= AT_ONCE) return null
    underWay.add(verifierId)
    return exchange(call).finally(() => underWay.delete(verifierId))
  }
}

type TrialDeps = Pick<Deps, 'reader' | 'webhooks' | 'verifications' | 'newId' | 'nowMs'>

/** Sends a sample to an account's own verifier. Refuses lists, which are not called, archived ones, and a second trial meanwhile. */
export async function tryVerifier(deps: TrialDeps, key: OwnedKey): Promise<VerifierTrial | Refusal> {
  const { reader, webhooks, verifications, newId, nowMs } = deps
  const [found] = await reader.send([findVerifier(key)])
  const [verifier] = (found?.rows ?? []).map(verifierFrom)
  const [sealed = []] = (found?.rows ?? []).map(verifierSecretsFrom)
  if (!verifier) return verifierNotFound()
  if (verifier.status === 'archived') return archivedVerifier()
  if (verifier.url === null) return notCalled()
  const id = newId(key.lane)
  const secrets = openSecrets(webhooks.sealing, key, sealed, nowMs())
  const body = sampleFor(verifier, id, iso(nowMs()))
  const call = verifications.tryOut(verifier.id, { url: verifier.url, secrets, id, attempt: 1, body })
  if (call === null) return busy()
  const { headers, sent, response, durationMs, reply } = await call
  const shown = response && { ...response, body: maskCards(response.body.slice(0, SHOWN_MAX)) }
  return { url: verifier.url, headers, sent, response: shown, durationMs, readAs: readAs(verifier, id, reply) }
}

function readAs({ kind }: Verifier, id: string, reply: VerifierExchange['reply']): ReadAs {
  if (reply.kind === 'no_answer') return { status: 'unavailable', reason: reply.reason }
  return kind === 'otp' ? { status: 'sent', reason: 'The hook took the code.' } : answerIn(reply.json, id)
}

const notCalled = () =>
  refuse('verifier_not_found', 'id', 'This verifier is a list, which is not called. Ask it with POST /verifications.')

const busy = () => refuse('rate_limited', null, 'A trial of this verifier is under way. Try again once it has ended.')
