// A trial of a verifier that is called, on the wire: what was sent, what came, and how it would be read.
import Type from 'typebox'
import type { VerifierTrial as DomainTrial } from '../../domain/verifier/trial.ts'
import { closed, envelope, nullable, type Wire } from '../shapes.ts'

export const TrialBody = closed(
  {},
  { $id: 'VerifierTrialRequest', description: 'Nothing: what is sent is a sample about nobody.' },
)

const READINGS = ['pass', 'fail', 'review', 'unavailable', 'sent'] as const

const VerifierTrial = Type.Object(
  {
    read_as: Type.Enum([...READINGS], {
      description: 'How the reply would count. sent: the hook of one-time codes took it. unavailable: it is no answer.',
    }),
    reason: Type.String({ description: 'Its reason, or what is wrong with the reply.' }),
    evidence: Type.Record(Type.String(), Type.Unknown(), { description: 'What the reply brings with it.' }),
    duration_ms: Type.Integer(),
    request: Type.Object({
      method: Type.Literal('POST'),
      url: Type.String(),
      headers: Type.Record(Type.String(), Type.String(), { description: 'With the signatures, as they were.' }),
      body: Type.String({ description: 'The bytes that are signed. `sample` is true in trials alone.' }),
    }),
    response: nullable(
      Type.Object(
        {
          status_code: Type.Integer(),
          body: Type.String({ description: 'Its first 2 KiB.' }),
        },
        { description: 'Null where none came.' },
      ),
    ),
  },
  { $id: 'VerifierTrial' },
)
export const TrialReply = envelope('number', Type.Object({ verifier_trial: VerifierTrial }))

export function presentTrial({
  url,
  headers,
  sent,
  response,
  durationMs,
  readAs,
}: DomainTrial): Wire<typeof VerifierTrial> {
  return {
    read_as: readAs.status,
    reason: readAs.reason,
    evidence: 'evidence' in readAs ? readAs.evidence : {},
    duration_ms: durationMs,
    request: { method: 'POST', url, headers, body: sent },
    response: response && { status_code: response.status, body: response.body },
  }
}
