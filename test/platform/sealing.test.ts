// Sealed texts open for what they are about and for nothing else; and where the keys come from.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { readSealingKeys } from '../../src/main/database/sealing-keys.ts'
import { type About, openSealing, SealBroken } from '../../src/platform/sealing.ts'

const about: About = {
  accountId: '01890000-0000-7000-8000-000000000001',
  id: '01890000-0000-7000-8000-000000000002',
  purpose: 'secret',
}
const [first, second] = [randomBytes(32), randomBytes(32)]
const sealing = openSealing([first, second])

describe('a sealed text', () => {
  test('opens again, whatever it says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const whole = Buffer.from(text).toString()
        expect(sealing.open(sealing.seal(whole, about), about)).toBe(whole)
      }),
    )
  })

  test('says nothing of what is in it, nor whether two are the same', () => {
    const [one, two] = [sealing.seal('whsec_canary', about), sealing.seal('whsec_canary', about)]
    expect(one).not.toBe(two)
    expect(one).toMatch(/^[0-9a-f]{8}\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]+$/)
    expect(Buffer.from(one.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('canary')
  })

  test.each([
    ['another account', { ...about, accountId: about.id }],
    ['another row', { ...about, id: about.accountId }],
    ['another purpose', { ...about, purpose: 'bearer' }],
    ['account and row in each other’s place', { ...about, accountId: about.id, id: about.accountId }],
  ])('does not open for %s', (_name, other) => {
    expect(() => sealing.open(sealing.seal('whsec_x', about), other)).toThrow(SealBroken)
  })

  test('does not open with any one character changed, left out or added', () => {
    const sealed = sealing.seal('whsec_canary', about)
    for (let i = 0; i < sealed.length; i++) {
      const other = sealed[i] === 'A' ? 'B' : 'A'
      for (const bad of [
        sealed.slice(0, i) + other + sealed.slice(i + 1),
        sealed.slice(0, i) + sealed.slice(i + 1),
        sealed.slice(0, i) + other + sealed.slice(i),
      ])
        expect(() => sealing.open(bad, about), bad).toThrow(SealBroken)
    }
  })

  test.each([
    '',
    '.',
    '..',
    'x',
    'whsec_plain',
    '00000000.AAAAAAAAAAAAAAAA.AAAA',
    `${'0'.repeat(8)}.${'A'.repeat(16)}.`,
  ])('is not %j', (text) => expect(() => sealing.open(text, about)).toThrow(SealBroken))
})

describe('a key', () => {
  test('seals when it is the first, and opens from any place', () => {
    const [old, rotated] = [openSealing([second]), openSealing([first, second])]
    expect(rotated.keyId).toBe(openSealing([first]).keyId)
    expect(rotated.open(old.seal('kept', about), about)).toBe('kept')
    expect(() => old.open(rotated.seal('new', about), about)).toThrow(`the key ${rotated.keyId} is not here`)
    expect([rotated.knows(old.keyId), old.knows(rotated.keyId)]).toEqual([true, false])
  })

  test('is 32 bytes, and there is one', () => {
    expect(() => openSealing([])).toThrow('needs a key')
    expect(() => openSealing([randomBytes(16)])).toThrow('32 bytes')
  })
})

describe('the keys', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-sealing-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'data', 'sealing.key')
  const text = (key: Buffer) => key.toString('base64')

  test('are made at the first start, for their owner alone, and stay', () => {
    const [made] = readSealingKeys(null, join(folder, 'data'))
    expect(made).toHaveLength(32)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).toBe(`${text(made!)}\n`)
    expect(readSealingKeys(null, join(folder, 'data'))).toEqual([made])
    expect(readdirSync(join(folder, 'data'))).toEqual(['sealing.key'])
    expect(readSealingKeys(null, join(folder, 'other'))).not.toEqual([made])
  })

  test('come from the setting where there is one, the first seals', () => {
    expect(readSealingKeys(`${text(first)}, ${text(second)}`, '/nowhere')).toEqual([first, second])
  })

  test.each([
    '',
    ',',
    'x',
    text(randomBytes(16)),
    text(randomBytes(33)),
    `${text(first)},`,
    text(first).slice(0, -1),
    first.toString('hex'),
  ])('that are spelled %j are refused with the mend', (setting) =>
    expect(() => readSealingKeys(setting, folder)).toThrow(/GATEWAY_SEALING_KEYS must be .*openssl rand -base64 32/),
  )

  test('in a file that was damaged are refused, and it is left as it is', () => {
    chmodSync(path, 0o600)
    writeFileSync(path, 'damaged')
    expect(() => readSealingKeys(null, join(folder, 'data'))).toThrow(`${path} must hold base64 of 32 bytes`)
    expect(readFileSync(path, 'utf8')).toBe('damaged')
  })
})
