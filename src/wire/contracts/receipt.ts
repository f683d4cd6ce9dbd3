// A receipt on the wire (docs/receipts.md): every text is what was hashed or signed, and hashes are hexadecimal digits.
import Type from 'typebox'
import type { Receipt as DomainReceipt } from '../../domain/seal/receipt.ts'
import { envelope, nullable, uuid, type Wire } from '../shapes.ts'

const RECEIPT_FORM = 'gateway.receipt.v1'

const hash = (description: string) => Type.String({ description })

export const Receipt = Type.Object(
  {
    form: Type.Literal(RECEIPT_FORM),
    contract_id: uuid('The contract that it is of.'),
    versions: Type.Array(
      Type.Object({
        text: Type.String({ description: 'The leaf of the version: JSON, hashed as it stands after a zero byte.' }),
        seal: Type.Integer({ description: 'The number of the seal that it is in.' }),
        path: Type.Array(hash('A hash beside the way from the leaf to the root, the lowest first.')),
      }),
      { description: 'All versions of the contract, oldest first.' },
    ),
    members: Type.Array(
      Type.Object({
        hash: hash('The SHA-256 of its text.'),
        text: nullable(
          Type.String({ description: '["salt","name",value], hashed as it stands; null where the receipt hides it.' }),
        ),
      }),
      { description: 'The members of the newest version. Their hashes one after another make `members` of its leaf.' },
    ),
    seals: Type.Array(
      Type.Object({
        number: Type.Integer(),
        text: Type.String({ description: 'What is signed: JSON, as it stands.' }),
        signature: Type.String({ description: 'Ed25519 over the text, base64.' }),
        public_key: Type.String({ description: 'The 32 bytes of the key, base64: believe it where you know it.' }),
      }),
    ),
  },
  { $id: 'Receipt' },
)

export const ReceiptReply = envelope('number', Type.Object({ receipt: Receipt }))

export function presentReceipt(contractId: string, { versions, members, seals }: DomainReceipt): Wire<typeof Receipt> {
  return {
    form: RECEIPT_FORM,
    contract_id: contractId,
    versions: [...versions],
    members: [...members],
    seals: seals.map(({ number, text, signature, publicKey }) => ({ number, text, signature, public_key: publicKey })),
  }
}
