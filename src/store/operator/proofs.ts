// Proofs of the books: when each ran, how far it has come, and what it found. One runs at a time.
import { ms } from '../../platform/columns.ts'
import type { Row, Statement } from '../../platform/db.ts'

export const PROOF_VERDICTS = ['holds', 'broken', 'interrupted'] as const
export type ProofVerdict = (typeof PROOF_VERDICTS)[number]

export type Proof = {
  readonly id: string
  readonly startedBy: string
  readonly startedAt: number
  readonly lanesDone: number
  readonly finishedAt: number | null
  readonly verdict: ProofVerdict | null
  readonly findings: readonly {
    readonly proof: string
    readonly row: string
    readonly problem: string
    readonly accountId: string
  }[]
  readonly counts: Readonly<Record<'wallets' | 'entries' | 'contracts' | 'versions', number>> | null
}

/** Ends those whose process says nothing any more. */
export function endLostProofs(): Statement {
  return {
    name: 'end_lost_proofs',
    text: `update proofs p set finished_at = now(), verdict = 'interrupted'
            where p.finished_at is null and p.beaten_at < now() - interval '5 minutes'`,
    values: [],
  }
}

/** No row where one runs. */
export function insertProof(id: string, startedBy: string): Statement {
  return {
    name: 'insert_proof',
    text: `insert into proofs (id, started_by) values ($1, $2) on conflict do nothing returning id`,
    values: [id, startedBy],
  }
}

export function beatProof(id: string, lanesDone: number): Statement {
  return {
    name: 'beat_proof',
    text: `update proofs p set beaten_at = now(), lanes_done = $2 where p.id = $1 and p.finished_at is null`,
    values: [id, lanesDone],
  }
}

export function finishProof(
  id: string,
  verdict: ProofVerdict,
  findings: Proof['findings'],
  counts: Proof['counts'],
): Statement {
  return {
    name: 'finish_proof',
    text: `update proofs p
              set finished_at = now(), verdict = $2, findings = $3::json, counts = $4::json
            where p.id = $1 and p.finished_at is null`,
    values: [id, verdict, JSON.stringify(findings), counts === null ? null : JSON.stringify(counts)],
  }
}

const COLUMNS = `p.id, p.started_by, ${ms('p.started_at')} as started_ms, p.lanes_done, ${ms('p.finished_at')} as finished_ms,
  p.verdict, p.findings, p.counts`

/** Newest first, one more than the limit. */
export function listProofs(after: string | null, limit: number): Statement {
  return {
    name: after === null ? 'list_proofs' : 'list_proofs_after',
    text: `select ${COLUMNS} from proofs p ${after === null ? '' : 'where p.id < $2'} order by p.id desc limit $1`,
    values: after === null ? [limit + 1] : [limit + 1, after],
  }
}

export function findProof(id: string): Statement {
  return { name: 'find_proof', text: `select ${COLUMNS} from proofs p where p.id = $1`, values: [id] }
}

export function proofFrom(row: Row): Proof {
  return {
    id: row['id'] as string,
    startedBy: row['started_by'] as string,
    startedAt: row['started_ms'] as number,
    lanesDone: row['lanes_done'] as number,
    finishedAt: row['finished_ms'] as number | null,
    verdict: row['verdict'] as ProofVerdict | null,
    findings: row['findings'] as Proof['findings'],
    counts: row['counts'] as Proof['counts'],
  }
}
