// The work on due verifications: lease, ask, record. The answer is recorded while the account is held; one that comes late, or
// twice, is recognised by the fence of its lease and changes nothing.
import { GATEWAY } from '../accounts/changes.ts'
import type { Refusal } from '../../domain/contract/refusals.ts'
import { answered, type Finding, type Verification } from '../../domain/verifier/verification.ts'
import { leaseCalled, leaseVerifications, verificationFrom } from '../../store/verifiers/verifications.ts'
import { codeRound } from './codes.ts'
import { type AskingDeps, findingFor } from './asking.ts'
import { type EndingDeps, endVerification } from './endings.ts'

export type RunDeps = AskingDeps &
  EndingDeps & {
    readonly leaseMs: number
  }

/** Calls to one verifier under way at once. */
const CALLS_OF_EACH = 4

/** Takes due verifications of these lanes, so many at most. */
export async function takeDue(
  { reader, leaseMs }: RunDeps,
  lanes: readonly number[],
  limit: number,
): Promise<Verification[]> {
  const [taken] = await reader.send([leaseVerifications(lanes, leaseMs, limit)])
  return (taken?.rows ?? []).map(verificationFrom)
}

/** The same of those that call a verifier of an account's own. `busy`: verifiers of which calls are under way. */
export async function takeCalled(
  { reader, leaseMs }: RunDeps,
  lanes: readonly number[],
  limit: number,
  busy: readonly string[],
): Promise<Verification[]> {
  const [taken] = await reader.send([leaseCalled(lanes, leaseMs, { limit, ofEach: CALLS_OF_EACH, busy })])
  return (taken?.rows ?? []).map(verificationFrom)
}

/** Asks and records. What throws is a fault of ours: the verification is due again when its lease ends. */
export async function askAndRecord(deps: RunDeps, taken: Verification): Promise<Verification | Refusal> {
  if (taken.kind === 'otp') return codeRound(deps, taken)
  return recordFinding(deps, taken, await findingFor(deps, taken))
}

export function recordFinding(
  deps: EndingDeps,
  { lane, accountId, id, fence }: Verification,
  finding: Finding,
): Promise<Verification | Refusal> {
  const changer = { lane, accountId, keyId: null, actor: GATEWAY }
  return endVerification(deps, changer, id, {
    next: (before, nowMs) => answered(before, fence, finding, nowMs),
    by: null,
  })
}
