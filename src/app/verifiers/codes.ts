// One-time codes: made from randomness, kept as a hash under a key that is sealed, sent by the account's hook, and given back once.
// The code itself is in no row, no event, no log and no reply.
import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { isRefusal, type Refusal } from '../../domain/contract/refusals.ts'
import { CODE_DIGITS, codeGiven, codeMade, codeSent, type NewCode, wrongCode } from '../../domain/verifier/codes.ts'
import { answered, type SentCode, type Verification } from '../../domain/verifier/verification.ts'
import type { Sealing } from '../../platform/sealing.ts'
import { type Changer, GATEWAY } from '../accounts/changes.ts'
import type { Deps } from '../deps.ts'
import { type CallingDeps, sendCode } from './calling.ts'
import { type EndingDeps, endVerification } from './endings.ts'

const PURPOSE = 'verification code'
const KEY_BYTES = 32

/** Has a code made, written and sent where the hook may be called; a code that nobody gave back in time ends here. */
export async function codeRound(deps: CallingDeps & EndingDeps, taken: Verification): Promise<Verification | Refusal> {
  const { lane, accountId, id, fence } = taken
  const changer: Changer = { lane, accountId, keyId: null, actor: GATEWAY }
  const change = (next: (before: Verification, nowMs: number) => Verification) =>
    endVerification(deps, changer, id, { next, by: null })
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
  const made = provenBy(deps.sealing, taken, code)
  const make = () => change((before, nowMs) => codeMade(before, fence, made, nowMs))
  // What is over ends, whether its hook may be called or not.
  if (codeMade(taken, fence, made, deps.nowMs()).status !== 'pending') return make()
  let after: Verification | Refusal = taken
  const came = await sendCode(deps, taken, async () => {
    // Written before it is sent: what was sent is then known, whatever happens to this process.
    after = await make()
    return !isRefusal(after) && after.code?.hash === made.hash ? code : null
  })
  if (came.status === 'not_wanted') return after
  if (came.status === 'sent') return change((before, nowMs) => codeSent(before, fence, nowMs))
  return change((before, nowMs) => answered(before, fence, came, nowMs))
}

function provenBy(sealing: Sealing, { accountId, id }: Verification, code: string): NewCode {
  const key = randomBytes(KEY_BYTES)
  const keySealed = sealing.seal(key.toString('base64'), { accountId, id, purpose: PURPOSE })
  return { hash: hashOf(key, code).toString('hex'), keySealed }
}

const hashOf = (key: Buffer, code: string) => createHmac('sha256', key).update(code).digest()

/** A code that was given back: right, or wrong with the tries that are left. */
export async function answerCode(
  deps: EndingDeps & { readonly webhooks: Pick<Deps['webhooks'], 'sealing'> },
  changer: Changer,
  id: string,
  given: string,
): Promise<Verification | Refusal> {
  const { sealing } = deps.webhooks
  const { accountId } = changer
  const isRight = ({ hash, keySealed }: SentCode) => {
    const key = Buffer.from(sealing.open(keySealed, { accountId, id, purpose: PURPOSE }), 'base64')
    return timingSafeEqual(hashOf(key, given), Buffer.from(hash, 'hex'))
  }
  // The last to run is the one that was written.
  let wasRight = false
  const after = await endVerification(deps, changer, id, {
    next: (before, nowMs) => {
      const next = codeGiven(before, isRight, nowMs)
      wasRight = !isRefusal(next) && next.status === 'pass'
      return next
    },
    by: null,
  })
  return isRefusal(after) || wasRight ? after : wrongCode(after)
}
