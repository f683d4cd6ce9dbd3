// An enrolment that was begun and not ended: the answer was lost, or the page was left. The invitation's link begins it anew, as long as the
// invitation lasts; the last start alone is worth anything, and whoever has finished, or may not come in any more, begins nothing.
import { afterAll, expect, test } from 'vitest'
import { begunEnrolment, withBegunEnrolment } from '../../../src/app/members/factors.ts'
import { newEnrolment, readLink } from '../../../src/platform/credentials.ts'
import { totpAt } from '../../../src/platform/totp.ts'
import { findMember, memberFrom } from '../../../src/store/members/members.ts'
import { openAuthenticator } from '../../rig/members/authenticator.ts'
import { openWorld } from '../../world.ts'
import { coded, cookieOf, joined, newEmail, PASSWORD, type Person, withCookie } from './people.ts'

const world = await openWorld({ workers: 'resting' })
const { caller } = world
const owner = await joined(world, caller, 'owner')
afterAll(() => world.stop())

type Creation = Parameters<ReturnType<typeof openAuthenticator>['create']>[0]
type Begun = {
  readonly token: string
  readonly expires_at: string
  readonly authenticator: { readonly secret: string }
  readonly passkey: Creation
}

const GONE = [404, 'invitation_not_found']
const read = (link: string) => world.ask('GET', `/invitations/${link}`)
const accept = (link: string, password = PASSWORD, name = 'Ben') =>
  world.ask('POST', `/invitations/${link}/accept`, { body: { name, password } })
const confirm = (token: string, body: object) => world.ask('POST', `/invitations/${token}/confirm`, { body })
const codeOf = ({ authenticator }: Begun) => ({ code: totpAt(authenticator.secret, Date.now()) })
const signIn = (email: string, password: string) => world.ask('POST', '/sessions', { body: { email, password } })

async function begin(link: string, password = PASSWORD): Promise<Begun> {
  const reply = await accept(link, password)
  expect(reply.status).toBe(200)
  return reply.data['enrolment'] as Begun
}

/** An invitation by the owner, over HTTP. */
async function invited(who: Person = owner, email = newEmail()) {
  const { data } = await who.ask('POST', '/members', { body: { email, role: 'viewer' } })
  const { id } = data['member'] as { id: string }
  const { token: link, expires_at: expiresAt } = data['invitation'] as { token: string; expires_at: string }
  return { id, email, link, expiresAt }
}

test('who lost the answer begins anew by the same link, and comes in with what they chose last', async () => {
  const { id, email, link } = await invited()
  await begin(link, 'the words of a first start')
  expect((await read(link)).status).toBe(200)
  const again = await begin(link, 'the words of a second start')
  const reply = await confirm(again.token, codeOf(again))
  expect(reply.status).toBe(200)
  const current = await withCookie(world, cookieOf(reply))('GET', '/sessions/current')
  expect(current.data['member']).toMatchObject({ id, status: 'active' })
  expect(coded(await signIn(email, 'the words of a first start'))).toEqual([401, 'sign_in_failed'])
  expect(coded(await signIn(email, 'the words of a second start'))).toEqual([401, 'second_factor_required'])
})

test('what an earlier start was given is worth nothing: neither token, nor code, nor passkey', async () => {
  const { link } = await invited()
  const before = await begin(link)
  const again = await begin(link)
  const stale = await confirm(before.token, codeOf(before))
  expect(coded(stale)).toEqual(GONE)
  expect(stale.error.message).toBe(
    'The invitation was begun anew since, here or elsewhere. Go on where it was begun last, or open the link of the invitation and begin anew.',
  )
  expect(coded(await confirm(before.token, codeOf(again)))).toEqual(GONE)
  expect(coded(await confirm(again.token, codeOf(before)))).toEqual([400, 'invalid_code'])
  const passkey = openAuthenticator('http://gateway.test').create(before.passkey)
  expect(coded(await confirm(again.token, { passkey }))).toEqual([400, 'invalid_passkey'])
  expect(coded(await confirm(before.token, { passkey }))).toEqual(GONE)
  const last = openAuthenticator('http://gateway.test').create(again.passkey)
  expect((await confirm(again.token, { passkey: last })).status).toBe(200)
})

test('whoever has finished begins nothing by the link, and ends nothing by a start', async () => {
  const { id, email, link } = await invited()
  const [before, last] = [await begin(link), await begin(link)]
  const done = await confirm(last.token, codeOf(last))
  expect(done.status).toBe(200)
  const row = () => world.sql('select * from members where id = $1', [id])
  const finished = await row()
  expect(coded(await read(link))).toEqual(GONE)
  expect(coded(await accept(link, 'words of somebody else'))).toEqual(GONE)
  for (const each of [before, last]) expect(coded(await confirm(each.token, codeOf(each)))).toEqual(GONE)
  expect(await row()).toEqual(finished)
  expect(coded(await signIn(email, PASSWORD))).toEqual([401, 'second_factor_required'])
})

test('no start gives a session before its code: no cookie, no sign-in, and nobody has joined', async () => {
  const { id, email, link } = await invited()
  const reply = await accept(link)
  const enrolment = reply.data['enrolment'] as Begun
  expect(reply.headers['set-cookie']).toBeUndefined()
  const wrong = await confirm(enrolment.token, { code: '000000' })
  expect([...coded(wrong), wrong.headers['set-cookie']]).toEqual([400, 'invalid_code', undefined])
  expect(coded(await signIn(email, PASSWORD))).toEqual([401, 'sign_in_failed'])
  for (const cookie of [enrolment.token, link])
    expect((await withCookie(world, `gateway_session=${cookie}`)('GET', '/sessions/current')).status).toBe(401)
  const { data } = await owner.ask('GET', `/members/${id}`)
  expect(data['member']).toMatchObject({ status: 'invited', factors: { authenticator: false, passkeys: 0 } })
  expect(await world.sql('select 1 from api_keys where member_id = $1', [id])).toEqual([])
})

