// Proofs of the books that somebody asked for over HTTP: one at a time, in the background, with its progress in its row.
import { isUuid, laneUuid } from '../../domain/contract/ids.ts'
import { type Refusal, refuse } from '../../domain/contract/refusals.ts'
import type { Session } from '../../platform/db.ts'
import {
  beatProof,
  endLostProofs,
  findProof,
  finishProof,
  insertProof,
  listProofs,
  type Proof,
  proofFrom,
} from '../../store/operator/proofs.ts'
import type { OperatorDeps } from './operator-actions.ts'
import type { SealKeys } from '../seals/heads.ts'
import { verifyBooksBy } from './verify.ts'

export type ProofDeps = OperatorDeps & {
  /** A connection that sees one moment in each transaction, and may take its time. */
  readonly openAuditor: () => Session
  /** The keys whose seals are believed. */
  readonly sealKeys: SealKeys
  /** Asks home where the lanes are, and goes by that from now on. */
  readonly seePlaces: () => Promise<void>
  /** Waits for the work before the process lets go of the database. */
  readonly follow: (work: Promise<void>) => void
}

const BEAT_MS = 1000

/** The proof as it begins, or why none does. */
export async function startProof(deps: ProofDeps, startedBy: string): Promise<Proof | Refusal> {
  const id = laneUuid(0, deps.ids.nowMs(), deps.ids.randomHex())
  // The lost ones in a transaction before: the new one is refused by their index entries otherwise.
  await deps.reader.transaction([], () => ({ statements: [endLostProofs()], value: null }))
  await deps.reader.transaction([], () => ({ statements: [insertProof(id, startedBy)], value: null }))
  const proof = await proofWith(deps, id)
  if ('kind' in proof)
    return refuse('proof_running', null, 'A proof of the books is running. Wait for it: GET /operations/proofs.')
  deps.follow(run(deps, id))
  return proof
}

async function run({ reader, openAuditor, sealKeys, seePlaces, ids }: ProofDeps, id: string): Promise<void> {
  const auditor = openAuditor()
  let beatAt = ids.nowMs()
  const onLane = (done: number) => {
    if (ids.nowMs() - beatAt < BEAT_MS) return
    beatAt = ids.nowMs()
    // What is lost of the progress is seen with the next lane.
    reader.send([beatProof(id, done)]).catch(() => undefined)
  }
  try {
    const { findings, counts, lanes } = await verifyBooksBy([auditor], { onLane, sealKeys, seePlaces })
    const shown = findings.map(({ proof, row, problem, accountId }) => ({ proof, row, problem, accountId }))
    await reader.send([beatProof(id, lanes)])
    await reader.send([finishProof(id, shown.length === 0 ? 'holds' : 'broken', shown, counts)])
  } catch {
    // The database is away, or the process stops: the proof says nothing about the books.
    await reader.send([finishProof(id, 'interrupted', [], null)]).catch(() => undefined)
  } finally {
    await auditor.close()
  }
}

export async function pageOfProofs({ reader }: OperatorDeps, after: string | null, limit: number): Promise<Proof[]> {
  const [result] = await reader.send([listProofs(after, limit)])
  return (result?.rows ?? []).map(proofFrom)
}

export async function proofWith({ reader }: OperatorDeps, id: string): Promise<Proof | Refusal> {
  const [found] = isUuid(id) ? await reader.send([findProof(id)]) : []
  const row = found?.rows[0]
  return row ? proofFrom(row) : refuse('proof_not_found', 'id', 'No proof has this id.')
}
