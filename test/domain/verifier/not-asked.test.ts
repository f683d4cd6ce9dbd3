// A question whose verifier was not called, for it had been silent towards others: no try of its own, until it waited long enough.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NO_RECIPIENT } from '../../../src/domain/transfer/transfer.ts'
import { codeMade } from '../../../src/domain/verifier/codes.ts'
import {
  answered,
  type Finding,
  newVerification,
  type Verification,
} from '../../../src/domain/verifier/verification.ts'

const SILENT: Finding = { status: 'unavailable', reason: 'It gave no answer.' }
const RESTING: Finding = { status: 'not_asked', reason: 'It rests.' }
const PASSED: Finding = { status: 'pass', evidence: {}, reason: 'It passed.' }
/** As long as the tries of a verifier that is called take: 2 s, 10 s, a minute and five. */
const LADDER_MS = 372_000

const HOOK = {
  lane: 1,
  accountId: 'account',
  livemode: true,
  id: 'one',
  verifierId: 'hook',
  verifierName: 'Hook',
} as const
const ABOUT = { contractId: null, recipient: NO_RECIPIENT, channelId: null, subject: 'subject', requestedBy: null }
const question = (): Verification => newVerification({ ...HOOK, ...ABOUT, kind: 'otp' }, 0)

/** Each look at it when it is due, with what comes of each, until it ends; the last is repeated. */
function looked(findings: readonly Finding[]) {
  let verification = question()
  let looks = 0
  let silent = 0
  while (verification.dueAt !== null && looks < 200) {
    const finding = findings[Math.min(looks, findings.length - 1)] ?? SILENT
    const { dueAt, fence, tries } = verification
    verification = answered({ ...verification, fence: fence + 1, tries: tries + 1 }, fence + 1, finding, dueAt)
    if (finding === SILENT) silent += 1
    looks += 1
  }
  return { verification, looks, silent }
}

test('a verifier that rests for a minute costs no try, and its answer then counts', () => {
  const { verification } = looked([...Array.from({ length: 5 }, () => RESTING), PASSED])
  expect(verification).toMatchObject({ status: 'pass', tries: 1 })
  expect(verification.endedAt).toBeLessThanOrEqual(60_000)
})

test('it ends without one call only where the verifier answered nobody for as long as all tries take, twice', () => {
  const { verification, looks } = looked([RESTING])
  expect(verification).toMatchObject({ status: 'unavailable', tries: 5 })
  expect(verification.endedAt).toBeGreaterThanOrEqual(2 * LADDER_MS)
  expect(looks).toBeLessThanOrEqual(30)
})

test('whatever comes, it is unavailable only after five silent calls or that time', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(SILENT, RESTING), { minLength: 1, maxLength: 40 }), (findings) => {
      const { verification, silent } = looked(findings)
      expect(verification.status).toBe('unavailable')
      expect(silent >= 5 || (verification.endedAt ?? 0) >= LADDER_MS).toBe(true)
    }),
  )
})

test('a code that was not sent, for its hook rests, leaves all its sends', () => {
  const made = { hash: 'hash', keySealed: 'sealed' }
  const rested = answered({ ...question(), fence: 1, tries: 1 }, 1, RESTING, 0)
  expect(rested).toMatchObject({ status: 'pending', tries: 0, dueAt: 2_000 })
  expect(codeMade(rested, 1, made, 2_000).code).toMatchObject({ sends: 1, isSent: false })
})
