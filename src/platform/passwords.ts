// Passwords as they are stored: scrypt with a salt and parameters of their own, so that stronger ones can come later. It works
// beside the event loop, in a part of its thread pool only, so that sign-ins stop neither files nor names. Knows no member.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** What guessing one password is to cost, as RFC 7914 names it. */
export type PasswordCost = { readonly logN: number; readonly r: number; readonly p: number }

/** N = 2^15, r = 8, p = 1: 32 MiB and some tenths of a second. */
export const PASSWORD_COST: PasswordCost = { logN: 15, r: 8, p: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32
/** Node's pool has four threads. */
const AT_ONCE = 2
const WAITING_MAX = 100

/** More derivations wait than will be served in time. */
export class TooManyPasswords extends Error {
  override readonly name = 'TooManyPasswords'
}

export type Passwords = {
  /** What is stored of a password. Throws {@link TooManyPasswords}. */
  readonly hash: (password: string) => Promise<string>
  /** Whether it is the password. Without a stored one it takes as long and is not. Throws {@link TooManyPasswords}. */
  readonly isRight: (password: string, stored: string | null) => Promise<boolean>
}

const STORED = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/

/** `cost` is that of new passwords, and of none; what is stored keeps its own. */
export function openPasswords(cost: PasswordCost): Passwords {
  const inTurn = openTurns()
  const derived = (password: string, salt: Buffer, { logN, r, p }: PasswordCost) =>
    inTurn(
      () =>
        new Promise<Buffer>((resolve, reject) => {
          const options = { N: 2 ** logN, r, p, maxmem: 2 ** 20 + 256 * 2 ** logN * r }
          scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (fault, key) =>
            fault ? reject(fault) : resolve(key),
          )
        }),
    )
  return {
    hash: async (password) => {
      const salt = randomBytes(SALT_BYTES)
      const key = await derived(password, salt, cost)
      return `scrypt$${cost.logN}$${cost.r}$${cost.p}$${salt.toString('base64url')}$${key.toString('base64url')}`
    },
    isRight: async (password, stored) => {
      const [, logN = '', r = '', p = '', salt = '', hash = ''] = STORED.exec(stored ?? '') ?? []
      if (hash === '') {
        await derived(password, Buffer.alloc(SALT_BYTES), cost)
        return false
      }
      const its = { logN: Number(logN), r: Number(r), p: Number(p) }
      const key = await derived(password, Buffer.from(salt, 'base64url'), its)
      const expected = Buffer.from(hash, 'base64url')
      return expected.length === key.length && timingSafeEqual(expected, key)
    },
  }
}

/** So many at once, the others in the order of their arrival. */
function openTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let working = 0
  return async (work) => {
    if (working < AT_ONCE) working++
    else {
      if (waiting.length >= WAITING_MAX) throw new TooManyPasswords('too many passwords are being checked')
      // Whoever ends hands its turn on, and the count stays.
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else working--
    }
  }
}
