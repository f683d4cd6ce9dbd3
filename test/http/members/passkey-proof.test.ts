// A new passkey signs in by itself and for ever: a session that was left open, or taken, is not enough to add one.
import { afterAll, expect, test } from 'vitest'
import { openAuthenticator } from '../../rig/members/authenticator.ts'
import { openWorld } from '../../world.ts'
import { coded, joined } from './people.ts'

const world = await openWorld({ workers: 'resting' })
afterAll(() => world.stop())

type Creation = Parameters<ReturnType<typeof openAuthenticator>['create']>[0]

const PATH = '/members/me/passkeys'

test('a session alone adds no passkey: the password is asked for, and a wrong one counts', async () => {
  const mine = await joined(world, world.caller, 'approver')
  expect(coded(await mine.ask('POST', `${PATH}/options`, { body: {} }))).toEqual([400, 'missing_password'])
  const wrong = { password: 'some other words of mine' }
  for (let tries = 0; tries < 10; tries += 1)
    expect(coded(await mine.ask('POST', `${PATH}/options`, { body: wrong }))).toEqual([403, 'not_proven'])
  expect(coded(await mine.ask('POST', `${PATH}/options`, { body: { password: mine.password } }))).toEqual([
    403,
    'not_proven',
  ])
})

test('with the password it is added, and signs in', async () => {
  const mine = await joined(world, world.caller, 'approver')
  const { password } = mine
  const options = (await mine.ask('POST', `${PATH}/options`, { body: { password } })).data['options'] as Creation
  const passkey = openAuthenticator('http://gateway.test').create(options)
  expect((await mine.ask('POST', PATH, { body: { passkey, name: 'Key' } })).status).toBe(200)
})
