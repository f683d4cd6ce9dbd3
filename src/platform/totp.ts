// Codes by time (RFC 6238 over RFC 4226, with base32 of RFC 4648): HMAC-SHA-1, 30 seconds, six digits, which is what every
// authenticator application takes. Knows no member.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const SECRET_BYTES = 20
const STEP_MS = 30_000
const DIGITS = 6
/** A clock may be off by a step, and a code may be typed at its end. */
const STEPS_AROUND = [0, -1, 1]

/** A new secret, in base32. */
export const newTotpSecret = (): string => base32(randomBytes(SECRET_BYTES))

/** The code of a step, with this many digits. */
export function codeOfStep(secret: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 15
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The code at a time. */
export const totpAt = (secret: string, nowMs: number): string => codeOfStep(fromBase32(secret), stepAt(nowMs))

/** The step that the code belongs to, later than the last one that was taken; null for a wrong or used code. */
export function stepOfCode(secret: string, code: string, nowMs: number, lastStep: number): number | null {
  const key = fromBase32(secret)
  const now = stepAt(nowMs)
  const steps = STEPS_AROUND.map((around) => now + around).filter((step) => isSame(codeOfStep(key, step), code))
  return steps.find((step) => step > lastStep) ?? null
}

/** What an authenticator application reads, as text or from a QR code. */
export function totpUrl(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}

const stepAt = (nowMs: number) => Math.floor(nowMs / STEP_MS)

function isSame(expected: string, code: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(code)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Base32 of RFC 4648, without padding. */
export function base32(bytes: Buffer): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += ALPHABET.charAt((held >> (bits - 5)) & 31)
    held &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + ALPHABET.charAt((held << (5 - bits)) & 31)
}

/** The bytes of a text in base32; what is no letter of it ends the text. */
export function fromBase32(text: string): Buffer {
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const letter of text) {
    const value = ALPHABET.indexOf(letter)
    if (value === -1) break
    held = (held << 5) | value
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 255)
    held &= (1 << bits) - 1
  }
  return Buffer.from(bytes)
}
