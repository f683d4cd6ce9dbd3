// Ids of new contracts and of what else an account has, and the random digits that they are made of.
import { randomBytes } from 'node:crypto'
import type { Deps } from '../app/deps.ts'
import { contractUuid, laneUuid } from '../domain/contract/ids.ts'
import { keyDigestOf } from '../platform/hashes.ts'

export function newIds(): Pick<Deps, 'randomHex' | 'newId' | 'newContractId'> {
  const randomHex = pooledHex()
  return {
    randomHex,
    newId: (lane) => laneUuid(lane, Date.now(), randomHex()),
    newContractId: (owner, key) =>
      contractUuid(owner, Date.now(), randomHex(), key && keyDigestOf(owner.accountId, key.keyHash)),
  }
}

/** Random digits from a pool: one call of the operating system serves many ids. */
function pooledHex(): () => string {
  const DIGITS = 20
  let pool = ''
  let at = 0
  return () => {
    if (at + DIGITS > pool.length) {
      pool = randomBytes(2000).toString('hex')
      at = 0
    }
    at += DIGITS
    return pool.slice(at - DIGITS, at)
  }
}
