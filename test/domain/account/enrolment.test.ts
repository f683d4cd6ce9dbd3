// What of an enrolment goes on: the last start by the link that the member still has, for an hour; looked at again while the account is held, for
// a link may have been replaced or withdrawn since it was found.
import { expect, test } from 'vitest'
import { isRefusal } from '../../../src/domain/contract/refusals.ts'
import { begun, goingOn, isInvited, type Member } from '../../../src/domain/member/member.ts'

const NOW = 1_700_000_000_000
const HOUR_MS = 3_600_000
const LINK = Buffer.alloc(32, 1)
const MEMBER: Member = {
  lane: 0,
  accountId: '01890000-0000-7000-8000-000000000001',
  id: '01890000-0000-7000-8000-000000000002',
  email: 'ben@people.example',
  name: 'Ben',
  role: 'viewer',
  status: 'invited',
  linkHash: LINK,
  linkExpiresAt: NOW + 1,
  invitedBy: 'Ana Cruz',
  password: 'scrypt',
  totpSealed: null,
  totpPendingSealed: 'sealed',
  totpStep: 0,
  recoveryCodes: [],
  challengedAt: 0,
  failures: 0,
  lockedUntil: null,
  createdAt: NOW,
  joinedAt: null,
  removedAt: null,
}
const LAST = begun({ secret: 'JBSWY3DPEHPK3PXP', tokenHash: 'last' }, NOW)
const START = { linkHash: LINK, tokenHash: 'last' }

test.each([
  ['at once', NOW],
  ['in its last moment, though the invitation has ended', NOW + HOUR_MS - 1],
])('the last start goes on %s', (_, nowMs) => {
  expect(goingOn(MEMBER, LAST, START, nowMs)).toBe(LAST)
})

const USED = 'The invitation was used, replaced or has expired. Ask for a new one.'
const ANEW = expect.stringMatching(/^The invitation was begun anew since/)
test.each([
  ['of a member who has joined', { ...MEMBER, status: 'active' as const }, LAST, START, NOW, USED],
  ['of a member who was removed', { ...MEMBER, status: 'removed' as const }, LAST, START, NOW, USED],
  ['by a link that was replaced', { ...MEMBER, linkHash: Buffer.alloc(32, 2) }, LAST, START, NOW, USED],
  ['by a link that was withdrawn', { ...MEMBER, linkHash: null }, LAST, START, NOW, USED],
  ['before the last one', MEMBER, LAST, { ...START, tokenHash: 'before' }, NOW, ANEW],
  ['of which nothing is kept', MEMBER, null, START, NOW, ANEW],
  ['before the last one, where the invitation has ended', MEMBER, LAST, { ...START, tokenHash: 'x' }, NOW + 1, USED],
  ['that is an hour old, where the invitation has ended', MEMBER, LAST, START, NOW + HOUR_MS, USED],
  [
    'that is an hour old',
    { ...MEMBER, linkExpiresAt: NOW + HOUR_MS + 1 },
    LAST,
    START,
    NOW + HOUR_MS,
    expect.stringMatching(/^This start is an hour old/),
  ],
])('a start %s does not', (_, member, last, start, nowMs, message) => {
  expect(goingOn(member, last, start, nowMs)).toMatchObject({ code: 'invitation_not_found', message })
})

test('a link begins until the moment in which the invitation ends', () => {
  expect([isInvited(MEMBER, LINK, NOW), isInvited(MEMBER, LINK, NOW + 1)]).toEqual([true, false])
  expect(isInvited({ ...MEMBER, status: 'active' }, LINK, NOW)).toBe(false)
  expect(isRefusal(goingOn(MEMBER, LAST, START, NOW))).toBe(false)
})
