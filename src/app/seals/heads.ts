// The heads of all accounts: their newest seals, to be kept where nobody who can write the database can. Books that are whole go on
// from every head that was ever kept of them.
import { ALL_LANES, laneOf } from '../../domain/contract/ids.ts'
import { sealFrom } from '../../domain/seal/seal.ts'
import type { Session } from '../../platform/db.ts'
import { sha256Hex } from '../../platform/hashes.ts'
import { isSignedBy, type Signer } from '../../platform/signing.ts'
import { headsOf, type SealHead, sealHeadFrom, sealTextsFrom } from '../../store/seals/seals.ts'

/** The public keys that are trusted, by their ids. */
export type SealKeys = Pick<Signer, 'known'>

export type HeadFault = { readonly accountId: string; readonly number: number; readonly problem: string }

export async function listHeads(session: Session): Promise<SealHead[]> {
  const heads: SealHead[] = []
  for (const lane of ALL_LANES) {
    const [found] = await session.send([headsOf(lane)])
    heads.push(...(found?.rows ?? []).map(sealHeadFrom))
  }
  return heads
}

/**
 * Which heads the books do not go on from, and why; none where they do. `keys`: null for heads whose signatures nobody here can
 * check.
 */
export async function checkHeads(
  session: Session,
  heads: readonly SealHead[],
  keys: SealKeys | null,
): Promise<HeadFault[]> {
  const faults: HeadFault[] = []
  for (const head of heads) {
    const problem = (keys && faultOfHead(head, keys)) ?? (await faultAfter(session, head))
    if (problem !== null) faults.push({ accountId: head.accountId, number: head.number, problem })
  }
  return faults
}

/** Whether a head is one that this installation has signed; else why it is not. */
export function faultOfHead({ accountId, number, text, signature }: SealHead, keys: SealKeys): string | null {
  const seal = sealFrom(text)
  if (seal === null || seal.account !== accountId || seal.number !== number)
    return 'the head is no seal of this account'
  const publicKey = keys.known(seal.key)
  if (publicKey === null) return `the head is signed by the key ${seal.key}, which is not here`
  return isSignedBy(publicKey, text, signature) ? null : 'the signature of the head is not that of its text'
}

const TEXTS_AT_ONCE = 500

/** Follows the seals from the head to the newest one. */
async function faultAfter(session: Session, { accountId, number, text }: SealHead): Promise<string | null> {
  const key = { lane: laneOf(accountId), accountId }
  let before: SealHead | null = null
  for (let from = number; ; ) {
    const [found] = await session.send([sealTextsFrom(key, from, TEXTS_AT_ONCE)])
    const page = (found?.rows ?? []).map(sealHeadFrom)
    for (const each of page) {
      const problem = before === null ? faultOfFirst(each, number, text) : faultOfNext(before, each)
      if (problem !== null) return problem
      before = each
    }
    if (page.length < TEXTS_AT_ONCE) break
    from = (page.at(-1)?.number ?? from) + 1
  }
  return before === null ? 'the books end before it: they are older, or seals were removed' : null
}

function faultOfFirst(found: SealHead, number: number, text: string): string | null {
  if (found.number !== number) return 'it is not there, and later ones are: it was removed'
  return found.text === text
    ? null
    : 'another seal is in its place: the books were restored and went on, or were made anew'
}

function faultOfNext(before: SealHead, next: SealHead): string | null {
  const follows = next.number === before.number + 1 && sealFrom(next.text)?.previous === sha256Hex(before.text)
  return follows ? null : `seal ${next.number} was not made after seal ${before.number} as it is`
}
