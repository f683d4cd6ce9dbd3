// Passwords: against Node's own scrypt with the parameters of RFC 7914's form, and how many are derived at once.
import { scryptSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { openPasswords, PASSWORD_COST, TooManyPasswords } from '../../src/platform/passwords.ts'

const passwords = openPasswords(PASSWORD_COST)

test('what is stored is scrypt with a salt and parameters of its own', async () => {
  const [first, second] = await Promise.all([passwords.hash('four plain words'), passwords.hash('four plain words')])
  expect(first).not.toBe(second)
  const [, logN = '', r = '', p = '', salt = '', hash = ''] = first.split('$')
  expect([logN, r, p]).toEqual(['15', '8', '1'])
  const options = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 }
  expect(scryptSync('four plain words', Buffer.from(salt, 'base64url'), 32, options).toString('base64url')).toBe(hash)
  expect(await passwords.isRight('four plain words', first)).toBe(true)
  expect(await passwords.isRight('four plain word', first)).toBe(false)
  expect(await passwords.isRight('four plain words', null)).toBe(false)
})

test('a stored password of other parameters is still read, and one letter in two forms of Unicode is the same', async () => {
  const salt = Buffer.alloc(16, 7)
  const hash = scryptSync('caf\u00e9 au lait', salt, 32, { N: 2 ** 10, r: 8, p: 2 }).toString('base64url')
  expect(await passwords.isRight('cafe\u0301 au lait', `scrypt$10$8$2$${salt.toString('base64url')}$${hash}`)).toBe(
    true,
  )
})

test('more than are served in time are turned away, and the others are served', async () => {
  const cheap = `scrypt$1$1$1$AAAA$${Buffer.alloc(32).toString('base64url')}`
  const results = await Promise.allSettled(Array.from({ length: 110 }, () => passwords.isRight('x', cheap)))
  const failed = results.filter((each) => each.status === 'rejected')
  expect(failed).toHaveLength(8)
  for (const { reason } of failed) expect(reason).toBeInstanceOf(TooManyPasswords)
  expect(await passwords.isRight('x', cheap)).toBe(false)
})
