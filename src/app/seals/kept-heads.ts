// Heads of seals as they are kept outside the database: printed by an operator, and beside every backup. One form for both, so that
// each command that takes the one takes the other. Accounts by their ids, and nobody's name.
import { sealFrom } from '../../domain/seal/seal.ts'
import { sha256Hex } from '../../platform/hashes.ts'
import type { SealHead } from '../../store/seals/seals.ts'

export type KeptHead = {
  readonly account_id: string
  readonly number: number
  /** Up to which position of its history the account is sealed. */
  readonly position: number
  /** The SHA-256 of the text, in lower-case hexadecimal. */
  readonly hash: string
  readonly sealed_at: string
  readonly key: string
  readonly text: string
  /** In base64. */
  readonly signature: string
}

export function keptHead({ accountId, number, text, signature }: SealHead): KeptHead {
  const seal = sealFrom(text)
  return {
    account_id: accountId,
    number,
    position: seal?.to ?? 0,
    hash: sha256Hex(text),
    sealed_at: seal?.sealed_at ?? '',
    key: seal?.key ?? '',
    text,
    signature: signature.toString('base64'),
  }
}

/** A head a line. */
export const headsText = (heads: readonly SealHead[]): string =>
  `{"heads":[${heads.map((head) => `\n${JSON.stringify(keptHead(head))}`).join(',')}]}\n`

/** The heads of a file. Throws an Error that says what is wrong with it. */
export function headsFromText(text: string): SealHead[] {
  const { heads } = JSON.parse(text) as { readonly heads: readonly Partial<KeptHead>[] }
  return heads.map(({ account_id: accountId, number, text: signed, signature }) => {
    if (typeof accountId !== 'string' || typeof number !== 'number' || typeof signed !== 'string')
      throw new Error('a head has account_id, number and text')
    return { accountId, number, text: signed, signature: Buffer.from(signature ?? '', 'base64') }
  })
}