test('of two starts at once one goes on, and the other is told so in words', async () => {
  const { link } = await invited()
  const both = await Promise.all([begin(link, 'words of the one page'), begin(link, 'words of the other page')])
  const replies = [await confirm(both[0].token, { code: '000000' }), await confirm(both[1].token, { code: '000000' })]
  expect(replies.map(({ error }) => error.code).sort()).toEqual(['invalid_code', 'invitation_not_found'])
  const isOver = replies.map(({ error }) => error.message.startsWith('The invitation was begun anew since'))
  expect([...isOver].sort()).toEqual([false, true])
  const last = both[isOver.indexOf(false)] as Begun
  const ends = await Promise.all([confirm(last.token, codeOf(last)), confirm(last.token, codeOf(last))])
  expect(ends.map(({ status }) => status).sort()).toEqual([200, 404])
})

const ENDS: [string, (member: { readonly id: string; readonly email: string }) => Promise<unknown>][] = [
  ['replaced', ({ email }) => invited(owner, email)],
  ['reset', ({ id }) => owner.ask('POST', `/members/${id}/reset`)],
  ['withdrawn', ({ id }) => owner.ask('DELETE', `/members/${id}`)],
]

test.each(ENDS)('an invitation that is %s begins nothing, and ends what was begun by it', async (_, end) => {
  const { id, email, link } = await invited()
  const last = await begin(link)
  await end({ id, email })
  expect(coded(await read(link))).toEqual(GONE)
  expect(coded(await accept(link))).toEqual(GONE)
  const stale = await confirm(last.token, codeOf(last))
  expect(coded(stale)).toEqual(GONE)
  expect(stale.error.message).toBe('The invitation was used, replaced or has expired. Ask for a new one.')
  const passkey = openAuthenticator('http://gateway.test').create(last.passkey)
  expect(coded(await confirm(last.token, { passkey }))).toEqual(GONE)
})

test('a start makes no invitation last longer, and has its hour where the invitation ends within it', async () => {
  const { id, link, expiresAt } = await invited()
  const last = await begin(link)
  expect((await read(link)).data['invitation']).toMatchObject({ expires_at: expiresAt })
  expect(Math.round((Date.parse(last.expires_at) - Date.now()) / 60_000)).toBe(60)
  await world.sql(`update members set link_expires_at = now() - interval '1 second' where id = $1`, [id])
  expect(coded(await read(link))).toEqual(GONE)
  expect(coded(await accept(link))).toEqual(GONE)
  expect((await confirm(last.token, codeOf(last))).status).toBe(200)
})

/** As if the last start had been an hour ago. */
async function anHourLater(id: string): Promise<void> {
  const { lane, accountId } = caller.account
  const { reader, members } = world.gateway.deps
  const [found] = await reader.send([findMember({ lane, accountId, id })])
  const member = memberFrom(found?.rows[0] ?? {})
  const last = begunEnrolment(members.sealing, member)
  if (last === null) throw new Error('nothing was begun')
  const { totpPendingSealed } = withBegunEnrolment(members.sealing, member, { ...last, expiresAt: Date.now() - 1000 })
  await world.sql('update members set totp_pending_sealed = $2 where id = $1', [id, totpPendingSealed])
}

test('a start that is an hour old is over, and the link begins anew', async () => {
  const { id, link } = await invited()
  const last = await begin(link)
  await anHourLater(id)
  const late = await confirm(last.token, codeOf(last))
  expect(coded(late)).toEqual(GONE)
  expect(late.error.message).toMatch(/^This start is an hour old\. /)
  const again = await begin(link)
  expect((await confirm(again.token, codeOf(again))).status).toBe(200)
})

test('whoever lacks the link begins nothing: not by a start, nor by one made of what the database keeps', async () => {
  const { link } = await invited()
  const last = await begin(link)
  expect(coded(await accept(last.token))).toEqual(GONE)
  expect(coded(await read(last.token))).toEqual(GONE)
  expect(coded(await confirm(link, codeOf(last)))).toEqual(GONE)
  const { lane, linkHash } = readLink(link) ?? { lane: 0, linkHash: Buffer.alloc(32) }
  expect(coded(await confirm(newEnrolment(lane, linkHash).text, codeOf(last)))).toEqual(GONE)
  expect(coded(await confirm(newEnrolment(lane, Buffer.alloc(32)).text, codeOf(last)))).toEqual(GONE)
  expect((await confirm(last.token, codeOf(last))).status).toBe(200)
})

test('guesses are counted over starts: a new one gives no new tries', async () => {
  const guarded = await world.beside({ doors: { ...world.config.doors, authFailuresPerMinute: 3 } })
  const { link } = await invited()
  const from = '203.0.113.77'
  const statuses: number[] = []
  for (let tries = 0; tries < 8; tries++) {
    const { token } = await begin(link)
    const sent = { body: { code: '000000' }, from }
    statuses.push((await guarded.ask('POST', `/invitations/${token}/confirm`, sent)).status)
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 429, 429])
  await guarded.stop()
})
