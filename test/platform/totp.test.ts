// Codes by time against the published vectors of RFC 4226, RFC 6238 and RFC 4648.
import { expect, test } from 'vitest'
import { base32, codeOfStep, fromBase32, newTotpSecret, stepOfCode, totpAt } from '../../src/platform/totp.ts'

const SECRET = Buffer.from('12345678901234567890')

test('the codes of RFC 4226, appendix D', () => {
  const codes = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489']
  expect(codes.map((_, step) => codeOfStep(SECRET, step))).toEqual(codes)
})

test('the codes of RFC 6238, appendix B, for SHA-1', () => {
  const rows: [seconds: number, code: string][] = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ]
  for (const [seconds, code] of rows) expect(codeOfStep(SECRET, Math.floor(seconds / 30), 8)).toBe(code)
})

test('base32 of RFC 4648, section 10', () => {
  const rows = { '': '', f: 'MY', fo: 'MZXQ', foo: 'MZXW6', foob: 'MZXW6YQ', fooba: 'MZXW6YTB', foobar: 'MZXW6YTBOI' }
  for (const [text, coded] of Object.entries(rows)) {
    expect(base32(Buffer.from(text))).toBe(coded)
    expect(fromBase32(coded).toString()).toBe(text)
  }
  expect(fromBase32(newTotpSecret())).toHaveLength(20)
})

test('a code is taken one step early and late, once, and no step before it afterwards', () => {
  const secret = base32(SECRET)
  const nowMs = 1_700_000_000_000
  const step = Math.floor(nowMs / 30_000)
  const at = (steps: number) => totpAt(secret, nowMs + steps * 30_000)
  expect([-1, 0, 1].map((off) => stepOfCode(secret, at(off), nowMs, 0))).toEqual([step - 1, step, step + 1])
  expect([-2, 2].map((off) => stepOfCode(secret, at(off), nowMs, 0))).toEqual([null, null])
  expect(stepOfCode(secret, at(0), nowMs, step)).toBeNull()
  expect(stepOfCode(secret, at(-1), nowMs, step)).toBeNull()
  expect(stepOfCode(secret, at(1), nowMs, step)).toBe(step + 1)
  for (const wrong of ['', '12345', '1234567', 'abcdef']) expect(stepOfCode(secret, wrong, nowMs, 0)).toBeNull()
})
