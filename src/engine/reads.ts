// Reads of contracts by id, gathered like writes: the reads of one turn of the event loop are one query.
import type { Contract } from '../domain/contract/contract.ts'
import { readFor } from '../platform/columns.ts'
import type { Session } from '../platform/db.ts'
import { loadContracts, readContractFrom } from '../store/contracts/contracts.ts'
import { type Batcher, batcherByServer, type Lanes, type MOVING, openBatcher, runInPlace } from './batch.ts'
import { rowKey } from './batch-state.ts'

/** Named with its account: an id that the account does not own is simply absent. */
export type ReadContract = { readonly lane: number; readonly accountId: string; readonly id: string }
export type Found = Contract | null

export type ContractReads = Batcher<ReadContract, Found> & { readonly close: () => Promise<void> }

/**
 * Longer than a batch takes whose contracts are in memory. One whose contracts come from the disk waits for each in turn, and others need
 * not wait for it.
 */
export const READS_ABREAST = { max: 4, afterMs: 10 }

/** Each server, and each node of a cluster, is read on a session of its own, of as many connections as {@link READS_ABREAST}. */
export function openContractReads(
  openSession: (server: string) => Session,
  queueMax: number,
  lanes: Lanes,
): ContractReads {
  const sessions: Session[] = []
  const reads = batcherByServer(lanes, (server) => {
    const session = openSession(server)
    sessions.push(session)
    return openReadsOfOne(session, queueMax, lanes)
  })
  return { ...reads, close: async () => void (await Promise.all(sessions.map((each) => each.close()))) }
}

function openReadsOfOne(
  session: Session,
  queueMax: number,
  lanes: Lanes,
): Batcher<ReadContract, Found | typeof MOVING> {
  const { groupOf } = lanes
  const read = async (requests: readonly ReadContract[]) => {
    const found = new Map<string, Contract>()
    for (const row of await readFor(session, groupOf, loadContracts, requests)) {
      const contract = readContractFrom(row)
      found.set(rowKey(contract.accountId, contract.id), contract)
    }
    return requests.map((request) => found.get(rowKey(request.accountId, request.id)) ?? null)
  }
  return openBatcher<ReadContract, Found | typeof MOVING>({
    batchMax: 256,
    queueMax,
    groupOf: () => 0,
    isWhole: groupOf !== null,
    abreast: READS_ABREAST,
    run: (requests) => runInPlace(lanes, requests, read),
  })
}
