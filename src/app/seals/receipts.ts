// A receipt: what a contract is and how it came there, with all that is needed to check it without the gateway (docs/receipts.md).
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import type { Receipt } from '../../domain/seal/receipt.ts'
import type { Step } from '../../domain/seal/seal.ts'
import type { Session } from '../../platform/db.ts'
import { hashesIn, pathOf } from '../../platform/hashes.ts'
import type { ContractKey } from '../../store/contracts/documents.ts'
import {
  sealsOfPositions,
  stepFrom,
  stepsOfContract,
  type VouchedSeal,
  vouchedSealFrom,
} from '../../store/seals/seals.ts'
import { type Leaf, leafOf } from './leaves.ts'

/** What of a document may be handed on. What it cost, whose wallet it was, notes, keys and how it was approved stay hidden. */
const SHOWN: ReadonlySet<string> = new Set([
  'kind',
  'status',
  'version',
  'livemode',
  'amount_minor',
  'currency',
  'description',
  'deliverable',
  'recipient',
  'channel',
  'created_at',
  'issued_at',
  'paid_at',
  'completed_at',
  'expires_at',
  'execution',
  'cancellation',
  'refund',
  'paid_minor',
  'refunded_minor',
])

/** The receipt of a contract that is there. Refused while its newest version is not sealed, and where it is not what was sealed. */
export async function receiptOf(session: Session, key: ContractKey): Promise<Receipt | Refusal> {
  const [found] = await session.send([stepsOfContract(key, key.id)])
  const steps = (found?.rows ?? []).map(stepFrom)
  const positions = steps.map(({ position }) => position)
  const [sealed] = await session.send([sealsOfPositions(key, positions)])
  const seals = (sealed?.rows ?? []).map(vouchedSealFrom)
  const versions: (Receipt['versions'][number] & { readonly leaf: Leaf })[] = []
  for (const step of steps) {
    const seal = seals.find(({ from, to }) => from <= step.position && step.position <= to)
    if (!seal)
      return refuse('not_sealed_yet', 'id', 'The newest step of the contract is not sealed yet. Wait for Retry-After.')
    const version = versionIn(seal, step)
    if (version === null)
      return refuse(
        'history_not_as_sealed',
        'id',
        'The contract is not what was sealed. An operator has to look: gateway verify.',
      )
    versions.push(version)
  }
  return {
    versions: versions.map(({ text, seal, path }) => ({ text, seal, path })),
    members: (versions.at(-1)?.leaf.members ?? []).map(({ name, text, hash }) => ({
      hash: hash.toString('hex'),
      text: SHOWN.has(name) ? text : null,
    })),
    seals: seals.map(({ number, text, signature, publicKey }) => ({
      number,
      text,
      signature: signature.toString('base64'),
      publicKey: publicKey.toString('base64'),
    })),
  }
}

function versionIn(seal: VouchedSeal, step: Step) {
  const [leaf, leaves, place] = [leafOf(seal.salt, step), hashesIn(seal.leaves), step.position - seal.from]
  if (!leaves[place]?.equals(leaf.hash)) return null
  const path = pathOf(leaves, place).map((hash) => hash.toString('hex'))
  return { leaf, text: leaf.text, seal: seal.number, path }
}
